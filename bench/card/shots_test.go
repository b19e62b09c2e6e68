package card

import "testing"

func TestShots(t *testing.T) {
	tests := []struct {
		text string
		want int // of three demonstrations
	}{{"", 3}, {"icl", 3}, {"0", 0}, {"2", 2}, {"3", 3}, {"9", 3}}
	x := Sample{Demonstrations: []Sample{{ID: "a"}, {ID: "b"}, {ID: "c"}}}
	for _, tt := range tests {
		s, err := ParseShots(tt.text)
		if err != nil {
			t.Fatal(err)
		}
		got := s.Show(x).Demonstrations
		if len(got) != tt.want || tt.want > 0 && got[0].ID != "a" {
			t.Errorf("%q: %v", tt.text, got)
		}
		if again, err := ParseShots(s.String()); err != nil || again != s {
			t.Errorf("%q is written as %q", tt.text, s)
		}
		if _ = append(got, Sample{ID: "x"}); x.Demonstrations[2].ID != "c" {
			t.Error("a shown sample shares its demonstrations")
		}
	}
	for _, text := range []string{"-1", "1.5", "all", " 1"} {
		if _, err := ParseShots(text); err == nil {
			t.Errorf("%q is no error", text)
		}
	}
}
