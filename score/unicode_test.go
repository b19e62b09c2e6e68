package score

import "testing"

func TestLower(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"", ""},
		{"LEFT Lung", "left lung"},
		{"İZ", "i\u0307z"},
		{"ΣΑΣ ΑΣΑ", "σας ασα"},
		{"Σ.Α", "σ.α"},
		{"ΑΣ.", "ας."},
		{"Α.Σ", "α.ς"}, // a full stop is ignored
		{"ΑΣ.Α", "ασ.α"},
		{"Α-Σ", "α-σ"},
		{"Α\u0301Σ\u0301", "α\u0301ς\u0301"},
		{"\u0345Σ", "\u0345σ"}, // has case and is ignored
		{"ªΣ ⅧΣ ⒶΣ", "ªς ⅷς ⓐς"},
		{"ẞ ǅ K Å ſ", "ß ǆ k å ſ"},
	} {
		if got := lower(tt.in); got != tt.want {
			t.Errorf("lower(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestClassesOfCharactersAreThoseOfPython(t *testing.T) {
	for _, tt := range []struct {
		name    string
		is      func(rune) bool
		yes, no string
	}{
		{"isdigit", isDigit, "09²³¹٣७９①⑨➈🄊𝟗", "½Ⅷ十㊀⑩aⅰ"},
		{"isupper", isUpper, "AZÉБΩⅧⒶ𐐀", "aßǅªⅷ1.中"},
		{"isspace", isBlank, " \t\n\v\f\r\x1c\x1d\x1e\x1f\u0085\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000", "\x00\x1b\u180e\u200b\u2060\ufeff_"},
	} {
		for _, r := range tt.yes {
			if !tt.is(r) {
				t.Errorf("%s(%q) does not hold", tt.name, r)
			}
		}
		for _, r := range tt.no {
			if tt.is(r) {
				t.Errorf("%s(%q) holds", tt.name, r)
			}
		}
	}
}
