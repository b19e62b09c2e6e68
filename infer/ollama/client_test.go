package ollama_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lightbox/infer"
	"lightbox/infer/ollama"
	"lightbox/infer/ollama/fake"
)

// start runs a fake server and a client of it, and checks afterwards that they
// leave no goroutine behind.
func start(t *testing.T, config fake.Config, timeouts ...time.Duration) (*fake.Server, *ollama.Client) {
	t.Helper()
	before := runtime.NumGoroutine()
	s := fake.Start(config)
	h, err := ollama.ParseHost(s.Addr())
	if err != nil {
		t.Fatal(err)
	}
	c := ollama.Config{Host: h}
	if timeouts != nil {
		c.AskTimeout, c.CallTimeout = timeouts[0], timeouts[0]
	}
	client, err := ollama.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		client.Close()
		s.Close()
		left := runtime.NumGoroutine()
		for i := 0; left > before && i < 500; i++ { // they end on their own, soon
			time.Sleep(10 * time.Millisecond)
			left = runtime.NumGoroutine()
		}
		if left > before {
			stacks := make([]byte, 1<<16)
			t.Errorf("%d goroutines left behind:\n%s", left-before, stacks[:runtime.Stack(stacks, true)])
		}
	})
	return s, client
}

func script(r fake.Reply) fake.Config {
	return fake.Config{Script: func(fake.Request) fake.Reply { return r }}
}

func picture(s string) infer.Image { return infer.NewImage([]byte(s), "image/png", 64, 64) }

func question(text string, images ...infer.Image) infer.Prompt {
	return infer.Prompt{
		Messages: []infer.Message{{Role: infer.User, Text: text, Images: images}},
		Options:  infer.Greedy(4096, 64, nil),
	}
}

// faultOf is the fault that err must be.
func faultOf(t *testing.T, err error) *infer.Fault {
	t.Helper()
	var fault *infer.Fault
	if !errors.As(err, &fault) {
		t.Fatalf("error %v, want a fault", err)
	}
	return fault
}

func TestVersionCloudList(t *testing.T) {
	ctx := context.Background()
	tests := []struct {
		name    string
		config  fake.Config
		version string
		cloud   ollama.CloudStatus
	}{
		{"switched off", fake.Config{}, "0.17.4", ollama.CloudStatus{Known: true, Disabled: true, Source: "env"}},
		{"switched on", fake.Config{CloudEnabled: true, Newer: true}, "0.33.0", ollama.CloudStatus{Known: true, Source: "none"}},
		{"not told", fake.Config{NoStatus: true, Version: "0.12.0"}, "0.12.0", ollama.CloudStatus{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.config.Models = []fake.Model{fake.Vision("b"), fake.Vision("a:4b")}
			_, c := start(t, tt.config)
			version, err := c.Version(ctx)
			if version != tt.version || err != nil {
				t.Errorf("version %q, %v", version, err)
			}
			cloud, err := c.Cloud(ctx)
			if cloud != tt.cloud || err != nil {
				t.Errorf("cloud %+v, %v", cloud, err)
			}
			names, err := c.List(ctx)
			if d := cmp.Diff([]string{"a:4b", "b:latest"}, names); d != "" || err != nil {
				t.Errorf("models (-want +got):\n%s%v", d, err)
			}
		})
	}
}

func TestLoadAndUnload(t *testing.T) {
	ctx := context.Background()
	s, c := start(t, fake.Config{Models: []fake.Model{fake.Vision("fake"), fake.Text("judge")}})
	p := question("Which side?")
	if err := c.Preload(ctx, "fake:latest", p.Options); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := c.Ask(ctx, "fake:latest", p); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := c.Render(ctx, "fake:latest", p); err != nil {
		t.Fatal(err)
	}
	loaded, err := c.Loaded(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if len(loaded) != 1 || loaded[0].Name != "fake:latest" || loaded[0].ContextLength != 4096 || loaded[0].Size == 0 || len(loaded[0].Digest) != 64 {
		t.Errorf("loaded %+v", loaded)
	}
	if d := cmp.Diff([]fake.Load{{Model: "fake:latest", NumCtx: 4096}}, s.Loads()); d != "" {
		t.Errorf("loads (-want +got):\n%s", d)
	}
	if err := c.Unload(ctx, "fake:latest"); err != nil {
		t.Fatal(err)
	}
	if loaded, err := c.Loaded(ctx); len(loaded) != 0 || err != nil {
		t.Errorf("loaded %+v, %v after unloading", loaded, err)
	}
}

func TestCreateAndDelete(t *testing.T) {
	ctx := context.Background()
	_, c := start(t, fake.Config{})
	content := "weights"
	digest := string(infer.DigestOf([]byte(content)))
	if err := c.CreateBlob(ctx, string(infer.DigestOf(nil)), strings.NewReader(content)); err == nil {
		t.Error("a blob with another digest is taken")
	}
	if err := c.CreateBlob(ctx, digest, strings.NewReader(content)); err != nil {
		t.Fatal(err)
	}
	d := ollama.Definition{
		Name: "phantom", Files: map[string]string{"phantom.gguf": digest}, Template: "{{ .Prompt }}",
		Parameters: map[string]any{"num_thread": 1}, System: "Answer.",
	}
	if err := c.Create(ctx, d); err != nil {
		t.Fatal(err)
	}
	f, err := c.Facts(ctx, "phantom")
	if err != nil {
		t.Fatal(err)
	}
	if f.System != "Answer." || f.Template != "{{ .Prompt }}" || !strings.Contains(f.Parameters, "num_thread") {
		t.Errorf("facts %+v", f)
	}
	if err := c.Delete(ctx, "phantom"); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Facts(ctx, "phantom"); faultOf(t, err).Reason != infer.ReasonModel {
		t.Errorf("error %v after deleting", err)
	}
	d.Files["phantom.gguf"] = string(infer.DigestOf(nil))
	if err := c.Create(ctx, d); err == nil {
		t.Error("a model of a blob that is not there is created")
	}
	d.Name = "x:cloud"
	if err := c.Create(ctx, d); faultOf(t, err).Reason != infer.ReasonRemote {
		t.Errorf("error %v for a cloud name", err)
	}
}

func TestContacted(t *testing.T) {
	s, c := start(t, fake.Config{})
	if got := c.Contacted(); len(got) != 0 {
		t.Errorf("contacted %v before the first request", got)
	}
	for range 3 {
		if _, err := c.Version(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff([]string{s.Addr()}, c.Contacted()); d != "" {
		t.Errorf("contacted (-want +got):\n%s", d)
	}
}
