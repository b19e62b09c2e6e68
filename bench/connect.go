package bench

import (
	"context"
	"fmt"
	"strings"
	"time"

	"lightbox/bench/card"
	"lightbox/bench/record"
	"lightbox/infer"
	"lightbox/infer/ollama"
	"lightbox/models"
)

// connect reaches the server and learns what it says of the models, before any
// text or picture is sent.
func (r *run) connect(ctx context.Context, samples []card.Sample) error {
	for _, name := range []string{r.cfg.Model, r.cfg.Judge} {
		if models.CloudName(name) {
			return fail(NotLocal, "choose a model whose files are on this machine: ollama list shows a size for those",
				"model %q is not local: its tag makes a server forward requests to another machine", name)
		}
	}
	r.cfg.Watch(Event{Phase: "connecting"})
	// Requests to models have deadlines of their own, see limit.
	client, err := ollama.New(ollama.Config{Host: r.cfg.Host, AllowPrivate: r.cfg.AllowPrivate, AskTimeout: 100 * mostLimit})
	if err != nil {
		return &Failure{Kind: NotLocal, Hint: "name the server's own address with --host", Err: err}
	}
	r.client = client
	if r.server.Version, err = client.Version(ctx); err != nil {
		return noServer(r.cfg.Host, err)
	}
	r.server.Address = r.cfg.Host.String()
	if r.cfg.HostHidden {
		r.server.Address = "127.0.0.1, a private server"
	}
	if r.server.CloudDisabled, err = cloudDisabled(ctx, client); err != nil {
		return fatalOr(r.cfg.Model, err)
	}
	r.lookAround()
	if r.facts, err = r.know(ctx, r.cfg.Model, r.cfg.Family.System); err != nil {
		return err
	}
	if needsVision(samples) && !r.facts.Can("vision") {
		return fail(WrongModel, "models that read pictures have the capability: ollama show "+r.cfg.Model,
			"model %q lacks the capability \"vision\": it cannot see the pictures", r.cfg.Model)
	}
	r.sentry = &sentry{client: client, now: r.cfg.now, version: r.server.Version, tell: r.cfg.Watch, loaded: func(t record.Timing) error {
		t.Start = time.Now()
		return r.record.AppendTiming(t)
	}}
	r.sentry.guard(r.facts)
	r.profile = models.ProfileOf(r.facts)
	if r.cfg.Judge != "" {
		if r.judge, err = r.know(ctx, r.cfg.Judge, ""); err != nil {
			return err
		}
	}
	return r.chooseThinking()
}

// noServer is the failure to get a version. Whatever is there instead of Ollama,
// it is not the model that is missing.
func noServer(host ollama.Host, err error) error {
	var fault *infer.Fault
	if !asFault(err, &fault) || fault.Reason == infer.ReasonRemote {
		return fatalOr("", err)
	}
	return fail(Unreachable, startHint, "no Ollama server answers at %s: %w", host, err)
}

// cloudDisabled says whether the server is known to forward nothing.
func cloudDisabled(ctx context.Context, client *ollama.Client) (string, error) {
	status, err := client.Cloud(ctx)
	switch {
	case err != nil:
		return "", err
	case !status.Known:
		return "unknown", nil
	case status.Disabled:
		return "yes", nil
	}
	return "no", nil
}

// know asks for the facts of a model and refuses one that would say words of
// its own. A system text that is sent replaces the model's (Ollama's
// server/routes.go).
func (r *run) know(ctx context.Context, name, system string) (models.Facts, error) {
	facts, err := r.client.Facts(ctx, name)
	if err != nil {
		return facts, fatalOr(name, err)
	}
	if facts.Remote() {
		return facts, fail(NotLocal, "choose a model whose files are on this machine: ollama list shows a size for those",
			"model %q is not local: requests would be forwarded to %s", name, facts.RemoteHost)
	}
	if len(facts.Messages) > 0 {
		return facts, fail(WrongModel, "make a copy without MESSAGE lines: ollama show --modelfile "+name+" | grep -v '^MESSAGE' > M && ollama create NAME -f M",
			"model %q brings %d messages of its own into every dialogue", name, len(facts.Messages))
	}
	own := strings.TrimSpace(facts.System) != ""
	if own && system != "" && r.cfg.KeepSystem {
		return facts, fail(Usage, "leave out --model-system keep, or --family",
			"the system text of family %q replaces that of model %q, which cannot be kept", r.cfg.Family.Name, name)
	}
	if own && system == "" && !r.cfg.KeepSystem {
		return facts, fail(WrongModel, "--model-system keep runs with it and records it",
			"model %q has a system text of its own: %s", name, shorten(facts.System, 80))
	}
	return facts, nil
}

// fatalOr is the failure that a fault means, or the fault itself.
func fatalOr(model string, err error) error {
	if f := fatal(model, err); f != nil {
		return f
	}
	return err
}

// needsVision tells whether any sample shows a picture.
func needsVision(samples []card.Sample) bool {
	for _, s := range samples {
		if pictures(s) > 0 {
			return true
		}
	}
	return false
}

// several tells whether any sample shows more than one picture.
func several(samples []card.Sample) bool {
	for _, s := range samples {
		if pictures(s) > 1 {
			return true
		}
	}
	return false
}

// pictures counts what a sample shows, its demonstrations included.
func pictures(s card.Sample) int {
	n := len(s.Pictures)
	for _, d := range s.Demonstrations {
		n += len(d.Pictures)
	}
	return n
}

// warn tells the user something now. What belongs into the report is found
// again in the record, so that a resumed run says the same.
func (r *run) warn(format string, args ...any) {
	r.cfg.Watch(Event{Warning: fmt.Sprintf(format, args...)})
}

func shorten(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > n {
		return string(runes[:n]) + "…"
	}
	return s
}
