// Package phantom holds the embedded benchmark: 60 grey pictures that imitate
// CT, MRI and X-ray, and questions about them with known answers. They are
// made for this project (README.md) and let the whole of lightbox be tried on a
// real Ollama server with a model that a CPU runs in milliseconds.
//
// The figures say nothing about any real model.
package phantom

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"lightbox/bench/card"
)

//go:embed problems.jsonl images/*.png
var files embed.FS

// Name and Version are what records call the benchmark. A change to pictures,
// questions, subsets or options raises the version.
const (
	Name    = "phantom"
	Version = "1"
)

// About is what a reader of the figures must know.
const About = "the phantom's labels are made up, so that without demonstrations 0 % is right; the figures show that lightbox works and say nothing about real models"

// Problems is the file of questions, one JSON object a line.
const Problems = "problems.jsonl"

// Files are the questions and their pictures.
func Files() fs.FS { return files }

// The subsets. Without demonstrations the same questions have no answer: the
// labels are made up, and only the demonstrations define them.
const (
	InContext     = "in-context"
	WithoutDemos  = "without demonstrations"
	InContextMCQA = "in-context mcqa"
	ZeroShot      = "zero-shot"
	ZeroShotMCQA  = "zero-shot mcqa"
)

// Subsets makes the benchmark's five subsets out of its problems: those with
// demonstrations are asked with them, without them, and as multiple choice;
// those without are asked openly and as multiple choice.
func Subsets(problems []card.Sample) ([]card.Sample, error) {
	var byName [5][]card.Sample
	add := func(at int, s card.Sample, subset, suffix string) {
		s.ID, s.Subset, s.Group = s.Name+suffix, subset, s.Name
		byName[at] = append(byName[at], s)
	}
	for _, p := range problems {
		choice, err := multipleChoice(p)
		if err != nil {
			return nil, err
		}
		if len(p.Demonstrations) == 0 {
			add(3, p, ZeroShot, "")
			add(4, choice, ZeroShotMCQA, "/mcqa")
			continue
		}
		add(0, p, InContext, "")
		alone := p
		alone.Demonstrations = nil
		add(1, alone, WithoutDemos, "/0-shot")
		add(2, choice, InContextMCQA, "/mcqa")
	}
	return slices.Concat(byName[:]...), nil
}

// choices are the options of the questions that have no demonstrations.
var choices = map[string][]string{
	"modality": {"CT", "MRI", "X-ray"},
	"lesion":   {"yes", "no"},
	"side":     {"left", "right"},
	"shape":    {"round", "square", "cross", "ring"},
}

// multipleChoice gives a problem its options: the answers of its demonstrations
// and its own, each once, in order of appearance; else those of its task.
func multipleChoice(p card.Sample) (card.Sample, error) {
	texts := choices[task(p)]
	if len(p.Demonstrations) > 0 {
		texts = nil
		for _, d := range append(slices.Clone(p.Demonstrations), p) {
			if !slices.Contains(texts, d.References[0]) {
				texts = append(texts, d.References[0])
			}
		}
	}
	var err error
	if p.Options, err = card.Letters(texts); err != nil {
		return p, fmt.Errorf("building the options of %q: %w", p.Name, err)
	}
	if p.Key = card.KeyOf(p.Options, p.References[0]); p.Key == "" {
		return p, fmt.Errorf("building the options of %q: no option is the answer", p.Name)
	}
	return p, nil
}

func task(p card.Sample) string {
	for _, tag := range p.Tags {
		if name, ok := strings.CutPrefix(tag, "task:"); ok {
			return name
		}
	}
	return ""
}
