package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// renderers are the forms of a report by the ending of their golden files.
var renderers = map[string]func(Report, io.Writer) error{
	"json": Report.JSON,
	"txt":  Report.Text,
	"html": Report.HTML,
	"csv":  Report.CSV,
	"md":   Report.Markdown,
}

func render(t *testing.T, r Report, form string) string {
	t.Helper()
	var b bytes.Buffer
	if err := renderers[form](r, &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGolden(t *testing.T) {
	notJudged := judged()
	for i := range notJudged.Samples {
		notJudged.Samples[i].Verdicts = notJudged.Samples[i].Verdicts[:1]
	}
	for name, in := range map[string]Input{
		"judged": judged(), "separate": separate(), "notjudged": notJudged, "halfway": halfway(), "empty": {},
	} {
		for form := range renderers {
			t.Run(name+"."+form, func(t *testing.T) {
				got := render(t, Build(in), form)
				path := filepath.Join("testdata", name+"."+form)
				if *update {
					if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(string(want), got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", path, diff)
				}
			})
		}
	}
}

func TestJSONReadsBack(t *testing.T) {
	for name, in := range map[string]Input{"judged": judged(), "separate": separate(), "halfway": halfway(), "empty": {}} {
		want := Build(in)
		var got Report
		if err := json.Unmarshal([]byte(render(t, want, "json")), &got); err != nil {
			t.Fatal(err)
		}
		for i := range want.Samples {
			want.Samples[i].Text = Text{} // is not part of the JSON
		}
		numbers := cmp.FilterPath(func(p cmp.Path) bool { return p.Last().Type() == nil || p.Last().Type().Kind() == reflect.Interface },
			cmp.Transformer("number", func(v any) any {
				if n, ok := v.(int); ok { // JSON has one kind of number
					return float64(n)
				}
				return v
			}))
		if diff := cmp.Diff(want, got, numbers); diff != "" {
			t.Errorf("%s (-written +read):\n%s", name, diff)
		}
	}
}

func TestSameInputSameBytes(t *testing.T) {
	for form := range renderers {
		first := render(t, Build(judged()), form)
		for range 10 {
			if render(t, Build(judged()), form) != first {
				t.Fatalf("%s differs between two builds of the same input", form)
			}
		}
	}
}

func TestTextCannotSteerTheTerminal(t *testing.T) {
	for _, form := range []string{"txt", "md"} {
		checkPlain(t, render(t, Build(hostile()), form))
	}
}

func checkPlain(t *testing.T, text string) {
	t.Helper()
	for _, r := range text {
		if r != '\n' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			t.Errorf("%U stands in the text", r)
		}
	}
	if !utf8.ValidString(text) {
		t.Error("the text is not UTF-8")
	}
	if !strings.Contains(strings.ReplaceAll(text, `\\`, `\`), `\u001b[31m\u202eevil\u009b2J\u2028`) {
		t.Errorf("escapes are not shown:\n%s", text)
	}
}

// TestPageIsSelfContained looks for everything by which a page can reach out or
// act.
func TestPageIsSelfContained(t *testing.T) {
	reaching := regexp.MustCompile(`(?i)<(script|link|img|iframe|object|embed|base|form|a)\b|\s(src|href|on[a-z]+)\s*=|url\(|@import|https?:|//`)
	for name, in := range map[string]Input{"judged": judged(), "separate": separate()} {
		if found := reaching.FindAllString(render(t, Build(in), "html"), -1); found != nil {
			t.Errorf("%s: the page holds %q", name, found)
		}
	}
	page := render(t, Build(hostile()), "html")
	if found := regexp.MustCompile(`(?i)<(script|img)`).FindAllString(page, -1); found != nil {
		t.Errorf("hostile text became markup: %q", found)
	}
	for _, r := range page {
		if r != '\n' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			t.Errorf("%U stands in the page", r)
		}
	}
}

func TestTableLinesUpWideCharacters(t *testing.T) {
	table := &table{right: []bool{false, true}}
	table.add("subset", "n")
	table.add("病灶", "15")
	table.add("e\u0301cho", "7")
	want := "  subset   n\n  病灶    15\n  e\u0301cho     7\n"
	if diff := cmp.Diff(want, table.String()); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
}
