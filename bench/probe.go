package bench

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"

	"lightbox/infer"
	"lightbox/models"
)

// States of a check that the start-up probe makes.
const (
	checkOK      = "ok"
	checkUnknown = "unknown"
	checkSkipped = "skipped"
)

// probed is what the start-up probe found out.
type probed struct {
	Truncation string // an oversized text is refused
	Picture    string // a picture changes the reply
	Second     string // the second of two pictures changes the reply
	Counts     string // token counts are of whole prompts and grow with pictures

	lowFactor float64 // measured tokens of a picture by the profile's lower bound, at most 1
	perToken  float64 // seconds a token of reply took
	thinks    bool    // a reply held thinking
}

// The probe's question. What the model says of the pictures is not judged, only
// that it depends on them.
const (
	probeQuestion = "Describe this picture."
	probeAnswer   = "A picture."
	probePredict  = 16
	probeTop      = 5

	// Equal requests give log-probabilities equal to 0.0002 on a warm and a cold
	// cache and to 0.007 in a batch; another picture moves them by 0.1 and more.
	probeNoise = 0.02
)

// ask1 sends one prompt with retries.
type ask1 func(ctx context.Context, p infer.Prompt) (infer.Response, error)

// prober asks the probe's questions with a run's own options.
type prober struct {
	ask     ask1
	options infer.Options // num_ctx as in the run
	think   *bool
	model   string
	profile models.Profile
	a, b    infer.Image
}

// checkTruncation sends a text that no context can hold and demands that the
// server refuses it. A server that takes it would also drop demonstrations in
// silence.
func (p prober) checkTruncation(ctx context.Context) error {
	words := make([]string, models.Oversize(p.options.NumCtx))
	for i := range words {
		words[i] = string([]byte{'b' + byte(i%20), 'q' + byte(i/20%10)})
	}
	_, err := p.ask(ctx, p.prompt(infer.Message{Role: infer.User, Text: strings.Join(words, " ")}))
	var fault *infer.Fault
	switch {
	case asFault(err, &fault) && fault.Reason == infer.ReasonContextRefused && fault.Status == 400:
		return nil
	case err == nil:
		return fail(WrongModel, "a newer Ollama refuses it (0.12 and later do)",
			"the server cut a text that was too long instead of refusing it: demonstrations would be lost in silence")
	}
	if f := fatal(p.model, err); f != nil {
		return f
	}
	return fail(WrongModel, "look at the server's log; it must refuse such a text with status 400",
		"asking the server to refuse a text that is too long: %w", err)
}

// checkLetters demands that the server gives probabilities of tokens, on which the
// questions are decided. A reply without a token says nothing of it.
func (p prober) checkLetters(ctx context.Context) error {
	response, err := p.about(ctx)
	if err != nil {
		return err
	}
	if len(response.Logprobs) == 0 && response.Text+response.Thinking != "" {
		return fail(WrongModel, "ask with --format mcqa, or update the server", "the server gives no probabilities of tokens for model %q", p.model)
	}
	return nil
}

// see asks about two pictures in turn, and where several is set about both at
// once, and demands that the replies depend on each.
func (p prober) see(ctx context.Context, several bool) (probed, error) {
	r := probed{Second: checkSkipped, lowFactor: 1}
	none, err := p.about(ctx)
	if err != nil {
		return r, err
	}
	replies, err := p.each(ctx, []infer.Image{p.a}, []infer.Image{p.b}, []infer.Image{p.a})
	if err != nil {
		return r, err
	}
	a, b, again := replies[0], replies[1], replies[2]
	noise := gapOf(a, again)
	if r.Picture = gapOf(a, b).beyond(noise); r.Picture == "" {
		return r, fail(WrongModel, "check the model with: ollama run "+p.model+"   (--no-probe runs all the same)",
			"model %q gives the same reply to two different pictures: it does not see them", p.model)
	}
	r.thinks = thought(none) || thought(a) || thought(b)
	r.count(p.profile, none, a, b, again, p.a)
	if r.Counts == "" {
		return r, fail(WrongModel, "check the model with: ollama run "+p.model+"   (--no-probe runs all the same)",
			"model %q: a picture adds no tokens to the prompt", p.model)
	}
	if out := a.OutputTokens; out > 0 {
		r.perToken = a.Timing.Generate.Seconds() / float64(out)
	}
	if several {
		err = p.seeSecond(ctx, &r, noise)
	}
	return r, err
}

// steady asks the same twice without a picture and tells whether the server
// counts whole prompts, and not only what it had not read before.
func (p prober) steady(ctx context.Context) (string, error) {
	replies, err := p.each(ctx, nil, nil)
	if err != nil {
		return "", err
	}
	if first, again := replies[0].PromptTokens, replies[1].PromptTokens; first == 0 || again < first {
		return checkUnknown, nil
	}
	return checkOK, nil
}

// count judges the token counts of the single-picture replies. It leaves Counts
// empty where the picture certainly took no tokens.
func (r *probed) count(profile models.Profile, none, a, b, again infer.Response, picture infer.Image) {
	growth := a.PromptTokens - none.PromptTokens
	switch {
	case profile.CrossAttention, a.PromptTokens == 0, b.PromptTokens == 0, none.PromptTokens == 0, again.PromptTokens < a.PromptTokens:
		r.Counts = checkUnknown
	case growth > 0:
		r.Counts = checkOK
		if low := profile.Tokens(picture.Width, picture.Height).Low; low > 0 {
			r.lowFactor = min(1, float64(growth)/float64(low))
		}
	}
}

