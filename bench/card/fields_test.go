package card

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestFields(t *testing.T) {
	values := map[string]any{
		"text": " a ", "blank": " \n", "number": int64(3), "part": 1.5, "round": 2.0, "digits": "12", "minus": int64(-1),
		"list": []any{"a", "b"}, "holes": []any{"a", nil}, "gaps": []any{"a", " "}, "object": map[string]any{}, "null": nil, "truth": true,
	}
	tests := []struct {
		name  string
		read  func(Fields) any
		value any
		want  string // of the error; empty: none
	}{
		{"text", func(f Fields) any { return f.Text("text") }, " a ", ""},
		{"blank text", func(f Fields) any { return f.Text("blank") }, nil, `row 5: column "blank" is empty`},
		{"absent text", func(f Fields) any { return f.Text("none") }, nil, "is missing"},
		{"null text", func(f Fields) any { return f.Text("null") }, nil, "is missing"},
		{"number for text", func(f Fields) any { return f.Text("number") }, nil, "is 3, want text"},
		{"list for text", func(f Fields) any { return f.Text("list") }, nil, "is a list, want text"},
		{"optional", func(f Fields) any { return f.OptionalText("text") }, " a ", ""},
		{"optional blank", func(f Fields) any { return f.OptionalText("blank") }, " \n", ""},
		{"optional null", func(f Fields) any { return f.OptionalText("null") }, "", ""},
		{"optional truth", func(f Fields) any { return f.OptionalText("truth") }, nil, "is true, want text"},
		{"one of", func(f Fields) any { return f.OneOf("digits", "11", "12") }, "12", ""},
		{"none of", func(f Fields) any { return f.OneOf("digits", "11", "13") }, nil, `is "12", want 11 or 13`},
		{"absent of", func(f Fields) any { return f.OneOf("none", "11") }, nil, "is missing"},
		{"object of", func(f Fields) any { return f.OneOf("object", "11") }, nil, "is an object, want text"},
		{"whole", func(f Fields) any { return f.Whole("number") }, int64(3), ""},
		{"whole with a fraction of zero", func(f Fields) any { return f.Whole("round") }, int64(2), ""},
		{"whole as text", func(f Fields) any { return f.Whole("digits") }, int64(12), ""},
		{"part", func(f Fields) any { return f.Whole("part") }, nil, "is 1.5, want a whole number"},
		{"minus", func(f Fields) any { return f.Whole("minus") }, nil, "is -1, want a whole number"},
		{"text for whole", func(f Fields) any { return f.Whole("text") }, nil, `is " a ", want a whole number`},
		{"absent whole", func(f Fields) any { return f.Whole("none") }, nil, "is missing"},
		{"texts", func(f Fields) any { return f.Texts("list") }, []string{"a", "b"}, ""},
		{"texts with null", func(f Fields) any { return f.Texts("holes") }, nil, "has element 2, which is null, want text"},
		{"texts with a blank", func(f Fields) any { return f.Texts("gaps") }, []string{"a", " "}, ""},
		{"text for texts", func(f Fields) any { return f.Texts("text") }, nil, "want a list of texts"},
		{"absent texts", func(f Fields) any { return f.Texts("none") }, nil, "is missing"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var bad Faults
			got := tt.read(Fields{4, values, &bad})
			err := bad.Err()
			var fe *FieldError
			switch {
			case tt.want == "" && (err != nil || fmt.Sprint(got) != fmt.Sprint(tt.value)):
				t.Errorf("%v, error %v", got, err)
			case tt.want != "" && (!errors.As(err, &fe) || fe.Row != 4 || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

func TestFaultsEnd(t *testing.T) {
	var bad Faults
	bad.Add(0, "a", nil)
	if bad.Err() != nil {
		t.Error("nothing is an error")
	}
	for i := range 30 {
		if bad.Full() != (i >= 20) {
			t.Errorf("full after %d", i)
		}
		bad.Add(i, "a", errors.New("is wrong"))
	}
	text := bad.Err().Error()
	if n := strings.Count(text, "is wrong"); n != 20 || !strings.HasSuffix(text, "stopped after 20 problems") {
		t.Errorf("%d errors: %s", n, text)
	}
}
