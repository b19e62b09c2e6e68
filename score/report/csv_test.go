package report

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"lightbox/score"
)

// rowsOf are the rows of the table without its header.
func rowsOf(t *testing.T, r Report) [][]string {
	t.Helper()
	text, ok := strings.CutPrefix(render(t, r, "csv"), byteOrderMark)
	if !ok {
		t.Fatal("there is no byte order mark")
	}
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(columns, rows[0]); diff != "" {
		t.Errorf("header (-want +got):\n%s", diff)
	}
	return rows[1:]
}

func TestCSVHasARowForEverySampleAndMetric(t *testing.T) {
	in := Input{Samples: samplesOf("a", map[score.Metric]string{score.ExactMatch: "+t", score.Judged: "=t"}, []string{"site:chest", "rare"})}
	in.Samples[0].Text.Response = "Pleural, \"left\"\neffusion"
	in.Samples = append(in.Samples, Sample{ID: "last"})
	want := [][]string{
		{"a-000", "a", "site:chest; rare", "exact_match", "correct", "smmile-em", "pleural effusion", "", `equals reference "Pleural effusion."`, "Pleural, \"left\"\neffusion"},
		{"a-000", "a", "site:chest; rare", "judge", "correct", score.RuleJudgeSkipped, "pleural effusion", "", `equals reference "Pleural effusion."`, "Pleural, \"left\"\neffusion"},
		{"a-001", "a", "site:chest; rare", "exact_match", "unscored", "smmile-em", "", "timeout", "", ""},
		{"a-001", "a", "site:chest; rare", "judge", "unscored", "judge-strict", "", "timeout", "", ""},
		{"last", "", "", "", "", "", "", "", "", ""},
	}
	if diff := cmp.Diff(want, rowsOf(t, Build(in))); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

func TestCellsAreNoFormulas(t *testing.T) {
	for text, want := range map[string]string{
		`=HYPERLINK("x")`: `'=HYPERLINK("x")`, "+1": "'+1", "-1": "'-1", "@SUM(A1)": "'@SUM(A1)", "\t=1": "'\t=1", "\r=1": "'\r=1", "\n=1": "'\n=1",
		"no": "no", "1-2": "1-2", "'quoted'": "'quoted'", "": "", "a\x00b\xff": "a\ufffdb\ufffd",
	} {
		if got := cellText(text); got != want {
			t.Errorf("cell of %q is %q, want %q", text, got, want)
		}
	}
}

// FuzzCSV demands that every text comes back, and none as a formula.
func FuzzCSV(f *testing.F) {
	f.Add("1", "=cmd|' /C calc'!A0", "a,\"b\"\r\nc")
	f.Add("-", "@x", "\x00\xff")
	f.Fuzz(func(t *testing.T, id, answer, response string) {
		r := Report{Samples: []Sample{{ID: id, Verdicts: []score.Verdict{{Metric: score.MCQA, Answer: answer}}, Text: Text{Response: response}}}}
		var b bytes.Buffer
		if err := r.CSV(&b); err != nil {
			t.Fatal(err)
		}
		if !utf8.Valid(b.Bytes()) {
			t.Error("the table is not UTF-8")
		}
		row := rowsOf(t, r)[0]
		for i, text := range map[int]string{0: id, 6: answer, 9: response} {
			if row[i] != "" && strings.ContainsRune("=+-@\t\r\n", rune(row[i][0])) {
				t.Errorf("cell %q can be a formula", row[i])
			}
			// A reader of CSV takes \r\n inside of a cell for \n.
			if got := strings.TrimPrefix(row[i], "'"); got != strings.TrimPrefix(strings.ReplaceAll(cellText(text), "\r\n", "\n"), "'") {
				t.Errorf("cell %q of %q", row[i], text)
			}
		}
	})
}
