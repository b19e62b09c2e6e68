package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"lightbox/bench/record"
	"lightbox/infer"
)

// longStreak is how many equal or empty answers in a row to different pictures
// raise the question whether the model still sees them.
const longStreak = 20

// streak is a row of answers that are equal or empty. Some servers degrade in a
// long run, and answer everything alike from then on.
type streak struct {
	mu       sync.Mutex
	text     string // of the answers that are not empty
	answers  []answered
	pictures map[string]bool
}

// answered is a sample with its line.
type answered struct {
	plan planned
	line record.Response
}

// add takes an answer into account and returns the streak where it is a long
// one; the next one then begins. Samples without pictures do not count, and
// those with equal pictures count once.
func (s *streak) add(a answered, long int) []answered {
	if len(a.line.Pictures) == 0 || a.line.Fault != nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	text := strings.TrimSpace(a.line.Text)
	if text != "" && s.text != "" && text != s.text {
		s.text, s.answers, s.pictures = "", nil, nil
	}
	if text != "" {
		s.text = text
	}
	if s.pictures == nil {
		s.pictures = map[string]bool{}
	}
	s.answers = append(s.answers, a)
	s.pictures[shown(a.line)] = true
	if len(s.pictures) < long {
		return nil
	}
	whole := s.answers
	s.text, s.answers, s.pictures = "", nil, nil
	return whole
}

// shown names the pictures of a line, whatever their order.
func shown(line record.Response) string {
	var digests []string
	for _, p := range line.Pictures {
		digests = append(digests, string(p.Digest))
	}
	slices.Sort(digests)
	return strings.Join(slices.Compact(digests), " ")
}

// degraded takes the place of an answer of a streak that ended in a failed probe.
var degraded = infer.Fault{
	Reason: infer.ReasonDegraded, Retry: true,
	Detail: "one of many equal answers in a row, after which the model did not see the probe's pictures",
}

// watchStreak asks the start-up probe again where an answer makes a streak long.
// A model that fails it does not see the pictures any more: the answers of the
// streak are taken back, so that they are asked again, and the run ends.
func (r *run) watchStreak(ctx context.Context, p planned, line record.Response) error {
	if r.cfg.NoProbe {
		return nil
	}
	suspect := r.streak.add(answered{p, line}, r.cfg.longStreak)
	if suspect == nil {
		return nil
	}
	if err := r.gate.admit(ctx, alone); err != nil {
		return err
	}
	defer r.gate.release(alone)
	r.cfg.Watch(Event{Phase: fmt.Sprintf("probing the model again after %d equal answers", len(suspect))})
	_, err := r.prober(held).see(ctx, several(r.samples()))
	var failure *Failure
	if !errors.As(err, &failure) || failure.Kind != WrongModel {
		return err
	}
	for _, a := range suspect {
		if err := r.takeBackResponse(a.plan, a.line, degraded); err != nil {
			return err
		}
	}
	return fail(WrongModel, "start the Ollama server again, then the same command: it goes on from here and asks those samples again",
		"the last %d answers to different pictures were equal or empty, and the model that passed the probe at the start fails it now: %w", len(suspect), failure.Err)
}
