package report

import (
	"encoding/csv"
	"io"
	"strings"

	"lightbox/score"
)

// columns are those of [Report.CSV].
var columns = []string{"id", "subset", "tags", "metric", "outcome", "rule", "answer", "reason", "explanation", "response"}

// byteOrderMark tells spreadsheets that a file is UTF-8; without it they take it
// for the machine's own code page.
const byteOrderMark = "\ufeff"

// CSV writes a table with a row for every sample and metric: UTF-8 with a byte
// order mark, commas, a line feed after each row, tags joined by "; ". A sample
// without a verdict has one row with an empty metric. A cell that a spreadsheet
// would take for a formula (it begins with = + - @, a tab or a line break) has
// an apostrophe before it.
func (r Report) CSV(w io.Writer) error {
	if _, err := io.WriteString(w, byteOrderMark); err != nil {
		return err
	}
	c := csv.NewWriter(w)
	if err := c.Write(columns); err != nil {
		return err
	}
	for _, s := range r.Samples {
		verdicts := s.Verdicts
		if len(verdicts) == 0 {
			verdicts = []score.Verdict{{}}
		}
		for _, v := range verdicts {
			row := []string{
				s.ID, s.Subset, strings.Join(s.Tags, "; "), string(v.Metric), string(v.Outcome), v.Rule,
				v.Answer, v.Reason, v.Explanation, s.Text.Response,
			}
			for i := range row {
				row[i] = cellText(row[i])
			}
			if err := c.Write(row); err != nil {
				return err
			}
		}
	}
	c.Flush()
	return c.Error()
}

// cellText is a text that no spreadsheet takes for a formula and that every
// reader of CSV takes whole: they end a text at a zero byte, or refuse it.
func cellText(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\ufffd"), "\x00", "\ufffd")
	if s != "" && strings.ContainsRune("=+-@\t\r\n", rune(s[0])) {
		return "'" + s
	}
	return s
}
