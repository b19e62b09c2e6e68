package infer

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
)

// Role says who speaks in a [Message].
type Role string

// The roles that lightbox sends.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
)

// Image is an encoded picture as it goes over the wire. It holds no path.
type Image struct {
	Data          []byte
	MediaType     string // "image/png" or "image/jpeg"
	Width, Height int    // pixels
	Digest        Digest // of Data
}

// NewImage wraps encoded bytes of the given size in pixels.
func NewImage(data []byte, mediaType string, width, height int) Image {
	return Image{Data: data, MediaType: mediaType, Width: width, Height: height, Digest: DigestOf(data)}
}

// Message is one turn of a dialogue. Its pictures stand before its text, which
// is where Ollama puts them.
type Message struct {
	Role   Role
	Text   string
	Images []Image
}

// Prompt is everything that decides a reply but the model itself. It has no
// field for the query's reference answer, so the answer cannot leak.
type Prompt struct {
	Messages    []Message
	Options     Options
	Format      json.RawMessage // JSON schema that constrains the reply; nil: free text
	Think       *bool           // nil: not sent; for models that can switch thinking
	TopLogprobs int             // alternatives per token to report, 0: no logprobs
}

// Images are the pictures of all messages in the order they are sent.
func (p Prompt) Images() []Image {
	var all []Image
	for _, m := range p.Messages {
		all = append(all, m.Images...)
	}
	return all
}

// Digest names the prompt: messages, the bytes of every picture, options,
// format. Two prompts with one digest ask the same of a model.
func (p Prompt) Digest() Digest {
	h := sha256.New()
	for _, m := range p.Messages {
		field(h, "role", string(m.Role))
		field(h, "text", m.Text)
		for _, img := range m.Images {
			field(h, "image", string(img.Digest))
		}
	}
	options, err := json.Marshal(p.Options)
	if err != nil { // a struct of numbers and strings always encodes
		panic(fmt.Sprintf("encoding options: %v", err))
	}
	field(h, "options", string(options))
	field(h, "format", string(p.Format))
	if p.Think != nil {
		field(h, "think", fmt.Sprint(*p.Think))
	}
	field(h, "logprobs", fmt.Sprint(p.TopLogprobs))
	return Digest("sha256:" + hex.EncodeToString(h.Sum(nil)))
}

// field writes a name and a value with its length, so that no two different
// sequences of fields give the same bytes.
func field(h hash.Hash, name, value string) {
	fmt.Fprintf(h, "%s %d ", name, len(value))
	io.WriteString(h, value)
}
