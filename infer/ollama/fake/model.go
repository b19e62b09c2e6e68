package fake

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"lightbox/models"
)

// Model is what the server says of one model. [Vision] makes one to start from.
type Model struct {
	Name          string // with its tag
	Digest        string // 64 hexadecimal digits; empty: derived from the name
	Architecture  string
	Capabilities  []string
	ContextLength int // tokens
	PictureTokens int // tokens a picture takes

	Size  int64 // bytes in memory once loaded; 0: 4 MiB
	OnCPU int64 // of it outside a GPU's memory

	System     string
	Messages   []Message
	Template   string
	Parameters string
	Modelfile  string          // as the server generates it
	Tensors    []models.Tensor // of its first file

	RemoteHost, RemoteModel string // set: a stub for a model elsewhere
	TagsSilent, ShowSilent  bool   // /api/tags, or /api/show, does not tell that it is one
	Unlisted                bool   // it is not in /api/tags, as an alias is not
	ShowStatus              int    // of the error that /api/show gives for it; 0: none

	// Tokens is the vocabulary, and TokenTypes the kind of each of its entries (3
	// is a control token). Both are told only where a request is verbose.
	Tokens     []string
	TokenTypes []int

	Info          map[string]any // further metadata; a key here replaces ours, those of the tokenizer where a request is verbose
	ProjectorInfo map[string]any
}

// Vision is a vision model of the gemma3 family, whose pictures take 256 tokens.
func Vision(name string) Model {
	return Model{
		Name:          fullName(name),
		Architecture:  "gemma3",
		Capabilities:  []string{"completion", "vision"},
		ContextLength: 131072,
		PictureTokens: 256,
		Template:      "{{ range .Messages }}<start_of_turn>{{ .Role }}\n{{ .Content }}<end_of_turn>\n{{ end }}",
		Parameters:    `stop                           "<end_of_turn>"`,
		Tokens:        []string{"<pad>", "<eos>", "<bos>", "<unk>", "<start_of_turn>", "<end_of_turn>", "the", "▁a"},
		TokenTypes:    []int{3, 3, 3, 3, 3, 3, 1, 1},
	}
}

// Text is a model without sight, as a judge is.
func Text(name string) Model {
	m := Vision(name)
	m.Capabilities, m.PictureTokens = []string{"completion"}, 0
	return m
}

func fullName(name string) string {
	if strings.LastIndexByte(name, ':') > strings.LastIndexByte(name, '/') {
		return name
	}
	return name + ":latest"
}

func (m Model) can(capability string) bool {
	for _, c := range m.Capabilities {
		if c == capability {
			return true
		}
	}
	return false
}

func (m Model) digest() string {
	if m.Digest != "" {
		return m.Digest
	}
	sum := sha256.Sum256([]byte(m.Name))
	return hex.EncodeToString(sum[:])
}

// window is the context that a request gets: vision models get 2048 tokens at
// least, and none gets more than it was made for.
func (m Model) window(numCtx int) int {
	if numCtx <= 0 {
		numCtx = 4096
	}
	if m.can("vision") {
		numCtx = max(numCtx, 2048)
	}
	return min(numCtx, m.ContextLength)
}

func (m Model) details() map[string]any {
	return map[string]any{
		"format": "gguf", "family": m.Architecture, "families": []string{m.Architecture},
		"parameter_size": "4.3B", "quantization_level": "Q4_K_M",
	}
}

// epoch is the time of everything: a fake has no clock.
var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func (m Model) tag() map[string]any {
	tag := map[string]any{
		"name": m.Name, "model": m.Name, "digest": m.digest(), "size": 1 << 20,
		"modified_at": epoch, "details": m.details(),
	}
	if !m.TagsSilent {
		m.addRemote(tag)
	}
	return tag
}

func (m Model) addRemote(to map[string]any) {
	if m.RemoteHost != "" || m.RemoteModel != "" {
		to["remote_host"], to["remote_model"] = m.RemoteHost, m.RemoteModel
	}
}

func (m Model) show(verbose bool) map[string]any {
	info := map[string]any{
		"general.architecture":             m.Architecture,
		m.Architecture + ".context_length": m.ContextLength,
		"tokenizer.ggml.tokens":            []string{},
		"tokenizer.ggml.token_type":        []int{},
	}
	if m.can("vision") {
		info[m.Architecture+".vision.image_size"] = 896
		info[m.Architecture+".vision.patch_size"] = 14
	}
	if verbose {
		info["tokenizer.ggml.tokens"], info["tokenizer.ggml.token_type"] = m.Tokens, m.TokenTypes
	}
	for k, v := range m.Info {
		if verbose || !strings.HasPrefix(k, "tokenizer.") {
			info[k] = v
		}
	}
	show := map[string]any{
		"template": m.Template, "parameters": m.Parameters, "system": m.System, "details": m.details(),
		"capabilities": m.Capabilities, "model_info": info, "modified_at": epoch, "modelfile": m.Modelfile,
	}
	if m.Tensors != nil {
		show["tensors"] = m.Tensors
	}
	if m.ProjectorInfo != nil {
		show["projector_info"] = m.ProjectorInfo
	}
	var messages []map[string]string
	for _, t := range m.Messages {
		messages = append(messages, map[string]string{"role": t.Role, "content": t.Content})
	}
	if messages != nil {
		show["messages"] = messages
	}
	if !m.ShowSilent {
		m.addRemote(show)
	}
	return show
}
