package ollama

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ollama/ollama/api"

	"lightbox/infer"
)

// vocabulary is the part of a verbose /api/show that tells control tokens.
type vocabulary struct {
	Model struct {
		Tokens []string `json:"tokenizer.ggml.tokens"`
		Types  []int32  `json:"tokenizer.ggml.token_type"`
	} `json:"model_info"`
}

// controlType is the GGUF token type of control tokens.
const controlType = 3

// controlTokens asks for the texts that the model's tokenizer reads as control
// tokens; none where the server does not say. Ollama's client would build the
// whole vocabulary, merges and scores too, out of boxed values: 100 MB more for
// one of 260,000 tokens.
func (c *Client) controlTokens(ctx context.Context, name string) ([]string, error) {
	var v vocabulary
	err := c.call(ctx, c.callTimeout, maxVocab, func(ctx context.Context) error {
		return c.post(ctx, "/api/show", api.ShowRequest{Model: name, Verbose: true}, &v)
	})
	var fault *infer.Fault
	if errors.As(err, &fault) && (fault.Reason == infer.ReasonReply || fault.Reason == infer.ReasonServer) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return v.control(), nil
}

// control are the control tokens. One of a single character is left out: it
// would forbid that character in every text.
func (v vocabulary) control() []string {
	var tokens []string
	for i, t := range v.Model.Tokens {
		if i < len(v.Model.Types) && v.Model.Types[i] == controlType && utf8.RuneCountInString(t) > 1 {
			tokens = append(tokens, strings.Clone(t))
		}
	}
	slices.Sort(tokens)
	return slices.Compact(tokens)
}

// families are the well-known control tokens by the start of the architecture's
// name, for servers that do not tell the model's own. From the tokenizer files
// that the makers of these models publish.
var families = []struct {
	prefix string
	tokens []string
}{
	{"mistral", []string{
		"<s>", "</s>", "<unk>", "[INST]", "[/INST]", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[IMG]", "[IMG_BREAK]", "[IMG_END]",
		"[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[TOOL_CALLS]", "[TOOL_RESULTS]", "[/TOOL_RESULTS]", "[TOOL_CONTENT]",
		"[PREFIX]", "[MIDDLE]", "[SUFFIX]", "[ARGS]", "[CALL_ID]", "[THINK]", "[/THINK]",
	}},
	{"gemma", []string{
		"<bos>", "<eos>", "<pad>", "<unk>", "<mask>", "<start_of_turn>", "<end_of_turn>", "<start_of_image>", "<end_of_image>",
		"<image_soft_token>", "<|turn>", "<turn|>", "<|image>", "<image|>", "<|channel>", "<channel|>", "<|think|>",
	}},
	{"qwen", []string{
		"<|im_start|>", "<|im_end|>", "<|endoftext|>", "<|vision_start|>", "<|vision_end|>", "<|vision_pad|>", "<|image_pad|>",
		"<|video_pad|>", "<|object_ref_start|>", "<|object_ref_end|>", "<|box_start|>", "<|box_end|>", "<|quad_start|>", "<|quad_end|>",
		"<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>", "<|fim_pad|>", "<|repo_name|>", "<|file_sep|>",
	}},
	{"llama", llamaTokens},
	{"mllama", llamaTokens},
	{"phi", []string{
		"<s>", "</s>", "<unk>", "<|endoftext|>", "<|system|>", "<|user|>", "<|assistant|>", "<|end|>", "<|im_start|>", "<|im_end|>", "<|im_sep|>",
		"<|image|>", "<|endofprompt|>",
	}},
	{"minicpm", []string{
		"<s>", "</s>", "<unk>", "<|im_start|>", "<|im_end|>", "<|endoftext|>", "<image>", "</image>", "<slice>", "</slice>",
		"<image_id>", "</image_id>", "<ref>", "</ref>", "<box>", "</box>", "<quad>", "</quad>", "<point>", "</point>",
	}},
	{"granite", []string{"<|start_of_role|>", "<|end_of_role|>", "<|end_of_text|>", "<|tool_call|>", "<image>"}},
	{"glm", []string{
		"[gMASK]", "[sMASK]", "<sop>", "<eop>", "<|endoftext|>", "<|system|>", "<|user|>", "<|assistant|>", "<|observation|>",
		"<|begin_of_image|>", "<|end_of_image|>", "<|image|>",
	}},
	{"lfm", []string{"<|startoftext|>", "<|endoftext|>", "<|im_start|>", "<|im_end|>", "<image>", "<|image_start|>", "<|image_end|>"}},
}

var llamaTokens = []string{
	"<s>", "</s>", "<unk>", "<pad>", "<image>", "<|begin_of_text|>", "<|end_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>",
	"<|eom_id|>", "<|python_tag|>", "<|image|>", "<|finetune_right_pad_id|>", "<|header_start|>", "<|header_end|>", "<|eot|>",
	"<|image_start|>", "<|image_end|>", "<|patch|>", "<|im_start|>", "<|im_end|>",
}

// familyTokens is the built-in list of an architecture, or every list together
// for one that is not known.
func familyTokens(arch string) []string {
	var tokens []string
	for _, f := range families {
		if strings.HasPrefix(arch, f.prefix) {
			tokens = slices.Clone(f.tokens)
			break
		}
	}
	if tokens == nil {
		for _, f := range families {
			tokens = append(tokens, f.tokens...)
		}
	}
	slices.Sort(tokens)
	return slices.Compact(tokens)
}
