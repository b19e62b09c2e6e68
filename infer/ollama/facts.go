package ollama

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ollama/ollama/api"

	"lightbox/infer"
	"lightbox/models"
)

// Facts asks what the server knows of the model called name, in any letter case,
// with or without its tag. A model whose requests would leave the machine is a
// Fault with [infer.ReasonRemote], one that the server does not list or show is
// one with [infer.ReasonModel]; an alias is not listed.
func (c *Client) Facts(ctx context.Context, name string) (models.Facts, error) {
	if err := refuseCloud(name); err != nil {
		return models.Facts{}, err
	}
	listed, err := c.listed(ctx, name)
	if err != nil {
		return models.Facts{}, err
	}
	show, err := c.show(ctx, listed.Name)
	if err != nil {
		return models.Facts{}, err
	}
	f := factsOf(show)
	f.Name, f.Digest = listed.Name, digestOf(listed)
	if f.ControlTokens, err = c.controlTokens(ctx, listed.Name); err != nil {
		return models.Facts{}, err
	}
	f.ControlSource = "model"
	if len(f.ControlTokens) == 0 {
		f.ControlTokens, f.ControlSource = familyTokens(f.Architecture), "built-in list"
	}
	f.AskName, err = c.askName(ctx, listed.Name)
	return f, err
}

// Digest asks for the digest of the model called name, 64 hexadecimal digits as
// in [models.Facts]. Its faults are those of [Client.Facts].
func (c *Client) Digest(ctx context.Context, name string) (string, error) {
	m, err := c.listed(ctx, name)
	return digestOf(m), err
}

func digestOf(m api.ListModelResponse) string { return strings.TrimPrefix(m.Digest, "sha256:") }

// listed is the entry of /api/tags, the only place that tells a model's digest.
func (c *Client) listed(ctx context.Context, name string) (api.ListModelResponse, error) {
	tags, err := c.tags(ctx)
	if err != nil {
		return api.ListModelResponse{}, err
	}
	full := models.FullName(name)
	i := slices.IndexFunc(tags, func(m api.ListModelResponse) bool {
		return strings.EqualFold(models.FullName(m.Name), full)
	})
	if i < 0 {
		return api.ListModelResponse{}, &infer.Fault{
			Reason: infer.ReasonModel, Detail: fmt.Sprintf("the server lists no model %q", full),
		}
	}
	m := tags[i]
	m.Name = models.FullName(m.Name)
	return m, refuseRemote(m.Name, m.RemoteHost, m.RemoteModel)
}

// show asks for the facts without the long lists.
func (c *Client) show(ctx context.Context, name string) (*api.ShowResponse, error) {
	var show *api.ShowResponse
	err := c.brief(ctx, func(ctx context.Context) (err error) {
		show, err = c.api.Show(ctx, &api.ShowRequest{Model: name})
		return err
	})
	if err != nil {
		return nil, err
	}
	return show, refuseRemote(name, show.RemoteHost, show.RemoteModel)
}

func refuseRemote(name, host, model string) error {
	if host == "" && model == "" {
		return nil
	}
	return notLocal("%q stands for %q at %q", name, shorten(model), shorten(host))
}

// askName is the name with the suffix ":local", which newer servers take for
// "and nowhere else", or the plain name where the server does not know it. Those
// read it as a part of the tag: older ones answer 404 or 400.
func (c *Client) askName(ctx context.Context, name string) (string, error) {
	local := name + ":local"
	_, err := c.show(ctx, local)
	var fault *infer.Fault
	switch {
	case err == nil:
		return local, nil
	case errors.As(err, &fault) && fault.Status >= 400 && fault.Reason != infer.ReasonRemote:
		return name, nil
	}
	return "", err
}

// factsOf reads what /api/show says.
func factsOf(show *api.ShowResponse) models.Facts {
	f := models.Facts{
		Families:      show.Details.Families,
		ParameterSize: show.Details.ParameterSize,
		Quantization:  show.Details.QuantizationLevel,
		System:        show.System,
		Template:      show.Template,
		Parameters:    sortLines(show.Parameters),
		Stop:          models.StopList(show.Parameters),
	}
	for _, c := range show.Capabilities {
		f.Capabilities = append(f.Capabilities, string(c))
	}
	for _, m := range show.Messages {
		f.Messages = append(f.Messages, models.Turn{Role: m.Role, Text: m.Content})
	}
	f.Architecture, _ = show.ModelInfo["general.architecture"].(string)
	if f.Architecture == "" {
		f.Architecture = show.Details.Family
	}
	f.ContextLength = whole(show.ModelInfo, f.Architecture+".context_length")
	f.Vision = visionOf(f.Architecture, show.ModelInfo, show.ProjectorInfo)
	return f
}

// sortLines puts parameters in order of their names, because servers print them
// in a random one. Lines of one name keep theirs.
func sortLines(parameters string) string {
	lines := strings.Split(parameters, "\n")
	slices.SortStableFunc(lines, func(a, b string) int {
		nameA, _, _ := strings.Cut(a, " ")
		nameB, _, _ := strings.Cut(b, " ")
		return strings.Compare(nameA, nameB)
	})
	return strings.Join(lines, "\n")
}

// largestSide is above every side of a picture that an encoder takes. Some
// families give a number of pixels under the name of a side.
const largestSide = 16384

// visionOf finds the geometry of the picture encoder in the model's own metadata
// or in those of its projector.
func visionOf(arch string, model, projector map[string]any) models.Vision {
	first := func(names ...string) int {
		for _, name := range names {
			n := max(whole(model, arch+"."+name), whole(projector, "clip."+name))
			if n > 0 && n <= largestSide {
				return n
			}
		}
		return 0
	}
	v := models.Vision{
		ImageSize: first("vision.longest_edge", "vision.image_size"),
		PatchSize: first("vision.patch_size"),
		Merge:     first("spatial_merge_size", "vision.spatial_merge_size"),
	}
	if v.PatchSize > 0 && v.Merge == 0 {
		v.Merge = 1
		if arch == "mistral3" || strings.HasPrefix(arch, "qwen") { // the engines' own default
			v.Merge = 2
		}
	}
	return v
}

// whole is a whole number of JSON, 0 where there is none.
func whole(m map[string]any, key string) int {
	n, ok := m[key].(float64)
	if !ok || n < 0 || n > 1<<31 || n != float64(int(n)) {
		return 0
	}
	return int(n)
}
