package score

import (
	"context"
	"encoding/json"
	"strings"
)

// RuleJudgeSkipped is the rule of the strict protocol where the judge was not
// asked because exact match says correct.
const RuleJudgeSkipped = "judge-strict (exact match)"

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

// JudgeReplyError is a judge's reply that is neither 1 nor 0.
type JudgeReplyError struct {
	Reply string // quoted and shortened
}

// Error names the reply.
func (e *JudgeReplyError) Error() string {
	return "reading judge reply " + e.Reply + ": neither 1 nor 0"
}

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
	return false, &JudgeReplyError{Reply: quote(reply)}
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

// Verdict is the judge's verdict on a response whose exact-match verdict is em.
// The Asker's errors are returned as they are.
func (j Judge) Verdict(ctx context.Context, question, reference, response string, em Verdict) (Verdict, error) {
	v := Verdict{Metric: Judged, Rule: j.Protocol.Rule()}
	if trimBlanks(reference) == "" {
		v.Outcome, v.Reason = Unscored, ReasonReference
		return v, nil
	}
	if j.Protocol.strict {
		var mark string
		response, mark = answered(response)
		v.Rule += mark
		switch {
		case trimBlanks(response) == "":
			v.Outcome, v.Explanation = NoAnswer, "the response is empty"
			return v, nil
		case em.Metric == ExactMatch && em.Outcome == Correct:
			v.Rule, v.Outcome, v.Explanation = RuleJudgeSkipped+mark, Correct, em.Explanation
			return v, nil
		}
	}
	prompt := j.Protocol.Prompt(question, reference, response)
	for attempt := range j.Protocol.attempts() {
		reply, err := j.Ask.AskJudge(ctx, Request{Prompt: prompt, Retry: attempt > 0})
		if err != nil {
			return Verdict{}, err
		}
		correct, err := j.Protocol.read(reply)
		if err != nil {
			v.Explanation = j.Name + ": " + err.Error()
			continue
		}
		v.Outcome, v.Explanation = Incorrect, j.Name+" replied 0"
		if correct {
			v.Outcome, v.Explanation = Correct, j.Name+" replied 1"
		}
		return v, nil
	}
	if j.Protocol.strict {
		v.Outcome, v.Reason = Unscored, ReasonJudge
		return v, nil
	}
	v.Rule, v.Outcome = v.Rule+malformed, Incorrect
	return v, nil
}

// malformed marks the rule of a verdict where the reply could not be read and
// the protocol counts that as incorrect.
const malformed = " (malformed reply)"
