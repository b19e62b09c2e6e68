package bundle

import (
	"context"
	"errors"
	"strings"
	"testing"

	"lightbox/infer/ollama"
	"lightbox/infer/ollama/fake"
	"lightbox/models/phantom"
)

// serverTarget is a fake server without models, and what else there is.
func serverTarget(t *testing.T, c fake.Config) (Target, *fake.Server) {
	t.Helper()
	if c.Models == nil {
		c.Models = []fake.Model{fake.Vision("mine")}
	}
	s := fake.Start(c)
	t.Cleanup(s.Close)
	host, err := ollama.ParseHost(s.Addr())
	check(t, err)
	client, err := ollama.New(ollama.Config{Host: host})
	check(t, err)
	t.Cleanup(client.Close)
	to, _, _ := target(t)
	to.ModelDir, to.Server = "", client
	return to, s
}

// forServer are contents that a server can be given.
func forServer(t *testing.T) Contents {
	t.Helper()
	c := contents(t)
	putModel(t, c.ModelDir, "sees", map[string][]byte{
		"model": phantom.Definitions()[0].Data, "template": []byte("{{ .Prompt }}!"), "system": []byte("Be brief."),
		"params": []byte(`{"stop":["a b","c"],"temperature":0.5,"num_ctx":4096}`), "license": []byte("MIT"),
		"messages": []byte(`[{"role":"user","content":"hi"}]`), "config": []byte(`{"model_format":"gguf","renderer":"r","parser":"p"}`),
	})
	c.Models = []string{"hub.example/me/judge:4b", "sees"}
	return c
}

func uploads(s *fake.Server) int {
	n := 0
	for _, r := range s.Requests() {
		if strings.HasPrefix(r.Path, "/api/blobs/") && r.Method == "POST" {
			n++
		}
	}
	return n
}

func TestUnpackThroughAServer(t *testing.T) {
	for _, rewrites := range []bool{false, true} {
		to, s := serverTarget(t, fake.Config{Rewrites: rewrites})
		b := pack(t, forServer(t))
		got, err := unpack(b, to)
		check(t, err)
		for _, m := range got.Models {
			if m.There || m.Digest == m.Packed || len(m.Digest) != 64 {
				t.Errorf("rewritten %v: %+v", rewrites, m)
			}
			digest, err := to.Server.Digest(context.Background(), m.Name)
			if err != nil || digest != m.Digest {
				t.Errorf("the server's digest of %s is %s, %v, want %s", m.Name, digest, err, m.Digest)
			}
		}
		if n := uploads(s); n != 2 {
			t.Errorf("%d uploads, want the two model files", n)
		}
		again, err := unpack(b, to)
		check(t, err)
		if !again.Models[0].There || !again.Models[1].There || again.Models[0].Digest != got.Models[0].Digest || uploads(s) != 2 {
			t.Errorf("unpacked again: %+v, %d uploads", again, uploads(s))
		}
	}
}

func TestServerHasAnotherModelOfThatName(t *testing.T) {
	to, s := serverTarget(t, fake.Config{Models: []fake.Model{fake.Vision("sees")}})
	_, err := unpack(pack(t, forServer(t)), to)
	var conflict *Conflict
	if !errors.As(err, &conflict) || conflict.Model != "sees:latest" || !strings.Contains(conflict.What, "template") {
		t.Errorf("error %v", err)
	}
	if uploads(s) != 0 {
		t.Error("blobs were uploaded all the same")
	}
	names, err := to.Server.List(context.Background())
	check(t, err)
	if len(names) != 1 {
		t.Errorf("the server has %v", names)
	}
}

// TestDamageReachesNoServer sends nothing of a bundle with a changed byte.
func TestDamageReachesNoServer(t *testing.T) {
	to, s := serverTarget(t, fake.Config{})
	b := pack(t, forServer(t))
	b[len(b)-5000] ^= 1
	var d *Damage
	if _, err := unpack(b, to); !errors.As(err, &d) {
		t.Errorf("error %v", err)
	}
	if n := len(s.Requests()); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}

// TestDataConflictTakesModelsBack has data in the way that are met only at the
// end.
func TestDataConflictTakesModelsBack(t *testing.T) {
	to, _ := serverTarget(t, fake.Config{})
	c := forServer(t)
	k, err := Prepare(context.Background(), c, nil)
	check(t, err)
	for _, e := range twisted {
		k.add(File{e.name, int64(len(e.content)), digestOf([]byte(e.content))}, source{content: []byte(e.content)})
	}
	var b strings.Builder
	check(t, k.Pack(context.Background(), &b, nil))
	if _, err := unpack([]byte(b.String()), to); err == nil {
		t.Error("no error")
	}
	names, err := to.Server.List(context.Background())
	check(t, err)
	if len(names) != 1 {
		t.Errorf("the server has %v", names)
	}
}

func TestWhatNoServerTakes(t *testing.T) {
	for _, tt := range []struct {
		name   string
		layers map[string][]byte
		want   string
	}{
		{"an unknown layer", map[string][]byte{"model": noise(1, 10), "odd": []byte("x")}, "image.odd"},
		{"another format", map[string][]byte{"model": noise(1, 10), "config": []byte(`{"model_format":"safetensors"}`)}, "safetensors"},
		{"messages with pictures", map[string][]byte{"model": noise(1, 10), "messages": []byte(`[{"role":"user","content":"","images":["eA=="]}]`)}, "pictures"},
		{"a template too long", map[string][]byte{"model": noise(1, 10), "template": make([]byte, maxHeld+1)}, "1048577 bytes"},
		{"parameters that are none", map[string][]byte{"model": noise(1, 10), "params": []byte("x")}, "invalid character"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := contents(t)
			putModel(t, c.ModelDir, "odd", tt.layers)
			to, s := serverTarget(t, fake.Config{})
			_, err := unpack(pack(t, Contents{Models: []string{"odd"}, ModelDir: c.ModelDir}), to)
			if err == nil || !strings.Contains(err.Error(), tt.want) || uploads(s) != 0 {
				t.Errorf("error %v, %d uploads", err, uploads(s))
			}
		})
	}
}
