package models

import (
	"slices"
	"strconv"
	"strings"
)

// Facts are what a server says of a model, as far as they can move a number.
type Facts struct {
	Name         string   // as the server knows it, with its tag
	AskName      string   // the name to send; with ":local" where the server knows that suffix
	Digest       string   // of the manifest, 64 hexadecimal digits
	Capabilities []string // "completion", "vision", "thinking", …

	Architecture  string // general.architecture
	Families      []string
	ParameterSize string // "4.3B"
	Quantization  string // "Q4_K_M"
	ContextLength int    // tokens the model was made for; 0: not said

	System     string // the model's own system text, "" where it has none
	Messages   []Turn // the model's own MESSAGE lines
	Template   string
	Parameters string   // the model's own, one "name value" a line
	Stop       []string // from Parameters

	RemoteModel, RemoteHost string // set: requests would be forwarded to another machine

	Vision        Vision
	ControlTokens []string // texts that the tokenizer reads as control tokens
	ControlSource string   // where ControlTokens are from: "model" or "built-in list"
}

// Turn is one MESSAGE line of a model file.
type Turn struct{ Role, Text string }

// Vision is the geometry of a model's picture encoder, in pixels; zeros where
// the server does not say.
type Vision struct {
	ImageSize, PatchSize int
	Merge                int // patches joined to one token, a side
}

// Can tells whether the server lists the capability.
func (f Facts) Can(capability string) bool { return slices.Contains(f.Capabilities, capability) }

// Remote tells whether the model is a stub whose requests leave the machine.
func (f Facts) Remote() bool { return f.RemoteHost != "" || f.RemoteModel != "" }

// CloudName tells whether a name alone makes some servers forward the request:
// its tag is "cloud" or ends in "-cloud", in any letter case, blanks trimmed.
func CloudName(name string) bool {
	name = strings.ToLower(strings.TrimSpace(name))
	i := strings.LastIndexByte(name, ':')
	if i < 0 {
		return false
	}
	tag := strings.TrimSpace(name[i+1:])
	if strings.Contains(tag, "/") { // the colon belongs to a host's port
		return false
	}
	return tag == "cloud" || strings.HasSuffix(tag, "-cloud")
}

// StopList reads the stop strings out of a model's parameters, which hold one
// "name value" a line; a value with blanks is in Go quotes.
func StopList(parameters string) []string {
	stops := []string{}
	for line := range strings.Lines(parameters) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || name != "stop" {
			continue
		}
		value = strings.TrimSpace(value)
		if plain, err := strconv.Unquote(value); err == nil {
			value = plain
		}
		stops = append(stops, value)
	}
	return stops
}

// FullName adds the tag that a server takes where a name has none.
func FullName(name string) string {
	name = strings.TrimSpace(name)
	if strings.LastIndexByte(name, ':') > strings.LastIndexByte(name, '/') {
		return name
	}
	return name + ":latest"
}
