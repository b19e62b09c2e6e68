package bench

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"lightbox/bench/record"
	"lightbox/infer"
	"lightbox/models"
	"lightbox/preprocess"
	"lightbox/score"
)

// manifest is the settings of the run as the record keeps them.
func (r *run) manifest() record.Manifest {
	c := r.cfg
	m := record.Manifest{
		Lightbox: c.Version,
		Benchmark: record.Benchmark{
			Name: c.Benchmark.Name, Version: c.Benchmark.Version,
			DataDigest: c.Benchmark.Digest, Split: c.Benchmark.Split, Prompt: c.Benchmark.Prompt, PoolDigest: r.pool,
			Samples: len(r.plans), Selection: r.selection(),
			Primary: r.primary(), Rules: r.rules(), Pooled: c.Benchmark.Pooled, Pictures: needsVision(r.samples()),
			About: c.Benchmark.About, Warnings: c.Benchmark.Warnings,
			Card: c.Benchmark.Card, Origin: c.Benchmark.Origin,
		},
		Model:   modelRecord(r.facts),
		Server:  r.server,
		Options: r.options, NumCtx: c.NumCtx, NumPredict: c.NumPredict, Think: c.Think, Thinking: string(r.thinking), Format: cmp.Or(c.Benchmark.Format, FormatOpen), Shots: c.Shots.String(), Seed: c.Seed,
		Arrangement: c.Arrangement.String(), LeftOut: r.leftOut,
		Family: cmp.Or(c.Family.Name, "none"), FamilyNotes: c.Family.Notes, System: c.Family.System,
		Recipe:      record.Recipe{Digest: infer.Digest(c.Recipe.Digest()), Text: recipeText(c)},
		ModelSystem: "refuse", EscapeControl: c.EscapeControl, KeepNames: c.KeepNames, Parallel: c.Parallel,
		WindowPrice: r.fitted.price,
		Probe: map[string]string{
			"truncation refused": r.probed.Truncation, "picture seen": r.probed.Picture,
			"second picture seen": r.probed.Second, "token counts": r.probed.Counts,
		},
	}
	if c.KeepSystem {
		m.ModelSystem = "keep"
	}
	if c.Judge != "" {
		m.Judge = &record.Judge{Model: modelRecord(r.judge), Protocol: c.JudgeProtocol}
	}
	return m
}

// selection says which samples were chosen. Ids that the user gave can be
// personal; those of the samples are in the record anyway.
func (r *run) selection() string {
	text := r.cfg.Selection.String()
	if len(r.cfg.Selection.IDs) == 0 {
		return text
	}
	ids := make([]string, len(r.plans))
	for i, p := range r.plans {
		ids[i] = p.sample.ID
	}
	return text + ": samples " + infer.DigestOf([]byte(strings.Join(ids, "\n"))).Short()
}

// primary is the metric that speaks for the samples: multiple choice where there
// are no open questions.
func (r *run) primary() score.Metric {
	for _, p := range r.plans {
		if len(p.sample.Options) == 0 {
			return r.cfg.Benchmark.Primary
		}
	}
	return r.cfg.Benchmark.rules(r.plans[0].sample)[0].Metric
}

// rules names the rules that decide on the samples.
func (r *run) rules() []string {
	var names []string
	for _, p := range r.plans {
		for _, rule := range r.cfg.Benchmark.rules(p.sample) {
			if !slices.Contains(names, rule.Name) {
				names = append(names, rule.Name)
			}
		}
	}
	return names
}

func recipeText(c Config) string {
	r := c.Recipe
	fit := "aspect kept"
	switch r.Fit {
	case preprocess.Pad:
		fit = "padded to a square"
	case preprocess.Squash:
		fit = "squashed to a square"
	}
	text := fmt.Sprintf("longer side %d px at most, shorter side %d px at least, %s", r.MaxSide, r.MinSide, fit)
	if w := r.Window.String(); w != "file" {
		text += ", window " + w
	}
	if f := r.Frame.String(); f != "middle" {
		text += ", frame " + f
	}
	if len(r.Masks) > 0 {
		text += fmt.Sprintf(", masked %v", r.Masks)
	}
	if r.AllowBurnedIn {
		text += ", burned-in text allowed"
	}
	return text
}

