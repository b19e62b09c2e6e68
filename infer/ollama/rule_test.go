package ollama

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"lightbox/infer"
)

// The texts are those that servers of both generations send.
func TestSaid(t *testing.T) {
	tests := []struct {
		name   string
		status int
		body   string
		reason infer.Reason
		retry  bool
		detail string // "": the same as the body's error
	}{
		{
			name: "context", status: 400, body: `{"error":"the input length exceeds the context length"}`,
			reason: infer.ReasonContextRefused, detail: "the input length exceeds the context length",
		},
		{
			name: "context, newer", status: 400,
			body:   `{"error":"{\"error\":{\"code\":400,\"message\":\"request (2403 tokens) exceeds the available context size (2304 tokens), try increasing it\",\"type\":\"exceed_context_size_error\",\"n_prompt_tokens\":2403,\"n_ctx\":2304}}"}`,
			reason: infer.ReasonContextRefused, detail: "request (2403 tokens) exceeds the available context size (2304 tokens), try increasing it",
		},
		{
			name: "context, no shift", status: 400,
			body:   `{"error":"the prompt is longer than the context length currently available to the model; shorten the prompt, adjust the context length in settings, or use a model with a longer context length"}`,
			reason: infer.ReasonContextRefused,
		},
		{
			name: "context cuts a picture", status: 500,
			body:   `{"error":"Failed to create new sequence: SameBatch may not be specified within numKeep (index: 2 numKeep: 4 SameBatch: 2)"}`,
			reason: infer.ReasonContextRefused,
		},
		{name: "picture", status: 500, body: `{"error":"Failed to create new sequence: failed to process inputs: image: unknown format"}`, reason: infer.ReasonPicture},
		{name: "picture cut off", status: 500, body: `{"error":"Failed to create new sequence: failed to process inputs: unexpected EOF"}`, reason: infer.ReasonPicture},
		{
			name: "picture, newer", status: 400,
			body:   `{"error":"{\"error\":{\"code\":400,\"message\":\"Failed to load image or audio file\",\"type\":\"invalid_request_error\"}}"}`,
			reason: infer.ReasonPicture, detail: "Failed to load image or audio file",
		},
		{name: "picture, WebP", status: 500, body: `{"error":"decode WebP image: webp: invalid format"}`, reason: infer.ReasonPicture},
		{
			name: "picture to a blind model", status: 400,
			body:   `{"error":"{\"error\":{\"code\":400,\"message\":\"Multimodal data provided, but model does not support multimodal requests.\",\"type\":\"invalid_request_error\"}}"}`,
			reason: infer.ReasonPicture, detail: "Multimodal data provided, but model does not support multimodal requests.",
		},
		{
			name: "picture to a model without a tower", status: 500,
			body:   `{"error":"Failed to create new sequence: failed to process inputs: this model is missing data required for image input"}`,
			reason: infer.ReasonPicture,
		},
		{name: "two pictures", status: 400, body: `{"error":"this model only supports one image while more than one image requested"}`, reason: infer.ReasonPicture},
		{name: "bad base64", status: 400, body: `{"error":"illegal base64 data at input byte 4"}`, reason: infer.ReasonPicture},
		{name: "image tag", status: 500, body: `{"error":"Failed to create new sequence: failed to process inputs: invalid image index: 0"}`, reason: infer.ReasonControlText},
		{
			name: "runner", status: 500,
			body:   `{"error":"model runner has unexpectedly stopped, this may be due to resource limitations or an internal error, check ollama server logs for details"}`,
			reason: infer.ReasonRunnerDied, retry: true,
		},
		{name: "runner killed", status: 500, body: `{"error":"an error was encountered while running the model: unexpected EOF"}`, reason: infer.ReasonRunnerDied, retry: true},
		{name: "runner killed, in a reply", status: 200, body: `{"error":"an error was encountered while running the model: unexpected EOF"}`, reason: infer.ReasonRunnerDied, retry: true},
		{
			name: "runner gone", status: 500, body: `{"error":"llama-server process no longer running: unknown "}`, reason: infer.ReasonRunnerDied, retry: true,
			detail: "llama-server process no longer running: unknown",
		},
		{name: "runner does not load", status: 500, body: `{"error":"llama-server process has terminated: exit status 1: error loading model: x"}`, reason: infer.ReasonRunnerDied, retry: true},
		{
			name: "tokenizer", status: 500, body: `{"error":"Post \"http://127.0.0.1:40465/tokenize\": EOF"}`, reason: infer.ReasonRunnerDied, retry: true,
			detail: `Post "http://127.0.0.1:40465/tokenize": EOF`,
		},
		{
			name: "runner refuses", status: 500, body: `{"error":"Post \"http://127.0.0.1:40465/completion\": dial tcp 127.0.0.1:40465: connect: connection refused"}`, reason: infer.ReasonRunnerDied, retry: true,
			detail: `Post "http://127.0.0.1:40465/completion": dial tcp 127.0.0.1:40465: connect: connection refused`,
		},
		{name: "bare EOF", status: 500, body: `{"error":"unexpected EOF"}`, reason: infer.ReasonRunnerDied, retry: true},
		{
			name: "busy", status: 503, body: `{"error":"server busy, please try again.  maximum pending requests exceeded"}`, reason: infer.ReasonBusy, retry: true,
			detail: "server busy, please try again. maximum pending requests exceeded",
		},
		{name: "busy without words", status: 503, reason: infer.ReasonBusy, retry: true},
		{name: "model missing", status: 404, body: `{"error":"model 'nope' not found"}`, reason: infer.ReasonModel},
		{name: "bad name", status: 400, body: `{"error":"model is required"}`, reason: infer.ReasonModel},
		{name: "bad name, newer", status: 400, body: `{"error":"invalid model name"}`, reason: infer.ReasonModel},
		{name: "no such page", status: 404, body: `404 page not found`, reason: infer.ReasonServer, detail: "404 page not found"},
		{name: "cloud", status: 403, body: `{"error":"ollama cloud is disabled: remote model is unavailable"}`, reason: infer.ReasonRemote},
		{name: "cloud, show", status: 403, body: `{"error":"ollama cloud is disabled: remote model details are unavailable"}`, reason: infer.ReasonRemote},
		{name: "cloud, other host", status: 400, body: `{"error":"this server cannot run this remote model"}`, reason: infer.ReasonRemote},
		{
			name: "cloud and local", status: 400, body: `{"error":"use either :local or :cloud, not both: \"x:cloud:local\""}`, reason: infer.ReasonRemote,
			detail: `use either :local or :cloud, not both: "x:cloud:local"`,
		},
		{name: "host header", status: 403, reason: infer.ReasonServer},
		{name: "think", status: 400, body: `{"error":"\"tiny\" does not support thinking"}`, reason: infer.ReasonServer, detail: `"tiny" does not support thinking`},
		{name: "option", status: 500, body: `{"error":"option \"num_ctx\" must be of type integer"}`, reason: infer.ReasonServer, detail: `option "num_ctx" must be of type integer`},
		{name: "format", status: 500, body: `{"error":"invalid JSON schema in format"}`, reason: infer.ReasonServer},
		{name: "cut request", status: 400, body: `{"error":"unexpected EOF"}`, reason: infer.ReasonServer},
		{name: "sign in", status: 401, body: `{"error":"unauthorized"}`, reason: infer.ReasonServer},
		{name: "error that is an object", status: 500, body: `{"error":{"message":"loading model"}}`, reason: infer.ReasonServer, detail: "loading model", retry: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := tt.detail
			if want == "" {
				want = strings.TrimSuffix(strings.TrimPrefix(tt.body, `{"error":"`), `"}`)
			}
			f := said(tt.status, tt.body)
			got := infer.Fault{Reason: f.Reason, Status: f.Status, Detail: f.Detail, Retry: f.Retry}
			if d := cmp.Diff(infer.Fault{Reason: tt.reason, Status: tt.status, Detail: want, Retry: tt.retry}, got); d != "" {
				t.Errorf("fault (-want +got):\n%s", d)
			}
			// Ollama's client takes the error out of the body before it hands it on.
			if inner, ok := strings.CutPrefix(tt.body, `{"error":"`); ok && !strings.Contains(inner, `\`) {
				if f := said(tt.status, strings.TrimSuffix(inner, `"}`)); f.Reason != tt.reason || f.Retry != tt.retry {
					t.Errorf("the words alone mean %q, retry %v", f.Reason, f.Retry)
				}
			}
		})
	}
}