// seeSecond asks about two pictures in one dialogue and swaps each in turn.
func (p prober) seeSecond(ctx context.Context, r *probed, noise gap) error {
	replies, err := p.each(ctx, []infer.Image{p.a, {}}, []infer.Image{p.a, p.b}, []infer.Image{p.b, p.a}, []infer.Image{p.a, p.a})
	if err != nil {
		return err
	}
	one, ab, ba, aa := replies[0], replies[1], replies[2], replies[3]
	const hint = "ask without demonstrations, or choose a model that reads several pictures   (--no-probe runs all the same)"
	second, first := gapOf(ab, aa).beyond(noise), gapOf(ba, aa).beyond(noise)
	switch {
	case second == "":
		return fail(WrongModel, hint, "model %q ignores the second of two pictures", p.model)
	case first == "":
		return fail(WrongModel, hint, "model %q ignores the first of two pictures", p.model)
	case r.Counts == checkOK && ab.PromptTokens <= one.PromptTokens:
		return fail(WrongModel, hint, "model %q: a second picture adds no tokens to the prompt", p.model)
	}
	r.Second = second
	if first == checkUnknown {
		r.Second = checkUnknown
	}
	return nil
}

// each asks one question for every list of pictures.
func (p prober) each(ctx context.Context, lists ...[]infer.Image) ([]infer.Response, error) {
	replies := make([]infer.Response, len(lists))
	for i, pictures := range lists {
		var err error
		if replies[i], err = p.about(ctx, pictures...); err != nil {
			return nil, err
		}
	}
	return replies, nil
}

// about asks about the last of the pictures; those before it are demonstrations.
// An Image without data is a turn without picture.
func (p prober) about(ctx context.Context, pictures ...infer.Image) (infer.Response, error) {
	if len(pictures) == 0 {
		pictures = []infer.Image{{}}
	}
	var messages []infer.Message
	for i, picture := range pictures {
		m := infer.Message{Role: infer.User, Text: probeQuestion}
		if picture.Data != nil {
			m.Images = []infer.Image{picture}
		}
		if i > 0 {
			messages = append(messages, infer.Message{Role: infer.Assistant, Text: probeAnswer})
		}
		messages = append(messages, m)
	}
	response, err := p.ask(ctx, p.prompt(messages...))
	if err != nil {
		if f := fatal(p.model, err); f != nil {
			return response, f
		}
		return response, fail(Failed, "look at the server's log; --no-probe runs without this question", "probing model %q: %w", p.model, err)
	}
	return response, nil
}

func (p prober) prompt(messages ...infer.Message) infer.Prompt {
	o := p.options
	o.NumPredict = probePredict
	return infer.Prompt{Messages: messages, Options: o, Think: p.think, TopLogprobs: probeTop}
}

// gap is how far two replies are apart.
type gap struct {
	text     bool    // their texts differ
	logprob  float64 // largest difference of log-probabilities of the first token
	measured bool    // both have log-probabilities
}

func gapOf(a, b infer.Response) gap {
	g := gap{text: a.Text+a.Thinking != b.Text+b.Thinking}
	if len(a.Logprobs) == 0 || len(b.Logprobs) == 0 {
		return g
	}
	g.measured = true
	other := map[string]float64{}
	for _, t := range b.Logprobs[0].Top {
		other[t.Token] = t.Logprob
	}
	for _, t := range a.Logprobs[0].Top {
		if lp, ok := other[t.Token]; ok {
			g.logprob = max(g.logprob, math.Abs(t.Logprob-lp))
		}
	}
	return g
}

// beyond tells whether a gap is larger than that between replies to one and the
// same request: checkOK, checkUnknown where the server is too unsteady to say,
// or "" where it is not.
func (g gap) beyond(noise gap) string {
	switch {
	case g.text && !noise.text, g.measured && g.logprob > 4*noise.logprob+probeNoise:
		return checkOK
	case noise.text && !g.measured:
		return checkUnknown
	}
	return ""
}

// probePictures are two grey pictures of equal size that no model confuses: a
// bright disc on the left, and a bright bar on the right.
func probePictures(side int) (a, b infer.Image) {
	disc := image.NewGray(image.Rect(0, 0, side, side))
	bar := image.NewGray(disc.Rect)
	for y := range side {
		for x := range side {
			dx, dy := float64(x)/float64(side)-0.3, float64(y)/float64(side)-0.5
			if dx*dx+dy*dy < 0.04 {
				disc.SetGray(x, y, color.Gray{255})
			}
			if x > side*5/8 && x < side*7/8 && y > side/8 && y < side*7/8 {
				bar.SetGray(x, y, color.Gray{255})
			}
		}
	}
	return encode(disc), encode(bar)
}

func encode(img *image.Gray) infer.Image {
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil { // writing to memory does not fail
		panic(fmt.Sprintf("encoding a probe picture: %v", err))
	}
	return infer.NewImage(b.Bytes(), "image/png", img.Rect.Dx(), img.Rect.Dy())
}
