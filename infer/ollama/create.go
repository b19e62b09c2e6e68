package ollama

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/ollama/ollama/api"

	"lightbox/infer"
	"lightbox/models"
)

// Definition is a model to create out of files that the server holds.
type Definition struct {
	Name       string
	Files      map[string]string // file name to the digest of a blob, "sha256:…"
	Adapters   map[string]string // as Files
	Template   string            // where empty, a server's default drops system texts
	Parameters map[string]any
	System     string
	Messages   []models.Turn
	Licences   []string

	Renderer, Parser string // parts of newer servers that take the template's place
	Requires         string // version of the server at least
}

// HasBlob asks whether the server holds the blob of a digest, "sha256:…".
func (c *Client) HasBlob(ctx context.Context, digest string) (bool, error) {
	err := c.brief(ctx, func(ctx context.Context) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodHead, c.base.JoinPath("/api/blobs/", digest).String(), nil)
		if err != nil {
			return err
		}
		resp, err := c.http.Do(req)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		_, err = io.Copy(io.Discard, resp.Body)
		return err
	})
	var fault *infer.Fault
	if errors.As(err, &fault) && fault.Status == http.StatusNotFound {
		return false, nil
	}
	return err == nil, err
}

// CreateBlob uploads the bytes of r, whose digest is "sha256:" and 64
// hexadecimal digits; the server checks it.
func (c *Client) CreateBlob(ctx context.Context, digest string, r io.Reader) error {
	return c.call(ctx, c.askTimeout, maxReply, func(ctx context.Context) error {
		return c.api.CreateBlob(ctx, digest, r)
	})
}

// Create makes a model of blobs. It names no base model, which a server would
// try to download.
func (c *Client) Create(ctx context.Context, d Definition) error {
	off := false
	req := &api.CreateRequest{
		Model: d.Name, Files: d.Files, Adapters: d.Adapters, Template: d.Template,
		Parameters: d.Parameters, System: d.System, Stream: &off,
		Renderer: d.Renderer, Parser: d.Parser, Requires: d.Requires,
	}
	if d.Licences != nil {
		req.License = d.Licences
	}
	for _, m := range d.Messages {
		req.Messages = append(req.Messages, api.Message{Role: m.Role, Content: m.Text})
	}
	if err := refuseCloud(d.Name); err != nil {
		return err
	}
	var last api.ProgressResponse
	err := c.call(ctx, c.askTimeout, maxReply, func(ctx context.Context) error {
		return c.post(ctx, "/api/create", req, &last)
	})
	if err == nil && last.Status != "success" {
		return malformed("creating a model ended with " + shorten(last.Status))
	}
	return err
}

// Delete removes a model.
func (c *Client) Delete(ctx context.Context, name string) error {
	return c.brief(ctx, func(ctx context.Context) error {
		return c.api.Delete(ctx, &api.DeleteRequest{Model: name})
	})
}
