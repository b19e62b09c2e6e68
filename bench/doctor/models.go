package doctor

import (
	"context"
	"fmt"
	"strings"

	"lightbox/infer"
	"lightbox/infer/ollama"
	"lightbox/models"
)

// models looks at the model and the judge, and at both together.
func (p Patient) models(ctx context.Context, s Server, r *report) {
	loaded, err := s.Loaded(ctx)
	if err != nil {
		loaded = nil // what is loaded cannot be said then
	}
	if p.Model != "" {
		p.model(ctx, s, "model", p.Model, true, loaded, r)
	}
	if p.Judge != "" && p.Judge != p.Model {
		p.model(ctx, s, "judge", p.Judge, false, loaded, r)
	}
	if p.Model != "" && p.Judge != "" {
		together(p.Model, p.Judge, loaded, r)
	}
}

// model looks at one model.
func (p Patient) model(ctx context.Context, s Server, check, name string, seeing bool, loaded []ollama.Loaded, r *report) {
	if models.CloudName(name) {
		r.fail(check, fmt.Sprintf("%q is not local: its tag makes a server forward requests", name), "choose a model that ollama list shows a size for", NotLocal)
		return
	}
	f, err := s.Facts(ctx, name)
	switch fault := faultOf(err); {
	case fault != nil && fault.Reason == infer.ReasonRemote:
		r.fail(check, fmt.Sprintf("%q is not local: %s", name, fault.Detail), "choose a model that ollama list shows a size for", NotLocal)
		return
	case err != nil:
		r.fail(check, fmt.Sprintf("%q: %v", name, err), "ollama list shows the models of the server; ollama pull "+name+" fetches one where there is a network", WrongModel)
		return
	case f.Remote():
		r.fail(check, fmt.Sprintf("%q is not local: requests would be forwarded to %s", name, f.RemoteHost), "choose a model that ollama list shows a size for", NotLocal)
		return
	}
	digest := f.Digest[:min(len(f.Digest), 12)]
	r.pass(check, strings.Join(strings.Fields(fmt.Sprintf("%s %s %s %s, context of %d tokens", f.Name, digest, f.ParameterSize, f.Quantization, f.ContextLength)), " "))
	if seeing && !f.Can("vision") {
		r.fail(check+" sees", "it lacks the capability vision", "ollama show "+name+" lists capabilities; choose a model with vision", WrongModel)
	} else if seeing {
		r.pass(check+" sees", "it has the capability vision")
	}
	own(check, name, f, r)
	share(check, f.Name, loaded, r)
}

// own looks at words and settings that a model brings with it.
func own(check, name string, f models.Facts, r *report) {
	switch {
	case len(f.Messages) > 0:
		r.fail(check+"'s own words", fmt.Sprintf("it brings %d messages of its own into every dialogue", len(f.Messages)),
			"ollama show --modelfile "+name+" | grep -v '^MESSAGE' > M && ollama create NAME -f M", WrongModel)
	case strings.TrimSpace(f.System) != "":
		r.warn(check+"'s own words", "it has a system text of its own, which a run refuses", "--model-system keep runs with it and records it")
	default:
		r.pass(check+"'s own words", "none")
	}
	if parameters := strings.Join(strings.Fields(strings.ReplaceAll(f.Parameters, "\n", "; ")), " "); parameters != "" {
		r.pass(check+"'s parameters", parameters+" (lightbox sends its own)")
	}
}

// share says how much of a loaded model is in a GPU's memory.
func share(check, name string, loaded []ollama.Loaded, r *report) {
	for _, l := range loaded {
		if l.Name != name || l.Size == 0 {
			continue
		}
		percent := 100 * l.SizeVRAM / l.Size
		found := fmt.Sprintf("%d %% of %.1f GB are in a GPU's memory", percent, float64(l.Size)/1e9)
		if percent < 100 {
			r.warn(check+" on the GPU", found, "free the GPU's memory, or choose a smaller model or context")
		} else {
			r.pass(check+" on the GPU", found)
		}
		return
	}
	r.pass(check+" on the GPU", "not loaded now; a run says how much of it the GPU holds")
}

// together says whether both models are in memory at once.
func together(model, judge string, loaded []ollama.Loaded, r *report) {
	in := func(name string) bool {
		for _, l := range loaded {
			if l.Name == models.FullName(name) {
				return true
			}
		}
		return false
	}
	if in(model) && in(judge) {
		r.pass("model and judge", "both are in memory at once: no swap is needed")
		return
	}
	r.pass("model and judge", "a run loads the judge once, after all responses: one swap at most")
}
