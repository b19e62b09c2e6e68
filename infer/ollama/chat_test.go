package ollama_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"lightbox/infer"
	"lightbox/infer/ollama/fake"
)

func TestAskOnTheWire(t *testing.T) {
	s, c := start(t, fake.Config{})
	a, b := picture("first"), picture("second")
	think := false
	p := infer.Prompt{
		Messages: []infer.Message{
			{Role: infer.System, Text: "Answer <briefly> & \"well\"."},
			{Role: infer.User, Text: "Which side?", Images: []infer.Image{a}},
			{Role: infer.Assistant, Text: "left"},
			{Role: infer.User, Text: "Und größer?\n日本", Images: []infer.Image{b, a}},
		},
		Options:     infer.Greedy(8192, 64, []string{"</s>"}),
		Format:      json.RawMessage(`{"type":"integer","enum":[0,1]}`),
		Think:       &think,
		TopLogprobs: 5,
	}
	if _, err := c.Ask(context.Background(), "fake:latest", p); err != nil {
		t.Fatal(err)
	}
	off := false
	want := fake.Request{
		Method: "POST", Path: "/api/chat", N: 1, Model: "fake:latest",
		Messages: []fake.Message{
			{Role: "system", Content: p.Messages[0].Text},
			{Role: "user", Content: "Which side?", Images: []fake.Picture{{Digest: string(a.Digest), Bytes: 5}}},
			{Role: "assistant", Content: "left"},
			{Role: "user", Content: p.Messages[3].Text, Images: []fake.Picture{{Digest: string(b.Digest), Bytes: 6}, {Digest: string(a.Digest), Bytes: 5}}},
		},
		Options: map[string]any{
			"num_ctx": 8192.0, "num_predict": 64.0, "temperature": 0.0, "seed": 0.0, "top_k": 40.0, "top_p": 0.9, "min_p": 0.0, "typical_p": 1.0,
			"repeat_last_n": 64.0, "repeat_penalty": 1.0, "presence_penalty": 0.0, "frequency_penalty": 0.0, "stop": []any{"</s>"},
		},
		Format: p.Format, KeepAlive: json.RawMessage(`"10m0s"`), Think: json.RawMessage(`false`),
		Stream: &off, Truncate: &off, Shift: &off, Logprobs: true, TopLogprobs: 5,
	}
	if d := cmp.Diff(want, s.Requests()[0]); d != "" {
		t.Errorf("request (-want +got):\n%s", d)
	}
}

func TestEveryChatRequestForbidsTruncation(t *testing.T) {
	ctx := context.Background()
	s, c := start(t, fake.Config{})
	p := question("Which side?")
	for name, send := range map[string]func() error{
		"ask":     func() error { _, err := c.Ask(ctx, "fake", p); return err },
		"render":  func() error { _, _, err := c.Render(ctx, "fake", p); return err },
		"preload": func() error { return c.Preload(ctx, "fake", p.Options) },
		"unload":  func() error { return c.Unload(ctx, "fake") },
	} {
		if err := send(); err != nil {
			t.Fatal(err)
		}
		r := s.Requests()[len(s.Requests())-1]
		if r.Truncate == nil || *r.Truncate || r.Shift == nil || *r.Shift || r.Stream == nil || *r.Stream {
			t.Errorf("%s sends truncate %v, shift %v, stream %v", name, r.Truncate, r.Shift, r.Stream)
		}
	}
}

func TestEveryOptionIsSent(t *testing.T) {
	s, c := start(t, fake.Config{})
	o := infer.Options{
		NumCtx: 1, NumPredict: 2, Temperature: 3, Seed: 4, TopK: 5, TopP: 6, MinP: 7, TypicalP: 8,
		RepeatLastN: 9, RepeatPenalty: 10, PresencePenalty: 11, FrequencyPenalty: 12, Stop: []string{"13"},
	}
	data, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]any
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	if err := c.Preload(context.Background(), "fake", o); err != nil {
		t.Fatal(err)
	}
	if err := c.Preload(context.Background(), "fake", infer.Options{}); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, s.Requests()[0].Options); d != "" {
		t.Errorf("options (-want +got):\n%s", d)
	}
	zeros := s.Requests()[1].Options
	for name := range want {
		if zeros[name] == nil {
			t.Errorf("option %s is not sent where it is zero", name)
		}
	}
}

