package card

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPublishedCard loads a card as it is published and holds what it renders
// against Jinja2's own output. Both lie beside the project, because their texts
// have licences of their own.
func TestPublishedCard(t *testing.T) {
	shared := filepath.Join("..", "..", "..", "shared")
	text, err := os.ReadFile(filepath.Join(shared, "data", "cards", "scienceqa.json"))
	if err != nil {
		t.Skipf("the published card is not here: %v", err)
	}
	c, err := ParseCard("scienceqa.json", text)
	if err != nil {
		t.Fatal(err)
	}
	s, err := c.Subset("main")
	if err != nil || c.Name != "ScienceQA" || len(s.Source.URLs) != 3 || s.Source.Format != "json" {
		t.Fatalf("%v, card %+v", err, c)
	}
	f, err := os.Open(filepath.Join(shared, "vectors", "scienceqa_prompts.jsonl"))
	if err != nil {
		t.Skipf("the rendered prompts are not here: %v", err)
	}
	defer f.Close()
	scan := bufio.NewScanner(f)
	scan.Buffer(nil, 1<<20)
	compared := 0
	for scan.Scan() {
		var v struct {
			ID, Question, Hint string
			Choices            []any
			Answer             int64
			HasImage           bool    `json:"has_image"`
			Want               string  `json:"seed_jinja"`
			WithoutHint        *string `json:"seed_jinja_hint_none"`
		}
		if err := json.Unmarshal(scan.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		row := map[string]any{
			"question": v.Question, "choices": v.Choices, "answer": v.Answer, "hint": v.Hint, "image": nil, "subject": "language science", "grade": "grade2",
		}
		if v.HasImage {
			row["image"] = "picture"
		}
		check := func(want string) {
			t.Helper()
			columns := []string{"image", "question", "choices", "answer", "hint", "subject", "grade"}
			samples, err := s.Samples(Rows{Columns: columns, All: []map[string]any{row}}, &Labels{})
			if err != nil {
				t.Errorf("%s: %v", v.ID, err)
				return
			}
			x := samples[0]
			if diff := cmp.Diff(strings.TrimPrefix(want, pictureMark), x.Prompt); diff != "" {
				t.Errorf("%s: %s", v.ID, diff)
			}
			if strings.HasPrefix(want, pictureMark) != (len(x.Pictures) == 1) || x.Key != string(rune('A'+v.Answer)) || x.ID != "0" {
				t.Errorf("%s: sample %+v", v.ID, x)
			}
			compared++
		}
		check(v.Want)
		if v.WithoutHint != nil {
			row["hint"] = nil
			check(*v.WithoutHint)
		}
	}
	if compared < 38 {
		t.Errorf("only %d prompts were compared", compared)
	}
}