func TestSaidGivesTokenCounts(t *testing.T) {
	tests := []struct {
		name, body string
		want       ContextError
	}{
		{"typed", `{"error":{"message":"too long","type":"exceed_context_size_error","n_prompt_tokens":2403,"n_ctx":2304}}`, ContextError{2403, 2304}},
		{"in words", `request (4165 tokens) exceeds the available context size (4096 tokens)`, ContextError{4165, 4096}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := said(400, tt.body)
			var got *ContextError
			if !errors.As(f, &got) || *got != tt.want || f.Reason != infer.ReasonContextRefused {
				t.Errorf("got %v beneath %q, want %v", got, f.Reason, tt.want)
			}
		})
	}
	var none *ContextError
	if errors.As(said(400, "the input length exceeds the context length"), &none) {
		t.Errorf("counts %v where none were said", none)
	}
}

func TestShorten(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"one line", " a\n\tb ", "a b"},
		{"picture", "bad image " + strings.Repeat("iVBORw0KGgo", 20) + "== here", "bad image … here"},
		{"path", "open /home/me/.ollama/models/blobs/sha256-1: no such file", "open (path): no such file"},
		{"Windows path", `open C:\Users\me\models\x: denied`, `open (path): denied`},
		{"URL stays", `Post "http://127.0.0.1:40465/tokenize": EOF`, `Post "http://127.0.0.1:40465/tokenize": EOF`},
		{"long", strings.Repeat("é ", 400), strings.Repeat("é ", 149) + "é…"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := shorten(tt.in); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func FuzzSaid(f *testing.F) {
	f.Add(400, `{"error":"{\"error\":{\"code\":400,\"message\":\"request (2403 tokens) exceeds the available context size (2304 tokens)\"}}"}`)
	f.Add(500, `{"error":{"error":"x"}}`)
	f.Add(200, "\xff")
	f.Fuzz(func(t *testing.T, status int, body string) {
		fault := said(status, body)
		if fault.Reason == "" || utf8.RuneCountInString(fault.Detail) > maxDetail || !utf8.ValidString(fault.Detail) {
			t.Errorf("fault %+v", fault)
		}
		if encoded.MatchString(fault.Detail) || strings.Contains(fault.Detail, "\n") {
			t.Errorf("detail %q", fault.Detail)
		}
	})
}
