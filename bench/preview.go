package bench

import (
	"context"
	"fmt"
	"slices"

	"lightbox/bench/card"
	"lightbox/bench/source"
	"lightbox/infer"
	"lightbox/infer/ollama"
	"lightbox/models"
	"lightbox/preprocess"
)

// Preview is what a model would get of one sample.
type Preview struct {
	ID       string             `json:"id"`
	Subset   string             `json:"subset,omitempty"`
	Messages []PreviewedMessage `json:"messages"`
	Recipe   string             `json:"recipe"`            // digest of how pictures are prepared
	Profile  string             `json:"profile"`           // family whose way of seeing pictures is taken; unknown: none is known
	MaxSide  int                `json:"max_side"`          // longer side of pictures at most, pixels
	Context  int                `json:"context,omitempty"` // num_ctx of a run of these samples
	Low      int                `json:"prompt_tokens_low"` // bounds of the prompt's tokens
	High     int                `json:"prompt_tokens_high"`
	Reply    int                `json:"reply_tokens"`      // that the context is to have room for beside the prompt
	Tight    bool               `json:"tight,omitempty"`   // the upper bound leaves no room for the reply: the server may refuse the prompt, or the reply end early
	Refused  string             `json:"refused,omitempty"` // why it would not be sent
	Prompt   infer.Digest       `json:"prompt,omitempty"`  // as the record of a run has it
}

// PreviewedMessage is a message of a preview.
type PreviewedMessage struct {
	Role     string             `json:"role"`
	Text     string             `json:"text"`
	Pictures []PreviewedPicture `json:"pictures,omitempty"`
}

// PreviewedPicture is a picture of a preview; Data are its bytes as they are sent.
type PreviewedPicture struct {
	Digest       infer.Digest `json:"digest"`
	MediaType    string       `json:"media_type"`
	Width        int          `json:"width"`
	Height       int          `json:"height"`
	SourceWidth  int          `json:"source_width"`
	SourceHeight int          `json:"source_height"`
	Steps        []string     `json:"steps"`
	TokensLow    int          `json:"tokens_low"`
	TokensHigh   int          `json:"tokens_high"`
	Data         []byte       `json:"-"`
}

// Show plans a run and builds what one of its samples would be sent: that of an
// id as [card.Selection] takes it, or the first where id is empty. All samples are
// planned, because the context and the size of pictures can follow from the
// longest. A server is asked for the facts of the model and nothing else; where
// cfg names no model, none is asked, and pictures are as for a model that is not
// known.
func Show(ctx context.Context, cfg Config, id string) (Preview, error) {
	r := &run{cfg: cfg.withDefaults()}
	samples, err := r.choose()
	if err != nil {
		return Preview{}, err
	}
	at, err := placeOf(samples, id)
	if err != nil {
		return Preview{}, err
	}
	if cfg.Model != "" {
		if err := r.connect(ctx, samples); err != nil {
			return Preview{}, err
		}
		defer r.client.Close()
	} else {
		r.profile = models.ProfileOf(models.Facts{})
	}
	if err := r.planAll(samples); err != nil {
		return Preview{}, err
	}
	return r.show(r.plans[at])
}

// placeOf is the place of the first sample that an id stands for; empty: of the
// first.
func placeOf(samples []card.Sample, id string) (int, error) {
	if id == "" {
		return 0, nil
	}
	found, err := card.Select(samples, card.Selection{IDs: []string{id}})
	if err != nil {
		return 0, &Failure{Kind: Usage, Hint: "--ids, --subset, --limit and --order can leave it out of a run", Err: err}
	}
	return slices.IndexFunc(samples, func(s card.Sample) bool { return s.ID == found[0].ID }), nil
}

// show is the preview of a planned sample.
func (r *run) show(p planned) (Preview, error) {
	v := Preview{Profile: r.profile.Family, MaxSide: r.cfg.Recipe.MaxSide, Recipe: r.cfg.Recipe.Digest(), ID: p.sample.ID, Subset: p.sample.Subset, Context: r.options.NumCtx, Low: p.bounds.Low, High: p.bounds.High, Messages: []PreviewedMessage{}}
	v.Reply = r.reserve()
	v.Tight = v.Context > 0 && v.High+v.Reply+1 > v.Context
	r.studio.expect(p)
	q, err := r.question(p)
	if err != nil {
		return v, err
	}
	if q.fault != nil {
		v.Refused = fmt.Sprintf("%s: %s", q.fault.Reason, q.fault.Detail)
		for _, t := range p.turns {
			v.Messages = append(v.Messages, PreviewedMessage{Role: string(t.role), Text: t.text})
		}
		return v, nil
	}
	v.Prompt = q.prompt.Digest()
	at := 0
	for _, m := range q.prompt.Messages {
		message := PreviewedMessage{Role: string(m.Role), Text: m.Text}
		for _, image := range m.Images {
			line := q.pictures[at]
			tokens := r.profile.Tokens(line.Width, line.Height)
			message.Pictures = append(message.Pictures, PreviewedPicture{
				Digest: line.Digest, MediaType: line.MediaType, Width: line.Width, Height: line.Height,
				SourceWidth: line.SourceWidth, SourceHeight: line.SourceHeight, Steps: line.Steps,
				TokensLow: tokens.Low, TokensHigh: tokens.High, Data: image.Data,
			})
			at++
		}
		v.Messages = append(v.Messages, message)
	}
	return v, nil
}

// ShownPicture is what a model would get of a picture file.
type ShownPicture struct {
	preprocess.Image
	TokensLow, TokensHigh int
}

// Viewer shows what a model would see of pictures.
type Viewer struct {
	Recipe  preprocess.Recipe // with the sides that the model sees
	Profile models.Profile
}

// NewViewer asks a server for the facts of a model, or none where model is empty.
func NewViewer(ctx context.Context, host ollama.Host, allowPrivate bool, model string, recipe preprocess.Recipe) (Viewer, error) {
	v := Viewer{Recipe: recipe, Profile: models.ProfileOf(models.Facts{})}
	if model != "" {
		r := &run{cfg: Config{Host: host, AllowPrivate: allowPrivate, Model: model, KeepSystem: true}.withDefaults()}
		if err := r.connect(ctx, []card.Sample{}); err != nil {
			return v, err
		}
		defer r.client.Close()
		v.Profile = r.profile
	}
	var err error
	v.Recipe, err = sized(recipe, v.Profile)
	return v, err
}

// Show prepares the picture of that name in a folder: a file, or a directory with
// the slices of a series.
func (v Viewer) Show(folder *source.Folder, name string) (ShownPicture, error) {
	n, err := openNegative(withSeries{folder}, name)
	if err != nil {
		return ShownPicture{}, err
	}
	m, err := n.prepare(v.Recipe)
	if err != nil {
		return ShownPicture{}, err
	}
	tokens := v.Profile.Tokens(m.Width, m.Height)
	return ShownPicture{m, tokens.Low, tokens.High}, nil
}
