package fake

import (
	"context"
	"fmt"
	"net/http"
	"strings"
)

// chat answers /api/chat: a question, a rendering, a loading or an unloading.
func (s *Server) chat(w http.ResponseWriter, ctx context.Context, req Request) {
	m, err := s.find(req.Model)
	if err == nil && m.RemoteHost != "" && !s.config.CloudEnabled {
		err = &refusal{http.StatusForbidden, "ollama cloud is disabled: remote model is unavailable"}
	}
	if err != nil {
		err.send(w)
		return
	}
	if len(req.Messages) == 0 && strings.Trim(string(req.KeepAlive), `"s`) == "0" {
		s.mu.Lock()
		delete(s.loaded, m.Name)
		s.mu.Unlock()
		send(w, empty(req, "unload"))
		return
	}
	t := &turn{w: w, ctx: ctx, server: s, req: req, model: m, loadTime: s.load(m, req)}
	switch {
	case len(req.Messages) == 0:
		send(w, empty(req, "load"))
		return
	case req.RenderOnly:
		send(w, rendered(req))
		return
	}
	if !s.idle(ctx) {
		return
	}
	var r Reply
	if s.config.Script != nil {
		r = s.config.Script(req)
	}
	if r == nil {
		r = Answer{}
	}
	r.serve(t)
}

func empty(req Request, reason string) reply {
	r := reply{Model: req.Model, CreatedAt: "2026-01-01T00:00:00Z", Done: true, DoneReason: reason}
	r.Message.Role = "assistant"
	return r
}

// rendered shows the prompt, pictures in front of each text.
func rendered(req Request) reply {
	var text strings.Builder
	n := 0
	for _, m := range req.Messages {
		fmt.Fprintf(&text, "<start_of_turn>%s\n", m.Role)
		for range m.Images {
			fmt.Fprintf(&text, "[img-%d]", n)
			n++
		}
		fmt.Fprintf(&text, "%s<end_of_turn>\n", m.Content)
	}
	return reply{
		Model: req.Model, CreatedAt: "2026-01-01T00:00:00Z",
		Debug: map[string]any{"rendered_template": text.String(), "image_count": n},
	}
}

// load counts a load where the model is not loaded in the way the request wants,
// and gives the time it takes in nanoseconds.
func (s *Server) load(m Model, req Request) int64 {
	key := loadKey{numCtx: int(req.Number("num_ctx")), shift: "unset"}
	if req.Shift != nil {
		key.shift = fmt.Sprint(*req.Shift)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if old, ok := s.loaded[m.Name]; ok && old == key {
		return 1e5
	}
	s.loaded[m.Name] = key
	s.loads = append(s.loads, Load{m.Name, key.numCtx})
	return 3e8
}
