package record

import (
	"lightbox/infer"
	"lightbox/score"
)

// Verdict is one line of verdicts.jsonl: what a rule or a judge decided about a
// response.
type Verdict struct {
	ID string       `json:"id"` // of the sample
	Of infer.Digest `json:"of"` // the TextDigest of the response it is about
	score.Verdict

	JudgePrompt infer.Digest `json:"judge_prompt,omitempty"` // of what the judge was sent
	Reply       string       `json:"reply,omitempty"`        // of the judge
}

func (v *Verdict) texts() []text {
	return []text{
		{"id", &v.ID},
		{"answer", &v.Answer},
		{"normalized_answer", &v.NormalizedAnswer},
		{"normalized_reference", &v.NormalizedReference},
		{"reason", &v.Reason},
		{"explanation", &v.Explanation},
		{"reply", &v.Reply},
	}
}
