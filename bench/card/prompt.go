package card

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// pictureMark is what stands in prompts where a picture belongs.
const pictureMark = "<image>"

// prompt renders the sample's prompt. Marks of pictures at its start are not
// sent as text: Ollama puts a message's pictures first. They are refused
// elsewhere, since the picture would not be where the card wants it.
func (m mapper) prompt(x *Sample, values map[string]any) {
	if m.Faults.Len() > 0 {
		return
	}
	text, err := m.subset.template.Render(values)
	if err != nil {
		m.Fail("prompt_template", fmt.Errorf("cannot be rendered: %w", err))
		return
	}
	marks := 0
	for strings.HasPrefix(text, pictureMark) {
		text = text[len(pictureMark):]
		marks++
	}
	switch {
	case strings.Contains(text, pictureMark):
		m.Fail("prompt_template", fmt.Errorf("renders %s behind text; pictures can only stand at the start", pictureMark))
	case marks > 0 && marks != len(x.Pictures):
		m.Fail("prompt_template", fmt.Errorf("renders %s %d times, and there are %d pictures", pictureMark, marks, len(x.Pictures)))
	case strings.TrimSpace(text) == "":
		m.Fail("prompt_template", errors.New("renders no text"))
	}
	x.Prompt = text
}

// Limits of what scores are broken down by.
const (
	maxTagText   = 80  // characters
	maxTagValues = 100 // different ones of a column
)

// tagged are the extra columns that scores are broken down by: those with short
// texts, numbers or truth values, of which there are not too many.
func (s *Subset) tagged(rows Rows) map[string]bool {
	chosen := map[string]bool{}
	for _, e := range s.Mapping.Extra {
		seen := map[string]bool{}
		fits := true
		for _, row := range rows.All {
			if v := row[e.From]; v != nil && v != "" {
				text, ok := scalar(v)
				seen[text] = true
				fits = fits && ok && utf8.RuneCountInString(text) <= maxTagText && !strings.ContainsAny(text, "\n\r") && len(seen) <= maxTagValues
			}
		}
		chosen[e.Name] = fits
	}
	return chosen
}

// scalar is a value as the text of a tag; a blank one has none.
func scalar(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, strings.TrimSpace(v) != ""
	case bool, int64:
		return fmt.Sprint(v), true
	}
	return "", false
}
