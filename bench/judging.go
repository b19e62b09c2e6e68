package bench

import (
	"context"
	"fmt"

	"lightbox/bench/card"
	"lightbox/bench/record"
	"lightbox/infer"
	"lightbox/models"
	"lightbox/score"
)

// judgeAll has every open question judged, in data order. The judge is loaded
// once, after all responses are in, and asked once for every different prompt.
func (r *run) judgeAll(ctx context.Context) error {
	if r.cfg.Judge == "" {
		return nil
	}
	court := r.court()
	progress := newCounter(r.cfg.Watch, "judging", len(r.plans), 0, 0)
	responses := r.record.Latest()
	for _, p := range r.plans {
		if r.stopped() {
			return errStopped
		}
		line, ok := responses[p.sample.ID]
		if !ok {
			return fmt.Errorf("judging sample %q: it has no response in the record", p.sample.ID)
		}
		unscored, err := r.judgeOne(ctx, p, line, court)
		if err != nil {
			return err
		}
		progress.step(unscored)
	}
	return nil
}

// judgeOne writes the judge's verdict on a sample, unless the record has it.
func (r *run) judgeOne(ctx context.Context, p planned, line record.Response, court *court) (unscored bool, err error) {
	v := record.Verdict{ID: p.sample.ID, Of: line.Subject()}
	if len(p.sample.Options) > 0 || r.verdicts.stands(v.ID, score.Judged, v.Of) {
		return false, nil
	}
	if line.Fault != nil {
		v.Verdict = notAsked(score.Judged, *line.Fault)
	} else if v, err = court.hear(ctx, p, line, v); err != nil {
		return false, err
	}
	if err := r.verdicts.add(v); err != nil {
		return false, err
	}
	if v.JudgePrompt != "" {
		r.sentry.doubt(func() error { return r.takeBackVerdict(v) })
	}
	return v.Outcome == score.Unscored, nil
}

// court is the judge with what asking it needs. It implements score.Asker.
type court struct {
	run      *run
	judge    score.Judge
	controls controls
	options  infer.Options
	checked  bool // the server was seen to refuse what does not fit
	pace     *pace

	replies map[infer.Digest]string // by prompt
	prompt  infer.Digest            // of the last request
	reply   string                  // to it
	id      string                  // of the sample that is judged
}

// court prepares the judge.
func (r *run) court() *court {
	c := &court{run: r, controls: newControls(r.judge.ControlTokens), pace: &pace{}, replies: map[infer.Digest]string{}}
	c.judge = score.Judge{Name: r.cfg.Judge, Protocol: r.protocol, Ask: c}
	longest := 0
	responses := r.record.Latest()
	for _, p := range r.plans {
		if len(p.sample.Options) > 0 || len(p.sample.References) == 0 {
			continue
		}
		text := r.protocol.Prompt(r.judgedQuestion(p.sample), p.sample.References[0], responses[p.sample.ID].Text)
		longest = max(longest, len(text))
	}
	profile := models.ProfileOf(r.judge)
	high := profile.Bounds(models.Size{TextBytes: longest, Messages: 1}, r.judge.Template).High
	predict, reserve := judgePredict, 2*judgePredict
	switch {
	case r.protocol.Predict > 0:
		predict, reserve = r.protocol.Predict, r.protocol.Predict
	case r.protocol.ServerSampling:
		reserve = judgeReserve
	}
	c.options = infer.Greedy(models.Window(high, reserve, r.judge.ContextLength), predict, r.judge.Stop)
	c.options.ServerSampling = r.protocol.ServerSampling
	for _, v := range r.record.Verdicts() {
		switch {
		case v.Reason == string(infer.ReasonChanged):
			delete(c.replies, v.JudgePrompt)
		case v.JudgePrompt != "" && v.Outcome != score.Unscored:
			c.replies[v.JudgePrompt] = v.Reply
		}
	}
	return c
}

// judgedQuestion is the question of a sample as the judge reads it.
func (r *run) judgedQuestion(s card.Sample) string {
	if r.protocol.WholePrompt {
		return promptText(s)
	}
	return s.Question
}

