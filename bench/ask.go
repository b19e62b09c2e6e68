package bench

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"lightbox/bench/card"
	"lightbox/bench/record"
	"lightbox/infer"
	"lightbox/models"
)

// errStopped says that the user stopped a phase; what is done is kept.
var errStopped = errors.New("stopped")

// question is a prompt ready to be sent, or the fault that keeps it back.
type question struct {
	plan     planned
	prompt   infer.Prompt
	pictures []record.Picture
	fault    *infer.Fault
	done     func() // gives its memory back; nil where none was taken
}

// askAll asks every planned sample that has no lasting answer in the record, in
// the scheduled order. Pictures are prepared ahead of the server.
func (r *run) askAll(ctx context.Context) error {
	todo, done, unscored := r.unanswered()
	progress := newCounter(r.cfg.Watch, "asking", len(r.plans), done, unscored)
	// The first error ends the rest, and is the one returned: that of a request
	// which it ended says nothing.
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	ready := make(chan question, r.cfg.Parallel+2)
	idle := newIdleness()
	for _, i := range todo {
		r.studio.expect(r.plans[i])
	}
	var group errgroup.Group
	group.Go(func() error {
		defer close(ready)
		err := r.prepare(ctx, todo, ready)
		if err != nil && err != errStopped {
			end(err)
		}
		return err
	})
	for range r.cfg.Parallel {
		group.Go(func() error {
			err := r.askEach(ctx, ready, idle, progress)
			if err != nil && err != errStopped { // requests under way are finished
				end(err)
			}
			return err
		})
	}
	err := group.Wait()
	r.tellShared()
	if werr := r.tellIdle(idle); err == nil {
		err = werr
	}
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// askEach asks one question after the other as they get ready.
func (r *run) askEach(ctx context.Context, ready <-chan question, idle *idleness, progress *counter) error {
	for {
		waiting := time.Now()
		q, ok := <-ready
		if !ok {
			return nil
		}
		idle.add(time.Since(waiting))
		err := r.askOne(ctx, q, progress)
		q.done()
		if err != nil {
			return err
		}
	}
}

// question builds what is sent for a plan.
func (r *run) question(p planned) (question, error) {
	q := question{plan: p, fault: p.refusal}
	if q.fault != nil {
		return q, nil
	}
	messages, pictures, err := r.studio.prompt(p)
	if err != nil && !asFault(err, &q.fault) {
		return q, err
	}
	q.pictures = pictures
	q.prompt = infer.Prompt{Messages: messages, Options: r.options, Think: r.think()}
	if r.cfg.Benchmark.Format == FormatLogprob {
		q.prompt.TopLogprobs = mostLogprobs
	}
	return q, nil
}

// askOne asks a question and writes its line. An error ends the run.
func (r *run) askOne(ctx context.Context, q question, progress *counter) error {
	if r.stopped() { // what is prepared but not sent is left for the next time
		return errStopped
	}
	line, err := r.answer(ctx, q)
	if err != nil {
		return err
	}
	if err := r.keep(q.plan, line); err != nil {
		return err
	}
	if q.fault == nil {
		plan := q.plan // not q, which holds the pictures
		r.sentry.doubt(func() error { return r.takeBackResponse(plan, line, changedUnder) })
	}
	progress.step(line.Fault != nil)
	return r.watchStreak(ctx, q.plan, line)
}

// answer sends a question, unless it is kept back, and gives its line. An error
// ends the run.
func (r *run) answer(ctx context.Context, q question) (record.Response, error) {
	line := q.plan.line()
	line.Pictures = q.pictures
	if q.fault != nil {
		line.Fault = record.NewFault(q.fault)
		return line, nil
	}
	line.Prompt = q.prompt.Digest()
	if response, ok := r.answered(line.Prompt); ok {
		r.fill(&line, q.plan, response)
		return line, r.noteShared(line.ID)
	}
	e := &errand{
		model: r.facts.AskName, id: line.ID, kind: record.KindAsk, prompt: q.prompt,
		pace: r.pace, size: q.plan.bounds.High,
	}
	if r.quarantined(line.ID) {
		e.deaths, e.pass = 1, alone
	}
	response, err := r.send(ctx, e)
	var fault *infer.Fault
	switch {
	case err == nil && r.cfg.Benchmark.Format == FormatLogprob && len(response.Logprobs) == 0:
		return line, fail(WrongModel, "ask with --format mcqa, or update the server", "the server gives no probabilities of tokens for model %q", r.cfg.Model)
	case err == nil:
		r.fill(&line, q.plan, response)
	case !asFault(err, &fault):
		return line, err
	case fault.Reason == infer.ReasonModel && r.stillThere(ctx):
		line.Fault = record.NewFault(&infer.Fault{Reason: infer.ReasonServer, Status: fault.Status, Detail: fault.Detail, Retry: true})
	case endsRun(fault):
		return line, fatal(r.cfg.Model, err)
	default:
		line.Fault = record.NewFault(fault)
		line.Fault.Attempts = r.earlier[line.ID].Attempts + e.sent
	}
	return line, nil
}

// keep writes a sample's line, and what a rule says of it.
func (r *run) keep(p planned, line record.Response) error {
	if !r.known(line) {
		if err := r.record.AppendResponse(line); err != nil {
			return fmt.Errorf("keeping the response to %q: %w", line.ID, err)
		}
		r.cfg.shared.keep(line)
	}
	return r.rule(p, line)
}

// line is what the record says of a plan whatever comes of asking it.
func (p planned) line() record.Response {
	s := p.sample
	line := record.Response{
		ID: s.ID, At: p.at, Group: s.Group, Subset: s.Subset, Tags: s.Tags, Shown: len(s.Demonstrations),
		Asked: p.turns[len(p.turns)-1].text, Escaped: p.escaped,
		References: s.References, Key: s.Key,
	}
	for _, o := range s.Options {
		line.Options = append(line.Options, record.Option(o))
	}
	for i, d := range s.Demonstrations {
		line.Answers = append(line.Answers, d.References[0])
		if letter := letterShown(d); letter != "" {
			line.AnswerLetters = append(line.AnswerLetters, letter)
		}
		if d.Inserted {
			line.Inserted = append(line.Inserted, i)
		}
	}
	if len(line.AnswerLetters) < len(line.Answers) { // of options of their own each, so that texts are compared
		line.AnswerLetters = nil
	}
	return line
}

// letterShown is the letter in whose form a demonstration is answered; empty: it is
// answered by a text.
func letterShown(d card.Sample) string {
	words := strings.Fields(strings.TrimRight(d.Reply(), "."))
	if d.Shown == "" || d.Key == "" || len(words) == 0 || words[len(words)-1] != d.Key {
		return ""
	}
	return d.Key
}

// stillThere tells whether the server has the run's model, whatever it says of
// one request.
func (r *run) stillThere(ctx context.Context) bool {
	digest, err := r.client.Digest(ctx, r.facts.Name)
	return err == nil && digest == r.facts.Digest
}

// endsRun tells whether a fault is of the whole run: the server is gone for
// good, or the model is gone or no longer local.
func endsRun(f *infer.Fault) bool {
	return f.Reason == infer.ReasonRemote || f.Reason == infer.ReasonModel || f.Reason == infer.ReasonConnection && f.Status == 0 && errors.Is(f.Err, errGone)
}

// fill writes a response into its line, or the fault that the context was too
// small for it.
func (r *run) fill(line *record.Response, p planned, response infer.Response) {
	line.Text, line.Thinking = response.Text, response.Thinking
	line.Done, line.DoneReason = response.Done, response.DoneReason
	line.PromptTokens, line.OutputTokens = response.PromptTokens, response.OutputTokens
	if len(response.Logprobs) > 0 {
		line.Letters, line.Outside = lettersOf(response.Logprobs[0], p.sample.Options)
	}
	state, why := r.checkContext(p, response)
	line.Context = state
	if why != "" {
		line.Fault = &record.Fault{Reason: infer.ReasonContextFull, Detail: why}
	}
}

// checkContext holds a reply's token counts against the window and against what
// was sent. why is set where the prompt or the reply did not fit.
func (r *run) checkContext(p planned, response infer.Response) (state record.Context, why string) {
	window := r.options.NumCtx
	prompt, output := response.PromptTokens, response.OutputTokens
	switch {
	case response.DoneReason == "length" && output > 0 && output < r.options.NumPredict:
		return record.ContextOK, fmt.Sprintf("the reply ended after %d of %d tokens", output, r.options.NumPredict)
	case response.DoneReason == "length" && output == 0 && response.Text == "" && response.Thinking == "":
		return record.ContextOK, "there was no room for a reply"
	case prompt == 0, response.DoneReason == "length" && output == 0:
		return record.ContextUnknown, ""
	case prompt >= window:
		return record.ContextOK, fmt.Sprintf("the prompt took %d of %d tokens", prompt, window)
	case prompt+output > window+1:
		return record.ContextOK, fmt.Sprintf("prompt and reply took %d of %d tokens", prompt+output, window)
	case r.probed.Counts != checkOK:
		return record.ContextUnknown, ""
	}
	if low := r.leastTokens(p); prompt < low {
		return record.ContextOK, fmt.Sprintf("the server counted %d prompt tokens where %d at least were sent", prompt, low)
	}
	return record.ContextOK, ""
}

// leastTokens is the lower bound of a prompt's tokens, with the profile's cost
// of a picture corrected by what the probe measured.
func (r *run) leastTokens(p planned) int {
	text := models.Size{TextBytes: p.size.TextBytes, Messages: p.size.Messages}
	low := r.profile.Bounds(text, "").Low
	return low + int(float64(p.bounds.Low-low)*r.probed.lowFactor)
}

// counter reports the progress of a phase.
type counter struct {
	watch func(Event)
	mu    sync.Mutex
	event Event
}

func newCounter(watch func(Event), phase string, total, done, unscored int) *counter {
	c := &counter{watch: watch, event: Event{Phase: phase, Total: total, Done: done, Unscored: unscored}}
	watch(c.event)
	return c
}

func (c *counter) step(unscored bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.event.Done++
	if unscored {
		c.event.Unscored++
	}
	c.watch(c.event)
}
