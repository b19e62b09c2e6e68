package fake

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, "/api/blobs/") {
		s.blob(w, r)
		return
	}
	body := &bytes.Buffer{}
	if r.ContentLength > 0 {
		body.Grow(int(min(r.ContentLength, 64<<20)) + bytes.MinRead)
	}
	if _, err := io.Copy(body, r.Body); err != nil {
		return
	}
	req, err := parseRequest(body.Bytes())
	if err != nil {
		fail(w, http.StatusBadRequest, err.Error())
		return
	}
	req.Method, req.Path = r.Method, r.URL.Path
	if req.Path == "/api/chat" && len(req.Messages) > 0 {
		req.N = int(s.chats.Add(1))
	}
	s.record(req)
	s.route(w, r.Context(), req, body.Bytes())
}

func (s *Server) record(req Request) {
	if s.config.Discard {
		return
	}
	s.mu.Lock()
	s.requests = append(s.requests, req)
	s.mu.Unlock()
}

func (s *Server) route(w http.ResponseWriter, ctx context.Context, req Request, body []byte) {
	switch req.Method + " " + req.Path {
	case "GET /api/version":
		s.mu.Lock()
		version := s.version
		s.mu.Unlock()
		send(w, map[string]string{"version": version})
	case "GET /api/status":
		s.status(w)
	case "GET /api/tags":
		s.tags(w)
	case "GET /api/ps":
		s.ps(w)
	case "POST /api/show":
		s.show(w, req)
	case "POST /api/chat":
		s.chat(w, ctx, req)
	case "POST /api/create":
		s.create(w, body)
	case "DELETE /api/delete":
		s.delete(w, req)
	default:
		http.Error(w, "404 page not found", http.StatusNotFound)
	}
}

func (s *Server) status(w http.ResponseWriter) {
	switch {
	case s.config.NoStatus:
		http.Error(w, "404 page not found", http.StatusNotFound)
	case s.config.CloudEnabled:
		send(w, map[string]any{"cloud": map[string]any{"disabled": false, "source": "none"}})
	default:
		send(w, map[string]any{"cloud": map[string]any{"disabled": true, "source": "env"}})
	}
}

func (s *Server) tags(w http.ResponseWriter) {
	s.mu.Lock()
	defer s.mu.Unlock()
	tags := []any{}
	for _, m := range s.models {
		if !m.Unlisted {
			tags = append(tags, m.tag())
		}
	}
	send(w, map[string]any{"models": tags})
}

func (s *Server) ps(w http.ResponseWriter) {
	s.mu.Lock()
	defer s.mu.Unlock()
	running := []any{}
	for _, m := range s.models {
		if key, ok := s.loaded[m.Name]; ok {
			size := cmp.Or(m.Size, 1<<22)
			running = append(running, map[string]any{
				"name": m.Name, "model": m.Name, "digest": m.digest(), "size": size, "size_vram": max(0, size-m.OnCPU),
				"context_length": m.window(key.numCtx), "expires_at": epoch, "details": m.details(),
			})
		}
	}
	send(w, map[string]any{"models": running})
}

func (s *Server) show(w http.ResponseWriter, req Request) {
	m, err := s.find(req.Model)
	if err == nil && m.RemoteHost != "" && !s.config.CloudEnabled {
		err = &refusal{http.StatusForbidden, "ollama cloud is disabled: remote model details are unavailable"}
	}
	if err == nil && m.ShowStatus != 0 {
		err = &refusal{m.ShowStatus, "no details"}
	}
	if err != nil {
		err.send(w)
		return
	}
	send(w, m.show(req.Verbose))
}

// refusal is a status and the text with it.
type refusal struct {
	status int
	text   string
}

func (e *refusal) send(w http.ResponseWriter) { fail(w, e.status, e.text) }

// find is the model that a name means to the server's generation.
func (s *Server) find(name string) (Model, *refusal) {
	full := fullName(strings.TrimSpace(name))
	low := strings.ToLower(full)
	if s.config.Newer {
		if strings.HasSuffix(low, ":cloud") || strings.HasSuffix(low, "-cloud") {
			return Model{}, &refusal{http.StatusForbidden, "ollama cloud is disabled: remote model is unavailable"}
		}
		if plain, ok := strings.CutSuffix(low, ":local"); ok {
			low = fullName(plain)
		}
	} else if strings.Count(low, ":") > 1 {
		return Model{}, &refusal{http.StatusBadRequest, "model is required"}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.models {
		if strings.EqualFold(m.Name, low) {
			return m, nil
		}
	}
	return Model{}, &refusal{http.StatusNotFound, fmt.Sprintf("model '%s' not found", name)}
}

func send(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	json.NewEncoder(w).Encode(v)
}

func fail(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(map[string]string{"error": text})
}
