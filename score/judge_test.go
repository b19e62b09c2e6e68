package score

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestJudgePromptSubstitutesOnce(t *testing.T) {
	got := JudgePrompt("{answer} and {response}?", "{question}", `say "{answer}"`)
	want := `asked the question "{answer} and {response}?". The correct answer to this question is: "{question}". ` +
		`The AI model outputs "say "{answer}"" as its response.`
	if !strings.Contains(got, want) {
		t.Errorf("JudgePrompt = %q, want it to contain %q", got, want)
	}
}

func TestParityJudgePromptIsSMMILEs(t *testing.T) {
	type row struct {
		ID, Question string
		Reference    string `json:"true_answer"`
		Response     string `json:"generated_answer"`
		Messages     []struct{ Role, Content string }
	}
	for _, r := range vectorRows[row](t, "smmile_judge_prompts.jsonl") {
		if r.Response == "" { // the official reader's text of an empty cell
			r.Response = "nan"
		}
		got := JudgePrompt(r.Question, r.Reference, r.Response)
		if len(r.Messages) != 1 || r.Messages[0].Role != "user" {
			t.Fatalf("%s: messages %+v, want one of the user", r.ID, r.Messages)
		}
		if diff := cmp.Diff(r.Messages[0].Content, got); diff != "" {
			t.Errorf("%s: prompt (-want +got):\n%s", r.ID, diff)
		}
	}
}

func TestJudgeSchemaIsOfIntegers(t *testing.T) {
	var schema struct {
		Type string
		Enum []int
	}
	if err := json.Unmarshal(JudgeSchema, &schema); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{0, 1}, schema.Enum); diff != "" || schema.Type != "integer" {
		t.Errorf("schema %s", JudgeSchema)
	}
}

func TestReadJudge(t *testing.T) {
	for _, tt := range []struct {
		reply string
		want  bool
		ok    bool
	}{
		{"1", true, true},
		{"0", false, true},
		{" 1\n", true, true},
		{"\u30000\x1f", false, true},
		{"", false, false},
		{"1.", false, false},
		{"10", false, false},
		{"1\n0", false, false},
		{`"1"`, false, false},
		{"１", false, false},
		{"true", false, false},
		{"<think>ok</think>1", false, false},
	} {
		got, err := ReadJudge(tt.reply)
		var unreadable *JudgeReplyError
		if got != tt.want || (err == nil) != tt.ok || err != nil && !errors.As(err, &unreadable) {
			t.Errorf("ReadJudge(%q) = %t, %v", tt.reply, got, err)
		}
	}
	_, err := ReadJudge("The model is right because\x1b[2J" + strings.Repeat(" so", 1000))
	if got := err.Error(); len(got) > 200 || strings.Contains(got, "\x1b") {
		t.Errorf("error %q is not short and escaped", got)
	}
}

// TestParityReadJudgeBesideSMMILE holds the two differences to the official reader:
// blanks around the digit are taken off, and what cannot be read is an error
// and not a 0.
func TestParityReadJudgeBesideSMMILE(t *testing.T) {
	var official struct {
		Cases []struct {
			Reply               string
			Judgment, Malformed int
		}
	}
	if err := json.Unmarshal(vectors(t, "smmile_judge_replies.json"), &official); err != nil {
		t.Fatal(err)
	}
	trimmed, refused := 0, 0
	for _, c := range official.Cases {
		got, err := ReadJudge(c.Reply)
		digit := strings.TrimSpace(c.Reply)
		switch {
		case c.Malformed == 0:
			if err != nil || got != (c.Judgment == 1) {
				t.Errorf("ReadJudge(%q) = %t, %v; officially %d", c.Reply, got, err, c.Judgment)
			}
		case digit == "0" || digit == "1":
			trimmed++
			if err != nil || got != (digit == "1") {
				t.Errorf("ReadJudge(%q) = %t, %v; want %s", c.Reply, got, err, digit)
			}
		default:
			refused++
			if err == nil {
				t.Errorf("ReadJudge(%q) = %t, want an error", c.Reply, got)
			}
		}
	}
	if trimmed == 0 || refused == 0 {
		t.Errorf("%d cases trimmed, %d refused; want some of both", trimmed, refused)
	}
}

