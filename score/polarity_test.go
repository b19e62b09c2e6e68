package score

import "testing"

func TestPolarityIsThatOfAllReferences(t *testing.T) {
	for _, tt := range []struct {
		references []string
		want       string
	}{
		{nil, ""},
		{[]string{"Yes."}, "yes"},
		{[]string{"Y", "Yes"}, "yes"},
		{[]string{"true", "是"}, "yes"},
		{[]string{"No", "n", "没有"}, "no"},
		{[]string{"Yes", "No"}, ""},
		{[]string{"No", "normal"}, ""},
		{[]string{"normal", "No"}, ""},
		{[]string{"yes", ""}, ""},
		{[]string{"none"}, ""},
	} {
		if got := Polarity(tt.references); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.references, got, tt.want)
		}
	}
}
