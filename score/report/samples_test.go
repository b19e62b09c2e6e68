package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/score"
)

// TestPageIsBounded shows more samples than a page holds, with texts that grow
// as HTML.
func TestPageIsBounded(t *testing.T) {
	in := Input{Pooled: true, Samples: samplesOf("a", map[score.Metric]string{score.ExactMatch: strings.Repeat("+-+-+-+-+0", 1000)})}
	texts := Text{Question: strings.Repeat("a < b & c? ", 200), Response: strings.Repeat("<&>\n\x00", 600)}
	for i := range in.Samples {
		in.Samples[i].Text = texts
	}
	r := Build(in)
	page := render(t, r, "html")
	if len(page) > 20<<20 {
		t.Errorf("the page has %d bytes", len(page))
	}
	if n := strings.Count(page, `<tr class="of-`); n != 1500 {
		t.Errorf("%d samples are shown, want 500 of each of three outcomes", n)
	}
	if want := "1500 of 10000 samples are shown, the first 500 of each outcome"; !strings.Contains(page, want) {
		t.Errorf("the page does not say %q", want)
	}
	in.Samples = in.Samples[:allSamples]
	if n := strings.Count(render(t, Build(in), "html"), `<tr class="of-`); n != allSamples {
		t.Errorf("%d of %d samples are shown", n, allSamples)
	}
}

func TestPassages(t *testing.T) {
	long := strings.Repeat("word ", 60)
	for _, tt := range []struct {
		name, text string
		room       int
		want       passage
	}{
		{"short", " yes ", 100, passage{Short: "yes"}},
		{"lines unfold", "a\r\nb\x1b", 100, passage{Short: `a b\u001b`, Whole: "a\nb\\u001b"}},
		{"long unfolds", long, 1000, passage{Short: long[:160] + "…", Whole: long}},
		{"too long is cut", long, 300 - 1, passage{Short: long[:160] + "…", Whole: long[:299] + "… (the record has all of it)"}},
		{"grows as HTML", "<\n<<", 12, passage{Short: "< <<", Whole: "<\n<… (the record has all of it)"}},
	} {
		if diff := cmp.Diff(tt.want, passageOf("", tt.text, tt.room)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestPicturesInWords(t *testing.T) {
	many := []Picture{}
	for i := range 20 {
		many = append(many, Picture{i + 1, 5, i + 1, 5})
	}
	for want, pictures := range map[string][]Picture{
		"":                    nil,
		"1 picture, 64×48 px": {{64, 48, 64, 48}},
		"3 pictures, 2 of 64×48 from 128×96, 9×9 px": {{64, 48, 128, 96}, {64, 48, 128, 96}, {9, 9, 9, 9}},
	} {
		if got := picturesInWords(pictures); got != want {
			t.Errorf("%v: %q, want %q", pictures, got, want)
		}
	}
	if got := picturesInWords(many); !strings.HasSuffix(got, fmt.Sprintf("12×5, %d more px", 8)) {
		t.Errorf("many pictures: %q", got)
	}
}

func TestMarkdownIsLiteral(t *testing.T) {
	for text, want := range map[string]string{
		"in-context": "in-context", "a|b": `a\|b`, "*x*_y_`z`": "\\*x\\*\\_y\\_\\`z\\`", "<b>&amp;": `\<b\>\&amp;`,
		"[text](url)": `[text]\(url)`, "95.0 [91.2, 100.0]": "95.0 [91.2, 100.0]", `\`: `\\`,
	} {
		if got := literal(text); got != want {
			t.Errorf("literal(%q) = %q, want %q", text, got, want)
		}
	}
}
