package card

import "testing"

func TestStrip(t *testing.T) {
	for text, want := range map[string]string{
		" a b\n": "a b", "\u3000a\u00a0\u2028": "a", "\x1c\x1d\x1e\x1fa\x85": "a\x85", "\u0085a": "a",
		"\u200ba\ufeff": "\u200ba\ufeff", " \t": "", "": "",
	} {
		if got := Strip(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
