package fake

import (
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"

	"lightbox/models"
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

	// Rewrites plays a server that writes a model's file anew when it creates the
	// model, as newer ones do with text-only files.
	Rewrites bool

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
	version  string
	models   []Model
	blobs    map[string][]models.Tensor // by digest
	requests []Request
	loads    []Load
	loaded   map[string]loadKey
	reading  <-chan struct{} // closed at the end of a Prefill; nil: there was none
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
		config: c, addr: listener.Addr().String(), done: make(chan struct{}), version: c.Version,
		models: slices.Clone(c.Models), blobs: map[string][]models.Tensor{}, loaded: map[string]loadKey{},
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

// SetVersion makes the server another version, as if it had updated itself.
func (s *Server) SetVersion(version string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version = version
}

// SetModel puts a model in the place of the one of its name, or adds it.
func (s *Server) SetModel(m Model) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at := slices.IndexFunc(s.models, func(have Model) bool { return have.Name == m.Name }); at >= 0 {
		s.models[at] = m
		return
	}
	s.models = append(s.models, m)
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
