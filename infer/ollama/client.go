package ollama

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/envconfig"

	"lightbox/infer"
	"lightbox/models"
)

// Config says which server to ask and how long to wait for it.
type Config struct {
	Host         Host
	AllowPrivate bool // a private address is allowed, not this machine's alone

	// AskTimeout bounds one attempt of whatever may load or run a model, the load
	// included; 0: 10 minutes. CallTimeout bounds every other call; 0: 1 minute.
	AskTimeout, CallTimeout time.Duration
}

// Client asks one server. It is safe for concurrent use.
type Client struct {
	sealed *sealed
	http   *http.Client
	api    *api.Client
	base   *url.URL

	askTimeout, callTimeout time.Duration
}

// errAuth: Ollama's client signs every request with the user's key where the
// environment says so, and a library cannot tell it not to.
var errAuth = errors.New("OLLAMA_AUTH is set: requests would be signed with the user's key; unset it")

// New makes a client of the server at c.Host. It does not contact it. A host
// that may not be asked is a Fault with [infer.ReasonRemote].
func New(c Config) (*Client, error) {
	if !c.Host.Loopback() && !(c.AllowPrivate && c.Host.Private()) {
		return nil, notLocal("%s is not this machine", c.Host)
	}
	if envconfig.UseAuth() {
		return nil, errAuth
	}
	if c.AskTimeout <= 0 {
		c.AskTimeout = 10 * time.Minute
	}
	if c.CallTimeout <= 0 {
		c.CallTimeout = time.Minute
	}
	s := newSealed(c.Host, min(5*time.Second, c.CallTimeout))
	h := &http.Client{
		Transport:     s,
		CheckRedirect: func(*http.Request, []*http.Request) error { return errRedirect },
	}
	base := &url.URL{Scheme: "http", Host: c.Host.String()}
	return &Client{
		sealed: s, http: h, api: api.NewClient(base, h), base: base,
		askTimeout: c.AskTimeout, callTimeout: c.CallTimeout,
	}, nil
}

// Close closes connections that are not in use.
func (c *Client) Close() { c.sealed.base.CloseIdleConnections() }

// Contacted lists the addresses dialled so far.
func (c *Client) Contacted() []string {
	c.sealed.mu.Lock()
	defer c.sealed.mu.Unlock()
	return slices.Clone(c.sealed.contacted)
}

// call runs one request with a reply of at most limit. Its error is a Fault,
// or ctx's own where ctx ended; the timeout of the attempt is a Fault.
func (c *Client) call(ctx context.Context, timeout time.Duration, limit size, do func(context.Context) error) error {
	attempt, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	x := &exchange{limit: limit}
	err := do(withExchange(attempt, x))
	switch {
	case err == nil && x.complete():
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case attempt.Err() != nil:
		return &infer.Fault{Reason: infer.ReasonTimeout, Detail: "no reply within " + timeout.String(), Err: err}
	}
	return faultOf(x, err)
}

// brief is a call that runs no model.
func (c *Client) brief(ctx context.Context, do func(context.Context) error) error {
	return c.call(ctx, c.callTimeout, maxReply, do)
}

// Version is the server's version, "0.17.4".
func (c *Client) Version(ctx context.Context) (version string, err error) {
	err = c.brief(ctx, func(ctx context.Context) error {
		version, err = c.api.Version(ctx)
		if err == nil && version == "" {
			return fmt.Errorf("%w: no version", errReply)
		}
		return err
	})
	return version, err
}

// CloudStatus is what a server says of its forwarding to other machines.
type CloudStatus struct {
	Known    bool   // false: the server is too old to say
	Disabled bool   // it forwards nothing
	Source   string // what switched it off: "env", "config", "both" or "none"
}

// Cloud asks whether the server can forward requests to other machines.
func (c *Client) Cloud(ctx context.Context) (CloudStatus, error) {
	var status *api.StatusResponse
	err := c.brief(ctx, func(ctx context.Context) (err error) {
		status, err = c.api.CloudStatusExperimental(ctx)
		return err
	})
	var fault *infer.Fault
	if errors.As(err, &fault) && fault.Status == http.StatusNotFound {
		return CloudStatus{}, nil
	}
	if err != nil {
		return CloudStatus{}, err
	}
	return CloudStatus{Known: status.Cloud.Source != "", Disabled: status.Cloud.Disabled, Source: status.Cloud.Source}, nil
}

// List names the models of the server, with their tags, in order.
func (c *Client) List(ctx context.Context) ([]string, error) {
	tags, err := c.tags(ctx)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(tags))
	for i, m := range tags {
		names[i] = m.Name
	}
	slices.Sort(names)
	return names, nil
}

func (c *Client) tags(ctx context.Context) ([]api.ListModelResponse, error) {
	var list *api.ListResponse
	err := c.call(ctx, c.callTimeout, maxReply, func(ctx context.Context) (err error) {
		list, err = c.api.List(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	return list.Models, nil
}

// Loaded is a model in the server's memory.
type Loaded struct {
	Name          string
	Digest        string
	Size          int64 // bytes, in all
	SizeVRAM      int64 // bytes of it in a GPU's memory
	ContextLength int   // tokens; 0: the server does not say
}

// Loaded lists the models in the server's memory.
func (c *Client) Loaded(ctx context.Context) ([]Loaded, error) {
	var list *api.ProcessResponse
	err := c.brief(ctx, func(ctx context.Context) (err error) {
		list, err = c.api.ListRunning(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	all := make([]Loaded, len(list.Models))
	for i, m := range list.Models {
		all[i] = Loaded{Name: m.Name, Digest: m.Digest, Size: m.Size, SizeVRAM: m.SizeVRAM, ContextLength: m.ContextLength}
	}
	return all, nil
}

// cloudName tells whether a name makes a server forward, by itself or with the
// suffix that asks for the local model.
func cloudName(name string) bool {
	if models.CloudName(name) {
		return true
	}
	const local = ":local"
	if cut := len(name) - len(local); cut > 0 && strings.EqualFold(name[cut:], local) {
		return models.CloudName(name[:cut])
	}
	return false
}

// refuseCloud is the fault of a name that means another machine, or nil.
func refuseCloud(name string) error {
	if cloudName(name) {
		return notLocal("the name %q means a model on another machine", name)
	}
	return nil
}
