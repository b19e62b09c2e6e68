package bench

import (
	"strings"
	"testing"

	"lightbox/bench/card"
)

func TestControlTextIsFoundAndBroken(t *testing.T) {
	c := newControls([]string{"</s>", "<|im_start|>", "<|im", "„ctl"})
	for _, tt := range []struct {
		text, found, escaped string
		n                    int
	}{
		{"a plain question?", "", "a plain question?", 0},
		{"see [img-0] here", "[img", "see [\u200bimg-0] here", 1},
		{"[img][img]", "[img", "[\u200bimg][\u200bimg]", 2},
		{"x</s>y", "</s>", "x<\u200b/s>y", 1},
		{"<|im_start|>", "<|im_start|>", "<\u200b|im_start|>", 1},
		{"„ctl", "„ctl", "„\u200bctl", 1},
		{"[IMG] is only text to this model", "", "[IMG] is only text to this model", 0},
		{"a < b", "", "a < b", 0},
	} {
		if got := c.find(tt.text); got != tt.found {
			t.Errorf("find(%q) = %q, want %q", tt.text, got, tt.found)
		}
		got, n := c.escape(tt.text)
		if got != tt.escaped || n != tt.n {
			t.Errorf("escape(%q) = %q, %d, want %q, %d", tt.text, got, n, tt.escaped, tt.n)
		}
	}
}

func TestGuardLooksAtEveryText(t *testing.T) {
	c := newControls([]string{"</s>"})
	demo := card.Sample{Question: "q", References: []string{"a"}}
	for name, s := range map[string]card.Sample{
		"question":      {Question: "</s>"},
		"demonstration": {Question: "q", Demonstrations: []card.Sample{{Question: "x</s>", References: []string{"a"}}}},
		"shown answer":  {Question: "q", Demonstrations: []card.Sample{demo, {Question: "q", References: []string{"</s>"}}}},
		"option":        {Question: "q", Options: []card.Option{{Letter: "A", Text: "no </s>"}}},
	} {
		if _, _, why := c.guard(s, false); why == "" {
			t.Errorf("%s: control text passed", name)
		}
		safe, n, why := c.guard(s, true)
		if why != "" || n != 1 || c.find(sampleTexts(safe)...) != "" {
			t.Errorf("%s: not escaped: %d places, %q", name, n, why)
		}
	}
	if _, n, why := c.guard(demo, false); n != 0 || why != "" {
		t.Errorf("a clean sample was changed: %d, %q", n, why)
	}
}

// What a benchmark says in its own words is sent as it is; the same text in its
// data is not.
func TestGuardLeavesTheBenchmarksOwnWords(t *testing.T) {
	c := newControls([]string{"<answer>"})
	own := card.Sample{Question: "q", Prompt: "q\nreply in <answer>", Wording: "\nreply in <answer>"}
	if safe, n, why := c.guard(own, true); n != 0 || why != "" || safe.Prompt != own.Prompt {
		t.Errorf("own words: %q, %d places changed, %q", safe.Prompt, n, why)
	}
	data := own
	data.Prompt = "<answer>q" + own.Wording
	if _, _, why := c.guard(data, false); why == "" {
		t.Error("control text of the data passed beside the benchmark's own")
	}
	if safe, n, _ := c.guard(data, true); n != 1 || safe.Prompt != "<\u200banswer>q"+own.Wording {
		t.Errorf("escaped %d places: %q", n, safe.Prompt)
	}
}

func FuzzEscape(f *testing.F) {
	f.Add("a</s>[img-1]", "</s>")
	f.Add("aaaa", "aa")
	f.Fuzz(func(t *testing.T, text, token string) {
		if strings.Contains(token, zeroWidth) || strings.Contains(text, zeroWidth) {
			return // what is made of the mark itself cannot be broken by it
		}
		c := newControls([]string{token})
		safe, n := c.escape(text)
		if left := c.find(safe); left != "" {
			t.Errorf("escape(%q) = %q still holds %q", text, safe, left)
		}
		if strings.ReplaceAll(safe, zeroWidth, "") != text || strings.Count(safe, zeroWidth) != n {
			t.Errorf("escape(%q) = %q, %d: more was changed than counted", text, safe, n)
		}
	})
}
