package score

import (
	"encoding/json"
	"strings"
)

// recallTemplate is what evalscope's judge is told, with the form of the reply at
// its end (DEFAULT_PROMPT_TEMPLATE of evalscope/metrics/judge/llm_judge.py and
// OutputContract.instruction of evalscope/api/judge/contracts.py).
const recallTemplate = `Your job is to look at a question, a gold target, and a predicted answer, and decide whether the predicted answer is correct or incorrect.

[Question]
{question}

[Reference Answer]
{gold}

[Predicted Answer]
{pred}

Evaluate the model's answer based on correctness compared to the reference answer.
Grade the predicted answer of this new question as one of:
A: CORRECT
B: INCORRECT

Reply with a single JSON object and no other text, containing these required keys (additional keys are allowed):
- "reasoning": a string
- "verdict": exactly one of "A" or "B"`

// recallUser stands before the question: evalscope names the role of each message.
const recallUser = "**User**: "

// recallPrompt puts the three texts in verbatim, in one pass.
func recallPrompt(question, reference, response string) string {
	return strings.NewReplacer("{question}", recallUser+question, "{gold}", reference, "{pred}", response).Replace(recallTemplate)
}

// sequentialRecallPrompt puts them in one after the other, as evalscope does, so
// that a text can be taken for a place of the next.
func sequentialRecallPrompt(question, reference, response string) string {
	prompt := strings.ReplaceAll(recallTemplate, "{question}", recallUser+question)
	prompt = strings.ReplaceAll(prompt, "{pred}", response)
	return strings.ReplaceAll(prompt, "{gold}", reference)
}

// ReadRecall reads a reply of the protocol llm_recall as evalscope does: the one
// JSON object in it has a verdict that is "A" (correct) or "B", and no reasoning
// that is anything but a string. Of equal keys the last counts. All else is a
// [*JudgeReplyError].
func ReadRecall(reply string) (bool, error) {
	unreadable := func(problem string) (bool, error) {
		return false, &JudgeReplyError{Reply: quote(reply), Problem: problem}
	}
	object, n := topObject(reply)
	if n != 1 {
		return unreadable("not exactly one JSON object")
	}
	var fields map[string]json.RawMessage
	err := json.Unmarshal([]byte(object), &fields)
	if err != nil {
		err = json.Unmarshal([]byte(withoutPythonNumbers.Replace(object)), &fields)
	}
	if err != nil {
		return unreadable("no valid JSON")
	}
	if reasoning, ok := fields["reasoning"]; ok && reasoning[0] != '"' {
		return unreadable("reasoning that is no text")
	}
	var verdict any
	if raw, ok := fields["verdict"]; ok && json.Unmarshal(raw, &verdict) != nil {
		verdict = nil
	}
	if verdict != "A" && verdict != "B" {
		return unreadable("no verdict A or B")
	}
	return verdict == "A", nil
}

// withoutPythonNumbers puts 0 in the place of numbers that only Python's JSON
// knows. Inside of texts that changes neither what the object means nor, because
// of the blanks, whether it is valid.
var withoutPythonNumbers = strings.NewReplacer("-Infinity", " 0 ", "Infinity", " 0 ", "NaN", " 0 ")

// topObject is the first text from a brace to the one that closes it, and the
// number of such texts that are in no other. Braces between quotation marks do
// not count, also outside of objects.
func topObject(s string) (first string, n int) {
	depth, start := 0, 0
	quoted, escaped := false, false
	for i := range len(s) {
		switch c := s[i]; {
		case escaped:
			escaped = false
		case quoted:
			escaped, quoted = c == '\\', c != '"'
		case c == '"':
			quoted = true
		case c == '{':
			if depth == 0 {
				start = i
			}
			depth++
		case c == '}' && depth > 0:
			depth--
			if depth == 0 {
				if n++; n == 1 {
					first = s[start : i+1]
				}
			}
		}
	}
	return first, n
}