// modelRecord is what the manifest says of a model.
func modelRecord(f models.Facts) record.Model {
	m := record.Model{
		Name: f.Name, Digest: f.Digest, Capabilities: f.Capabilities,
		Architecture: f.Architecture, ParameterSize: f.ParameterSize, Quantization: f.Quantization, ContextLength: f.ContextLength,
		System: f.System, Template: f.Template, Parameters: f.Parameters, ControlSource: f.ControlSource,
	}
	for _, t := range f.Messages {
		m.Messages = append(m.Messages, record.Turn{Role: t.Role, Text: t.Text})
	}
	return m
}

// unsettled are the manifest's entries that a run may find out anew: what the
// probe says, the window where it is chosen from the prompts, the length of a
// reply that thinking adds to, and what lies around the server.
var unsettled = []string{"server.contacted", "server.reachable", "server.request_logging", "probe", "options.num_ctx", "options.num_predict", "thinking", "window_price", "layout"}

// open takes the run directory and holds the settings against those of an
// earlier run in it.
func (r *run) open() error {
	if foreign(r.cfg.Out) {
		return fail(Usage, "name a directory of its own with --out", "%q holds files that are no run of lightbox", r.cfg.Out)
	}
	var err error
	if r.record, err = record.Create(r.cfg.Out); err != nil {
		if errors.Is(err, record.ErrLocked) {
			return fail(Failed, "wait for it, or name another directory with --out", "%w", err)
		}
		var damaged *record.JournalError
		if errors.As(err, &damaged) {
			return fail(WrongData, damaged.Hint(), "%w", err)
		}
		return fail(Failed, "name another directory with --out", "%w", err)
	}
	r.verdicts = verdictsOf(r.record)
	for _, line := range r.record.Latest() {
		r.cfg.shared.keep(line)
	}
	earlier := r.record.Manifest()
	if earlier == nil {
		if len(r.record.Responses())+len(r.record.Verdicts()) == 0 {
			return nil
		}
		r.record.Close()
		return fail(WrongData, "name another directory with --out", "%q holds answers without the manifest.json that says what they answer", r.cfg.Out)
	}
	if changed := record.Differences(*earlier, r.manifest(), unsettled...); len(changed) > 0 {
		r.record.Close()
		return changedSettings(r.cfg.Out, changed)
	}
	if err := r.checkPictures(r.studio.album.facts); err != nil {
		r.record.Close()
		return err
	}
	r.thinking = thinking(earlier.Thinking)
	r.options.NumPredict = r.reserve()
	return nil
}

// foreign tells whether a directory has files in it and none of a run.
func foreign(dir string) bool {
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) == 0 {
		return false // what else is wrong with it shows when it is opened
	}
	return !slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return e.Name() == "manifest.json" || e.Name() == "lock"
	})
}

// changedSettings says what differs from the run in a directory, and what kind
// of change that is.
func changedSettings(dir string, changed []record.Difference) error {
	kind, hint := Failed, "name another directory with --out, or give the settings that the run was begun with"
	var lines []string
	for _, d := range changed {
		whole := d.Was != "" && d.Is != ""
		if !whole && strings.HasPrefix(d.Path, "judge.") && d.Path != "judge.name" {
			continue // all of it came or went with the judge
		}
		lines = append(lines, d.String())
		switch {
		case whole && (d.Path == "model.digest" || d.Path == "judge.digest" || d.Path == "server.version"):
			kind = WrongModel
		case d.Path == "benchmark.data_digest":
			kind = WrongData
		}
	}
	return fail(kind, hint, "the run in %q was begun with other settings:\n  %s", dir, strings.Join(lines, "\n  "))
}
