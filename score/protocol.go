package score

import "fmt"

// Protocol is how a judge is asked and its replies are read. The zero value is
// none; see [JudgeProtocol].
type Protocol struct {
	Name string

	// Constrained replies follow [JudgeSchema]; ServerSampling leaves all sampling
	// options to the server.
	Constrained, ServerSampling bool

	// WholePrompt: the question that the judge reads is the prompt as the model got
	// it, instructions included.
	WholePrompt bool
	Predict     int // tokens that a reply may have; 0: a few

	recall bool // only responses that the rule does not call correct are judged
	strict bool // ours: skips what is decided, asks twice, leaves unscored
	prompt string
	exact  bool   // no blank is allowed around the digit
	empty  string // stands for an empty response
}

// The judge protocols.
var protocols = []Protocol{
	// Ours: SMMILE's words at temperature 0, constrained to the digits.
	{Name: "strict", Constrained: true, strict: true, prompt: judgePrompt},

	// SMMILE's released evaluation (calculate_match_with_llm): the server's own
	// sampling, every response judged, and what is not exactly a digit counts as 0.
	// It reads responses back from CSV with pandas, where an empty one is "nan".
	{Name: "official", ServerSampling: true, prompt: judgePrompt, exact: true, empty: "nan"},

	// The benchmark's card: other words, and everything but 1 counts as 0.
	{Name: "card", prompt: cardPrompt},

	// evalscope's judge.strategy llm_recall: the judge can only turn what the rule
	// says is wrong into right, and gives its verdict as a JSON object.
	{Name: "llm_recall", WholePrompt: true, Predict: 4096, recall: true},
}

// JudgeProtocol is the protocol of a name: strict, official, card or llm_recall.
func JudgeProtocol(name string) (Protocol, error) {
	for _, p := range protocols {
		if p.Name == name {
			return p, nil
		}
	}
	return Protocol{}, fmt.Errorf("unknown judge protocol %q: want strict, official, card or llm_recall", name)
}

// Rule names the protocol in verdicts.
func (p Protocol) Rule() string { return "judge-" + p.Name }

// Prompt is what the judge is sent.
func (p Protocol) Prompt(question, reference, response string) string {
	if p.recall {
		return recallPrompt(question, reference, response)
	}
	if response == "" {
		response = p.empty
	}
	return fill(p.prompt, question, reference, response)
}

// Leaks tells whether the official substitution, one text after the other, would
// have made another prompt: where the response of the protocol llm_recall holds
// "{gold}", evalscope puts the reference answer there.
func (p Protocol) Leaks(question, reference, response string) bool {
	return p.recall && sequentialRecallPrompt(question, reference, response) != recallPrompt(question, reference, response)
}

// attempts is how often a judge is asked whose replies cannot be read.
func (p Protocol) attempts() int {
	if p.strict {
		return 2
	}
	return 1
}

// read reads a judge's reply; one that is no verdict is a [*JudgeReplyError].
func (p Protocol) read(reply string) (bool, error) {
	if p.recall {
		return ReadRecall(reply)
	}
	if p.exact && reply != "1" && reply != "0" {
		return false, &JudgeReplyError{Reply: quote(reply), Problem: noDigit}
	}
	return ReadJudge(reply)
}
