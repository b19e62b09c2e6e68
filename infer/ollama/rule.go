package ollama

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"lightbox/infer"
)

// ContextError is how a prompt missed its context, in tokens, where the server
// said so. It lies beneath a Fault with [infer.ReasonContextRefused].
type ContextError struct{ Prompt, Window int }

// Error names both numbers.
func (e *ContextError) Error() string {
	return fmt.Sprintf("prompt of %d tokens, context of %d", e.Prompt, e.Window)
}

// rule maps a text of the server to a reason.
type rule struct {
	text   string // in lower case
	reason infer.Reason
	retry  bool
}

// rules are tried in order: the texts of pictures that cannot be read hold texts
// of dead runners ("unexpected EOF").
var rules = []rule{
	{"exceeds the context length", infer.ReasonContextRefused, false},
	{"exceed_context_size", infer.ReasonContextRefused, false},
	{"exceeds the available context size", infer.ReasonContextRefused, false},
	{"longer than the context length", infer.ReasonContextRefused, false},
	{"samebatch may not be specified within numkeep", infer.ReasonContextRefused, false},

	{"invalid image index", infer.ReasonControlText, false}, // "[img-7]" in a text

	{"only supports one image", infer.ReasonPicture, false},
	{"failed to process inputs", infer.ReasonPicture, false},
	{"failed to load image", infer.ReasonPicture, false},
	{"image: unknown format", infer.ReasonPicture, false},
	{"decode webp", infer.ReasonPicture, false},
	{"multimodal data provided", infer.ReasonPicture, false},
	{"missing data required for image input", infer.ReasonPicture, false},
	{"illegal base64 data", infer.ReasonPicture, false},

	{"ollama cloud is disabled", infer.ReasonRemote, false},
	{"cannot run this remote model", infer.ReasonRemote, false},
	{"use either :local or :cloud", infer.ReasonRemote, false},

	{"model is required", infer.ReasonModel, false},
	{"invalid model name", infer.ReasonModel, false},

	{"must be of type", infer.ReasonServer, false}, // a wrong option
	{"invalid json schema", infer.ReasonServer, false},
	{"invalid format", infer.ReasonServer, false},
	{"json schema conversion failed", infer.ReasonServer, false},

	{"runner has unexpectedly stopped", infer.ReasonRunnerDied, true},
	{"llama-server process no longer running", infer.ReasonRunnerDied, true},
	{"llama-server process has terminated", infer.ReasonRunnerDied, true},
	{"runner process has terminated", infer.ReasonRunnerDied, true},
	{"error was encountered while running the model", infer.ReasonRunnerDied, true},

	{"server busy", infer.ReasonBusy, true},
	{"maximum pending requests exceeded", infer.ReasonBusy, true},
}

// runnerCall matches the server's own request to its runner, cut off:
// Post "http://127.0.0.1:40465/tokenize": EOF.
var runnerCall = regexp.MustCompile(`(?i)(^|post "http://[^"]*": .*)(unexpected eof|eof|connection refused|connection reset by peer|forcibly closed.*)$`)

// said is the fault that the server's words and its status mean.
func said(status int, text string) *infer.Fault {
	f := &infer.Fault{Reason: infer.ReasonServer, Status: status}
	text, f.Err = unwrap(text)
	f.Detail = shorten(text)
	low := strings.ToLower(text)
	for _, r := range rules {
		if strings.Contains(low, r.text) {
			f.Reason, f.Retry = r.reason, r.retry
			return f
		}
	}
	switch {
	case f.Err != nil:
		f.Reason = infer.ReasonContextRefused
	case status == http.StatusServiceUnavailable, status == http.StatusTooManyRequests:
		f.Reason, f.Retry = infer.ReasonBusy, true
	case status == http.StatusNotFound && !strings.Contains(low, "page not found"):
		f.Reason = infer.ReasonModel
	case status >= 500 && !runnerCall.MatchString(strings.TrimSpace(text)): // not known to last
		f.Retry = true
	case status != http.StatusBadRequest && runnerCall.MatchString(strings.TrimSpace(text)):
		f.Reason, f.Retry = infer.ReasonRunnerDied, true
	}
	return f
}

// wrapped is an error of llama-server, which Ollama passes on as JSON in a
// string.
type wrapped struct {
	Error json.RawMessage `json:"error"`
}

type inner struct {
	Message string `json:"message"`
	Type    string `json:"type"`
	Prompt  int    `json:"n_prompt_tokens"`
	Window  int    `json:"n_ctx"`
}

var tokenCounts = regexp.MustCompile(`\((\d{1,9}) tokens\) exceeds the available context size \((\d{1,9})`)

// unwrap takes the words out of JSON in a string, and a *ContextError where they
// are about one.
func unwrap(text string) (string, error) {
	var counts *ContextError
	for range 4 {
		var w wrapped
		if json.Unmarshal([]byte(text), &w) != nil || len(w.Error) == 0 {
			break
		}
		var in inner
		if json.Unmarshal(w.Error, &text) == nil {
			continue
		}
		if json.Unmarshal(w.Error, &in) != nil || in.Message == "" {
			break
		}
		text = in.Message
		if in.Type == "exceed_context_size_error" {
			counts = &ContextError{in.Prompt, in.Window}
		}
	}
	if m := tokenCounts.FindStringSubmatch(text); m != nil {
		prompt, _ := strconv.Atoi(m[1])
		window, _ := strconv.Atoi(m[2])
		counts = &ContextError{prompt, window}
	}
	if counts == nil {
		return text, nil
	}
	return text, counts
}

const maxDetail = 300 // runes

var (
	encoded = regexp.MustCompile(`[A-Za-z0-9+/_-]{80,}={0,2}`)
	path    = regexp.MustCompile(`(^|[\s"'(=])(?:[A-Za-z]:)?(?:[/\\][^/\\\s"':]+){2,}`)
)

// shorten makes a detail of a text: one line, without pictures and paths.
func shorten(text string) string {
	const enough = 8 * maxDetail // bytes
	if len(text) > enough {
		text = text[:enough]
	}
	text = encoded.ReplaceAllString(text, "…")
	text = path.ReplaceAllString(text, "${1}(path)")
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
	if utf8.RuneCountInString(text) > maxDetail {
		text = string([]rune(text)[:maxDetail-1]) + "…"
	}
	return text
}
