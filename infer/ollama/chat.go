package ollama

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ollama/ollama/api"

	"lightbox/infer"
	"lightbox/models"
)

// keepAlive is how long the server holds a model after a request. It is the same
// on every request, so that no request shortens it for the next.
const keepAlive = 10 * time.Minute

// Ask sends the prompt once, to the model called name (models.Facts.AskName),
// and returns its reply. A reply that the server broke off itself, because it
// repeats, has Done false. Every other failure is an [infer.Fault], but for
// ctx's own error where ctx ended: a timeout of the attempt is a Fault.
func (c *Client) Ask(ctx context.Context, name string, p infer.Prompt) (infer.Response, error) {
	req, err := request(name, p)
	if err != nil {
		return infer.Response{}, err
	}
	resp, err := c.chat(ctx, req)
	if err != nil {
		return infer.Response{}, err
	}
	return response(resp)
}

// Render returns the prompt as the server puts it before the model, and the
// number of pictures in it, without generating. It may load the model.
func (c *Client) Render(ctx context.Context, name string, p infer.Prompt) (text string, images int, err error) {
	req, err := request(name, p)
	if err != nil {
		return "", 0, err
	}
	req.DebugRenderOnly = true
	resp, err := c.chat(ctx, req)
	if err != nil {
		return "", 0, err
	}
	if resp.DebugInfo == nil {
		return "", 0, malformed("the server cannot show the rendered prompt")
	}
	return resp.DebugInfo.RenderedTemplate, resp.DebugInfo.ImageCount, nil
}

// Preload loads the model with the context of o, without asking anything.
func (c *Client) Preload(ctx context.Context, name string, o infer.Options) error {
	req, err := request(name, infer.Prompt{Options: o})
	if err != nil {
		return err
	}
	_, err = c.chat(ctx, req)
	return err
}

// Unload has the server drop the model from its memory, which it does a moment
// after it has answered.
func (c *Client) Unload(ctx context.Context, name string) error {
	req, err := request(name, infer.Prompt{})
	if err != nil {
		return err
	}
	req.Options, req.KeepAlive = nil, &api.Duration{}
	_, err = c.chat(ctx, req)
	return err
}

// chat sends one request and demands a reply from this machine.
func (c *Client) chat(ctx context.Context, req *api.ChatRequest) (api.ChatResponse, error) {
	if err := refuseCloud(req.Model); err != nil {
		return api.ChatResponse{}, err
	}
	var r api.ChatResponse
	err := c.call(ctx, c.askTimeout, maxReply, func(ctx context.Context) error {
		return c.post(ctx, "/api/chat", req, &r)
	})
	if err == nil && (r.RemoteHost != "" || r.RemoteModel != "") {
		err = notLocal("the reply came from %q at %q", shorten(r.RemoteModel), shorten(r.RemoteHost))
	}
	if err == nil && !sameModel(r.Model, req.Model) {
		err = malformed(fmt.Sprintf("it is from model %q", shorten(r.Model)))
	}
	if err != nil {
		return api.ChatResponse{}, err
	}
	return r, nil
}

// sameModel tells whether a reply's model is the one that was asked, with its
// tag or not, and with the suffix ":local" or not.
func sameModel(reply, asked string) bool {
	plain := func(name string) string { return models.FullName(strings.TrimSuffix(strings.ToLower(name), ":local")) }
	return reply == "" || plain(reply) == plain(asked)
}

func malformed(detail string) error {
	return &infer.Fault{Reason: infer.ReasonReply, Status: 200, Detail: detail, Err: errReply}
}

// request is the message on the wire. Truncation and shifting are off on every
// request: the server would drop demonstrations, or half of the context, in
// silence; and some servers reload the model when shift changes.
func request(name string, p infer.Prompt) (*api.ChatRequest, error) {
	off := false
	req := &api.ChatRequest{
		Model:       name,
		Messages:    make([]api.Message, len(p.Messages)),
		Stream:      &off,
		Truncate:    &off,
		Shift:       &off,
		KeepAlive:   &api.Duration{Duration: keepAlive},
		Format:      p.Format,
		Options:     options(p.Options),
		Logprobs:    p.TopLogprobs > 0,
		TopLogprobs: p.TopLogprobs,
	}
	if p.Think != nil {
		req.Think = &api.ThinkValue{Value: *p.Think}
	}
	for i, m := range p.Messages {
		if !utf8.ValidString(m.Text) { // JSON would alter it in silence
			return nil, &infer.Fault{Reason: infer.ReasonControlText, Detail: fmt.Sprintf("message %d is not valid UTF-8", i+1)}
		}
		req.Messages[i] = api.Message{Role: string(m.Role), Content: m.Text}
		for _, img := range m.Images {
			req.Messages[i].Images = append(req.Messages[i].Images, img.Data)
		}
	}
	return req, nil
}

// options are all options by their names on the wire, zeros too: a missing one
// would be the model file's or the server's.
func options(o infer.Options) map[string]any {
	if o.ServerSampling {
		return map[string]any{"num_ctx": o.NumCtx}
	}
	stop := o.Stop
	if stop == nil {
		stop = []string{} // null would keep the model file's
	}
	return map[string]any{
		"num_ctx":           o.NumCtx,
		"num_predict":       o.NumPredict,
		"temperature":       o.Temperature,
		"seed":              o.Seed,
		"top_k":             o.TopK,
		"top_p":             o.TopP,
		"min_p":             o.MinP,
		"typical_p":         o.TypicalP,
		"repeat_last_n":     o.RepeatLastN,
		"repeat_penalty":    o.RepeatPenalty,
		"presence_penalty":  o.PresencePenalty,
		"frequency_penalty": o.FrequencyPenalty,
		"stop":              stop,
	}
}

// response checks a reply to a question and translates it. Its role tells a
// reply that was broken off from an empty object.
func response(r api.ChatResponse) (infer.Response, error) {
	switch {
	case r.Message.Role != string(infer.Assistant):
		return infer.Response{}, malformed("the reply holds no message of the assistant")
	case r.DoneReason == "load" || r.DoneReason == "unload":
		return infer.Response{}, malformed(fmt.Sprintf("the server answered %q to a question", r.DoneReason))
	case r.PromptEvalCount < 0 || r.EvalCount < 0:
		return infer.Response{}, malformed("the reply counts a negative number of tokens")
	}
	return infer.Response{
		Text:         r.Message.Content,
		Thinking:     r.Message.Thinking,
		Done:         r.Done,
		DoneReason:   r.DoneReason,
		PromptTokens: r.PromptEvalCount,
		OutputTokens: r.EvalCount,
		Logprobs:     logprobs(r.Logprobs),
		Timing: infer.Timing{
			Total:    r.TotalDuration,
			Load:     r.LoadDuration,
			Prefill:  r.PromptEvalDuration,
			Generate: r.EvalDuration,
		},
	}, nil
}

func logprobs(wire []api.Logprob) []infer.TokenLogprobs {
	var all []infer.TokenLogprobs
	for _, w := range wire {
		t := infer.TokenLogprobs{Token: w.Token, Logprob: w.Logprob}
		for _, top := range w.TopLogprobs {
			t.Top = append(t.Top, infer.TokenLogprob{Token: top.Token, Logprob: top.Logprob})
		}
		all = append(all, t)
	}
	return all
}
