package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"lightbox/bench"
	"lightbox/bench/card"
)

// shownCard is a card for people and programs.
type shownCard struct {
	Name          string        `json:"name"`
	Released      string        `json:"released,omitempty"`
	Licence       string        `json:"licence,omitempty"`
	Citation      string        `json:"citation,omitempty"`
	KnownTraining []string      `json:"known_training,omitempty"`
	Digest        string        `json:"digest"`
	Subsets       []shownSubset `json:"subsets"`
}

type shownSubset struct {
	Name         string            `json:"name"`
	Task         string            `json:"task,omitempty"`
	Languages    []string          `json:"languages,omitempty"`
	Modalities   []string          `json:"modalities,omitempty"`
	Rules        []string          `json:"rules"`
	Protocol     string            `json:"score_protocol,omitempty"`
	Prompt       string            `json:"prompt_template"`
	PromptSource string            `json:"prompt_source,omitempty"`
	Format       string            `json:"format,omitempty"`
	URLs         map[string]string `json:"urls,omitempty"`
	Data         *shownRows        `json:"data,omitempty"`
}

// shownRows is what a subset's data turn out to be.
type shownRows struct {
	Files       []string         `json:"files"`
	Digest      string           `json:"digest"`
	Split       string           `json:"split,omitempty"`
	Samples     int              `json:"samples"`
	Unscored    int              `json:"without_answer"`
	NoPicture   int              `json:"without_picture"`
	Keys        map[string]int   `json:"keys,omitempty"`
	Tags        map[string]int   `json:"tags,omitempty"`
	Pictures    *bench.Inventory `json:"pictures"`
	Warnings    []string         `json:"warnings,omitempty"`
	FirstPrompt string           `json:"first_prompt"`
}

func (t terminal) showCard(path string, data bench.CardData, asJSON bool) error {
	c, digest, err := bench.LoadCard(path)
	if err != nil {
		return err
	}
	shown := shownCard{
		Name: c.Name, Released: c.ReleaseDate, Licence: c.Licence, Citation: c.Citation, KnownTraining: c.KnownTraining, Digest: string(digest),
	}
	for _, s := range c.Subsets {
		x := subsetOf(s)
		if data.Path != "" {
			data.Subsets = []string{s.Name}
			if x.Data, err = t.inspectCard(path, data); err != nil {
				return err
			}
		}
		shown.Subsets = append(shown.Subsets, x)
	}
	if asJSON {
		return writeJSON(t.out, shown)
	}
	_, err = io.WriteString(t.text(), shown.text())
	return err
}

func subsetOf(s card.Subset) shownSubset {
	x := shownSubset{
		Name: s.Name, Task: s.TaskType, Languages: s.Languages, Modalities: s.Modalities, Rules: s.Pipeline,
		Protocol: s.Protocol.String(), Prompt: s.Template, PromptSource: s.PromptSource.String(), Format: s.Source.Format,
		URLs: map[string]string{},
	}
	for _, u := range s.Source.URLs {
		x.URLs[u.Split] = u.URL
	}
	return x
}

// inspectCard reads the data of one subset and all of its pictures.
func (t terminal) inspectCard(path string, data bench.CardData) (*shownRows, error) {
	b, err := bench.OpenCard(path, data)
	if err != nil {
		return nil, err
	}
	progress := newProgress(t.err)
	inventory := bench.Inspect(b, progress.watch)
	progress.clear()
	x := &shownRows{
		Files: b.Files, Digest: string(b.Digest), Split: b.Split, Samples: len(b.Samples), Pictures: &inventory, Warnings: b.Warnings,
		Keys: map[string]int{}, Tags: map[string]int{}, FirstPrompt: b.Samples[0].Prompt,
	}
	if b.About != "" {
		x.Warnings = append(x.Warnings, b.About)
	}
	for _, s := range b.Samples {
		if len(s.References) == 0 {
			x.Unscored++
		}
		if len(s.Pictures) == 0 {
			x.NoPicture++
		}
		if s.Key != "" {
			x.Keys[s.Key]++
		}
		for _, tag := range s.Tags {
			x.Tags[tag]++
		}
	}
	return x, b.Close()
}

// text is the card for people.
func (c shownCard) text() string {
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s\n", c.Name)
	writeLines(w, [][2]string{
		{"released", c.Released},
		{"licence", c.Licence},
		{"citation", c.Citation},
		{"known training", strings.Join(c.KnownTraining, ", ")},
		{"digest", c.Digest},
	})
	for _, s := range c.Subsets {
		fmt.Fprintf(w, "\nsubset %s\n", s.Name)
		writeLines(w, [][2]string{
			{"task", s.Task},
			{"languages", strings.Join(s.Languages, ", ")},
			{"modalities", strings.Join(s.Modalities, ", ")},
			{"rules", strings.Join(s.Rules, ", then ")},
			{"scored as in", s.Protocol},
			{"prompt", fmt.Sprintf("%q", s.Prompt)},
			{"prompt from", s.PromptSource},
			{"format", s.Format},
		})
		for _, split := range slices.Sorted(maps.Keys(s.URLs)) {
			writeLines(w, [][2]string{{"data of " + split, s.URLs[split]}})
		}
		if s.Data != nil {
			writeLines(w, s.Data.lines())
		}
	}
	w.Flush() // into memory
	return out.String()
}

// writeLines writes those that have a text.
func writeLines(w io.Writer, all [][2]string) {
	for _, line := range all {
		if line[1] != "" {
			fmt.Fprintf(w, "  %s\t%s\n", line[0], line[1])
		}
	}
}

func (x shownRows) lines() [][2]string {
	counted := func(v string, n int) string { return fmt.Sprintf("%s %d", v, n) }
	all := [][2]string{
		{"files", strings.Join(x.Files, ", ")},
		{"split", x.Split},
		{"samples", fmt.Sprintf("%d; %d without a picture, %d without a reference answer", x.Samples, x.NoPicture, x.Unscored)},
		{"keys", histogram(x.Keys, counted)},
		{"tags", histogram(x.Tags, counted)},
		{"pictures", picturesLine(*x.Pictures)},
	}
	for _, u := range x.Pictures.Unreadable {
		all = append(all, [2]string{"unreadable", "sample " + u.ID + ": " + u.Detail})
	}
	for _, warning := range x.Warnings {
		all = append(all, [2]string{"warning", warning})
	}
	return append(all, [2]string{"first prompt", fmt.Sprintf("%q", x.FirstPrompt)})
}