func FuzzReadJudge(f *testing.F) {
	for _, s := range []string{"1", "0", " 1\n", "1.", "10", "", "\xff", "\u30001", "-1", "1\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, reply string) {
		got, err := ReadJudge(reply)
		switch left := strings.TrimFunc(reply, isBlank); {
		case left == "1" || left == "0":
			if err != nil || got != (left == "1") {
				t.Errorf("ReadJudge(%q) = %t, %v", reply, got, err)
			}
		case err == nil || got:
			t.Errorf("ReadJudge(%q) = %t, %v; want an error", reply, got, err)
		case len(err.Error()) > 1000:
			t.Errorf("error of %d bytes", len(err.Error()))
		}
	})
}

// script is an Asker that gives its replies in order and keeps the requests.
type script struct {
	replies []string
	err     error // given when the replies have run out
	asked   []Request
}

func (s *script) AskJudge(_ context.Context, r Request) (string, error) {
	s.asked = append(s.asked, r)
	if len(s.asked) > len(s.replies) {
		return "", s.err
	}
	return s.replies[len(s.asked)-1], nil
}

func TestJudgeVerdict(t *testing.T) {
	for _, tt := range []struct {
		name                string
		reference, response string
		replies             []string
		want                Verdict
		retries             []bool // one for every request
	}{
		{
			"correct", "Pneumonia", "It is pneumonia",
			[]string{"1"},
			Verdict{Rule: "judge-strict", Outcome: Correct, Explanation: "phantom replied 1"},
			[]bool{false},
		},
		{
			"incorrect", "Pneumonia", "Effusion",
			[]string{"0\n"},
			Verdict{Rule: "judge-strict", Outcome: Incorrect, Explanation: "phantom replied 0"},
			[]bool{false},
		},
		{
			"exact match is not asked about", "Pneumonia", "pneumonia.", nil,
			Verdict{Rule: "judge-strict (exact match)", Outcome: Correct, Explanation: `equals reference "Pneumonia"`},
			nil,
		},
		{
			"empty is not asked about", "Pneumonia", " \n", nil,
			Verdict{Rule: "judge-strict", Outcome: NoAnswer, Explanation: "the response is empty"},
			nil,
		},
		{
			"no reference is not asked about", "", "pneumonia", nil,
			Verdict{Rule: "judge-strict", Outcome: Unscored, Reason: "reference missing"},
			nil,
		},
		{
			"readable when asked again", "Pneumonia", "Effusion",
			[]string{"Well,", "1"},
			Verdict{Rule: "judge-strict", Outcome: Correct, Explanation: "phantom replied 1"},
			[]bool{false, true},
		},
		{
			"never readable", "Pneumonia", "Effusion",
			[]string{"Well,", "yes"},
			Verdict{
				Rule: "judge-strict", Outcome: Unscored, Reason: "judge unusable",
				Explanation: `phantom: reading judge reply "yes": neither 1 nor 0`,
			},
			[]bool{false, true},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			asker := &script{replies: tt.replies, err: errors.New("asked too often")}
			judge := Judge{Name: "phantom", Protocol: protocol(t, "strict"), Ask: asker}
			em := ExactMatchVerdict(tt.response, []string{tt.reference})
			got, err := judge.Verdict(t.Context(), "What is it?", tt.reference, tt.response, em)
			if err != nil {
				t.Fatal(err)
			}
			tt.want.Metric = Judged
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("verdict (-want +got):\n%s", diff)
			}
			var want []Request
			for _, retry := range tt.retries {
				want = append(want, Request{Prompt: JudgePrompt("What is it?", tt.reference, tt.response), Retry: retry})
			}
			if diff := cmp.Diff(want, asker.asked); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
		})
	}
}

func TestJudgeVerdictReturnsFaults(t *testing.T) {
	fault := errors.New("runner died")
	for name, replies := range map[string][]string{"at once": nil, "when asked again": {"Well,"}} {
		judge := Judge{Name: "phantom", Protocol: protocol(t, "strict"), Ask: &script{replies: replies, err: fault}}
		v, err := judge.Verdict(t.Context(), "q", "reference", "response", Verdict{})
		if !errors.Is(err, fault) || v != (Verdict{}) {
			t.Errorf("%s: %+v, %v; want the fault", name, v, err)
		}
	}
}

