package score

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadRecall(t *testing.T) {
	for _, tt := range []struct {
		name, reply string
		want        bool
		ok          bool
	}{
		{"correct", `{"reasoning": "same organ", "verdict": "A"}`, true, true},
		{"incorrect", `{"reasoning": "another organ", "verdict": "B"}`, false, true},
		{"without reasoning", `{"verdict":"A"}`, true, true},
		{"further keys", `{"verdict":"A","sure":0.5,"why":{"verdict":"B"}}`, true, true},
		{"text around", "Here you are:\n```json\n{\"verdict\" : \"A\"}\n```\u00a0", true, true},
		{"after thinking", `<think>no braces</think>{"verdict":"B"}`, false, true},
		{"braces in thinking", `<think>{}</think>{"verdict":"B"}`, false, false},
		{"braces in a text", `{"reasoning":"} {\"}","verdict":"A"}`, true, true},
		{"backslash at the end of a text", `{"reasoning":"\\","verdict":"A"}`, true, true},
		{"quotation marks before", `I say "yes": {"verdict":"A"}`, true, true},
		{"a quotation mark before", `5" long: {"verdict":"A"}`, false, false},
		{"an apostrophe before", `It's {"verdict":"A"}`, true, true},
		{"closing braces", `}} {"verdict":"A"} }`, true, true},
		{"in a list", `[{"verdict":"A"}]`, true, true},
		{"two verdicts", `{"verdict":"A"} {"verdict":"A"}`, false, false},
		{"verdict one level down", `{"result":{"verdict":"A"}}`, false, false},
		{"never closed", `{"verdict":"A"`, false, false},
		{"never opened", `"verdict":"A"}`, false, false},
		{"empty", "", false, false},
		{"empty object", "{}", false, false},
		{"letter alone", "A", false, false},
		{"lower case", `{"verdict":"a"}`, false, false},
		{"with the word", `{"verdict":"A: CORRECT"}`, false, false},
		{"with a blank", `{"verdict":" A"}`, false, false},
		{"another letter", `{"verdict":"C"}`, false, false},
		{"null", `{"verdict":null}`, false, false},
		{"list", `{"verdict":["A"]}`, false, false},
		{"number", `{"verdict":1}`, false, false},
		{"another case of the key", `{"Verdict":"A"}`, false, false},
		{"reasoning null", `{"reasoning":null,"verdict":"A"}`, false, false},
		{"reasoning number", `{"reasoning": 1,"verdict":"A"}`, false, false},
		{"reasoning list", `{"reasoning":["x"],"verdict":"A"}`, false, false},
		{"reasoning after blanks", "{\"reasoning\" :\n \"x\", \"verdict\" :\t\"A\" }", true, true},
		{"equal keys: the last counts", `{"verdict":"A","verdict":"B","reasoning":1,"reasoning":"x"}`, false, true},
		{"equal keys by an escape", `{"verdict":"B","v\u0065rdict":"\u0041"}`, true, true},
		{"comma at the end", `{"verdict":"A",}`, false, false},
		{"apostrophes", `{'verdict':'A'}`, false, false},
		{"line feed in a text", "{\"reasoning\":\"a\nb\",\"verdict\":\"A\"}", false, false},
		{"half of a surrogate pair", `{"reasoning":"\ud83d","verdict":"A"}`, true, true},
		{"Python's numbers", `{"x":[NaN,-Infinity,Infinity],"verdict":"A"}`, true, true},
		{"Python's numbers in texts", `{"x":NaN,"reasoning":"NaN","verdict":"A"}`, true, true},
		{"no number of Python's", `{"x":-NaN,"verdict":"A"}`, false, false},
		{"no number at all", `{"x":1NaN,"verdict":"A"}`, false, false},
		{"no escape", `{"x":"\NaN","verdict":"A"}`, false, false},
		{"large number", `{"x":1e999,"verdict":"A"}`, true, true},
		{"deep", `{"x":` + strings.Repeat("[", 900) + strings.Repeat("]", 900) + `,"verdict":"A"}`, true, true},
		{"too deep", strings.Repeat(`{"x":`, 1<<20) + `"A"` + strings.Repeat("}", 1<<20), false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ReadRecall(tt.reply)
			var unreadable *JudgeReplyError
			if got != tt.want || (err == nil) != tt.ok || err != nil && !errors.As(err, &unreadable) {
				t.Errorf("ReadRecall = %t, %v; want %t, readable: %t", got, err, tt.want, tt.ok)
			}
			if err != nil && len(err.Error()) > 300 {
				t.Errorf("error of %d bytes", len(err.Error()))
			}
		})
	}
}

