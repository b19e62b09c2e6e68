package analysis

import (
	"fmt"
	"math"

	"lightbox/score"
	"lightbox/score/report"
)

// calibrationBins is the number of equal parts that confidence is divided into.
const calibrationBins = 10

// Calibration is how well the probabilities of letters agree with how often they
// are right, for runs that asked for them. Confidence is the chosen letter's
// share of what all letters have; the expected calibration error is the mean
// distance of accuracy and confidence over ten equal bins, by their samples
// (Naeini et al., AAAI 2015; Guo et al., ICML 2017).
func (r Run) Calibration() (report.Table, bool) {
	var bins [calibrationBins]bin
	var all bin
	outside, asked := 0.0, 0
	for _, s := range r.Samples {
		if s.Outside == nil {
			continue
		}
		outside += *s.Outside
		asked++
		v, ok := s.verdict(score.MCQA)
		confidence := s.confidence(v.Answer)
		if !ok || confidence == 0 || v.Outcome == score.Unscored {
			continue
		}
		at := min(int(confidence*calibrationBins), calibrationBins-1)
		bins[at].add(confidence, v.Outcome == score.Correct)
		all.add(confidence, v.Outcome == score.Correct)
	}
	t := report.Table{Name: "calibration", Plot: true, Columns: []report.Column{
		{Name: "confidence", Kind: report.Words},
		{Name: "n", Kind: report.Count},
		{Name: "mean confidence", Kind: report.Fraction},
		{Name: "accuracy", Kind: report.Fraction},
	}}
	if all.n == 0 {
		return t, false
	}
	err := 0.0
	for i, b := range bins {
		if b.n == 0 {
			continue
		}
		n := float64(b.n)
		err += n / float64(all.n) * math.Abs(float64(b.right)/n-b.sum/n)
		t.Rows = append(t.Rows, b.row(fmt.Sprintf("%d–%d %%", 100*i/calibrationBins, 100*(i+1)/calibrationBins)))
	}
	t.Rows = append(t.Rows, all.row("all"))
	t.About = fmt.Sprintf("Expected calibration error %.3f. Confidence is the chosen letter's share of the probability of all letters; tokens that are no option's letter had %.1f %% of the probability on average.", err, 100*outside/float64(asked))
	return t, true
}

// confidence is the share of a letter in what all letters have.
func (s Sample) confidence(letter string) float64 {
	sum := 0.0
	for _, p := range s.Letters {
		sum += p
	}
	if sum == 0 {
		return 0
	}
	return s.Letters[letter] / sum
}

// bin counts samples of similar confidence.
type bin struct {
	n, right int
	sum      float64 // of confidences
}

func (b *bin) add(confidence float64, right bool) {
	b.n++
	b.sum += confidence
	if right {
		b.right++
	}
}

func (b bin) row(name string) []any {
	return []any{name, b.n, b.sum / float64(b.n), float64(b.right) / float64(b.n)}
}