// hear gives the judge's verdict on one response.
func (c *court) hear(ctx context.Context, p planned, line record.Response, v record.Verdict) (record.Verdict, error) {
	v.Verdict = score.Verdict{Metric: score.Judged, Rule: c.judge.Protocol.Rule(), Outcome: score.Unscored}
	em := c.run.cfg.Benchmark.rules(p.sample)[0].Verdict(caseOf(p.sample, line))
	question, response := c.run.judgedQuestion(p.sample), line.Text
	reference := ""
	if len(p.sample.References) > 0 {
		reference = p.sample.References[0]
	}
	if found := c.controls.find(question, reference, response); found != "" {
		if !c.run.cfg.EscapeControl {
			v.Reason, v.Explanation = string(infer.ReasonControlText), fmt.Sprintf("the text holds %q, which the judge reads as a control token", found)
			return v, nil
		}
		question, _ = c.controls.escape(question)
		reference, _ = c.controls.escape(reference)
		response, _ = c.controls.escape(response)
	}
	c.id, c.prompt, c.reply = p.sample.ID, "", ""
	decided, err := c.judge.Verdict(ctx, question, reference, response, em)
	v.JudgePrompt, v.Reply = c.prompt, c.reply
	var fault *infer.Fault
	switch {
	case err == nil:
		v.Verdict = decided
	case !asFault(err, &fault):
		return v, err
	case endsRun(fault):
		return v, fatal(c.run.cfg.Judge, err)
	default:
		v.Reason, v.Explanation = string(fault.Reason), fault.Detail
	}
	return v, nil
}

// AskJudge sends one request to the judge's model. Equal requests are sent once.
func (c *court) AskJudge(ctx context.Context, request score.Request) (string, error) {
	p := infer.Prompt{
		Messages: []infer.Message{{Role: infer.User, Text: request.Prompt}},
		Options:  c.options,
	}
	if c.run.protocol.Constrained {
		p.Format = score.JudgeSchema
	}
	off := false
	if c.run.judge.Can("thinking") && !c.options.ServerSampling || request.Retry {
		p.Think = &off
	}
	if request.Retry {
		p.Options.NumPredict *= 2
	}
	c.prompt = p.Digest()
	if reply, ok := c.replies[c.prompt]; ok {
		c.reply = reply
		return reply, nil
	}
	if err := c.check(ctx); err != nil {
		return "", err
	}
	response, err := c.run.send(ctx, &errand{
		model: c.run.judge.AskName, id: c.id, kind: record.KindJudge, prompt: p, pace: c.pace, size: len(request.Prompt),
	})
	if err != nil {
		return "", err
	}
	if fault := c.doubt(request.Prompt, response); fault != nil {
		return "", fault
	}
	c.reply = response.Text
	c.replies[c.prompt] = response.Text
	return response.Text, nil
}

// doubt is why a reply of the judge cannot be trusted: it was broken off, or the
// prompt was not read whole. A server that does not count is believed.
func (c *court) doubt(prompt string, response infer.Response) *infer.Fault {
	read, low := response.PromptTokens, models.ProfileOf(c.run.judge).Bounds(models.Size{TextBytes: len(prompt)}, "").Low
	switch {
	case !response.Done:
		return &infer.Fault{Reason: infer.ReasonJudge, Detail: "the server broke the reply off", Retry: true}
	case read >= c.options.NumCtx:
		return &infer.Fault{Reason: infer.ReasonContextFull, Detail: fmt.Sprintf("the prompt took %d of %d tokens", read, c.options.NumCtx)}
	case read > 0 && read < low:
		return &infer.Fault{Reason: infer.ReasonContextFull, Detail: fmt.Sprintf("the server counted %d prompt tokens where %d at least were sent", read, low)}
	}
	return nil
}

// check demands, before the first question, that the judge is still the one that
// the run began with, and that the server refuses prompts that do not fit its
// window.
func (c *court) check(ctx context.Context) error {
	if c.checked {
		return nil
	}
	c.checked = true
	c.run.sentry.guard(c.run.judge)
	if err := c.run.sentry.look(ctx, true); err != nil {
		return err
	}
	ask := func(ctx context.Context, p infer.Prompt) (infer.Response, error) {
		return c.run.send(ctx, &errand{model: c.run.judge.AskName, kind: record.KindProbe, prompt: p, pace: c.pace})
	}
	if err := (prober{ask: ask, options: c.options, model: c.run.cfg.Judge}).checkTruncation(ctx); err != nil {
		return err
	}
	return c.run.sentry.weigh(ctx, c.run.judge)
}
