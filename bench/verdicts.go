package bench

import (
	"fmt"
	"sync"

	"lightbox/bench/card"
	"lightbox/bench/record"
	"lightbox/infer"
	"lightbox/score"
)

// verdicts are the run's decisions, those of an earlier part of it included.
type verdicts struct {
	record *record.Run
	mu     sync.Mutex
	final  map[verdictKey]bool
}

// verdictKey finds a verdict: a sample has one a metric, about one text.
type verdictKey struct {
	id     string
	metric score.Metric
	of     infer.Digest
}

// ruleNone decided nothing: the sample could not be asked.
const ruleNone = "none"

// verdictsOf takes up the verdicts of a record. Those that a judge was to give
// and could not are decided again.
func verdictsOf(run *record.Run) *verdicts {
	v := &verdicts{record: run, final: map[verdictKey]bool{}}
	for _, line := range run.Verdicts() {
		v.note(line)
	}
	return v
}

func (v *verdicts) note(line record.Verdict) {
	failed := line.Metric == score.Judged && line.Outcome == score.Unscored && line.Rule != ruleNone
	v.final[verdictKey{line.ID, line.Metric, line.Of}] = !failed
}

// stands tells whether there is a verdict that need not be decided again.
func (v *verdicts) stands(id string, metric score.Metric, of infer.Digest) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.final[verdictKey{id, metric, of}]
}

// add writes a verdict.
func (v *verdicts) add(line record.Verdict) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if err := v.record.AppendVerdict(line); err != nil {
		return fmt.Errorf("keeping the verdict on %q: %w", line.ID, err)
	}
	v.note(line)
	return nil
}

// rule writes the verdicts that the rules of a sample give on its response,
// unless the record has them.
func (r *run) rule(p planned, line record.Response) error {
	for _, rule := range r.cfg.Benchmark.rules(p.sample) {
		v := record.Verdict{ID: p.sample.ID, Of: line.Subject()}
		switch {
		case r.verdicts.stands(v.ID, rule.Metric, v.Of):
			continue
		case line.Fault != nil:
			v.Verdict = notAsked(rule.Metric, *line.Fault)
		default:
			v.Verdict = forRecord(rule.Verdict(caseOf(p.sample, line)))
		}
		if err := r.verdicts.add(v); err != nil {
			return err
		}
	}
	return nil
}

// caseOf is what rules decide from.
func caseOf(s card.Sample, line record.Response) score.Case {
	c := score.Case{Response: line.Text, Letters: line.Letters, References: s.References, Question: s.Question, Key: s.Key}
	for _, o := range s.Options {
		c.Options = append(c.Options, score.Option(o))
	}
	return c
}

// longAnswer is the length in bytes from which the record does not repeat an
// answer: it is the response itself.
const longAnswer = 200

// forRecord is a verdict without what only repeats a long response.
func forRecord(v score.Verdict) score.Verdict {
	for _, text := range []*string{&v.Answer, &v.NormalizedAnswer, &v.NormalizedReference} {
		if len(*text) > longAnswer {
			*text = ""
		}
	}
	return v
}

// ruleAll gives the responses of an earlier part of the run the verdicts that it
// did not come to write, in their order.
func (r *run) ruleAll() error {
	plans := map[string]planned{}
	for _, p := range r.plans {
		plans[p.sample.ID] = p
	}
	latest := r.record.Latest()
	for _, line := range r.record.Responses() {
		p, ok := plans[line.ID]
		if !ok || latest[line.ID].Subject() != line.Subject() {
			continue
		}
		if err := r.rule(p, line); err != nil {
			return err
		}
	}
	return nil
}

// notAsked is the verdict on a sample that the machine failed at.
func notAsked(metric score.Metric, f record.Fault) score.Verdict {
	return score.Verdict{Metric: metric, Rule: ruleNone, Outcome: score.Unscored, Reason: string(f.Reason), Explanation: f.Detail}
}

// rules are those that decide on a sample, the one that speaks first.
func (b Benchmark) rules(s card.Sample) []score.Rule {
	named, usual := b.Open, score.RuleSmmileEM
	if len(s.Options) > 0 {
		named, usual = b.Choice, score.RuleMCQA
	}
	if len(named) > 0 {
		return named
	}
	rule, err := score.RuleNamed(usual)
	if err != nil { // the rules are in the program
		panic(err)
	}
	return []score.Rule{rule}
}
