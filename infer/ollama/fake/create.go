package fake

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
)

// blob takes an upload and checks its digest.
func (s *Server) blob(w http.ResponseWriter, r *http.Request) {
	h := sha256.New()
	if _, err := io.Copy(h, r.Body); err != nil {
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/api/blobs/")
	s.record(Request{Method: r.Method, Path: r.URL.Path})
	if name != "sha256:"+hex.EncodeToString(h.Sum(nil)) {
		fail(w, http.StatusBadRequest, "digest mismatch")
		return
	}
	s.mu.Lock()
	s.blobs[name] = true
	s.mu.Unlock()
	w.WriteHeader(http.StatusCreated)
}

// create adds a vision model of the given name, if its files were uploaded.
func (s *Server) create(w http.ResponseWriter, body []byte) {
	var def struct {
		Model, Template, System string
		Files                   map[string]string
		Parameters              map[string]any
		Messages                []Message
	}
	if err := json.Unmarshal(body, &def); err != nil {
		fail(w, http.StatusBadRequest, err.Error())
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, blob := range def.Files {
		if !s.blobs[blob] {
			fail(w, http.StatusBadRequest, "invalid digest format")
			return
		}
	}
	m := Vision(def.Model)
	m.Template, m.System, m.Messages = def.Template, def.System, def.Messages
	var lines []string
	for name, value := range def.Parameters {
		lines = append(lines, fmt.Sprintf("%-30s %#v", name, value))
	}
	slices.Sort(lines)
	m.Parameters = strings.Join(lines, "\n")
	s.models = append(slices.DeleteFunc(s.models, func(old Model) bool { return old.Name == m.Name }), m)
	send(w, map[string]string{"status": "success"})
}

func (s *Server) delete(w http.ResponseWriter, req Request) {
	m, err := s.find(req.Model)
	if err != nil {
		err.send(w)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.models = slices.DeleteFunc(s.models, func(old Model) bool { return old.Name == m.Name })
}