func protocol(t *testing.T, name string) Protocol {
	t.Helper()
	p, err := JudgeProtocol(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestUnknownProtocolIsRefused(t *testing.T) {
	if p, err := JudgeProtocol("lenient"); err == nil {
		t.Errorf("protocol %+v, want an error", p)
	}
}

// TestProtocols asks about one response by each protocol.
func TestProtocols(t *testing.T) {
	const card = "Ground truth: Pneumonia\nModel output: %s\nJudge accuracy (0/1):"
	for _, tt := range []struct {
		name, protocol, response, reply string
		prompt                          string
		want                            Verdict
	}{
		{
			"official asks about an exact match too", "official", "pneumonia", "0",
			JudgePrompt("Where?", "Pneumonia", "pneumonia"),
			Verdict{Rule: "judge-official", Outcome: Incorrect, Explanation: "phantom replied 0"},
		},
		{
			"official reads an empty response as pandas does", "official", "", "1",
			JudgePrompt("Where?", "Pneumonia", "nan"),
			Verdict{Rule: "judge-official", Outcome: Correct, Explanation: "phantom replied 1"},
		},
		{
			"official counts what is not exactly a digit as 0", "official", "lung", "1\n",
			JudgePrompt("Where?", "Pneumonia", "lung"),
			Verdict{Rule: "judge-official (malformed reply)", Outcome: Incorrect, Explanation: `phantom: reading judge reply "1\n": neither 1 nor 0`},
		},
		{
			"card has words of its own", "card", "pneumonia", "1",
			strings.Replace(card, "%s", "pneumonia", 1),
			Verdict{Rule: "judge-card", Outcome: Correct, Explanation: "phantom replied 1"},
		},
		{
			"card takes blanks away", "card", "lung", " 1\n",
			strings.Replace(card, "%s", "lung", 1),
			Verdict{Rule: "judge-card", Outcome: Correct, Explanation: "phantom replied 1"},
		},
		{
			"card counts all else as 0", "card", "lung", "right",
			strings.Replace(card, "%s", "lung", 1),
			Verdict{Rule: "judge-card (malformed reply)", Outcome: Incorrect, Explanation: `phantom: reading judge reply "right": neither 1 nor 0`},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			asker := &script{replies: []string{tt.reply}, err: errors.New("asked too often")}
			judge := Judge{Name: "phantom", Protocol: protocol(t, tt.protocol), Ask: asker}
			got, err := judge.Verdict(t.Context(), "Where?", "Pneumonia", tt.response, ExactMatchVerdict(tt.response, []string{"Pneumonia"}))
			if err != nil {
				t.Fatal(err)
			}
			tt.want.Metric = Judged
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("verdict (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff([]Request{{Prompt: tt.prompt}}, asker.asked); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
		})
	}
}

// TestParityOfficialProtocolReadsAsSMMILEDoes holds every recorded decision of the
// official reader.
func TestParityOfficialProtocolReadsAsSMMILEDoes(t *testing.T) {
	var official struct {
		Cases []struct {
			Reply               string
			Judgment, Malformed int
		}
	}
	if err := json.Unmarshal(vectors(t, "smmile_judge_replies.json"), &official); err != nil {
		t.Fatal(err)
	}
	for _, c := range official.Cases {
		asker := &script{replies: []string{c.Reply}}
		judge := Judge{Name: "j", Protocol: protocol(t, "official"), Ask: asker}
		v, err := judge.Verdict(t.Context(), "q", "reference", "response", Verdict{})
		if err != nil {
			t.Fatal(err)
		}
		if (v.Outcome == Correct) != (c.Judgment == 1) || strings.Contains(v.Rule, "malformed") != (c.Malformed == 1) {
			t.Errorf("reply %q: %s by %s; officially %d, malformed %d", c.Reply, v.Outcome, v.Rule, c.Judgment, c.Malformed)
		}
	}
}
