package infer_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/infer"
)

func picture(s string) infer.Image { return infer.NewImage([]byte(s), "image/png", 10, 20) }

// base is a prompt with every part set.
func base() infer.Prompt {
	think := false
	return infer.Prompt{
		Messages: []infer.Message{
			{Role: infer.System, Text: "Answer."},
			{Role: infer.User, Text: "Which side?", Images: []infer.Image{picture("a"), picture("b")}},
		},
		Options:     infer.Greedy(4096, 64, []string{"</s>"}),
		Format:      json.RawMessage(`{"type":"integer"}`),
		Think:       &think,
		TopLogprobs: 2,
	}
}

func TestDigestOfPrompt(t *testing.T) {
	if one, other := base(), base(); one.Digest() != other.Digest() {
		t.Fatal("equal prompts have two digests")
	}
	changes := map[string]func(*infer.Prompt){
		"text":                 func(p *infer.Prompt) { p.Messages[1].Text += "?" },
		"role":                 func(p *infer.Prompt) { p.Messages[0].Role = infer.Assistant },
		"order of messages":    func(p *infer.Prompt) { p.Messages[0], p.Messages[1] = p.Messages[1], p.Messages[0] },
		"order of pictures":    func(p *infer.Prompt) { i := p.Messages[1].Images; i[0], i[1] = i[1], i[0] },
		"a picture":            func(p *infer.Prompt) { p.Messages[1].Images[0] = picture("c") },
		"a picture less":       func(p *infer.Prompt) { p.Messages[1].Images = p.Messages[1].Images[:1] },
		"a picture moved":      func(p *infer.Prompt) { p.Messages[0].Images, p.Messages[1].Images = p.Messages[1].Images, nil },
		"format":               func(p *infer.Prompt) { p.Format = nil },
		"think on":             func(p *infer.Prompt) { on := true; p.Think = &on },
		"think not sent":       func(p *infer.Prompt) { p.Think = nil },
		"logprobs":             func(p *infer.Prompt) { p.TopLogprobs = 0 },
		"text that is a field": func(p *infer.Prompt) { p.Messages[0].Text += "role 4 user" },
		"split of a text":      func(p *infer.Prompt) { p.Messages = append(p.Messages, infer.Message{Role: infer.User}) },
	}
	seen := map[infer.Digest]string{base().Digest(): "nothing"}
	for name, change := range changes {
		p := base()
		change(&p)
		if other, ok := seen[p.Digest()]; ok {
			t.Errorf("changing %s gives the digest of changing %s", name, other)
		}
		seen[p.Digest()] = name
	}
}

func TestDigestOfPromptCoversEveryOption(t *testing.T) {
	want := base().Digest()
	for i := range reflect.TypeFor[infer.Options]().NumField() {
		p := base()
		switch f := reflect.ValueOf(&p.Options).Elem().Field(i); f.Kind() {
		case reflect.Int:
			f.SetInt(f.Int() + 1)
		case reflect.Float64:
			f.SetFloat(f.Float() + 0.5)
		case reflect.Bool:
			f.SetBool(!f.Bool())
		default:
			f.Set(reflect.ValueOf([]string{"other"}))
		}
		if p.Digest() == want {
			t.Errorf("option %s does not move the digest", reflect.TypeFor[infer.Options]().Field(i).Name)
		}
	}
}

func TestDigest(t *testing.T) {
	d := infer.DigestOf([]byte("abc"))
	const want = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	if d != want {
		t.Errorf("digest %q, want %q", d, want)
	}
	if got := d.Short(); got != "ba7816bf8f01" {
		t.Errorf("short digest %q", got)
	}
	if got := infer.Digest("sha256:ab").Short(); got != "ab" {
		t.Errorf("short digest of a stub %q", got)
	}
}

func TestImagesInOrder(t *testing.T) {
	p := base()
	p.Messages = append(p.Messages, infer.Message{Role: infer.User, Images: []infer.Image{picture("c")}})
	var got []string
	for _, i := range p.Images() {
		got = append(got, string(i.Data))
	}
	if d := cmp.Diff([]string{"a", "b", "c"}, got); d != "" {
		t.Errorf("pictures (-want +got):\n%s", d)
	}
}

func TestGreedySendsNoPenalty(t *testing.T) {
	got := infer.Greedy(2048, 32, nil)
	want := infer.Options{NumCtx: 2048, NumPredict: 32, TopK: 40, TopP: 0.9, TypicalP: 1, RepeatLastN: 64, RepeatPenalty: 1}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("options (-want +got):\n%s", d)
	}
}

func TestFault(t *testing.T) {
	beneath := errors.New("beneath")
	f := &infer.Fault{Reason: infer.ReasonBusy, Status: 503, Detail: "queue full", Err: beneath}
	if got, want := f.Error(), "server busy (status 503): queue full"; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
	if got, want := (&infer.Fault{Reason: infer.ReasonTimeout}).Error(), "timeout"; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
	if !errors.Is(fmt.Errorf("asking: %w", f), beneath) {
		t.Error("what lies beneath is not found")
	}
}

func FuzzDigestOfPrompt(f *testing.F) {
	f.Add("user", "text", "role 4 user")
	f.Add("", "", "text 0 ")
	f.Fuzz(func(t *testing.T, role, a, b string) {
		one := infer.Prompt{Messages: []infer.Message{{Role: infer.Role(role), Text: a + b}}}
		two := infer.Prompt{Messages: []infer.Message{{Role: infer.Role(role), Text: a}, {Role: infer.Role(role), Text: b}}}
		if one.Digest() == two.Digest() {
			t.Errorf("one message and two have one digest: %q %q", a, b)
		}
		if d := string(one.Digest()); !strings.HasPrefix(d, "sha256:") || len(d) != 71 {
			t.Errorf("digest %q", d)
		}
	})
}
