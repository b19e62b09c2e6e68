package answers

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"lightbox/score"
)

// Result is a published result file, counted again.
type Result struct {
	File    string `json:"file"`
	Model   string `json:"model"`
	Shots   string `json:"shots"` // "ICL" or "0-shot"
	Choice  bool   `json:"choice"`
	Rows    int    `json:"rows"`
	Correct int    `json:"correct"`
	Failed  int    `json:"failed"` // error messages of an interface, counted as incorrect as published

	Accuracy      float64  `json:"accuracy"`       // of all rows
	WithoutFailed *float64 `json:"without_failed"` // of the rows that are no error messages; null where there are none
	Published     *float64 `json:"published"`      // as the authors' own file beside it says, or for choices its column is_correct
	Judged        *float64 `json:"judged"`         // by the published judge
	Paper         *float64 `json:"paper"`          // the paper's figure for the judge in context

	Differs string `json:"differs,omitempty"` // what the file itself, or the one beside it, says otherwise
}

// resultName is the name of a published file.
var resultName = regexp.MustCompile(`^result_(.+)_(0-shot|ICL)(?:_(open|mcqa))?\.csv$`)

// paperJudge are the figures of the paper's table 1 for the judge in context, in
// percent, where its text or tables give them (Rieff et al. 2025).
var paperJudge = map[string]float64{
	"gpt-4o": 49.88, "qwen72B": 42.59, "qwen32B": 41.79, "llama32_vision_90b": 40.66, "medgemma_4b": 36.86,
	"claude-3-7-sonnet": 36.17, "majority": 26.30, "random": 27.86,
}

// Folder counts the published files of a folder again, in the order of their
// names. It is an error where there are none.
func Folder(dir string) ([]Result, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var all []Result
	for _, e := range entries {
		if !resultName.MatchString(e.Name()) {
			continue
		}
		r, err := recount(dir, e.Name())
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("reading %q: it holds no published result files (result_MODEL_ICL_open.csv and the like)", dir)
	}
	return all, nil
}

// recount counts a published file again.
func recount(dir, name string) (Result, error) {
	set, err := Load(filepath.Join(dir, name), "")
	if err != nil {
		return Result{}, err
	}
	if set.Published == nil {
		return Result{}, fmt.Errorf("reading %q: its columns are not those of a published result file", filepath.Join(dir, name))
	}
	parts := resultName.FindStringSubmatch(name)
	r := Result{File: name, Model: parts[1], Shots: parts[2], Choice: set.Published.Choice, Rows: len(set.Answers)}
	good := 0
	for _, a := range set.Answers {
		if a.Failed {
			r.Failed++
		}
		if a.right() {
			r.Correct++
			if !a.Failed {
				good++
			}
		}
	}
	r.Accuracy = percent(r.Correct, r.Rows)
	if n := r.Rows - r.Failed; r.Failed > 0 && n > 0 {
		without := percent(good, n)
		r.WithoutFailed = &without
	}
	if r.Choice {
		published := percent(set.Published.correct, r.Rows)
		r.compare(evaluation{Accuracy: &published})
		return r, nil
	}
	stem := filepath.Join(dir, strings.TrimSuffix(name, ".csv"))
	own, err := evaluationIn(stem + "_evaluation.json")
	if err != nil {
		return r, err
	}
	r.compare(own)
	judged, err := evaluationIn(stem + "_evaluationllm.json")
	r.Judged = judged.Accuracy
	if paper, ok := paperJudge[r.Model]; ok && r.Shots == "ICL" {
		r.Paper = &paper
	}
	return r, err
}

// right tells whether an answer counts as correct in the published evaluation.
func (a Answer) right() bool {
	if a.Case.Key != "" {
		return a.Letter() == a.Case.Key
	}
	return score.Normalize(a.Case.Response) == score.Normalize(a.Case.References[0])
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(of) }

// evaluation is a file of the published evaluation; all is nil where there is none.
type evaluation struct {
	Accuracy *float64
	Total    *int `json:"total_examples"`
}

func evaluationIn(path string) (evaluation, error) {
	var e evaluation
	data, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return e, nil
	}
	if err != nil {
		return e, err
	}
	if err := json.Unmarshal(data, &e); err != nil {
		return e, fmt.Errorf("reading %q: %w", path, err)
	}
	if e.Accuracy == nil {
		return e, fmt.Errorf("reading %q: it holds no accuracy", path)
	}
	return e, nil
}

// compare notes the published accuracy, and what is not as published.
func (r *Result) compare(e evaluation) {
	r.Published = e.Accuracy
	switch {
	case e.Total != nil && *e.Total != r.Rows:
		r.Differs = fmt.Sprintf("the published evaluation is of %d rows, the file has %d", *e.Total, r.Rows)
	case e.Accuracy != nil && math.Abs(*e.Accuracy-r.Accuracy) > 1e-6:
		r.Differs = fmt.Sprintf("counted again it is %.2f %%, published %.2f %%", r.Accuracy, *e.Accuracy)
	}
}
