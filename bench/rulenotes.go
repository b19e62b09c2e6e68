package bench

import (
	"fmt"

	"lightbox/score"
	"lightbox/score/analysis"
	"lightbox/score/report"
)

// ruleNotes say what rules decided otherwise than the published ones that they
// are near to.
func ruleNotes(samples []analysis.Sample) []report.Note {
	var notes []report.Note
	for _, text := range []string{markNote(samples), guessNote(samples), keyNote(samples)} {
		if text != "" {
			notes = append(notes, report.Note{Level: report.Remark, Text: text})
		}
	}
	if text := outsideNote(samples); text != "" {
		notes = append(notes, report.Note{Level: report.Warning, Text: text})
	}
	return notes
}

// mostOutside is the share of probability outside the letters from which they say
// little of what the model would answer.
const mostOutside = 0.5

// outsideNote warns where letters were hardly what the model was about to say.
func outsideNote(samples []analysis.Sample) string {
	n, outside := 0, 0.0
	for _, s := range samples {
		if s.Outside != nil {
			n++
			outside += *s.Outside
		}
	}
	if n == 0 || outside/float64(n) <= mostOutside {
		return ""
	}
	return fmt.Sprintf("on average %.1f %% of the probability of the first token lay on tokens that are no option's letter: the score rests on the little that is left, and says little of what the model would answer", 100*outside/float64(n))
}

// markNote counts what markers of our own saved and cost.
func markNote(samples []analysis.Sample) string {
	saved, cost := 0, 0
	for _, s := range samples {
		for _, v := range s.Verdicts {
			rescued, lost := score.Marked(v)
			if rescued {
				saved++
			}
			if lost {
				cost++
			}
		}
	}
	if saved+cost == 0 {
		return ""
	}
	return fmt.Sprintf("rule %s: markers that evalscope does not know rescued %d and lost %d right answers; %s decides as evalscope does", score.RuleSlake, saved, cost, score.RuleSlakeEvalscope)
}

// guessNote counts the samples for which ScienceQA's own code draws an option,
// and says what that adds to its score in the mean, where their options are known.
func guessNote(samples []analysis.Sample) string {
	n, guessed, expected := 0, 0, 0.0
	known := true
	for _, s := range samples {
		for _, v := range s.Verdicts {
			if v.Metric != score.RuleScienceQAOfficial || v.Outcome == score.Unscored {
				continue
			}
			n++
			if v.Outcome != score.NoAnswer {
				continue
			}
			guessed++
			if known = known && len(s.Options) > 0; known {
				expected += 1 / float64(len(s.Options))
			}
		}
	}
	if guessed == 0 {
		return ""
	}
	text := fmt.Sprintf("rule %s: %d of %d samples (%.1f %%) are no answer here; the official code draws one of their options at random", score.RuleScienceQAOfficial, guessed, n, percent(guessed, n))
	if known {
		text += fmt.Sprintf(", which adds %.1f points to its score in the mean", 100*expected/float64(n))
	}
	return text
}

// keyNote counts the samples for which MedVLM-R1's script has another key.
func keyNote(samples []analysis.Sample) string {
	n, other, differ := 0, 0, 0
	for _, s := range samples {
		for _, v := range s.Verdicts {
			if v.Metric != score.Metric(score.SmmileD.Rule()) || v.Outcome == score.Unscored || len(s.Options) == 0 {
				continue
			}
			n++
			if score.SmmileD.Key(s.Key, s.Options) == s.Key {
				continue
			}
			other++
			if (v.Outcome == score.Correct) != (v.Answer == s.Key) {
				differ++
			}
		}
	}
	if other == 0 {
		return ""
	}
	return fmt.Sprintf("rule %s: for %d of %d samples the key of SMMILE's script is not the answer's own option but an earlier one that contains it; by the answer's own, %d of them would be decided otherwise", score.SmmileD.Rule(), other, n, differ)
}

func percent(k, n int) float64 { return 100 * float64(k) / float64(n) }
