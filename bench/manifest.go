package bench

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"lightbox/bench/record"
	"lightbox/infer"
	"lightbox/models"
	"lightbox/score"
)

// manifest is the settings of the run as the record keeps them.
func (r *run) manifest() record.Manifest {
	c := r.cfg
	m := record.Manifest{
		Lightbox: c.Version,
		Benchmark: record.Benchmark{
			Name: c.Benchmark.Name, Version: c.Benchmark.Version,
			DataDigest: c.Benchmark.Digest, PictureDigest: r.pictureDigest,
			Samples: len(r.plans), Selection: c.Selection.String(),
		},
		Model:   modelRecord(r.facts),
		Server:  r.server,
		Options: r.options, NumCtx: c.NumCtx, Think: c.Think, Format: "open", Shots: c.Shots.String(), Seed: c.Seed,
		Family: cmp.Or(c.Family.Name, "none"), System: c.Family.System,
		Recipe:      record.Recipe{Digest: infer.Digest(c.Recipe.Digest()), Text: recipeText(c)},
		ModelSystem: "refuse", EscapeControl: c.EscapeControl, KeepNames: c.KeepNames, Parallel: c.Parallel,
		Probe: map[string]string{
			"truncation refused": r.probed.Truncation, "picture seen": r.probed.Picture,
			"second picture seen": r.probed.Second, "token counts": r.probed.Counts,
		},
	}
	if c.KeepSystem {
		m.ModelSystem = "keep"
	}
	if c.Judge != "" {
		m.Judge = &record.Judge{Model: modelRecord(r.judge), Protocol: score.ProtocolStrict}
	}
	return m
}

func recipeText(c Config) string {
	return fmt.Sprintf("longer side %d px at most, shorter side %d px at least, aspect kept", c.Recipe.MaxSide, c.Recipe.MinSide)
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
// probe says, and the window where it is chosen from the prompts.
var unsettled = []string{"probe", "options.num_ctx", "layout"}

// open takes the run directory and holds the settings against those of an
// earlier run in it.
func (r *run) open() error {
	var err error
	if r.record, err = record.Create(r.cfg.Out); err != nil {
		if errors.Is(err, record.ErrLocked) {
			return fail(Failed, "wait for it, or name another directory with --out", "%w", err)
		}
		return err
	}
	r.verdicts = verdictsOf(r.record)
	earlier := r.record.Manifest()
	if earlier == nil {
		return nil
	}
	if changed := record.Differences(*earlier, r.manifest(), unsettled...); len(changed) > 0 {
		r.record.Close()
		return changedSettings(r.cfg.Out, changed)
	}
	return nil
}

// changedSettings says what differs from the run in a directory, and what kind
// of change that is.
func changedSettings(dir string, changed []record.Difference) error {
	kind, hint := Failed, "name another directory with --out, or give the settings that the run was begun with"
	lines := make([]string, len(changed))
	choosesPictures := func(d record.Difference) bool {
		return d.Path == "shots" || d.Path == "family" || d.Path == "benchmark.selection"
	}
	chosen := slices.ContainsFunc(changed, choosesPictures)
	for i, d := range changed {
		lines[i] = fmt.Sprintf("%s was %s and is now %s", d.Path, shorten(d.Was, 60), shorten(d.Is, 60))
		switch {
		case strings.HasPrefix(d.Path, "model.") || strings.HasPrefix(d.Path, "judge.") || d.Path == "server.version":
			kind = WrongModel
		case chosen && d.Path == "benchmark.picture_digest": // other pictures are shown, none has changed
		case strings.HasPrefix(d.Path, "benchmark.") && strings.Contains(d.Path, "digest"):
			kind = WrongData
		}
	}
	return fail(kind, hint, "the run in %q was begun with other settings:\n  %s", dir, strings.Join(lines, "\n  "))
}
