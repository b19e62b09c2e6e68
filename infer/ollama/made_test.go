package ollama_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/infer"
	"lightbox/infer/ollama"
	"lightbox/infer/ollama/fake"
	"lightbox/models"
	"lightbox/models/phantom"
)

func definition() (ollama.Definition, []byte) {
	d := phantom.Definitions()[1]
	return ollama.Definition{
		Name: "reader", Files: map[string]string{d.File: d.Digest}, Template: d.Template, Parameters: d.Parameters,
		System: "Be brief.", Messages: []models.Turn{{Role: "user", Text: "hi"}}, Renderer: "r1", Parser: "p1",
	}, d.Data
}

func TestMadeIsAsDefined(t *testing.T) {
	ctx := context.Background()
	for _, rewrites := range []bool{false, true} {
		d, data := definition()
		_, c := start(t, fake.Config{Rewrites: rewrites})
		digest := d.Files["phantom-judge.gguf"]
		for _, want := range []bool{false, true} {
			if has, err := c.HasBlob(ctx, digest); has != want || err != nil {
				t.Errorf("HasBlob = %v, %v, want %v", has, err, want)
			}
			if err := c.CreateBlob(ctx, digest, bytes.NewReader(data)); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.Create(ctx, d); err != nil {
			t.Fatal(err)
		}
		made, err := c.Made(ctx, d.Name)
		if err != nil {
			t.Fatal(err)
		}
		tensors, err := models.Tensors(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if diff := made.Differences(d, tensors); len(diff) > 0 {
			t.Errorf("rewritten %v: %v differ", rewrites, diff)
		}
		if same := made.Files[0] == digest; same == rewrites {
			t.Errorf("rewritten %v: file %s", rewrites, made.Files[0])
		}
	}
}

func TestMadeDifferences(t *testing.T) {
	d, _ := definition()
	d.Messages, d.Renderer, d.Parser = nil, "", ""
	digest := d.Files["phantom-judge.gguf"]
	made := func() ollama.Made {
		return ollama.Made{
			Files: []string{digest}, Template: d.Template, System: d.System,
			Parameters: []string{"num_ctx 4096", "num_predict 8", "num_thread 1", "temperature 0"},
			Tensors:    []models.Tensor{{Name: "a", Type: "F32", Shape: []uint64{2, 1, 1, 1}}},
		}
	}
	list := []models.Tensor{{Name: "a", Type: "F32", Shape: []uint64{2}}}
	other := []string{"sha256:0000000000000000000000000000000000000000000000000000000000000000"}
	tests := []struct {
		name    string
		change  func(*ollama.Made)
		tensors []models.Tensor
		want    []string
	}{
		{"none", func(*ollama.Made) {}, nil, nil},
		{"template", func(m *ollama.Made) { m.Template += " " }, nil, []string{"template"}},
		{"system text", func(m *ollama.Made) { m.System = "" }, nil, []string{"system text"}},
		{"parameters", func(m *ollama.Made) { m.Parameters = m.Parameters[1:] }, nil, []string{"parameters"}},
		{"messages", func(m *ollama.Made) { m.Messages = []models.Turn{{Role: "user", Text: "x"}} }, nil, []string{"messages"}},
		{"rewritten file", func(m *ollama.Made) { m.Files = other }, list, nil},
		{"file of unknown tensors", func(m *ollama.Made) { m.Files = other }, nil, []string{"files"}},
		{"another shape", func(m *ollama.Made) { m.Files, m.Tensors[0].Shape = other, []uint64{3} }, list, []string{"files"}},
		{"another type", func(m *ollama.Made) { m.Files, m.Tensors[0].Type = other, "F16" }, list, []string{"files"}},
		{"two files", func(m *ollama.Made) { m.Files = append(m.Files, other...) }, list, []string{"files"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := made()
			tt.change(&m)
			if diff := cmp.Diff(tt.want, m.Differences(d, tt.tensors)); diff != "" {
				t.Errorf("differences (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMadeOfAForwardedModel(t *testing.T) {
	stub := fake.Vision("stub")
	stub.RemoteHost, stub.RemoteModel = "http://127.0.0.1:9", "up"
	_, c := start(t, fake.Config{Models: []fake.Model{stub}, CloudEnabled: true})
	for name, want := range map[string]infer.Reason{"stub": infer.ReasonRemote, "x:cloud": infer.ReasonRemote, "none": infer.ReasonModel} {
		_, err := c.Made(context.Background(), name)
		if f := faultOf(t, err); f.Reason != want {
			t.Errorf("%s: reason %v, want %v", name, f.Reason, want)
		}
	}
}
