package phantom

import (
	_ "embed"
	"maps"
)

// The names that the models are created under, in a private server.
const (
	Model = "phantom-vlm"   // answers questions about pictures
	Judge = "phantom-judge" // compares answers; text only
)

// Definition is what a server needs to create a model.
type Definition struct {
	Name       string         // see [Model] and [Judge]
	File       string         // base name of the GGUF file
	Digest     string         // of Data: "sha256:" and 64 hexadecimal digits
	Data       []byte         // the GGUF file; not to be changed
	Template   string         // Go template of a dialogue, as Ollama's TEMPLATE
	Parameters map[string]any // the model's own, as Ollama's PARAMETER
}

var (
	//go:embed phantom-vlm.gguf
	modelFile []byte
	//go:embed phantom-judge.gguf
	judgeFile []byte
)

// template must be given: without one servers fall back to the bare prompt and
// lose the system text, or put pictures after the text. It ends without a line
// end: one more token after [/INST] turns the reply "unknown" into "-unknown".
const template = `{{- range .Messages }}
{{- if eq .Role "system" }}[SYSTEM_PROMPT]{{ .Content }}[/SYSTEM_PROMPT]
{{- else if eq .Role "user" }}[INST]{{ .Content }}[/INST]
{{- else if eq .Role "assistant" }}{{ .Content }}</s>
{{- end }}
{{- end }}`

// Definitions are the model's and the judge's, in this order.
func Definitions() []Definition {
	// One thread: on a busy machine with two cores the default count costs 10 to
	// 100 times the time.
	common := map[string]any{"temperature": 0, "num_ctx": 4096, "num_thread": 1}
	with := func(numPredict int) map[string]any {
		p := maps.Clone(common)
		p["num_predict"] = numPredict
		return p
	}
	return []Definition{
		{
			Name: Model, File: "phantom-vlm.gguf", Data: modelFile,
			Digest:   "sha256:b6a1fa6e368fcef76b7dc320496b3f83c3656c6765faf607f042f261dd4a0ad8",
			Template: template, Parameters: with(32),
		},
		{
			Name: Judge, File: "phantom-judge.gguf", Data: judgeFile,
			Digest:   "sha256:7b429b4e5e981a31fb48a281d7d8517d33ebdeb4daede1a00a9c4c99f7e33cd7",
			Template: template, Parameters: with(8),
		},
	}
}
