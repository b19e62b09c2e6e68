package card

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOwnLetters(t *testing.T) {
	for _, tt := range []struct {
		texts string // with bars between
		want  string // in the error; empty: none
	}{
		{"A) mass|B) cyst", ""},
		{"a. mass|b. cyst", ""},
		{"B) mass|A) cyst", `has "B) mass" in the place of option A`},
		{"(A) mass|(C) cyst|(B) node", `has "(C) cyst" in the place of option B`},
		{"A) mass|C) cyst", `has "C) cyst" in the place of option B`},
		{"A) mass|A) cyst", `has "A) cyst" in the place of option B`},
		{"B. mass|A. cyst", `has "B. mass" in the place of option A`},
		{"B、肿块|A、囊肿", `has "B、肿块" in the place of option A`},
		{"B.肿块|A.囊肿", `has "B.肿块" in the place of option A`},
		{"E. coli|S. aureus", ""},
		{"B) mass|cyst", ""},
		{"mass|cyst", ""},
	} {
		err := CheckOwnLetters(strings.Split(tt.texts, "|"))
		if (err != nil) != (tt.want != "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.texts, err, tt.want)
		}
	}
}

func TestLetterTexts(t *testing.T) {
	for texts, want := range map[string]string{
		"A|B|AB|O":  "",
		"C3|D|x":    "",
		"B|A":       `has the text "B" as option A, and "A" as option B: the letter B could mean either`,
		"O|a|B|AB":  `has the text "a" as option B, and "O" as option A: the letter A could mean either`,
		"CT|MRI|US": "",
	} {
		options, err := Letters(strings.Split(texts, "|"))
		if err != nil {
			t.Fatal(err)
		}
		if err := CheckLetterTexts(options); (err != nil) != (want != "") || err != nil && err.Error() != want {
			t.Errorf("%s: error %v, want %q", texts, err, want)
		}
	}
}

func TestSplitOptions(t *testing.T) {
	for cell, want := range map[string][]string{
		"CT|MRI":           {"CT", "MRI"},
		" CT | MRI; US | ": {"CT", "MRI; US"},
		"CT\n\nMRI; US\n":  {"CT", "MRI; US"},
		"CT;MRI":           {"CT", "MRI"},
		"CT":               {"CT"},
		"":                 nil,
	} {
		got, err := SplitOptions(cell)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%q: %v\n%s", cell, err, diff)
		}
	}
	for _, cell := range []string{"CT||MRI", "|CT|MRI", "CT; ;MRI"} {
		if got, err := SplitOptions(cell); err == nil {
			t.Errorf("%q: %q", cell, got)
		}
	}
}
