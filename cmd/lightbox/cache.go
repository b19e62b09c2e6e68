package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"lightbox/infer/cache"
)

const cacheDescription = `Replies of models to questions of public benchmarks at temperature 0 are kept, so that
the same request to the same model on the same version of the server is not sent again
by another run (lightbox run --no-cache sends it). Replies to your own questions, to
cards and in the demo are never kept. Above 1 GB the oldest go; clear removes them all.

EXAMPLES:
   lightbox cache
   lightbox cache clear`

func cacheCommand(t terminal) *cli.Command {
	return &cli.Command{
		Name: "cache", Usage: "show or clear the replies that are kept for other runs", ArgsUsage: "[clear] [OPTIONS]", Description: cacheDescription,
		Flags: []cli.Flag{&cli.BoolFlag{Name: "json", Usage: "print JSON"}},
		Action: func(c *cli.Context) error {
			store := replyCache()
			switch {
			case store == nil:
				return fmt.Errorf("finding the cache directory: this user has none")
			case c.NArg() == 0:
				return t.showCache(store, c.Bool("json"))
			case c.NArg() > 1 || c.Args().First() != "clear":
				return unknownVerb("cache", c.Args().First(), "clear")
			}
			n, err := store.Clear()
			if err != nil {
				return err
			}
			fmt.Fprintf(t.out, "%d replies removed\n", n)
			return nil
		},
	}
}

func (t terminal) showCache(store *cache.Store, asJSON bool) error {
	n, bytes, err := store.Size()
	if err != nil {
		return err
	}
	if asJSON {
		return writeJSON(t.out, map[string]any{"dir": store.Dir(), "replies": n, "bytes": bytes})
	}
	_, err = fmt.Fprintf(t.out, "%s: %d replies, %.1f MB\n", store.Dir(), n, float64(bytes)/1e6)
	return err
}

// replyCache is the user's store of replies; nil: the user has no cache directory.
func replyCache() *cache.Store {
	dir, err := os.UserCacheDir()
	if err != nil {
		return nil
	}
	return cache.Open(filepath.Join(dir, "lightbox", "replies"))
}
