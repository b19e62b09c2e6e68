package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"lightbox/infer"
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
// Where c.Models names a model directory they must be there instead.
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
		err = p.provide(ctx, c.Models)
	}
	if err != nil {
		return nil, errors.Join(err, p.Stop())
	}
	return p, nil
}

// ModelDir is the directory that the server keeps its models in.
func (p *Private) ModelDir() string { return p.server.ModelDir() }

// Stop ends the server; what it held is removed with it.
func (p *Private) Stop() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return p.server.Stop(ctx)
}

// provide sees to the phantom models: in the server's own directory they are
// created, in another's they must be.
func (p *Private) provide(ctx context.Context, dir string) error {
	client, err := clientAt(p.Host.String())
	if err != nil {
		return err
	}
	defer client.Close()
	if dir == "" {
		_, err := CreatePhantoms(ctx, client)
		return err
	}
	missing, err := missingPhantoms(ctx, client)
	if err == nil && len(missing) > 0 {
		err = fail(WrongModel, "pack them where they are missing from with: lightbox bundle pack --demo --out demo.tar.zst",
			"model %q is not in %q", missing[0].Name, dir)
	}
	return err
}

func clientAt(address string) (*ollama.Client, error) {
	host, err := ollama.ParseHost(address)
	if err != nil {
		return nil, err
	}
	return ollama.New(ollama.Config{Host: host})
}

// CreatePhantoms creates the phantom models on a server, and names those that it
// created. One that the server has already is used as it is; a different model of
// that name is left alone and is an error: it could be the user's.
func CreatePhantoms(ctx context.Context, client *ollama.Client) (created []string, err error) {
	missing, err := missingPhantoms(ctx, client)
	if err != nil {
		return nil, err
	}
	for _, d := range missing {
		if err := create(ctx, client, d); err != nil {
			return nil, errors.Join(err, RemovePhantoms(ctx, client, created))
		}
		created = append(created, d.Name)
	}
	return created, nil
}

// missingPhantoms are the phantom models that a server does not have.
func missingPhantoms(ctx context.Context, client *ollama.Client) ([]phantom.Definition, error) {
	var missing []phantom.Definition
	for _, d := range phantom.Definitions() {
		made, err := client.Made(ctx, d.Name)
		var fault *infer.Fault
		if asFault(err, &fault) && fault.Reason == infer.ReasonModel {
			missing = append(missing, d)
			continue
		}
		if err != nil {
			return nil, fatalOr(d.Name, err)
		}
		tensors, err := models.Tensors(bytes.NewReader(d.Data))
		if err != nil {
			return nil, err
		}
		if diff := made.Differences(definition(d), tensors); len(diff) > 0 {
			return nil, fail(Failed, "remove it with: ollama rm "+d.Name,
				"the server already has a model called %q, with not the same %s", d.Name, strings.Join(diff, ", "))
		}
	}
	return missing, nil
}

func definition(d phantom.Definition) ollama.Definition {
	return ollama.Definition{
		Name: d.Name, Files: map[string]string{d.File: d.Digest},
		Template: d.Template, Parameters: d.Parameters,
	}
}

func create(ctx context.Context, client *ollama.Client, d phantom.Definition) error {
	if err := client.CreateBlob(ctx, d.Digest, bytes.NewReader(d.Data)); err != nil {
		return fmt.Errorf("uploading model %q: %w", d.Name, err)
	}
	if err := client.Create(ctx, definition(d)); err != nil {
		return fmt.Errorf("creating model %q: %w", d.Name, err)
	}
	return nil
}

// RemovePhantoms removes models by their names, as [CreatePhantoms] gives them.
func RemovePhantoms(ctx context.Context, client *ollama.Client, names []string) error {
	var problems []error
	for _, name := range names {
		if err := client.Delete(ctx, name); err != nil {
			problems = append(problems, fmt.Errorf("removing model %q: %w", name, err))
		}
	}
	return errors.Join(problems...)
}
