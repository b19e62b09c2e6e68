package smmile

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"lightbox/bench/card"
	"lightbox/score"
)

// optionSeed is that of the scripts' random.seed, from which the display order of
// all options is drawn in the order of the data set.
const optionSeed = 42

// MultipleChoice makes multiple-choice questions of all problems of a data set,
// in its order: options are the answers of all panels, each once, labelled in
// order of appearance; the labelled lines are then shuffled, one draw after the
// other through the whole data set; the key is the label of the query's answer
// (prepare_mcqa_options at ab004d2). MedVLM-R1's script does not shuffle.
// Demonstrations stay open questions.
func MultipleChoice(samples []card.Sample, f Family) ([]card.Sample, error) {
	random := pythonRandom(optionSeed)
	made := make([]card.Sample, len(samples))
	for i, s := range samples {
		options, err := card.Letters(answersOf(s))
		if err != nil {
			return nil, fmt.Errorf("making options of problem %q: %w", s.ID, err)
		}
		s.Key = card.KeyOf(options, s.References[0])
		if !f.oneTurn {
			random.shuffle(len(options), func(i, j int) { options[i], options[j] = options[j], options[i] })
			s.Wording = f.choiceTask()
			s.Prompt = choiceQuestion(s.Question, options) + s.Wording
		}
		s.Options = options
		made[i] = s
	}
	return made, nil
}

// answersOf are the answers of a problem's panels, each once by its very text.
func answersOf(s card.Sample) []string {
	var all []string
	for _, p := range append(slices.Clone(s.Demonstrations), s) {
		if !slices.Contains(all, p.References[0]) {
			all = append(all, p.References[0])
		}
	}
	return all
}

// choiceQuestion is a multiple-choice question without what is to be done.
func choiceQuestion(question string, options []card.Option) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s\n\nPlease select the best answer from the following options:\n", question)
	for _, o := range options {
		fmt.Fprintf(&b, "%s. %s\n", o.Letter, o.Text)
	}
	return b.String()
}

// choiceTask tells the family what to do with a multiple-choice question.
func (f Family) choiceTask() string {
	step, letters, example := "", "A, B, C, D, E, F, ...", "Correct letter."
	if f.stepwise {
		step, letters, example = " step by step", "A, B, C, D, E, ...", "X"
	}
	return fmt.Sprintf(`
Your task:
1. Think through the question%s, enclose your reasoning process in <think>...</think> tags.
2. Then provide the correct single-letter choice (%s) inside <answer>...</answer> tags.
Example of the expected format:
<think>This is my thought.</think>
<answer>%s</answer>
`, step, letters, example) + f.afterExample
}

// choiceInOneTurn is MedVLM-R1's multiple-choice question with its demonstrations
// in one turn (inference_medr1.py).
func choiceInOneTurn(s card.Sample) string {
	listed := func(question string) string {
		for _, o := range s.Options {
			question += fmt.Sprintf("\n%s) %s", o.Letter, o.Text)
		}
		return question
	}
	question, options := listed(s.Question), optionsOf(s)
	if len(s.Demonstrations) > 0 {
		var b strings.Builder
		for i, d := range s.Demonstrations { // one of another problem has no letter here
			fmt.Fprintf(&b, "Example %d:\nQuestion: %s\nAnswer: %s\n\n", i+1, listed(d.Question), cmp.Or(score.FirstContaining(d.References[0], options), d.References[0]))
		}
		question = b.String() + "Now answer this question:\n" + question
	}
	return "\n" + question + `

Your task:
1. Think through the question step by step, enclose your reasoning process in <think>...</think> tags.
2. Then provide the correct single-letter choice (A, B, C, D,...) inside <answer>...</answer> tags.
3. No extra information or text outside of these tags.
`
}

// ChoiceRules names the rules of multiple-choice questions: ours, and the one by
// which the scripts read the family's replies.
func (f Family) ChoiceRules() []string {
	reader := f.reader
	if reader == 0 {
		reader = score.SmmileA
	}
	return []string{score.RuleMCQA, reader.Rule()}
}

// optionsOf are a sample's options as rules take them.
func optionsOf(s card.Sample) []score.Option {
	all := make([]score.Option, len(s.Options))
	for i, o := range s.Options {
		all[i] = score.Option(o)
	}
	return all
}

// ChoiceNotes say what a reader of multiple-choice figures must know: how the
// keys are spread, and which problems have options that exact match takes as
// equal.
func ChoiceNotes(samples []card.Sample) []string {
	keys := map[string]int{}
	equal, single := 0, 0
	for _, s := range samples {
		keys[s.Key]++
		seen := map[string]bool{}
		for _, o := range s.Options {
			seen[score.Normalize(o.Text)] = true
		}
		if len(seen) < len(s.Options) {
			equal++
		}
		if len(s.Options) == 1 {
			single++
		}
	}
	var spread []string
	for _, letter := range slices.Sorted(maps.Keys(keys)) {
		spread = append(spread, fmt.Sprintf("%s %d", letter, keys[letter]))
	}
	notes := []string{"keys are not evenly spread: " + strings.Join(spread, ", ")}
	if equal > 0 {
		notes = append(notes, fmt.Sprintf("%d problems have two options that exact match takes as equal; only the one with the very text of the answer is right", equal))
	}
	if single > 0 {
		notes = append(notes, fmt.Sprintf("%d problems have a single option", single))
	}
	return notes
}
