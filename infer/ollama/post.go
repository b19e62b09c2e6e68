package ollama

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"unicode/utf8"

	"github.com/ollama/ollama/api"
)

// post sends v as JSON and decodes the reply, one JSON value, into out. It
// stands for Ollama's client where that one streams: which takes 8 MB of memory
// a request, and takes a cut connection or a longer line for the end of the
// reply.
func (c *Client) post(ctx context.Context, path string, v, out any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base.JoinPath(path).String(), bytes.NewReader(data))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	all, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if resp.StatusCode >= http.StatusBadRequest || isError(all) {
		return api.StatusError{StatusCode: resp.StatusCode, ErrorMessage: string(all)}
	}
	if !utf8.Valid(all) { // would be altered in silence
		return errText
	}
	return json.Unmarshal(all, out)
}

// errText marks a reply whose text is not UTF-8.
var errText = errors.New("the reply is not valid UTF-8")

// isError tells whether a body is an error whatever its status: a server that
// finds out late sends one with status 200.
func isError(body []byte) bool {
	var e wrapped
	return json.Unmarshal(body, &e) == nil && !slices.Contains([]string{"", "null", `""`}, string(e.Error))
}