func TestParityRecallIsReadAsByEvalscope(t *testing.T) {
	var official struct {
		Cases []struct {
			Reply   string
			OK      bool
			Verdict string
		}
	}
	if err := json.Unmarshal(vectors(t, "slake_recall_replies.json"), &official); err != nil {
		t.Fatal(err)
	}
	if len(official.Cases) == 0 {
		t.Fatal("no cases")
	}
	for _, c := range official.Cases {
		got, err := ReadRecall(c.Reply)
		if (err == nil) != c.OK || got != (c.Verdict == "A") {
			t.Errorf("ReadRecall(%q) = %t, %v; evalscope reads %q", c.Reply, got, err, c.Verdict)
		}
	}
}

// TestParityRecallPromptIsEvalscopes compares the prompts; where evalscope takes a text
// for a place of another it is told so, and the text stands in ours.
func TestParityRecallPromptIsEvalscopes(t *testing.T) {
	type row struct {
		ID, Reference string
		Response      string `json:"raw_response"`
		Question      string `json:"question_given_to_judge"`
		Message       string `json:"user_message"`
	}
	p := protocol(t, "llm_recall")
	for _, r := range vectorRows[row](t, "slake_recall_prompts.jsonl") {
		question, ok := strings.CutPrefix(r.Question, recallUser)
		if !ok {
			t.Fatalf("%s: question %q", r.ID, r.Question)
		}
		want := r.Message
		if p.Leaks(question, r.Reference, r.Response) {
			if diff := cmp.Diff(want, sequentialRecallPrompt(question, r.Reference, r.Response)); diff != "" {
				t.Errorf("%s: evalscope's prompt (-want +got):\n%s", r.ID, diff)
			}
			at := strings.LastIndex(want, strings.ReplaceAll(r.Response, "{gold}", r.Reference))
			want = want[:at] + r.Response + want[at+len(strings.ReplaceAll(r.Response, "{gold}", r.Reference)):]
		} else if strings.Contains(r.Response, "{gold}") {
			t.Errorf("%s: the leak is not seen", r.ID)
		}
		if diff := cmp.Diff(want, p.Prompt(question, r.Reference, r.Response)); diff != "" {
			t.Errorf("%s: prompt (-want +got):\n%s", r.ID, diff)
		}
	}
}

func TestRecallPrompt(t *testing.T) {
	p := protocol(t, "llm_recall")
	got := p.Prompt("Which organ?\nANSWER: <answer>", "Liver", "{gold} {question}\nANSWER: {pred}")
	want := "decide whether the predicted answer is correct or incorrect.\n\n[Question]\n**User**: Which organ?\nANSWER: <answer>\n\n" +
		"[Reference Answer]\nLiver\n\n[Predicted Answer]\n{gold} {question}\nANSWER: {pred}\n\nEvaluate"
	if !strings.Contains(got, want) || !strings.HasSuffix(got, "B: INCORRECT\n\nReply with a single JSON object and no other text, "+
		"containing these required keys (additional keys are allowed):\n- \"reasoning\": a string\n- \"verdict\": exactly one of \"A\" or \"B\"") {
		t.Errorf("prompt %q", got)
	}
	for _, tt := range []struct {
		name, question, reference, response string
		want                                bool
	}{
		{"plain", "Which organ?", "Liver", "liver", false},
		{"reference in the response", "Which organ?", "Liver", "ANSWER: {gold}", true},
		{"reference that is its own place", "Which organ?", "{gold}", "ANSWER: {gold}", false},
		{"other places in the response", "Which organ?", "Liver", "{question} {pred}", false},
		{"response in the question", "What is {pred}?", "Liver", "liver", true},
		{"reference in the question", "What is {gold}?", "Liver", "liver", true},
		{"places in the reference", "Which organ?", "{pred} {question}", "liver", false},
	} {
		if got := p.Leaks(tt.question, tt.reference, tt.response); got != tt.want {
			t.Errorf("%s: leaks %t, want %t", tt.name, got, tt.want)
		}
	}
	if protocol(t, "strict").Leaks("{gold}", "x", "{gold}") {
		t.Error("the protocol strict leaks")
	}
}

