//go:build integration && unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lightbox/bench"
	"lightbox/bench/bundle"
	"lightbox/infer/ollama"
	facts "lightbox/models"
	"lightbox/models/phantom"
)

// mustLightbox runs lightbox and gives its stdout.
func mustLightbox(t *testing.T, args ...string) string {
	t.Helper()
	out, said, code := runLightbox(t, args...)
	if code != exitDone {
		t.Fatalf("lightbox %s: exit code %d\n%s", strings.Join(args, " "), code, said)
	}
	return out
}

func runLightbox(t *testing.T, args ...string) (out, said string, code int) {
	t.Helper()
	var stdout, stderr strings.Builder
	c := lightboxCommand(t, args...)
	c.Stdout, c.Stderr = &stdout, &stderr
	_ = c.Run() // the exit code says it
	return stdout.String(), stderr.String(), c.ProcessState.ExitCode()
}

// demoKit packs the demo's models.
func demoKit(t *testing.T) string {
	t.Helper()
	kit := filepath.Join(t.TempDir(), "demo.tar.zst")
	args := []string{"bundle", "pack", "--demo", "--out", kit}
	if path := os.Getenv("LIGHTBOX_OLLAMA"); path != "" {
		args = append(args, "--ollama", path)
	}
	mustLightbox(t, args...)
	return kit
}

func (s *realServer) names() []string {
	s.t.Helper()
	client := s.client()
	defer client.Close()
	names, err := client.List(context.Background())
	if err != nil {
		s.t.Fatal(err)
	}
	return names
}

// checkDemo runs the demo and demands that it answers as it should.
func checkDemo(t *testing.T, args ...string) {
	t.Helper()
	var report struct {
		Subsets []struct {
			Name   string
			Scores []struct{ Scored, Correct int }
		}
	}
	out := mustLightbox(t, append([]string{"demo", "--json", "--out", filepath.Join(t.TempDir(), "run")}, args...)...)
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatal(err)
	}
	correct := 0
	for _, s := range report.Subsets {
		for _, score := range s.Scores {
			correct += score.Correct
		}
	}
	if correct < 290 { // models/phantom/README.md: 300 where all is right
		t.Errorf("%d correct in %s", correct, out)
	}
}

// TestDemoRunsFromAKit unpacks a kit of the demo's models into an empty directory
// and runs the demo from it: on a server that is started for it, and on the
// user's own, whose models stay.
func TestDemoRunsFromAKit(t *testing.T) {
	kit, dir := demoKit(t), t.TempDir()
	models := filepath.Join(dir, "models")
	mustLightbox(t, "bundle", "unpack", kit, "--models", models)
	blobs := func() int {
		entries, err := os.ReadDir(filepath.Join(models, "blobs"))
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	orphan := filepath.Join(models, "blobs", "sha256-"+strings.Repeat("0", 64))
	writeFile(t, orphan, "of no model", 0o600)
	before := blobs()
	private := []string{"--models", models}
	if path := os.Getenv("LIGHTBOX_OLLAMA"); path != "" {
		private = append(private, "--ollama", path)
	}
	checkDemo(t, private...)
	if after := blobs(); after != before {
		t.Errorf("%d blobs after the demo, %d before", after, before)
	}
	if err := os.Remove(orphan); err != nil {
		t.Fatal(err)
	}

	s := startEmpty(t, dir)
	checkDemo(t, "--host", s.address)
	if got := s.names(); len(got) != 2 {
		t.Errorf("after the demo the server has %v, want the two models that were there", got)
	}

	_, said, code := runLightbox(t, "demo", "--models", filepath.Join(dir, "none"))
	if code != exitModel || !strings.Contains(said, "there is no model directory") {
		t.Errorf("exit code %d:\n%s", code, said)
	}
}

// TestUnpackThroughARealServer gives a running server the demo's models, twice,
// and then a different one of the same name.
func TestUnpackThroughARealServer(t *testing.T) {
	kit, dir := demoKit(t), t.TempDir()
	s := startEmpty(t, dir)
	var first, second bundle.Unpacked
	for _, into := range []*bundle.Unpacked{&first, &second} {
		out := mustLightbox(t, "bundle", "unpack", kit, "--host", s.address, "--json")
		if err := json.Unmarshal([]byte(out), into); err != nil {
			t.Fatal(err)
		}
	}
	for i, m := range first.Models {
		again := second.Models[i]
		if m.There || !again.There || m.Digest != again.Digest || m.Digest == m.Packed || m.Packed != again.Packed {
			t.Errorf("first %+v, then %+v", m, again)
		}
	}
	checkDemo(t, "--host", s.address)

	client := s.client()
	defer client.Close()
	ctx := context.Background()
	judge := phantom.Definitions()[1]
	made, err := client.Made(ctx, phantom.Judge)
	if err != nil || !slices.Equal(made.Files, []string{judge.Digest}) {
		t.Errorf("the server says that the judge is made of %v, %v", made.Files, err)
	}
	// As if the server had written the file anew.
	made.Files = []string{"sha256:" + strings.Repeat("0", 64)}
	tensors, err := facts.Tensors(bytes.NewReader(judge.Data))
	if err != nil {
		t.Fatal(err)
	}
	if diff := made.Differences(ollama.Definition{
		Files: map[string]string{judge.File: judge.Digest}, Template: judge.Template, Parameters: judge.Parameters,
	}, tensors); len(diff) > 0 {
		t.Errorf("by the server's word and the file's own list these differ: %v", diff)
	}
	if err := client.Delete(ctx, phantom.Judge); err != nil {
		t.Fatal(err)
	}
	manifests := filepath.Join(dir, "models", "manifests", "registry.ollama.ai", "library")
	if err := os.CopyFS(filepath.Join(manifests, phantom.Judge), os.DirFS(filepath.Join(manifests, phantom.Model))); err != nil {
		t.Fatal(err)
	}
	_, said, code := runLightbox(t, "bundle", "unpack", kit, "--host", s.address)
	if code != exitModel || !strings.Contains(said, "a different model of that name") || !strings.Contains(said, "ollama rm phantom-judge:latest") {
		t.Errorf("exit code %d:\n%s", code, said)
	}
}

// TestUnpackBesideARunningServer unpacks into the model directory of a server
// that is running.
func TestUnpackBesideARunningServer(t *testing.T) {
	kit, dir := demoKit(t), t.TempDir()
	s := startEmpty(t, dir)
	mustLightbox(t, "bundle", "unpack", kit, "--models", filepath.Join(dir, "models"))
	if got := s.names(); len(got) != 2 {
		t.Errorf("the server has %v", got)
	}
	client := s.client()
	defer client.Close()
	if missing, err := bench.CreatePhantoms(context.Background(), client); len(missing) > 0 || err != nil {
		t.Errorf("the server had not %v, %v", missing, err)
	}
}
