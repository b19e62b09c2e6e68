package fake

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Script decides the reply to a chat request. It may be called by several
// requests at a time. A nil reply is the zero [Answer].
type Script func(Request) Reply

// Config is the server to play.
type Config struct {
	Script  Script
	Models  []Model // none: Vision("fake")
	Address string  // to listen on; empty: a free port of 127.0.0.1
	Version string  // empty: "0.17.4", or "0.33.0" where Newer

	// Newer plays the generation of servers from 0.30: it knows the suffix ":local",
	// forwards by name alone, and puts JSON into the text of its errors.
	Newer bool

	CloudEnabled bool // /api/status says that forwarding is not switched off
	NoStatus     bool // there is no /api/status
	Discard      bool // requests are counted, not kept
}

// Load is one loading of a model into memory.
type Load struct {
	Model  string
	NumCtx int // as asked for
}

// Server is a running fake.
type Server struct {
	config Config
	http   *http.Server
	addr   string
	done   chan struct{}
	once   sync.Once

	written atomic.Int64
	chats   atomic.Int64

	mu       sync.Mutex
	models   []Model
	blobs    map[string]bool
	requests []Request
	loads    []Load
	loaded   map[string]loadKey
}

// loadKey is what a change of makes a server load a model again.
type loadKey struct {
	numCtx int
	shift  string
}

// Start starts a server. It panics where it cannot listen.
func Start(c Config) *Server {
	if c.Version == "" {
		c.Version = "0.17.4"
		if c.Newer {
			c.Version = "0.33.0"
		}
	}
	if c.Models == nil {
		c.Models = []Model{Vision("fake")}
	}
	if c.Address == "" {
		c.Address = "127.0.0.1:0"
	}
	listener, err := net.Listen("tcp", c.Address)
	if err != nil {
		panic(fmt.Sprintf("starting the fake server: %v", err))
	}
	s := &Server{
		config: c, addr: listener.Addr().String(), done: make(chan struct{}),
		models: slices.Clone(c.Models), blobs: map[string]bool{}, loaded: map[string]loadKey{},
	}
	s.http = &http.Server{Handler: s}
	go s.http.Serve(listener)
	return s
}

// Addr is the address and port it listens on, a form of OLLAMA_HOST.
func (s *Server) Addr() string { return s.addr }

// Close ends the server and every reply that it is giving.
func (s *Server) Close() {
	s.once.Do(func() { close(s.done) })
	s.http.Close()
}

// Requests are all requests so far, in the order they came.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Chats are the chat requests with messages.
func (s *Server) Chats() []Request {
	return slices.DeleteFunc(s.Requests(), func(r Request) bool { return r.N == 0 })
}

// ChatCount is the number of chat requests with messages; it is kept even where
// requests are not.
func (s *Server) ChatCount() int { return int(s.chats.Load()) }

// Loads are the loadings of models so far.
func (s *Server) Loads() []Load {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.loads)
}

// Written is the number of bytes that endless replies have written.
func (s *Server) Written() int64 { return s.written.Load() }

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
		send(w, map[string]string{"version": s.config.Version})
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
		tags = append(tags, m.tag())
	}
	send(w, map[string]any{"models": tags})
}

func (s *Server) ps(w http.ResponseWriter) {
	s.mu.Lock()
	defer s.mu.Unlock()
	running := []any{}
	for _, m := range s.models {
		if key, ok := s.loaded[m.Name]; ok {
			running = append(running, map[string]any{
				"name": m.Name, "model": m.Name, "digest": m.digest(), "size": 1 << 22, "size_vram": 1 << 21,
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

func send(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	json.NewEncoder(w).Encode(v)
}

func fail(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(map[string]string{"error": text})
}
