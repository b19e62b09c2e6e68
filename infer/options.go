package infer

// Options are the sampling and context options of a request. All of them are
// sent every time, because a server's defaults differ between releases
// (repeat_penalty was 1.1 and is 1.0) and a model file can set its own.
type Options struct {
	NumCtx           int      `json:"num_ctx"`     // tokens of context: prompt and reply together
	NumPredict       int      `json:"num_predict"` // tokens of reply at most
	Temperature      float64  `json:"temperature"`
	Seed             int      `json:"seed"`
	TopK             int      `json:"top_k"`
	TopP             float64  `json:"top_p"`
	MinP             float64  `json:"min_p"`
	TypicalP         float64  `json:"typical_p"`
	RepeatLastN      int      `json:"repeat_last_n"`
	RepeatPenalty    float64  `json:"repeat_penalty"`
	PresencePenalty  float64  `json:"presence_penalty"`
	FrequencyPenalty float64  `json:"frequency_penalty"`
	Stop             []string `json:"stop"` // the model's own list

	// ServerSampling leaves all of it but NumCtx to the server, as the published
	// evaluation of a benchmark did.
	ServerSampling bool `json:"server_sampling,omitempty"`
}

// Greedy are options without chance: temperature 0, and no penalty that would
// move the model off its most likely word.
func Greedy(numCtx, numPredict int, stop []string) Options {
	return Options{
		NumCtx: numCtx, NumPredict: numPredict, Stop: stop,
		TopK: 40, TopP: 0.9, TypicalP: 1, RepeatLastN: 64, RepeatPenalty: 1,
	}
}
