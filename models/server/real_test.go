//go:build integration && (linux || darwin)

package server

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/models/phantom"
)

// realOllama is the server that these tests run. Without one they fail.
func realOllama(t *testing.T) string {
	t.Helper()
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	f := Finder{Path: filepath.SplitList(os.Getenv("PATH")), Home: home, Cache: cache}
	path, err := f.Find()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func startReal(t *testing.T) *Server {
	t.Helper()
	s, err := Start(t.Context(), Config{Binary: realOllama(t), Root: t.TempDir(), Env: os.Environ(), Ready: ready})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return s
}

// post asks by hand, without an HTTP client, and decodes the reply.
func post(t *testing.T, address, path string, body any, reply any) {
	t.Helper()
	b, ok := body.([]byte)
	if !ok {
		var err error
		if b, err = json.Marshal(body); err != nil {
			t.Fatal(err)
		}
	}
	got, err := ask(t.Context(), address, fmt.Sprintf(
		"POST %s HTTP/1.0\r\nHost: %s\r\nContent-Length: %d\r\n\r\n%s", path, address, len(b), b))
	if err != nil {
		t.Fatalf("asking %s: %v", path, err)
	}
	if reply == nil {
		return
	}
	if err := json.Unmarshal([]byte(got), reply); err != nil {
		t.Fatalf("asking %s: %v in %q", path, err, got)
	}
}

// create makes the phantom models and returns their digests by name.
func create(t *testing.T, address string) map[string]string {
	t.Helper()
	for _, d := range phantom.Definitions() {
		post(t, address, "/api/blobs/"+d.Digest, d.Data, nil)
		post(t, address, "/api/create", map[string]any{
			"model": d.Name, "files": map[string]string{d.File: d.Digest},
			"template": d.Template, "parameters": d.Parameters, "stream": false,
		}, nil)
	}
	body, err := get(t.Context(), address, "/api/tags")
	if err != nil {
		t.Fatal(err)
	}
	var tags struct {
		Models []struct{ Name, Digest string }
	}
	if err := json.Unmarshal([]byte(body), &tags); err != nil {
		t.Fatal(err)
	}
	digests := map[string]string{}
	for _, m := range tags.Models {
		digests[m.Name] = m.Digest
	}
	return digests
}

// chat is the model's answer about a picture of the phantom benchmark.
func chat(t *testing.T, address, question string) string {
	t.Helper()
	picture, err := os.ReadFile(filepath.Join("..", "..", "bench", "phantom", "images", "ph10.png"))
	if err != nil {
		t.Fatal(err)
	}
	var reply struct{ Message struct{ Content string } }
	post(t, address, "/api/chat", map[string]any{
		"model": phantom.Model, "stream": false, "options": map[string]any{"temperature": 0},
		"messages": []any{map[string]any{
			"role": "user", "content": question, "images": []string{base64.StdEncoding.EncodeToString(picture)},
		}},
	}, &reply)
	return reply.Message.Content
}

func TestRealDigestsDoNotDependOnTheDirectory(t *testing.T) {
	first, second := create(t, startReal(t).Address()), create(t, startReal(t).Address())
	if len(first) != len(phantom.Definitions()) {
		t.Fatalf("digests of %d models, want %d", len(first), len(phantom.Definitions()))
	}
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("digests of two servers (-first +second):\n%s", diff)
	}
}

func TestRealModelAnswers(t *testing.T) {
	s := startReal(t)
	create(t, s.Address())
	for question, want := range map[string]string{
		"Which modality is this?": "CT",
		"Which finding is shown?": "unknown", // without demonstrations
	} {
		if got := chat(t, s.Address(), question); got != want {
			t.Errorf("%s %q, want %q", question, got, want)
		}
	}
}

func TestRealStopEndsRunners(t *testing.T) {
	s := startReal(t)
	create(t, s.Address())
	chat(t, s.Address(), "Which modality is this?")
	if got := living(s.state.dir); got < 2 {
		t.Fatalf("%d processes, want the server and its runner", got)
	}
	if err := s.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	if got := living(s.state.dir); got != 0 {
		t.Errorf("%d processes left", got)
	}
}

func TestRealServerDiesWithItsKilledOwner(t *testing.T) {
	root := t.TempDir()
	o := startOwner(t, root, realOllama(t))
	create(t, o.address)
	chat(t, o.address, "Which modality is this?")
	if got := living(o.dir); got < 2 {
		t.Fatalf("%d processes, want the server and its runner", got)
	}
	o.kill()
	if runtime.GOOS == "linux" {
		eventually(t, "server and runner ended", func() bool { return living(o.dir) == 0 })
	}
	startIn(t, root, "ollama")
	if _, err := os.Stat(o.dir); !os.IsNotExist(err) {
		t.Errorf("the killed owner's directory after the next start: %v, want it gone", err)
	}
}
