// Bundle measures "lightbox bundle" beside tar and zstd on made-up models and
// data, and prints a row for each: nothing is asserted.
//
//	go run ./.ci/bench/bundle -lightbox bin/lightbox            256 MB, best of 3
//	go run ./.ci/bench/bundle -lightbox bin/lightbox -mb 2048 -times 1
package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

func main() {
	program := flag.String("lightbox", "bin/lightbox", "the program to measure")
	size := flag.Int("mb", 256, "MB of data")
	times := flag.Int("times", 3, "measurements of each, of which the shortest is shown")
	where := flag.String("dir", "", "directory to work in; unless given, a temporary one")
	flag.Parse()
	if err := run(*program, *where, *size, *times); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(program, where string, mb, times int) error {
	for _, tool := range []string{"tar", "zstd", "sh", "sync"} {
		if _, err := exec.LookPath(tool); err != nil {
			return err
		}
	}
	program, err := filepath.Abs(program)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp(where, "lightbox-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := fill(dir, mb); err != nil {
		return err
	}
	pack := program + ` bundle pack --model bench --models models --data data --out kit.tar.zst`
	groups := [][]row{
		{
			{"tar | zstd -T0", `tar cf - models data | zstd -T0 -q -f -o plain.tar.zst; sync plain.tar.zst`, "plain.tar.zst"},
			{"bundle pack", pack, "kit.tar.zst"},
		},
		{ // tar checks no digests, and leaves the writing to the system unless sync waits for it
			{"zstd -d | tar", `mkdir a; zstd -dqc plain.tar.zst | tar xf - -C a`, "a"},
			{"zstd -d | tar; sync", `mkdir a; zstd -dqc plain.tar.zst | tar xf - -C a; sync -f a`, "a"},
			{"bundle unpack", program + ` bundle unpack kit.tar.zst --models b/models --out b/out`, "b"},
		},
		{
			{"zstd -d | sha256sum", `zstd -dqc kit.tar.zst | sha256sum`, "none"},
			{"bundle verify", program + ` bundle verify kit.tar.zst`, "none"},
		},
	}
	fmt.Printf("%d MB, best of %d\n%-20s %8s %8s %8s %10s\n", mb, times, "", "wall s", "CPU s", "RSS MB", "packed MB")
	for _, rows := range groups {
		best := make([]measure, len(rows))
		for range times { // in turn, so that all meet the same machine
			for k := range best {
				m, err := rows[k].measure(dir)
				if err != nil {
					return err
				}
				if best[k].wall == 0 || m.wall < best[k].wall {
					best[k] = m
				}
			}
		}
		for k, m := range best {
			fmt.Printf("%-20s %8.2f %8.2f %8.1f", rows[k].name, m.wall.Seconds(), m.cpu.Seconds(), m.rss)
			if info, err := os.Stat(filepath.Join(dir, rows[k].makes)); err == nil && info.Mode().IsRegular() {
				fmt.Printf(" %10.1f", float64(info.Size())/1e6)
			}
			fmt.Println()
		}
	}
	return nil
}

// row is one command, of a shell.
type row struct {
	name, command string
	makes         string // what it writes, which is removed first
}

// measure is what a command took. rss is the largest of its processes, in MB; the
// kernel counts this program's own for a moment, which is why it keeps little.
type measure struct {
	wall, cpu time.Duration
	rss       float64
}

func (r row) measure(dir string) (measure, error) {
	if err := os.RemoveAll(filepath.Join(dir, r.makes)); err != nil {
		return measure{}, err
	}
	if err := exec.Command("sync", "-f", dir).Run(); err != nil { // nobody waits for another's bytes
		return measure{}, err
	}
	c := exec.Command("sh", "-ec", r.command)
	c.Dir = dir
	var said bytes.Buffer
	c.Stdout, c.Stderr = &said, &said
	start := time.Now()
	if err := c.Run(); err != nil {
		return measure{}, fmt.Errorf("%s: %w\n%s", r.name, err, &said)
	}
	m := measure{wall: time.Since(start), cpu: c.ProcessState.UserTime() + c.ProcessState.SystemTime()}
	if u, ok := c.ProcessState.SysUsage().(*syscall.Rusage); ok {
		m.rss = float64(u.Maxrss) / 1e3
	}
	return m, nil
}

// fill makes a model of four fifths of the size, which hardly compresses, and
// data: pictures, which do not, and questions, which do.
func fill(dir string, mb int) error {
	random := rand.NewChaCha8(sha256.Sum256([]byte("bench")))
	blobs := filepath.Join(dir, "models", "blobs")
	manifests := filepath.Join(dir, "models", "manifests", "registry.ollama.ai", "library", "bench")
	pictures := filepath.Join(dir, "data", "images")
	for _, d := range []string{blobs, manifests, pictures} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return err
		}
	}
	size := mb * 8 / 10 << 20
	h := sha256.New()
	temporary := filepath.Join(blobs, "new")
	if err := write(temporary, h, random, size); err != nil {
		return err
	}
	digest := hex.EncodeToString(h.Sum(nil))
	if err := os.Rename(temporary, filepath.Join(blobs, "sha256-"+digest)); err != nil {
		return err
	}
	manifest := fmt.Sprintf(`{"schemaVersion":2,"layers":[{"mediaType":"application/vnd.ollama.image.model","digest":"sha256:%s","size":%d}]}`, digest, size)
	if err := os.WriteFile(filepath.Join(manifests, "latest"), []byte(manifest), 0o644); err != nil {
		return err
	}
	const picture = 100_000
	for i := range (mb / 10 << 20) / picture {
		if err := write(filepath.Join(pictures, fmt.Sprintf("%06d.png", i)), io.Discard, random, picture); err != nil {
			return err
		}
	}
	f, err := os.Create(filepath.Join(dir, "data", "cases.jsonl"))
	if err != nil {
		return err
	}
	defer f.Close()
	text, words := bufio.NewWriter(f), rand.New(random)
	for n := 0; n < mb/10<<20; {
		k, _ := fmt.Fprintf(text, `{"question": "Which finding is shown in the picture %d?", "answer": "%x", "image": "images/%06d.png"}`+"\n", words.IntN(1e6), words.Uint32(), words.IntN(1000))
		n += k
	}
	return text.Flush()
}

// write makes a file of n random bytes, which go to h too.
func write(path string, h io.Writer, random io.Reader, n int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := io.CopyN(io.MultiWriter(f, h), random, int64(n)); err != nil {
		return err
	}
	return f.Close()
}
