package fake_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/infer"
	"lightbox/infer/ollama"
	"lightbox/infer/ollama/fake"
)

func ask(t *testing.T, s *fake.Server, p infer.Prompt) (infer.Response, error) {
	t.Helper()
	h, err := ollama.ParseHost(s.Addr())
	if err != nil {
		t.Fatal(err)
	}
	c, err := ollama.New(ollama.Config{Host: h})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	return c.Ask(context.Background(), "fake", p)
}

func answer(t *testing.T, s *fake.Server, p infer.Prompt) infer.Response {
	t.Helper()
	r, err := ask(t, s, p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func prompt(text string, pictures ...string) infer.Prompt {
	m := infer.Message{Role: infer.User, Text: text}
	for _, p := range pictures {
		m.Images = append(m.Images, infer.NewImage([]byte(p), "image/png", 64, 64))
	}
	return infer.Prompt{Messages: []infer.Message{m}, Options: infer.Greedy(4096, 64, nil), TopLogprobs: 3}
}

func TestAnswerDependsOnTheQuestion(t *testing.T) {
	s := fake.Start(fake.Config{})
	defer s.Close()
	prompts := map[string]infer.Prompt{
		"two pictures": prompt("compare", "a", "b"), "swapped": prompt("compare", "b", "a"), "the first": prompt("compare", "a"),
		"the second": prompt("compare", "b"), "none": prompt("compare"), "another question": prompt("Compare", "a", "b"),
	}
	texts := map[string]string{}
	for name, p := range prompts {
		one, two := answer(t, s, p), answer(t, s, p)
		if one.Text != two.Text || !cmp.Equal(one.Logprobs, two.Logprobs) {
			t.Errorf("%s: two answers: %q, %q", name, one.Text, two.Text)
		}
		if other, ok := texts[one.Text]; ok {
			t.Errorf("%s and %s have the answer %q", name, other, one.Text)
		}
		texts[one.Text] = name
		if len(one.Logprobs) != one.OutputTokens-1 || len(one.Logprobs[0].Top) != 3 {
			t.Errorf("%s: %d tokens, logprobs %+v", name, one.OutputTokens, one.Logprobs)
		}
	}
	none, one, two := answer(t, s, prompts["none"]), answer(t, s, prompts["the first"]), answer(t, s, prompts["two pictures"])
	if one.PromptTokens-none.PromptTokens != 256 || two.PromptTokens-one.PromptTokens != 256 {
		t.Errorf("prompt tokens %d, %d, %d", none.PromptTokens, one.PromptTokens, two.PromptTokens)
	}
}

func TestAnswerFitsTheFormat(t *testing.T) {
	s := fake.Start(fake.Config{})
	defer s.Close()
	for _, format := range []string{
		`{"type":"integer","enum":[0,1]}`, `{"type":"string","enum":["A","B"]}`, `{"type":"boolean"}`,
		`{"type":"object","properties":{"answer":{"enum":["yes","no"]},"score":{"type":"integer","minimum":1}}}`,
	} {
		p := prompt("judge")
		p.Format = json.RawMessage(format)
		var v any
		text := answer(t, s, p).Text
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Errorf("%s: answer %q", format, text)
		}
	}
}

func TestLimits(t *testing.T) {
	s := fake.Start(fake.Config{Script: func(fake.Request) fake.Reply { return fake.Answer{Text: strings.Repeat("word ", 100)} }})
	defer s.Close()
	r := answer(t, s, prompt("long"))
	if r.DoneReason != "length" || r.OutputTokens != 64 || len(strings.Fields(r.Text)) != 64 {
		t.Errorf("done reason %q, %d tokens, %d words", r.DoneReason, r.OutputTokens, len(strings.Fields(r.Text)))
	}
	tight := prompt(strings.Repeat("x ", 4000))
	if r = answer(t, s, tight); r.DoneReason != "length" || r.PromptTokens+r.OutputTokens > 4096 {
		t.Errorf("done reason %q, %d and %d tokens", r.DoneReason, r.PromptTokens, r.OutputTokens)
	}
	var fault *infer.Fault
	_, err := ask(t, s, prompt(strings.Repeat("x ", 4097)))
	if !errors.As(err, &fault) || fault.Reason != infer.ReasonContextRefused || fault.Status != 400 {
		t.Errorf("error %v", err)
	}
	small := prompt(strings.Repeat("x ", 2000))
	small.Options.NumCtx = 64 // raised to 2048, as servers do for vision models
	if _, err := ask(t, s, small); err != nil {
		t.Error(err)
	}
}

func TestLoadsAndScript(t *testing.T) {
	var seen []int
	s := fake.Start(fake.Config{Script: func(r fake.Request) fake.Reply {
		seen = append(seen, r.N)
		if r.N == 2 {
			return fake.Busy()
		}
		return nil
	}})
	defer s.Close()
	p := prompt("x", "a")
	for i, numCtx := range []int{4096, 4096, 8192, 8192} {
		p.Options.NumCtx = numCtx
		if _, err := ask(t, s, p); (err != nil) != (i == 1) {
			t.Errorf("request %d: %v", i+1, err)
		}
	}
	if d := cmp.Diff([]fake.Load{{Model: "fake:latest", NumCtx: 4096}, {Model: "fake:latest", NumCtx: 8192}}, s.Loads()); d != "" {
		t.Errorf("loads (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]int{1, 2, 3, 4}, seen); d != "" || len(s.Chats()) != 4 || s.ChatCount() != 4 {
		t.Errorf("numbers (-want +got):\n%s%d chats", d, len(s.Chats()))
	}
}

func TestDiscard(t *testing.T) {
	s := fake.Start(fake.Config{Discard: true})
	defer s.Close()
	answer(t, s, prompt("x"))
	if len(s.Requests()) != 0 || s.ChatCount() != 1 {
		t.Errorf("%d requests kept, %d counted", len(s.Requests()), s.ChatCount())
	}
}
