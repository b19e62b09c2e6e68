package record

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDifferences(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Manifest)
		ignore []string
		want   []Difference
	}{
		{name: "none", change: func(*Manifest) {}},
		{name: "the layout", change: func(m *Manifest) { m.Layout = layout }},
		{
			name:   "a number and a text",
			change: func(m *Manifest) { m.Options.Temperature = 0.7; m.Model.Digest = "ab<c>" },
			want:   []Difference{{"model.digest", `""`, `"ab<c>"`}, {"options.temperature", "0", "0.7"}},
		},
		{
			name:   "a number beyond 53 bits",
			change: func(m *Manifest) { m.Seed = 1<<60 + 1 },
			want:   []Difference{{"seed", "0", "1152921504606846977"}},
		},
		{
			name:   "within a list",
			change: func(m *Manifest) { m.Model.Messages = []Turn{{"user", "Bye"}, {"assistant", "x"}} },
			want: []Difference{
				{"model.messages[0].text", `"Hello"`, `"Bye"`},
				{"model.messages[1].role", "", `"assistant"`},
				{"model.messages[1].text", "", `"x"`},
			},
		},
		{
			name:   "a judge left out",
			change: func(m *Manifest) { m.Judge = nil },
			want: []Difference{
				{"judge.digest", `""`, ""},
				{"judge.name", `"phantom-judge:latest"`, ""},
				{"judge.protocol", `"strict"`, ""},
			},
		},
		{
			name:   "an empty list for none",
			change: func(m *Manifest) { m.Model.Capabilities = []string{} },
		},
		{
			name:   "stop list emptied",
			change: func(m *Manifest) { m.Options.Stop = []string{} },
			want:   []Difference{{"options.stop[0]", `"<end>"`, ""}},
		},
		{
			name:   "a probe's result",
			change: func(m *Manifest) { m.Probe = map[string]string{"first picture": "ok", "second picture": "unknown"} },
			want:   []Difference{{"probe.second picture", `"ok"`, `"unknown"`}},
		},
		{
			name: "ignored ones",
			change: func(m *Manifest) {
				m.Parallel, m.Options.NumCtx, m.Options.Stop, m.Judge = 4, 8192, nil, nil
				m.ModelSystem = "keep" // not below "model"
				m.Model.Name = "other"
			},
			ignore: []string{"parallel", "options.num_ctx", "options.stop", "judge", "model"},
			want:   []Difference{{"model_system", "", `"keep"`}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := someManifest
			tt.change(&is)
			if diff := cmp.Diff(tt.want, Differences(someManifest, is, tt.ignore...)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestDifferencesAfterReading: a manifest read back equals the one written.
func TestDifferencesAfterReading(t *testing.T) {
	dir := t.TempDir()
	r := create(t, dir)
	check(t, r.WriteManifest(someManifest))
	back, err := Read(dir)
	check(t, err)
	if diff := Differences(*back.Manifest(), someManifest); len(diff) != 0 {
		t.Error(diff)
	}
}

func TestDifferenceText(t *testing.T) {
	for want, d := range map[string]Difference{
		"options.seed was 0, is 1":              {"options.seed", "0", "1"},
		`judge.name was "j:latest", is not set`: {"judge.name", `"j:latest"`, ""},
	} {
		if got := d.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
