// Checkdemo checks the report of "lightbox demo --json", row by row, against what
// models/phantom/README.md says that the phantom answers.
//
//	checkdemo <report.json             prints each row; exit status 1 where one is off
//	checkdemo -rows                    prints the number of rows
//	checkdemo -alter N <report.json    prints the report with the figure of row N put off
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

// row is a score that the report must hold, and its range.
type row struct {
	subset string // of a tag's score; "" where of is the subset
	metric string
	of     string // subset or tag
	low    int    // correct answers, at least
	high   int    // at most
	n      int    // scored answers, exactly
}

// rows are the names as the report spells them.
var rows = []row{
	{"", "exact_match", "in-context", 38, 40, 40},
	{"", "judge", "in-context", 38, 40, 40},
	{"", "exact_match", "without demonstrations", 0, 0, 40},
	{"", "judge", "without demonstrations", 0, 0, 40},
	{"", "mcqa", "in-context mcqa", 39, 40, 40},
	{"", "exact_match", "zero-shot", 60, 60, 60},
	{"", "judge", "zero-shot", 60, 60, 60},
	{"zero-shot", "exact_match", "task:modality", 15, 15, 15},
	{"zero-shot", "exact_match", "task:lesion", 15, 15, 15},
	{"zero-shot", "exact_match", "task:side", 15, 15, 15},
	{"zero-shot", "exact_match", "task:shape", 15, 15, 15},
	{"", "mcqa", "zero-shot mcqa", 60, 60, 60},
}

func main() {
	count := flag.Bool("rows", false, "print the number of rows")
	alter := flag.Int("alter", 0, "print the report with the figure of this row, from 1, put off")
	flag.Parse()
	if *count {
		fmt.Println(len(rows))
		return
	}
	if err := run(os.Stdin, os.Stdout, *alter); err != nil {
		fmt.Fprintln(os.Stderr, "checkdemo:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer, alter int) error {
	var report any
	d := json.NewDecoder(in)
	d.UseNumber()
	if err := d.Decode(&report); err != nil {
		return fmt.Errorf("reading the report: %w", err)
	}
	if alter < 0 || alter > len(rows) {
		return fmt.Errorf("there is no row %d", alter)
	}
	if alter > 0 {
		return putOff(report, rows[alter-1], out)
	}
	var problems []error
	for _, r := range rows {
		line, err := r.check(report)
		fmt.Fprintln(out, line)
		problems = append(problems, err)
	}
	return errors.Join(problems...)
}

// check compares the row with the report, which must hold it exactly once.
func (r row) check(report any) (line string, err error) {
	name := strings.TrimPrefix(fmt.Sprintf("%s, %s: %s", r.subset, r.of, r.metric), ", ")
	found := r.find(report, "")
	if len(found) != 1 {
		return "missing  " + name, fmt.Errorf("%s: the report holds it %d times, want once", name, len(found))
	}
	correct, scored, unscored := number(found[0], "correct"), number(found[0], "scored"), number(found[0], "unscored")
	line = fmt.Sprintf("%d/%d  %s (%d to %d of %d)", correct, scored, name, r.low, r.high, r.n)
	if correct < r.low || correct > r.high || scored != r.n || unscored != 0 {
		return "WRONG    " + line, fmt.Errorf("%s: %d of %d correct, %d unscored; want %d to %d of %d, none unscored",
			name, correct, scored, unscored, r.low, r.high, r.n)
	}
	return "ok       " + line, nil
}

// find collects the scores of the row's metric and name at any depth. A score of
// a tag stands below an object that names its subset.
func (r row) find(v any, subset string) []map[string]any {
	var found []map[string]any
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			found = append(found, r.find(e, subset)...)
		}
	case map[string]any:
		if s, ok := v["subset"].(string); ok {
			subset = s
		}
		if v["metric"] == r.metric && v["of"] == r.of && subset == r.subset {
			found = append(found, v)
		}
		for _, e := range v {
			found = append(found, r.find(e, subset)...)
		}
	}
	return found
}

// number is a count in a score, -1 where it is missing.
func number(score map[string]any, key string) int {
	n, ok := score[key].(json.Number)
	if !ok {
		return -1
	}
	i, err := n.Int64()
	if err != nil {
		return -1
	}
	return int(i)
}

// putOff writes the report with one figure just outside its range.
func putOff(report any, r row, out io.Writer) error {
	found := r.find(report, "")
	if len(found) != 1 {
		return fmt.Errorf("the report holds %s of %q %d times", r.metric, r.of, len(found))
	}
	off := r.low - 1
	if off < 0 {
		off = r.high + 1
	}
	found[0]["correct"] = off
	return json.NewEncoder(out).Encode(report)
}
