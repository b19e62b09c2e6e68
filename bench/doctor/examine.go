package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"lightbox/infer"
	"lightbox/infer/ollama"
	"lightbox/models"
	"lightbox/models/listener"
)

// Server is what is asked of an Ollama server.
type Server interface {
	Version(ctx context.Context) (string, error)
	Cloud(ctx context.Context) (ollama.CloudStatus, error)
	Facts(ctx context.Context, name string) (models.Facts, error)
	Loaded(ctx context.Context) ([]ollama.Loaded, error)
}

// Patient is what is looked at.
type Patient struct {
	Host         ollama.Host
	Model, Judge string   // "": not looked at
	Proxies      []string // names of environment variables that name proxies
	Prompts      *Prompts // of a benchmark; nil: not looked at
	Disk         func() (free int64, ok bool)
	Listener     func(port uint16) (listener.Listener, error)
}

// Prompts are what the largest prompt of a benchmark needs.
type Prompts struct {
	Benchmark string
	Needs     int   // tokens of context, the reply included
	Refused   int   // samples that no context of the model holds
	Err       error // why it could not be found out
}

// Examine looks at everything, in the order in which a run meets it. Where no
// server answers, what would be asked of it is left out.
func (p Patient) Examine(ctx context.Context, s Server) []Finding {
	var r report
	reached := p.server(ctx, s, &r)
	p.listening(&r)
	if reached {
		p.cloud(ctx, s, &r)
		p.models(ctx, s, &r)
	}
	p.prompts(&r)
	p.disk(&r)
	p.proxies(&r)
	return r
}

func (p Patient) server(ctx context.Context, s Server, r *report) bool {
	version, err := s.Version(ctx)
	if err != nil {
		r.fail("server", fmt.Sprintf("no Ollama server answers at %s: %v", p.Host, err), "start it with: ollama serve   (another address: --host)", Unreachable)
		return false
	}
	r.pass("server", fmt.Sprintf("Ollama %s at %s", version, p.Host))
	if !p.Host.Loopback() {
		r.warn("server's machine", fmt.Sprintf("%s is another machine: questions and pictures go there", p.Host), "run lightbox on that machine, or leave --host out")
	}
	return true
}

// listening looks at who else can reach the server, and how it was started.
func (p Patient) listening(r *report) {
	const open = "listening"
	if !p.Host.Loopback() {
		return
	}
	l, err := p.Listener(p.Host.Port())
	switch {
	case errors.Is(err, listener.ErrUnknown):
		r.warn(open, "whether other machines can reach the server is not shown by this system", "start it with OLLAMA_HOST=127.0.0.1")
		return
	case err != nil:
		r.warn(open, fmt.Sprintf("whether other machines can reach the server could not be found out: %v", err), "")
		return
	case len(l.Addresses) == 0:
		return // nobody, or in another namespace
	case l.Beyond():
		r.warn(open, "the server takes requests from other machines", "start it with OLLAMA_HOST=127.0.0.1")
	default:
		r.pass(open, "this machine only")
	}
	p.started(l, r)
}

// started looks at the environment of the server's process.
func (p Patient) started(l listener.Listener, r *report) {
	const logging = "request logging"
	if l.Environment == nil {
		r.warn(logging, "whether the server writes requests, pictures included, to files could not be seen: its process is another user's",
			"sudo lightbox doctor, or: systemctl show ollama -p Environment")
		return
	}
	switch {
	case l.SwitchedOn("OLLAMA_DEBUG_LOG_REQUESTS"):
		r.warn(logging, "the server writes every request, pictures included, to files (OLLAMA_DEBUG_LOG_REQUESTS)", "start it without OLLAMA_DEBUG_LOG_REQUESTS")
	case l.SwitchedOn("OLLAMA_DEBUG"):
		r.warn(logging, "the server logs at length (OLLAMA_DEBUG): texts of questions can be in its log", "start it without OLLAMA_DEBUG")
	default:
		r.pass(logging, "off")
	}
}

func (p Patient) cloud(ctx context.Context, s Server, r *report) {
	const check, mend = "cloud", "start it with OLLAMA_NO_CLOUD=1   (systemctl edit ollama: [Service] Environment=OLLAMA_NO_CLOUD=1)"
	status, err := s.Cloud(ctx)
	switch {
	case err != nil:
		r.warn(check, fmt.Sprintf("the server's switch could not be read: %v", err), mend)
	case !status.Known:
		r.warn(check, "the server is too old to say whether it can forward requests; lightbox refuses models that would be", mend)
	case status.Disabled:
		r.pass(check, "switched off: the server forwards nothing")
	default:
		r.warn(check, "the server can forward requests to other machines; lightbox refuses models that would be", mend)
	}
}

func (p Patient) prompts(r *report) {
	const check = "largest prompt"
	switch {
	case p.Prompts == nil:
	case p.Prompts.Err != nil:
		r.fail(check, fmt.Sprintf("%s: %v", p.Prompts.Benchmark, p.Prompts.Err), "", NoRoom)
	case p.Prompts.Refused > 0:
		r.fail(check, fmt.Sprintf("%d samples of %s do not fit the model's context", p.Prompts.Refused, p.Prompts.Benchmark),
			"show fewer demonstrations (--shots), smaller pictures (--max-side), or choose a model with a longer context", NoRoom)
	default:
		r.pass(check, fmt.Sprintf("%s needs %d tokens of context at most", p.Prompts.Benchmark, p.Prompts.Needs))
	}
}

// leastDisk is the room in bytes that a long run's record is sure to find.
const leastDisk = 1 << 30

func (p Patient) disk(r *report) {
	const check = "disk"
	free, ok := p.Disk()
	switch gib := float64(free) / (1 << 30); {
	case !ok:
		r.warn(check, "the room could not be found out", "")
	case free < leastDisk:
		r.fail(check, fmt.Sprintf("%.1f GiB are free here, where runs are kept", gib), "make room, or keep runs elsewhere with --out", NoRoom)
	default:
		r.pass(check, fmt.Sprintf("%.1f GiB are free here", gib))
	}
}

func (p Patient) proxies(r *report) {
	if len(p.Proxies) == 0 {
		r.pass("proxies", "none set")
		return
	}
	r.warn("proxies", strings.Join(p.Proxies, ", ")+" are set: lightbox uses no proxy, but a server started here would", "unset "+strings.Join(p.Proxies, " "))
}

// faultOf is the fault that an error is, or nil.
func faultOf(err error) *infer.Fault {
	var f *infer.Fault
	if errors.As(err, &f) {
		return f
	}
	return nil
}
