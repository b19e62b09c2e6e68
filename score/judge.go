package score

import (
	"context"
	"encoding/json"
	"strings"
)

// RuleJudgeSkipped is the rule of the strict protocol where the judge was not
// asked because exact match says correct.
const RuleJudgeSkipped = "judge-strict (exact match)"

// RuleRecallSkipped is the rule of the protocol llm_recall where the judge was
// not asked because the rule of the sample says correct.
const RuleRecallSkipped = "judge-llm_recall (rule)"

// JudgeSkipped tells whether a judge's verdict was given without asking it,
// because a rule says correct.
func JudgeSkipped(v Verdict) bool {
	return strings.HasPrefix(v.Rule, RuleJudgeSkipped) || v.Rule == RuleRecallSkipped
}

// ReasonJudge is the reason of an unscored verdict where the judge's replies
// could not be read.
const ReasonJudge = "judge unusable"

// judgePrompt is the one message of SMMILE's judge (calculate_match_with_llm).
const judgePrompt = `A medical AI model is provided with an image and asked the question "{question}". ` +
	`The correct answer to this question is: "{answer}". The AI model outputs "{response}" as its response. ` +
	`Is the AI model correct? Please output your answer as a single digit, where 1 indicates that the AI model ` +
	`is correct and 0 indicates that the AI model is incorrect with respect to the correct answer. ` +
	`Do not provide anything other than the digit in your response.`

// cardPrompt is the judge prompt of the benchmark's card.
const cardPrompt = "Ground truth: {answer}\nModel output: {response}\nJudge accuracy (0/1):"

// JudgePrompt is SMMILE's judge prompt with its three texts put in verbatim, in
// one pass: a response that contains "{answer}" stays as it is.
func JudgePrompt(question, reference, response string) string {
	return fill(judgePrompt, question, reference, response)
}

func fill(template, question, reference, response string) string {
	return strings.NewReplacer("{question}", question, "{answer}", reference, "{response}", response).Replace(template)
}

// JudgeSchema constrains a judge's reply. The values are integers: of strings
// the reply would have to begin with a quotation mark, before the digit.
var JudgeSchema = json.RawMessage(`{"type":"integer","enum":[0,1]}`)

// JudgeReplyError is a judge's reply that is no verdict.
type JudgeReplyError struct {
	Reply   string // quoted and shortened
	Problem string // what it is, or has
}

// Error names the reply and the problem.
func (e *JudgeReplyError) Error() string {
	return "reading judge reply " + e.Reply + ": " + e.Problem
}

const noDigit = "neither 1 nor 0"

// ReadJudge reads a judge's reply: exactly 1 (correct) or 0, with blanks around
// it or not. SMMILE's own reader takes no blanks and counts what it cannot read
// as 0; here that is a [*JudgeReplyError].
func ReadJudge(reply string) (bool, error) {
	switch trimBlanks(reply) {
	case "1":
		return true, nil
	case "0":
		return false, nil
	}
	return false, &JudgeReplyError{Reply: quote(reply), Problem: noDigit}
}

// Request is one question to a judge.
type Request struct {
	Prompt string
	Retry  bool // the first reply was unreadable: no thinking, twice the tokens
}

// Asker asks the judge's model. It is called again with Retry for the same
// prompt, and must send that request anew. An error means that no reply came,
// never that the reply was bad.
type Asker interface {
	AskJudge(ctx context.Context, r Request) (reply string, err error)
}

// Judge compares responses with reference answers by a language model.
type Judge struct {
	Name     string // the model, as explanations show it
	Protocol Protocol
	Ask      Asker
}

// Verdict is the judge's verdict on a response on which a rule has decided. The
// question is the sample's, or the whole prompt where the protocol wants it. The
// Asker's errors are returned as they are.
func (j Judge) Verdict(ctx context.Context, question, reference, response string, rule Verdict) (Verdict, error) {
	v := Verdict{Metric: Judged, Rule: j.Protocol.Rule()}
	if j.Protocol.strict {
		var mark string
		response, mark = answered(response)
		v.Rule += mark
	}
	if decided, ok := j.unasked(v, reference, response, rule); ok {
		return decided, nil
	}
	prompt := j.Protocol.Prompt(question, reference, response)
	leak := ""
	if j.Protocol.Leaks(question, reference, response) {
		leak = "; " + LeakClosed
	}
	for attempt := range j.Protocol.attempts() {
		reply, err := j.Ask.AskJudge(ctx, Request{Prompt: prompt, Retry: attempt > 0})
		if err != nil {
			return Verdict{}, err
		}
		correct, err := j.Protocol.read(reply)
		if err == nil {
			v = j.said(v, correct, rule)
			v.Explanation += leak
			return v, nil
		}
		v.Explanation = j.Name + ": " + err.Error() + leak
	}
	return j.unread(v, rule), nil
}

// unasked is the verdict that needs no judge; ok says that there is one.
func (j Judge) unasked(v Verdict, reference, response string, rule Verdict) (decided Verdict, ok bool) {
	p := j.Protocol
	switch {
	case trimBlanks(reference) == "":
		v.Outcome, v.Reason, v.Rule = Unscored, ReasonReference, p.Rule()
	case p.strict && trimBlanks(response) == "":
		v.Outcome, v.Explanation = NoAnswer, "the response is empty"
	case p.strict && rule.Metric == ExactMatch && rule.Outcome == Correct:
		mark := strings.TrimPrefix(v.Rule, p.Rule())
		v.Rule, v.Outcome, v.Explanation = RuleJudgeSkipped+mark, Correct, rule.Explanation
	case p.recall && rule.Outcome == Correct:
		v.Rule, v.Outcome, v.Explanation = RuleRecallSkipped, Correct, rule.Explanation
	default:
		return v, false
	}
	return v, true
}

// said is the verdict where the judge's reply can be read.
func (j Judge) said(v Verdict, correct bool, rule Verdict) Verdict {
	yes, no := "1", "0"
	if j.Protocol.recall {
		yes, no = "A", "B"
	}
	switch {
	case correct:
		v.Outcome, v.Explanation = Correct, j.Name+" replied "+yes
	case j.Protocol.recall && rule.Outcome == NoAnswer:
		v.Outcome, v.Explanation = NoAnswer, j.Name+" replied "+no
	default:
		v.Outcome, v.Explanation = Incorrect, j.Name+" replied "+no
	}
	return v
}

// unread is the verdict where no reply can be read.
func (j Judge) unread(v, rule Verdict) Verdict {
	switch {
	case j.Protocol.recall:
		v.Rule, v.Outcome, v.Reason = v.Rule+unusable, rule.Outcome, rule.Reason
	case j.Protocol.strict:
		v.Outcome, v.Reason = Unscored, ReasonJudge
	default:
		v.Rule, v.Outcome = v.Rule+malformed, Incorrect
	}
	return v
}

// Marks of the rule of a verdict where the reply could not be read: the protocol
// counts that as incorrect, or lets the rule's verdict stand.
const (
	malformed = " (malformed reply)"
	unusable  = " (unusable reply)"
)

// LeakClosed ends the explanation of verdicts whose response holds the name of a
// part of the prompt: evalscope, which puts in one part after the other, would
// have given the reference answer away.
const LeakClosed = "evalscope's substitution would have sent another prompt"
