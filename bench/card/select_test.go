package card

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSelect(t *testing.T) {
	samples := []Sample{
		{ID: "1-00000001", Name: "chest", Subset: "en"},
		{ID: "3-00000002", Name: "skull", Subset: "zh"},
		{ID: "4-00000003", Name: "chest", Subset: "en"},
		{ID: "9-00000004", Name: "1", Subset: "en"},
		{ID: "knee-left", Name: "knee-left", Subset: "zh"},
	}
	tests := []struct {
		name string
		s    Selection
		want string // IDs
		err  string
	}{
		{name: "all", want: "1-00000001 3-00000002 4-00000003 9-00000004 knee-left"},
		{name: "by ID, in data order", s: Selection{IDs: []string{"4-00000003", "1-00000001"}}, want: "1-00000001 4-00000003"},
		{name: "a name of two", s: Selection{IDs: []string{"chest"}}, want: "1-00000001 4-00000003"},
		{name: "by row", s: Selection{IDs: []string{"3"}}, want: "3-00000002"},
		{name: "a name before a row", s: Selection{IDs: []string{"1"}}, want: "9-00000004"},
		{name: "one twice", s: Selection{IDs: []string{"3", "skull"}}, want: "3-00000002"},
		{name: "subset", s: Selection{Subsets: []string{"zh"}}, want: "3-00000002 knee-left"},
		{name: "limit a subset", s: Selection{Limit: 1}, want: "1-00000001 3-00000002"},
		{name: "limit of the chosen", s: Selection{IDs: []string{"4-00000003", "9", "skull"}, Limit: 1}, want: "3-00000002 4-00000003"},
		{name: "limit above all", s: Selection{Limit: 9, Subsets: []string{"zh"}}, want: "3-00000002 knee-left"},
		{name: "no such id", s: Selection{IDs: []string{"skul"}}, err: `selecting sample "skul": no such sample; did you mean "skull"?`},
		{name: "nothing near", s: Selection{IDs: []string{"abdomen"}}, err: `selecting sample "abdomen": no such sample`},
		{name: "no such row", s: Selection{IDs: []string{"2"}}, err: `selecting sample "2": no such sample`},
		{name: "an ID's start that is no row", s: Selection{IDs: []string{"knee"}}, err: `selecting sample "knee": no such sample`},
		{name: "an id of another subset", s: Selection{IDs: []string{"skull"}, Subsets: []string{"en"}}, err: `selecting sample "skull": no such sample`},
		{name: "no such subset", s: Selection{Subsets: []string{"en", "ZN"}}, err: `selecting subset "ZN": no sample is in it; did you mean "en"?`},
		{name: "negative limit", s: Selection{Limit: -1}, err: "selecting samples: limit -1 is negative"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Select(samples, tt.s)
			if tt.err != "" {
				if err == nil || err.Error() != tt.err {
					t.Fatalf("error %v, want %s", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var ids []string
			for _, x := range got {
				ids = append(ids, x.ID)
			}
			if diff := cmp.Diff(tt.want, strings.Join(ids, " ")); diff != "" {
				t.Error(diff)
			}
			if samples[0].ID != "1-00000001" || samples[4].ID != "knee-left" {
				t.Error("the given samples were changed")
			}
		})
	}
	if _, err := Select(nil, Selection{}); err == nil {
		t.Error("a selection of nothing is no error")
	}
}

func TestNearest(t *testing.T) {
	known := []string{"question", "answer", "order", "options", "image"}
	tests := []struct{ word, want string }{
		{"qustion", "question"},
		{"Answer", "answer"},
		{"odrer", "order"},
		{"option", "options"},
		{"img", "image"},
		{"answr", "answer"},
		{"tag", ""},
		{"label", ""},
		{"", ""},
		{"patient_name", ""},
	}
	for _, tt := range tests {
		if got := Nearest(tt.word, known); got != tt.want {
			t.Errorf("Nearest(%q) = %q, want %q", tt.word, got, tt.want)
		}
	}
	if got := Nearest("x", nil); got != "" {
		t.Errorf("Nearest of none = %q", got)
	}
}