func TestAskReadsTheReply(t *testing.T) {
	tests := []struct {
		name   string
		answer fake.Answer
		want   infer.Response
	}{
		{
			"a stop",
			fake.Answer{Text: "left lung", PromptTokens: 300},
			infer.Response{Text: "left lung", Done: true, DoneReason: "stop", PromptTokens: 300, OutputTokens: 3},
		},
		{
			"a length stop",
			fake.Answer{Text: "a b c d", OutputTokens: 64, Reason: "length", PromptTokens: 300},
			infer.Response{Text: "a b c d", Done: true, DoneReason: "length", PromptTokens: 300, OutputTokens: 64},
		},
		{
			"empty",
			fake.Answer{Empty: true, PromptTokens: 300},
			infer.Response{Done: true, DoneReason: "stop", PromptTokens: 300, OutputTokens: 1},
		},
		{
			"thinking only",
			fake.Answer{Empty: true, Thinking: "hm", Reason: "length", OutputTokens: 64, PromptTokens: 300},
			infer.Response{Thinking: "hm", Done: true, DoneReason: "length", PromptTokens: 300, OutputTokens: 64},
		},
		{
			"broken off",
			fake.Answer{Text: "aaaa", Broken: true},
			infer.Response{Text: "aaaa"},
		},
		{
			"no counts",
			fake.Answer{Text: "a", PromptTokens: -1, OutputTokens: -1},
			infer.Response{Text: "a", Done: true, DoneReason: "stop"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, c := start(t, script(tt.answer))
			got, err := c.Ask(context.Background(), "fake", question("Which side?"))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, got, cmpopts.IgnoreFields(infer.Response{}, "Timing")); d != "" {
				t.Errorf("response (-want +got):\n%s", d)
			}
			if tt.want.Done && (got.Timing.Total == 0 || got.Timing.Load == 0 || got.Timing.Prefill == 0 || got.Timing.Generate == 0) {
				t.Errorf("timing %+v", got.Timing)
			}
		})
	}
}

func TestAskReadsLogprobs(t *testing.T) {
	_, c := start(t, script(fake.Answer{Text: "B", Top: []fake.Top{{Token: "A", Logprob: -0.5}, {Token: "B", Logprob: -1}}}))
	p := question("Which?")
	p.TopLogprobs = 2
	got, err := c.Ask(context.Background(), "fake", p)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Logprobs) != 1 || got.Logprobs[0].Token != "B" || got.Logprobs[0].Logprob >= 0 {
		t.Fatalf("logprobs %+v", got.Logprobs)
	}
	if d := cmp.Diff([]infer.TokenLogprob{{Token: "A", Logprob: -0.5}, {Token: "B", Logprob: -1}}, got.Logprobs[0].Top); d != "" {
		t.Errorf("alternatives (-want +got):\n%s", d)
	}
}

func TestAskRefusesTextThatJSONWouldAlter(t *testing.T) {
	s, c := start(t, fake.Config{})
	_, err := c.Ask(context.Background(), "fake", question("a\xffb"))
	if f := faultOf(t, err); f.Reason != infer.ReasonControlText {
		t.Errorf("fault %v", f)
	}
	if n := len(s.Requests()); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}

func TestRender(t *testing.T) {
	s, c := start(t, fake.Config{})
	text, images, err := c.Render(context.Background(), "fake", question("Which side?", picture("a"), picture("b")))
	if err != nil {
		t.Fatal(err)
	}
	if want := "<start_of_turn>user\n[img-0][img-1]Which side?<end_of_turn>\n"; text != want || images != 2 {
		t.Errorf("rendered %q with %d pictures, want %q with 2", text, images, want)
	}
	if !s.Requests()[0].RenderOnly {
		t.Error("the request asks for more than rendering")
	}
}
