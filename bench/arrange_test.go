package bench

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/jpeg"
	"slices"
	"strings"
	"testing"

	"lightbox/bench/icl"
	"lightbox/infer/ollama/fake"
	"lightbox/score/report"
)

// cutJPEG is a picture whose head is right and whose end is missing.
func cutJPEG(t *testing.T) []byte {
	t.Helper()
	m := image.NewGray(image.Rect(0, 0, 64, 64))
	for i := range m.Pix {
		m.Pix[i] = uint8(i * i)
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()[:b.Len()*2/3]
}

// apart are n questions without demonstrations, each a problem of its own with an
// answer of its own.
func apart(t *testing.T, n int) Benchmark {
	t.Helper()
	b := questions(t, n)
	for i := range b.Samples {
		b.Samples[i].Group, b.Samples[i].Demonstrations = b.Samples[i].ID, nil
		b.Samples[i].References = []string{fmt.Sprint("answer ", i)}
	}
	return b
}

// TestBrokenPicturesSpoilTheirOwnSamples: what distracts and what is swapped in is
// sound, whether a file lacks its end, holds no picture, or is not there.
func TestBrokenPicturesSpoilTheirOwnSamples(t *testing.T) {
	for _, a := range []icl.Arrangement{{Distract: icl.Random, DistractCount: 2}, {Distract: icl.Targeted}, {Ablate: icl.Swapped}} {
		t.Run(a.String(), func(t *testing.T) {
			_, cfg := play(t, 0, fake.Config{})
			cfg.Benchmark, cfg.Arrangement = apart(t, 12), a
			for i := range cfg.Benchmark.Samples {
				cfg.Benchmark.Samples[i].Tags = []string{"specialty:all"}
			}
			pictures := cfg.Benchmark.Pictures.(gallery)
			pictures["1.png"], pictures["3.png"] = cutJPEG(t), []byte("no picture")
			delete(pictures, "4.png")
			want := 3
			if a.Ablate != "" {
				want = 0 // no broken picture is sent
			}
			result, err := Run(context.Background(), cfg)
			if err != nil || result.Unscored != want {
				t.Errorf("%v: %d samples unscored, want %d", err, result.Unscored, want)
			}
		})
	}
}

// TestWhatNothingDistractsIsLeftOut: and said, or refused where it is all.
func TestWhatNothingDistractsIsLeftOut(t *testing.T) {
	_, cfg := play(t, 0, fake.Config{})
	cfg.Benchmark, cfg.Arrangement = apart(t, 4), icl.Arrangement{Distract: icl.Random}
	for i := range cfg.Benchmark.Samples[:3] {
		cfg.Benchmark.Samples[i].References = []string{"yes"}
	}
	cfg.Benchmark.Samples[3].References = []string{"no", "Yes."}
	if _, err := Run(context.Background(), cfg); err == nil || !nothingToShow(err) {
		t.Errorf("error %v, want that nothing can be put in", err)
	}
	cfg.Benchmark.Samples[3].References = []string{"no"}
	cfg.Benchmark.Samples[2].References = []string{"yes", "no"}
	result, err := Run(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	said := slices.ContainsFunc(result.Report.Notes, func(n report.Note) bool { return strings.HasPrefix(n.Text, "1 samples were left out: too few") })
	if n := len(result.Report.Samples); n != 3 || !said {
		t.Errorf("%d samples, notes %q", n, result.Report.Notes)
	}
}
