package ollama

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/ollama/ollama/api"

	"lightbox/infer"
)

func FuzzReply(f *testing.F) {
	f.Add([]byte(`{"model":"m","message":{"role":"assistant","content":"CT"},"done":true,"done_reason":"stop","prompt_eval_count":9,"eval_count":2}`))
	f.Add([]byte(`{"message":{"role":"assistant","content":""},"done":false}`))
	f.Add([]byte(`{"message":{"role":"assistant","content":"x"},"logprobs":[{"token":"x","logprob":-0.1,"top_logprobs":[{"token":"y","logprob":-2}]}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		var wire api.ChatResponse
		if json.Unmarshal(body, &wire) != nil {
			return
		}
		r, err := response(wire)
		if err != nil {
			var fault *infer.Fault
			if !errors.As(err, &fault) || fault.Reason != infer.ReasonReply {
				t.Errorf("error %v is no unreadable reply", err)
			}
			return
		}
		if r.Text != wire.Message.Content || r.PromptTokens < 0 || r.OutputTokens < 0 || len(r.Logprobs) != len(wire.Logprobs) {
			t.Errorf("%+v of %s", r, body)
		}
	})
}
