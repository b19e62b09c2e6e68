package bench

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lightbox/infer/cache"
	"lightbox/infer/ollama/fake"
)

// TestRepliesAreKeptForEqualRequests runs the same questions twice with one cache,
// the second time changed in one respect, and counts what is asked again.
func TestRepliesAreKeptForEqualRequests(t *testing.T) {
	newer := fake.Vision("eye")
	newer.Digest = strings.Repeat("ab", 32)
	for _, tt := range []struct {
		name   string
		change func(*testing.T, *fake.Server, *Config)
		asks   int
	}{
		{"nothing", func(*testing.T, *fake.Server, *Config) {}, 0},
		{"the judge", func(_ *testing.T, _ *fake.Server, c *Config) { c.Judge = "judge" }, 0},
		{"more requests at once", func(_ *testing.T, _ *fake.Server, c *Config) { c.Parallel = 3 }, 0},
		{"no cache", func(_ *testing.T, _ *fake.Server, c *Config) { c.Cache = nil }, 4},
		{"another cache", func(t *testing.T, _ *fake.Server, c *Config) { c.Cache = cache.Open(t.TempDir()) }, 4},
		{"temperature", func(_ *testing.T, _ *fake.Server, c *Config) { c.Temperature = 0.5 }, 4},
		{"seed", func(_ *testing.T, _ *fake.Server, c *Config) { c.Seed = 7 }, 4},
		{"tokens of reply", func(_ *testing.T, _ *fake.Server, c *Config) { c.NumPredict = 64 }, 4},
		{"context", func(_ *testing.T, _ *fake.Server, c *Config) { c.NumCtx = 8192 }, 4},
		{"another model of the name", func(_ *testing.T, s *fake.Server, _ *Config) { s.SetModel(newer) }, 4},
		{"another version of the server", func(_ *testing.T, s *fake.Server, _ *Config) { s.SetVersion("0.18.0") }, 4},
		{"one question", func(_ *testing.T, _ *fake.Server, c *Config) { c.Benchmark.Samples[1].Question = "question 2 again?" }, 1},
		{"one picture", func(t *testing.T, _ *fake.Server, c *Config) {
			c.Benchmark.Pictures.(gallery)["1.png"] = greyPNG(t, 99)
		}, 1},
		{"a damaged entry", func(t *testing.T, _ *fake.Server, c *Config) {
			entries, err := os.ReadDir(c.Cache.Dir())
			if err != nil || len(entries) != 4 {
				t.Fatalf("%d entries, %v", len(entries), err)
			}
			if err := os.Truncate(filepath.Join(c.Cache.Dir(), entries[0].Name()), 30); err != nil {
				t.Fatal(err)
			}
		}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, cfg := play(t, 4, fake.Config{})
			cfg.Cache = cache.Open(t.TempDir())
			if _, err := Run(context.Background(), cfg); err != nil {
				t.Fatal(err)
			}
			first, before := cfg.Out, samplesAsked(s)
			tt.change(t, s, &cfg)
			cfg.Out = t.TempDir()
			var notes []string
			cfg.Watch = func(e Event) { notes = append(notes, e.Note) }
			if _, err := Run(context.Background(), cfg); err != nil {
				t.Fatal(err)
			}
			if n := samplesAsked(s) - before; n != tt.asks {
				t.Errorf("%d samples were asked again, want %d", n, tt.asks)
			}
			if said := strings.Contains(strings.Join(notes, "\n"), "same requests before"); said != (tt.asks < 4) {
				t.Errorf("notes %q", notes)
			}
			if n := bytes.Count(file(t, cfg.Out, "timings.jsonl"), []byte(`"kind":"shared"`)); n != 4-tt.asks {
				t.Errorf("%d replies are marked, want %d", n, 4-tt.asks)
			}
			if tt.name == "nothing" && !bytes.Equal(file(t, first, "responses.jsonl"), file(t, cfg.Out, "responses.jsonl")) {
				t.Error("the kept replies are not those that were given")
			}
		})
	}
}

// TestOnlyFinishedRunsKeepReplies stops a run at its third sample.
func TestOnlyFinishedRunsKeepReplies(t *testing.T) {
	s, cfg := play(t, 4, fake.Config{Script: on(3, always(fake.Answer{RemoteModel: "up"}))})
	cfg.Cache = cache.Open(t.TempDir())
	if _, err := Run(context.Background(), cfg); err == nil {
		t.Fatal("the run ended well")
	}
	if n, _, err := cfg.Cache.Size(); n != 0 || err != nil || samplesAsked(s) != 3 {
		t.Errorf("%d replies were kept of %d, %v", n, samplesAsked(s), err)
	}
}

// TestFaultsAreNotKept has one sample fail and be asked again by the next run.
func TestFaultsAreNotKept(t *testing.T) {
	s, cfg := play(t, 3, fake.Config{Script: on(2, until(2, fake.PictureRefused(), fake.Answer{Text: "yes"}))})
	cfg.Cache = cache.Open(t.TempDir())
	for range 2 {
		if _, err := Run(context.Background(), cfg); err != nil {
			t.Fatal(err)
		}
		cfg.Out = t.TempDir()
	}
	if n := asked(s, 2); n != 2 {
		t.Errorf("the sample was asked %d times, want 2", n)
	}
	if n := asked(s, 1) + asked(s, 3); n != 2 {
		t.Errorf("the others were asked %d times, want once each", n)
	}
}

func samplesAsked(s *fake.Server) int {
	n := 0
	for _, r := range s.Chats() {
		if isSample(r) {
			n++
		}
	}
	return n
}

func file(t *testing.T, dir, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}
