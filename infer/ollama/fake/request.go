package fake

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Request is one request as it was on the wire, pictures by their digest.
type Request struct {
	Method, Path string
	N            int // number among the chat requests with messages, from 1; else 0

	Model       string          `json:"model"`
	Messages    []Message       `json:"messages"`
	Options     map[string]any  `json:"options"`
	Format      json.RawMessage `json:"format"`
	KeepAlive   json.RawMessage `json:"keep_alive"`
	Think       json.RawMessage `json:"think"`
	Stream      *bool           `json:"stream"`
	Truncate    *bool           `json:"truncate"`
	Shift       *bool           `json:"shift"`
	Verbose     bool            `json:"verbose"`
	Logprobs    bool            `json:"logprobs"`
	TopLogprobs int             `json:"top_logprobs"`
	RenderOnly  bool            `json:"_debug_render_only"`
}

// Message is one turn of a request.
type Message struct {
	Role    string    `json:"role"`
	Content string    `json:"content"`
	Images  []Picture `json:"images"`
}

// Picture stands for the bytes of one picture.
type Picture struct {
	Digest string // "sha256:" and 64 hexadecimal digits
	Bytes  int
}

// UnmarshalJSON reads what [cutPictures] left.
func (p *Picture) UnmarshalJSON(b []byte) error {
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return err
	}
	digest, size, ok := strings.Cut(text, " ")
	n, err := strconv.Atoi(size)
	if !ok || err != nil {
		return fmt.Errorf("illegal base64 data at input byte 0")
	}
	p.Digest, p.Bytes = digest, n
	return nil
}

// Last is the text of the last message.
func (r Request) Last() string {
	if len(r.Messages) == 0 {
		return ""
	}
	return r.Messages[len(r.Messages)-1].Content
}

// Images are the pictures of all messages in order.
func (r Request) Images() []Picture {
	var all []Picture
	for _, m := range r.Messages {
		all = append(all, m.Images...)
	}
	return all
}

// Number is an option, 0 where it was not sent.
func (r Request) Number(option string) float64 {
	n, _ := r.Options[option].(float64)
	return n
}

func parseRequest(body []byte) (Request, error) {
	var r Request
	if len(body) == 0 {
		return r, nil
	}
	body, err := cutPictures(body)
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal(body, &r)
}

// cutPictures replaces every string of an "images" array by the digest and size
// of the picture that it encodes, so that the JSON decoder need not see it.
func cutPictures(body []byte) ([]byte, error) {
	key := []byte(`"images"`)
	if !bytes.Contains(body, key) {
		return body, nil
	}
	var out []byte
	last := "" // of the tokens that matter: the key, its colon, or nothing
	for images := false; len(body) > 0; {
		i := bytes.IndexAny(body, `":[]`)
		if i < 0 {
			break
		}
		out = append(out, body[:i]...)
		body = body[i:]
		if body[0] != '"' {
			images = body[0] == '[' && last == ":"
			if body[0] == ':' && last == "key" {
				last = ":"
			} else {
				last = ""
			}
			out, body = append(out, body[0]), body[1:]
			continue
		}
		end := stringEnd(body)
		if end < 0 {
			return nil, fmt.Errorf("unexpected EOF")
		}
		text := body[:end]
		body = body[end:]
		last = ""
		if bytes.Equal(text, key) {
			last = "key"
		}
		if images {
			picture, err := digest(text[1 : end-1])
			if err != nil {
				return nil, err
			}
			text = []byte(picture)
		}
		out = append(out, text...)
	}
	return append(out, body...), nil
}

// stringEnd is the length of the JSON string that b starts with.
func stringEnd(b []byte) int {
	for i := 1; i < len(b); {
		q := bytes.IndexByte(b[i:], '"')
		if q < 0 {
			return -1
		}
		slashes := 0
		for b[i+q-1-slashes] == '\\' {
			slashes++
		}
		i += q + 1
		if slashes%2 == 0 {
			return i
		}
	}
	return -1
}

func digest(encoded []byte) (string, error) {
	picture := make([]byte, base64.StdEncoding.DecodedLen(len(encoded)))
	n, err := base64.StdEncoding.Decode(picture, encoded)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(picture[:n])
	return fmt.Sprintf(`"sha256:%s %d"`, hex.EncodeToString(sum[:]), n), nil
}
