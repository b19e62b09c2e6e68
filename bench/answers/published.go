package answers

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"lightbox/bench/source/sheet"
	"lightbox/score"
)

// Published is a kind of result file of SMMILE's authors (results/ and
// results_augmented/ of eth-medical-ai-lab/smmile at ab004d2).
type Published struct {
	Choice  bool // the questions are multiple choice
	OwnKeys bool // keys are those of MedVLM-R1's script, see score.SmmileReader.Key

	question, reference, response, key, picked string // columns; "": none

	correct int // rows that the file itself calls correct
}

// published are the kinds, by the columns that tell them.
var published = []Published{
	{Choice: true, OwnKeys: true, question: "original_question", reference: "correct_answer", key: "correct_letter", picked: "extracted_answer", response: "full_response"},
	{Choice: true, question: "final_question", reference: "true_answer", key: "correct_option", picked: "selected_option", response: "full_response"},
	{question: "final_question", reference: "true_answer", response: "generated_answer"},
	{question: "original_question", reference: "true_answer", response: "generated_answer"},
}

// recognise finds the kind of a published file by its first line; nil: it is
// none.
func recognise(data []byte) *Published {
	first, _, _ := bytes.Cut(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), []byte("\n"))
	header := strings.Split(strings.TrimRight(string(first), "\r"), ",")
	if !slices.Contains(header, "problem_id") {
		return nil
	}
	for _, p := range published {
		all := true
		for _, column := range []string{p.question, p.reference, p.key, p.picked} {
			all = all && (column == "" || slices.Contains(header, column))
		}
		if !p.Choice {
			all = all && slices.Contains(header, p.response)
		}
		if all {
			return &p
		}
	}
	return nil
}

// missing is the text that the official evaluation makes of a missing value.
const missing = "nan"

// failed begins and stands in responses that are error messages of an interface.
const failed = "ERROR"

// notExtracted is the letter of responses from which none was taken.
const notExtracted = "EXTRACTION_FAILED"

// published reads a published file as pandas does.
func (r *rows) published(data []byte, p *Published) error {
	s, err := sheet.Pandas(data)
	if err != nil {
		return r.wrap(err)
	}
	for _, line := range s.Short {
		r.fault(line, "", "has fewer cells than the header: the file is not whole")
	}
	for i, cells := range s.Rows {
		get := func(column string) string {
			at := slices.Index(s.Header, column)
			if column == "" || at < 0 {
				return ""
			}
			if sheet.Missing(cells[at]) {
				return missing
			}
			return cells[at]
		}
		a := Answer{ID: get("problem_id"), Case: score.Case{
			Question: get(p.question), References: []string{get(p.reference)}, Response: get(p.response),
		}}
		if p.Choice {
			a.Case.Key = get(p.key)
			a.Picked = get(p.picked)
			if get("is_correct") == "True" {
				p.correct++
			}
			a.Absent = !slices.Contains(s.Header, p.response)
		}
		a.Failed = strings.Contains(cmp.Or(a.Case.Response, a.Picked), failed) || a.Picked == failed
		r.add(s.Lines[i], a)
	}
	return nil
}

// Letter is the published letter of a choice, or "" where none was extracted.
func (a Answer) Letter() string {
	if a.Picked == notExtracted || a.Picked == failed || a.Picked == missing {
		return ""
	}
	return a.Picked
}
