package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"lightbox/infer/ollama"
	"lightbox/models"
	"lightbox/models/phantom"
	"lightbox/models/server"
)

// Private is a private Ollama server with the phantom models.
type Private struct {
	Host   ollama.Host
	server *server.Server
}

// StartPrivate starts a private server and creates the phantom models on it.
func StartPrivate(ctx context.Context, c server.Config) (*Private, error) {
	c.Ready = func(ctx context.Context, address string) error {
		client, err := clientAt(address)
		if err != nil {
			return err
		}
		defer client.Close()
		_, err = client.Version(ctx)
		return err
	}
	s, err := server.Start(ctx, c)
	if err != nil {
		return nil, err
	}
	p := &Private{server: s}
	if p.Host, err = ollama.ParseHost(s.Address()); err == nil {
		err = p.create(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, p.Stop())
	}
	return p, nil
}

// Stop ends the server; what it held is removed with it.
func (p *Private) Stop() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return p.server.Stop(ctx)
}

func (p *Private) create(ctx context.Context) error {
	client, err := clientAt(p.Host.String())
	if err != nil {
		return err
	}
	defer client.Close()
	return CreatePhantoms(ctx, client)
}

func clientAt(address string) (*ollama.Client, error) {
	host, err := ollama.ParseHost(address)
	if err != nil {
		return nil, err
	}
	return ollama.New(ollama.Config{Host: host})
}

// CreatePhantoms creates the phantom models on a server. A name that the server
// has already is left alone and is an error: it could be the user's.
func CreatePhantoms(ctx context.Context, client *ollama.Client) error {
	have, err := client.List(ctx)
	if err != nil {
		return fatalOr(phantom.Model, err)
	}
	for _, d := range phantom.Definitions() {
		if slices.Contains(have, models.FullName(d.Name)) {
			return fail(Failed, "remove it with: ollama rm "+d.Name, "the server already has a model called %q", d.Name)
		}
	}
	for _, d := range phantom.Definitions() {
		if err := create(ctx, client, d); err != nil {
			return err
		}
	}
	return nil
}

func create(ctx context.Context, client *ollama.Client, d phantom.Definition) error {
	if err := client.CreateBlob(ctx, d.Digest, bytes.NewReader(d.Data)); err != nil {
		return fmt.Errorf("uploading model %q: %w", d.Name, err)
	}
	err := client.Create(ctx, ollama.Definition{
		Name: d.Name, Files: map[string]string{d.File: d.Digest},
		Template: d.Template, Parameters: d.Parameters,
	})
	if err != nil {
		return fmt.Errorf("creating model %q: %w", d.Name, err)
	}
	return nil
}

// RemovePhantoms removes the phantom models from a server.
func RemovePhantoms(ctx context.Context, client *ollama.Client) error {
	var problems []error
	for _, d := range phantom.Definitions() {
		if err := client.Delete(ctx, d.Name); err != nil {
			problems = append(problems, fmt.Errorf("removing model %q: %w", d.Name, err))
		}
	}
	return errors.Join(problems...)
}
