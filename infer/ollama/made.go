package ollama

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/ollama/ollama/api"

	"lightbox/models"
)

// Made is what a server says that one of its models is made of.
type Made struct {
	Digest     string   // of the manifest, 64 hexadecimal digits
	Files      []string // digests of the files and adapters, "sha256:…"; none: the server does not say
	Template   string
	System     string
	Parameters []string // "name value", sorted
	Messages   []models.Turn
	Tensors    []models.Tensor // of the first file; none: the server does not say

	modelfile string
}

// Made asks what the model called name is made of. Its faults are those of
// [Client.Facts].
func (c *Client) Made(ctx context.Context, name string) (Made, error) {
	if err := refuseCloud(name); err != nil {
		return Made{}, err
	}
	listed, err := c.listed(ctx, name)
	if err != nil {
		return Made{}, err
	}
	// The tensors are listed with the rest by older servers only.
	var show madeReply
	for _, verbose := range []bool{false, true} {
		limit := maxReply
		if verbose {
			limit = maxVocab
		}
		if err := c.call(ctx, c.callTimeout, limit, func(ctx context.Context) error {
			return c.post(ctx, "/api/show", api.ShowRequest{Model: listed.Name, Verbose: verbose}, &show)
		}); err != nil {
			return Made{}, err
		}
		if show.Tensors != nil {
			break
		}
	}
	m := Made{
		Digest: digestOf(listed), Files: fileDigests(show.Modelfile), Template: show.Template, System: show.System,
		Parameters: parameterLines(strings.Split(show.Parameters, "\n")), Tensors: show.Tensors, modelfile: show.Modelfile,
	}
	for _, t := range show.Messages {
		m.Messages = append(m.Messages, models.Turn{Role: t.Role, Text: t.Content})
	}
	return m, refuseRemote(listed.Name, show.RemoteHost, show.RemoteModel)
}

// madeReply is the part of /api/show that a model is made of; decoding all of it
// would build the vocabulary out of boxed values.
type madeReply struct {
	Modelfile   string          `json:"modelfile"`
	Template    string          `json:"template"`
	System      string          `json:"system"`
	Parameters  string          `json:"parameters"`
	Messages    []api.Message   `json:"messages"`
	Tensors     []models.Tensor `json:"tensors"`
	RemoteHost  string          `json:"remote_host"`
	RemoteModel string          `json:"remote_model"`
}

var fileLine = regexp.MustCompile(`^(?:FROM|ADAPTER) .*sha256[-:]([0-9a-fA-F]{64})\s*$`)

// fileDigests reads the digests of the files out of a generated Modelfile. They
// stand before everything that is text of the model.
func fileDigests(modelfile string) []string {
	var digests []string
	for line := range strings.Lines(modelfile) {
		if m := fileLine.FindStringSubmatch(line); m != nil {
			digests = append(digests, "sha256:"+strings.ToLower(m[1]))
		} else if strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#") {
			break
		}
	}
	return digests
}

// parameterLines puts parameters into one form, "name value", sorted.
func parameterLines(lines []string) []string {
	var out []string
	for _, line := range lines {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			out = append(out, name+" "+strings.TrimSpace(value))
		}
	}
	slices.Sort(out)
	return out
}

// lines are the definition's parameters as a server prints them.
func (d Definition) lines() []string {
	var lines []string
	for name, value := range d.Parameters {
		values, ok := value.([]any)
		if !ok {
			values = []any{value}
		}
		for _, v := range values {
			lines = append(lines, fmt.Sprintf("%s %#v", name, v))
		}
	}
	return parameterLines(lines)
}

// Differences names what differs between the model and a definition; none means
// that it answers as one created from it does. Where the files' digests differ,
// because newer servers write text-only files anew, their tensors are compared
// with those given, by name, type and shape: the first file's.
func (m Made) Differences(d Definition, tensors []models.Tensor) []string {
	var out []string
	differ := func(what string, same bool) {
		if !same {
			out = append(out, what)
		}
	}
	files := slices.Concat(slices.Collect(maps.Values(d.Files)), slices.Collect(maps.Values(d.Adapters)))
	if !sameSet(files, m.Files) {
		rewritten := len(d.Files) == 1 && len(d.Adapters) == 0 && len(m.Files) <= 1
		differ("files", rewritten && sameTensors(tensors, m.Tensors))
	}
	differ("template", d.Template == m.Template || d.Template == "" && m.Template == "{{ .Prompt }}")
	differ("system text", d.System == m.System)
	differ("parameters", slices.Equal(d.lines(), m.Parameters))
	differ("messages", slices.Equal(d.Messages, m.Messages))
	differ("renderer", m.says("RENDERER", d.Renderer))
	differ("parser", m.says("PARSER", d.Parser))
	return out
}

// says tells whether the generated Modelfile has the line of a value that is not
// empty. A line of an empty one cannot be told from the text of a template.
func (m Made) says(command, value string) bool {
	return value == "" || strings.Contains(m.modelfile, "\n"+command+" "+value+"\n")
}

func sameSet(a, b []string) bool {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	return slices.Equal(a, b)
}

// sameTensors compares lists in any order. A type that one side cannot name is
// passed over, and so are the ones that older servers fill shapes up with.
func sameTensors(a, b []models.Tensor) bool {
	if len(a) != len(b) || len(a) == 0 {
		return false
	}
	byName := func(x, y models.Tensor) int { return strings.Compare(x.Name, y.Name) }
	a, b = slices.SortedFunc(slices.Values(a), byName), slices.SortedFunc(slices.Values(b), byName)
	return slices.EqualFunc(a, b, func(x, y models.Tensor) bool {
		return x.Name == y.Name && slices.Equal(trimShape(x.Shape), trimShape(y.Shape)) && (x.Type == y.Type || x.Type == "" || y.Type == "")
	})
}

func trimShape(shape []uint64) []uint64 {
	for len(shape) > 1 && shape[len(shape)-1] == 1 {
		shape = shape[:len(shape)-1]
	}
	return shape
}
