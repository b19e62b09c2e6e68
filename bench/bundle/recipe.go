package bundle

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"lightbox/infer/ollama"
	"lightbox/models"
)

// recipe is how a server makes a model.
type recipe struct {
	definition ollama.Definition
	files      []layer
	tensors    []models.Tensor // of the model's own file
}

// recipe reads what a server must be told out of a model's layers.
func (h *held) recipe(name string, m manifest) (recipe, error) {
	w := recipe{definition: ollama.Definition{Name: name}}
	d := &w.definition
	for _, l := range m.Layers {
		text := h.small[l.path()]
		var err error
		switch {
		case l.is("model"), l.is("projector"), l.is("adapter"):
			w.addFile(l)
			if l.is("model") && w.tensors == nil {
				w.tensors = h.tensors[l.path()]
			}
		case l.Size > maxHeld:
			err = fmt.Errorf("its layer %s has %d bytes", l.MediaType, l.Size)
		case l.is("template"):
			d.Template = string(text)
		case l.is("system"):
			d.System = string(text)
		case l.is("license"):
			d.Licences = append(d.Licences, string(text))
		case l.is("params"):
			err = json.Unmarshal(text, &d.Parameters)
		case l.is("messages"):
			err = readTurns(text, &d.Messages)
		default:
			err = fmt.Errorf("a server cannot be given a layer of the kind %q; unpack it into the server's model directory", l.MediaType)
		}
		if err != nil {
			return w, err
		}
	}
	// What a server takes where there is none; said aloud, it does not look for a
	// template in the file.
	d.Template = cmp.Or(d.Template, "{{ .Prompt }}")
	return w, h.configure(d, m)
}

func (w *recipe) addFile(l layer) {
	w.files = append(w.files, l)
	to := &w.definition.Files
	if l.is("adapter") {
		to = &w.definition.Adapters
	}
	if *to == nil {
		*to = map[string]string{}
	}
	(*to)[fmt.Sprintf("%d.gguf", len(w.files))] = l.Digest
}

func readTurns(text []byte, to *[]models.Turn) error {
	var turns []struct {
		Role, Content string
		Images        []json.RawMessage
	}
	if err := json.Unmarshal(text, &turns); err != nil {
		return err
	}
	for _, t := range turns {
		if len(t.Images) > 0 {
			return errors.New("its messages have pictures; unpack it into the server's model directory")
		}
		*to = append(*to, models.Turn{Role: t.Role, Text: t.Content})
	}
	return nil
}

// configure reads the model's configuration.
func (h *held) configure(d *ollama.Definition, m manifest) error {
	if m.Config.Digest == "" {
		return nil
	}
	var c config
	if err := json.Unmarshal(h.small[m.Config.path()], &c); err != nil {
		return fmt.Errorf("reading its configuration: %w", err)
	}
	if c.RemoteHost != "" || c.RemoteModel != "" {
		return ErrElsewhere
	}
	if c.Format != "" && c.Format != "gguf" {
		return fmt.Errorf("a server cannot be given a model of the format %q; unpack it into the server's model directory", c.Format)
	}
	d.Renderer, d.Parser, d.Requires = c.Renderer, c.Parser, c.Requires
	return nil
}
