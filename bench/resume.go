package bench

import (
	"fmt"

	"lightbox/bench/record"
	"lightbox/infer"
)

// unanswered lists the plans to ask, in order. What a machine's passing fault
// left unscored is asked again, and so is what was refused before it was sent
// and is not any more: a picture can have been mended. What killed one runner
// after the other comes last, where it cannot harm the others.
func (r *run) unanswered() (todo []int, done, unscored int) {
	latest := r.record.Latest()
	r.earlier = map[string]record.Fault{}
	var last []int
	for _, i := range r.order {
		p := r.plans[i]
		line, ok := latest[p.sample.ID]
		if line.Fault != nil && line.Fault.Retry {
			r.earlier[line.ID] = *line.Fault
		}
		switch {
		case r.quarantined(line.ID):
			last = append(last, i)
		case !ok, line.Fault != nil && (line.Fault.Retry || line.Prompt == "" && p.refusal == nil):
			todo = append(todo, i)
		default:
			done++
			if line.Fault != nil {
				unscored++
			}
		}
	}
	return append(todo, last...), done, unscored
}

// quarantined tells whether a sample killed one runner after the other.
func (r *run) quarantined(id string) bool { return r.earlier[id].Reason == infer.ReasonRunnerDied }

// known tells whether the record says the same of a sample already.
func (r *run) known(line record.Response) bool {
	if line.Fault == nil {
		return false
	}
	before, ok := r.record.Latest()[line.ID]
	return ok && before.Fault != nil && *before.Fault == *line.Fault
}

// checkPictures demands that the pictures of answered samples are still those
// that were asked about.
func (r *run) checkPictures(facts map[string]pictureFacts) error {
	latest := r.record.Latest()
	for _, p := range r.plans {
		sent := latest[p.sample.ID].Pictures
		at := 0
		for _, t := range p.turns {
			for _, reference := range t.pictures {
				if at < len(sent) && facts[reference].digest != sent[at].Source {
					return fail(WrongData, "put it back, or name another directory with --out to ask all again",
						"picture %q of sample %s has changed since it was asked about", reference, p.sample.ID)
				}
				at++
			}
		}
	}
	return nil
}

// tellRefused names the samples that cannot be asked, before any is. Where none
// can, the run does not begin.
func (r *run) tellRefused() error {
	for _, w := range r.cfg.Benchmark.Warnings {
		r.warn("%s", w)
	}
	const most = 5
	var first *infer.Fault
	refused := 0
	for _, p := range r.plans {
		if p.refusal == nil {
			continue
		}
		if refused++; refused <= most {
			r.warn("%s cannot be asked: %s", r.describe(p), personal(p.refusal))
		}
		if first == nil {
			first = p.refusal
		}
	}
	if refused > most {
		r.warn("%d more samples cannot be asked; the report lists all", refused-most)
	}
	if refused < len(r.plans) || first == nil {
		return nil
	}
	kind, hint := WrongData, "mend the pictures, or look whether --data names their directory"
	switch first.Reason {
	case infer.ReasonContextRefused:
		kind, hint = Usage, "leave --num-ctx out, or shorten --num-predict"
	case infer.ReasonControlText:
		hint = "--escape-control breaks control tokens with a zero-width space"
	}
	return fail(kind, hint, "none of %d samples can be asked", len(r.plans))
}

// describe names a sample for the terminal, where its own name may stand.
func (r *run) describe(p planned) string {
	if p.sample.Name == "" || p.sample.Name == p.sample.ID {
		return "sample " + p.sample.ID
	}
	return fmt.Sprintf("sample %s (%s)", p.sample.ID, p.sample.Name)
}

// personal is a fault as the user may read it, file names included.
func personal(f *infer.Fault) string {
	if f.Err != nil && f.Reason == infer.ReasonPicture {
		return f.Err.Error()
	}
	return f.Error()
}
