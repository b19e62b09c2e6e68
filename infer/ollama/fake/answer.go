package fake

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Answer is a normal reply. Its zero value is a text derived from the question.
type Answer struct {
	Text     string // empty: derived from the question, in its format; see Empty
	Empty    bool   // the text is empty
	Thinking string
	Reason   string // done_reason; empty: "stop", or "length" where num_predict cut the text
	Broken   bool   // done is false and all counts are missing, as after a repetition

	PromptTokens int // 0: counted; negative: left out
	OutputTokens int // 0: counted; negative: left out
	NoLogprobs   bool
	Top          []Top // the alternatives of the first token; nil: made up

	RemoteHost, RemoteModel string // where the reply says it came from
}

// Top is an alternative for a token and its natural logarithm of probability.
type Top struct {
	Token   string  `json:"token"`
	Logprob float64 `json:"logprob"`
}

type token struct {
	Top
	Alternatives []Top `json:"top_logprobs,omitempty"`
}

// reply is the wire form.
type reply struct {
	Model       string `json:"model"`
	RemoteModel string `json:"remote_model,omitempty"`
	RemoteHost  string `json:"remote_host,omitempty"`
	CreatedAt   string `json:"created_at"`
	Message     struct {
		Role     string `json:"role"`
		Content  string `json:"content"`
		Thinking string `json:"thinking,omitempty"`
	} `json:"message"`
	Done       bool           `json:"done"`
	DoneReason string         `json:"done_reason,omitempty"`
	Debug      map[string]any `json:"_debug_info,omitempty"`
	Logprobs   []token        `json:"logprobs,omitempty"`

	TotalDuration int64 `json:"total_duration,omitempty"`
	LoadDuration  int64 `json:"load_duration,omitempty"`
	PromptCount   int   `json:"prompt_eval_count,omitempty"`
	PromptTime    int64 `json:"prompt_eval_duration,omitempty"`
	EvalCount     int   `json:"eval_count,omitempty"`
	EvalTime      int64 `json:"eval_duration,omitempty"`
}

func (a Answer) serve(t *turn) {
	prompt, window := promptTokens(t.req, t.model), t.model.window(int(t.req.Number("num_ctx")))
	if prompt > window {
		if t.req.Truncate != nil && !*t.req.Truncate {
			t.refuseContext(prompt, window)
			return
		}
		prompt = window // cut off in silence
	}
	send(t.w, a.wire(t, prompt, window))
}

// wire builds the reply to a prompt of that many tokens.
func (a Answer) wire(t *turn, prompt, window int) reply {
	seed := hashOf(t.req)
	text := a.Text
	if text == "" && !a.Empty {
		text = derived(t.req.Format, seed)
	}
	words := pieces(text)
	r := reply{
		Model: t.req.Model, CreatedAt: "2026-01-01T00:00:00Z", RemoteHost: a.RemoteHost, RemoteModel: a.RemoteModel,
		Done: true, DoneReason: "stop", PromptCount: prompt, EvalCount: len(words) + 1,
		TotalDuration: 3e6, LoadDuration: t.loadTime, PromptTime: 1e6, EvalTime: 1e6,
	}
	room := window - prompt
	if n := int(t.req.Number("num_predict")); n > 0 {
		room = min(room, n)
	}
	if r.EvalCount > room {
		words = words[:min(room, len(words))]
		text, r.DoneReason, r.EvalCount = strings.Join(words, ""), "length", room
	}
	r.Message.Role, r.Message.Content, r.Message.Thinking = "assistant", text, a.Thinking
	if t.req.Logprobs && !a.NoLogprobs {
		r.Logprobs = a.logprobs(words, t.req.TopLogprobs, seed)
	}
	a.override(&r)
	return r
}

func (a Answer) override(r *reply) {
	if a.Reason != "" {
		r.DoneReason = a.Reason
	}
	if a.PromptTokens != 0 {
		r.PromptCount = max(0, a.PromptTokens)
	}
	if a.OutputTokens != 0 {
		r.EvalCount = max(0, a.OutputTokens)
	}
	if a.Broken {
		*r = reply{Model: r.Model, CreatedAt: r.CreatedAt, Message: r.Message, RemoteHost: r.RemoteHost, RemoteModel: r.RemoteModel}
	}
}

// logprobs makes up probabilities that depend on the whole question.
func (a Answer) logprobs(words []string, top int, seed uint64) []token {
	var all []token
	for i, word := range words {
		p := -float64(seed>>(i%32)&0xffff) / 1e5
		k := token{Top: Top{word, p}}
		if top > 0 {
			k.Alternatives = append(k.Alternatives, k.Top)
		}
		for j := 1; j < min(top, 6); j++ {
			k.Alternatives = append(k.Alternatives, Top{string(rune('A' + j - 1)), p - float64(j)})
		}
		if i == 0 && a.Top != nil {
			k.Alternatives = a.Top
		}
		all = append(all, k)
	}
	return all
}

// pieces cuts a text into words with the blank before them.
func pieces(text string) []string {
	var words []string
	start := 0
	for i := 1; i < len(text); i++ {
		if text[i] == ' ' && text[i-1] != ' ' {
			words = append(words, text[start:i])
			start = i
		}
	}
	if start < len(text) {
		words = append(words, text[start:])
	}
	return words
}

// promptTokens counts one token for each eight bytes of a word, four for a
// message, and the model's own number for a picture.
func promptTokens(r Request, m Model) int {
	n := 1
	for _, msg := range r.Messages {
		n += 4 + len(msg.Images)*m.PictureTokens
		for _, word := range strings.Fields(msg.Content) {
			n += (len(word) + 7) / 8
		}
	}
	return n
}

// hashOf depends on every text and picture and on their order.
func hashOf(r Request) uint64 {
	h := sha256.New()
	for _, m := range r.Messages {
		fmt.Fprintf(h, "%q %q\n", m.Role, m.Content)
		for _, p := range m.Images {
			fmt.Fprintf(h, "%s\n", p.Digest)
		}
	}
	return binary.BigEndian.Uint64(h.Sum(nil))
}

var words = strings.Fields(`apical basal bilateral calcified central clear cystic dense diffuse distal dorsal enhancing
	focal frontal hazy hilar inferior lateral linear lobar medial mild nodular opaque patchy
	peripheral proximal round septal subtle superior ventral`)

// derived is a text of four words chosen by the seed, or a value that fits the
// format.
func derived(format json.RawMessage, seed uint64) string {
	var schema any
	if json.Unmarshal(format, &schema) == nil && schema != nil {
		text, err := json.Marshal(fitting(schema, seed))
		if err == nil {
			return string(text)
		}
	}
	var text []string
	for i := range 4 {
		text = append(text, words[seed>>(5*i)%uint64(len(words))])
	}
	return strings.Join(text, " ")
}

// fitting is a value of a small JSON schema: enumerations and objects of them.
func fitting(schema any, seed uint64) any {
	s, _ := schema.(map[string]any)
	if enum, _ := s["enum"].([]any); len(enum) > 0 {
		return enum[seed%uint64(len(enum))]
	}
	properties, ok := s["properties"].(map[string]any)
	if !ok {
		switch s["type"] {
		case "boolean":
			return seed%2 == 0
		case "integer", "number":
			low, _ := s["minimum"].(float64)
			return math.Floor(low)
		}
		return "text"
	}
	names := make([]string, 0, len(properties))
	for name := range properties {
		names = append(names, name)
	}
	slices.Sort(names)
	value := map[string]any{}
	for i, name := range names {
		value[name] = fitting(properties[name], seed>>(i+1))
	}
	return value
}
