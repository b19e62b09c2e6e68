package bench

import (
	"io"

	"lightbox/bench/record"
)

// finish computes the report from the record, writes it there, and returns it.
func (r *run) finish() (Result, error) {
	result := Result{Report: reportOf(r.record), Dir: r.cfg.Out}
	result.Unscored = unscoredSamples(result.Report)
	for _, file := range []struct {
		name  string
		write func(io.Writer) error
	}{{record.ReportJSON, result.Report.JSON}, {record.ReportHTML, result.Report.HTML}} {
		if err := r.record.WriteFile(file.name, file.write); err != nil {
			return result, err
		}
	}
	return result, nil
}