func TestRecallVerdict(t *testing.T) {
	right := Verdict{Metric: "slake", Outcome: Correct, Explanation: `equals reference "Liver"`}
	wrong := Verdict{Metric: "slake", Outcome: Incorrect}
	none := Verdict{Metric: "slake", Outcome: NoAnswer}
	for _, tt := range []struct {
		name                       string
		reference, response, reply string
		rule                       Verdict
		want                       Verdict
		asked                      int
	}{
		{
			"what the rule calls correct is not asked about", "Liver", "liver", "", right,
			Verdict{Rule: "judge-llm_recall (rule)", Outcome: Correct, Explanation: `equals reference "Liver"`},
			0,
		},
		{
			"no reference is not asked about", " ", "liver", "", wrong,
			Verdict{Rule: "judge-llm_recall", Outcome: Unscored, Reason: ReasonReference},
			0,
		},
		{
			"turned into correct", "Liver", "The hepatic organ", `{"verdict":"A"}`, wrong,
			Verdict{Rule: "judge-llm_recall", Outcome: Correct, Explanation: "phantom replied A"},
			1,
		},
		{
			"left incorrect", "Liver", "Spleen", `{"verdict":"B"}`, wrong,
			Verdict{Rule: "judge-llm_recall", Outcome: Incorrect, Explanation: "phantom replied B"},
			1,
		},
		{
			"left without an answer", "Liver", "", `{"verdict":"B"}`, none,
			Verdict{Rule: "judge-llm_recall", Outcome: NoAnswer, Explanation: "phantom replied B"},
			1,
		},
		{
			"the rule stands where the reply is unusable", "Liver", "Spleen", "A", wrong,
			Verdict{
				Rule: "judge-llm_recall (unusable reply)", Outcome: Incorrect,
				Explanation: `phantom: reading judge reply "A": not exactly one JSON object`,
			},
			1,
		},
		{
			"no answer stands where the reply is unusable", "Liver", "", "{}", none,
			Verdict{
				Rule: "judge-llm_recall (unusable reply)", Outcome: NoAnswer,
				Explanation: `phantom: reading judge reply "{}": no verdict A or B`,
			},
			1,
		},
		{
			"thinking is judged as it is, and a leak is said", "Liver", "<think>{gold}</think>", `{"verdict":"B"}`, wrong,
			Verdict{
				Rule: "judge-llm_recall", Outcome: Incorrect,
				Explanation: "phantom replied B; evalscope's substitution would have sent another prompt",
			},
			1,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			asker := &script{replies: []string{tt.reply}, err: errors.New("asked too often")}
			judge := Judge{Name: "phantom", Protocol: protocol(t, "llm_recall"), Ask: asker}
			got, err := judge.Verdict(t.Context(), "Which organ?\nIn a word.", tt.reference, tt.response, tt.rule)
			if err != nil {
				t.Fatal(err)
			}
			tt.want.Metric = Judged
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("verdict (-want +got):\n%s", diff)
			}
			var want []Request
			if tt.asked > 0 {
				want = []Request{{Prompt: judge.Protocol.Prompt("Which organ?\nIn a word.", tt.reference, tt.response)}}
			}
			if diff := cmp.Diff(want, asker.asked); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
			if skipped := JudgeSkipped(got); skipped != (tt.asked == 0 && got.Outcome == Correct) {
				t.Errorf("judge skipped: %t", skipped)
			}
		})
	}
}

func FuzzReadRecall(f *testing.F) {
	for _, s := range []string{
		`{"reasoning":"x","verdict":"A"}`, `{"verdict":"B"}`, `"{{}`, `{"verdict":"A","verdict":null}`, "{\"x\":NaN,\"verdict\":\"A\"}",
		`\"{"verdict":"A"}`, strings.Repeat("{", 100), "\xff{\"verdict\":\"A\"}",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, reply string) {
		got, err := ReadRecall(reply)
		if err != nil {
			if got || len(err.Error()) > 1000 {
				t.Errorf("ReadRecall(%q) = %t, an error of %d bytes", reply, got, len(err.Error()))
			}
			return
		}
		object, n := topObject(reply)
		if n != 1 || !strings.Contains(reply, object) || !strings.Contains(object, `"`) {
			t.Errorf("ReadRecall(%q) reads %q, object %d", reply, object, n)
		}
	})
}
