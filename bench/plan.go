package bench

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"

	"lightbox/bench/card"
	"lightbox/bench/smmile"
	"lightbox/bench/source"
	"lightbox/infer"
	"lightbox/models"
	"lightbox/preprocess"
)

// planned is a sample with everything that is decided before it is asked.
type planned struct {
	sample  card.Sample
	at      int // place in the order of the data, from 1
	turns   []turn
	escaped int // control texts that were broken
	size    models.Size
	bounds  models.Bounds
	refusal *infer.Fault // why it cannot be asked, or nil
}

// plan decides for every sample what it shows the model, and which cannot be
// asked. Results keep data order.
func plan(samples []card.Sample, family smmile.Family, a *album, c controls, mayEscape bool, profile models.Profile, template string, step func()) []planned {
	plans := make([]planned, len(samples))
	for i, s := range samples {
		safe, escaped, why := c.guard(s, mayEscape)
		p := planned{sample: s, at: i + 1, turns: dialogue(safe, family), escaped: escaped}
		if why != "" {
			p.refusal = &infer.Fault{Reason: infer.ReasonControlText, Detail: why}
		}
		p.size, p.refusal = a.measure(p.turns, p.refusal)
		p.bounds = profile.Bounds(p.size, template)
		plans[i] = p
		step()
	}
	return plans
}

// measure adds up what the turns need of the context; a picture that cannot be
// read is the sample's refusal, unless it has one already.
func (a *album) measure(turns []turn, refusal *infer.Fault) (models.Size, *infer.Fault) {
	size := models.Size{Messages: len(turns)}
	for _, t := range turns {
		size.TextBytes += len(t.text)
		for _, reference := range t.pictures {
			f := a.look(reference)
			if f.err != nil && refusal == nil {
				refusal = pictureFault(f.err)
			}
			size.Pictures = append(size.Pictures, f.side)
		}
	}
	return size, refusal
}

// pictureFault says why a picture cannot be sent, without its file name: names
// can identify patients, and faults stand in records.
func pictureFault(err error) *infer.Fault {
	fault := &infer.Fault{Reason: infer.ReasonPicture, Err: err}
	var file *source.PictureError
	var content *preprocess.Error
	switch {
	case errors.As(err, &file):
		fault.Detail = file.Detail()
	case errors.As(err, &content):
		fault.Detail = content.Error()
	default:
		fault.Detail = "it cannot be read"
	}
	return fault
}

// schedule is the order of asking: samples that begin with the same messages
// and pictures stand next to each other, so that the server reads the common
// beginning once. Equal beginnings keep data order.
func schedule(plans []planned) []int {
	order := make([]int, len(plans))
	keys := make([]string, len(plans))
	for i, p := range plans {
		order[i] = i
		keys[i] = prefixKey(p.turns)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(keys[a], keys[b]) })
	return order
}

// prefixKey orders dialogues by their beginnings: pictures first, as they are
// sent.
func prefixKey(turns []turn) string {
	var b strings.Builder
	for _, t := range turns {
		for _, reference := range t.pictures {
			io.WriteString(&b, reference+"\x01")
		}
		io.WriteString(&b, t.text+"\x00")
	}
	return b.String()
}
