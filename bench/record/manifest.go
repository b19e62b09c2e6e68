package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"lightbox/infer"
	"lightbox/score"
)

// layout numbers the form of run directories. Other numbers are refused: what a
// later form says could be missed.
const layout = 1

// Manifest holds the settings of a run: all that the numbers depend on but the
// data themselves. Its text is UTF-8, as all JSON is. It holds no path of the
// machine and no time.
type Manifest struct {
	Layout   int    `json:"layout"`   // form of the run directory, set on writing
	Lightbox string `json:"lightbox"` // version of the program

	Benchmark Benchmark `json:"benchmark"`
	Model     Model     `json:"model"`
	Judge     *Judge    `json:"judge,omitempty"`
	Server    Server    `json:"server"`

	Options    infer.Options `json:"options"`            // as sent
	NumCtx     int           `json:"num_ctx,omitempty"`  // as asked for; 0: chosen from the prompts
	NumPredict int           `json:"num_predict"`        // as asked for; Options has what thinking adds
	Think      string        `json:"think"`              // "auto", "on" or "off"
	Thinking   string        `json:"thinking,omitempty"` // what became of it: "none", "off", "on" or "always"
	Format     string        `json:"format"`             // "open", "mcqa" or "mcqa-logprob"
	Shots      string        `json:"shots"`              // "icl" or a number
	Seed       int           `json:"seed"`               // of what lightbox draws itself

	Arrangement string `json:"arrangement,omitempty"` // what of demonstrations and pictures is not shown as in the data
	LeftOut     int    `json:"left_out,omitempty"`    // samples that the arrangement has nothing to show for

	Recipe Recipe `json:"recipe"`

	Family      string   `json:"family,omitempty"`       // how the model is addressed
	FamilyNotes []string `json:"family_notes,omitempty"` // what of it a server cannot carry
	System      string   `json:"system,omitempty"`       // text of the system message that is sent; empty: none

	ModelSystem   string            `json:"model_system,omitempty"` // "refuse" or "keep"
	EscapeControl bool              `json:"escape_control"`
	KeepNames     bool              `json:"keep_names"`
	Parallel      int               `json:"parallel"`               // requests at a time
	WindowPrice   string            `json:"window_price,omitempty"` // said where one sample alone sets the window
	Probe         map[string]string `json:"probe,omitempty"`        // check → "ok", "unknown" or "skipped"
}

// Benchmark is what was asked.
type Benchmark struct {
	Name       string       `json:"name"`
	Version    string       `json:"version,omitempty"`
	Card       infer.Digest `json:"card,omitempty"`
	DataDigest infer.Digest `json:"data_digest,omitempty"` // of the file of questions
	PoolDigest infer.Digest `json:"pool_digest,omitempty"` // of the questions that demonstrations were drawn from
	Split      string       `json:"split,omitempty"`       // of the data; empty: there is one
	Prompt     string       `json:"prompt,omitempty"`      // name of the way to ask; empty: there is one
	Samples    int          `json:"samples"`               // after selection
	Selection  string       `json:"selection,omitempty"`   // empty: all
	Primary    score.Metric `json:"primary,omitempty"`     // the metric that speaks for these samples
	Rules      []string     `json:"rules"`                 // that decide on the samples
	Pooled     bool         `json:"pooled"`                // one figure over all subsets has a meaning
	Pictures   bool         `json:"pictures"`              // any sample shows one
	About      string       `json:"about,omitempty"`       // what a reader of the figures must know
	Warnings   []string     `json:"warnings,omitempty"`    // what may be wrong with the data

	Origin // of a benchmark that a card describes
}

// Origin is what a benchmark's card says of where things are from, in its words.
type Origin struct {
	ScoreProtocol string `json:"score_protocol,omitempty"` // what the rules follow
	PromptSource  string `json:"prompt_source,omitempty"`  // of the prompt's template
	Data          string `json:"data,omitempty"`           // where they are published
	Citation      string `json:"citation,omitempty"`
	Licence       string `json:"licence,omitempty"`
	KnownTraining string `json:"known_training,omitempty"` // models that are known to have been trained on the data
}

// Model is a model as the server described it.
type Model struct {
	Name          string   `json:"name"`
	Digest        string   `json:"digest"`
	Capabilities  []string `json:"capabilities,omitempty"`
	Architecture  string   `json:"architecture,omitempty"`
	ParameterSize string   `json:"parameter_size,omitempty"`
	Quantization  string   `json:"quantization,omitempty"`
	ContextLength int      `json:"context_length,omitempty"` // tokens
	System        string   `json:"system,omitempty"`
	Messages      []Turn   `json:"messages,omitempty"`
	Template      string   `json:"template,omitempty"`
	Parameters    string   `json:"parameters,omitempty"`
	ControlSource string   `json:"control_source,omitempty"` // where the control tokens are from
}

// Turn is one of a model's own messages.
type Turn struct {
	Role string `json:"role"`
	Text string `json:"text"`
}

// Judge is the model that judges, and how it is asked.
type Judge struct {
	Model
	Protocol string `json:"protocol"`
}

// Server is what answered.
type Server struct {
	Version       string `json:"version"`
	Address       string `json:"address"`        // without the port where the server is our own
	CloudDisabled string `json:"cloud_disabled"` // "yes", "no" or "unknown"

	// What was found out when the run began.
	Contacted []string `json:"contacted,omitempty"`       // addresses that lightbox dialled, without ports where the server is our own
	Reachable string   `json:"reachable,omitempty"`       // from where the server takes requests: one of the Reach values
	Logging   string   `json:"request_logging,omitempty"` // of requests to files of the server: "on", "off" or "unknown"
}

// From where a server takes requests.
const (
	ReachMachine = "this machine"
	ReachOthers  = "other machines too"
	ReachUnknown = "unknown"
)

// Recipe is how pictures are made ready.
type Recipe struct {
	Digest infer.Digest `json:"digest"`
	Text   string       `json:"text"`
}

// encode writes m as indented JSON.
func (m Manifest) encode(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(m)
}

// readManifest reads the manifest at path, nil where there is none.
func readManifest(path string) (*Manifest, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var m Manifest
	if err := json.Unmarshal(b, &m); err != nil {
		return nil, fmt.Errorf("reading %q: %w", path, err)
	}
	if m.Layout != layout {
		return nil, fmt.Errorf("reading %q: layout %d, this version of lightbox knows layout %d", path, m.Layout, layout)
	}
	return &m, nil
}
