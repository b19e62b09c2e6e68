package server

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Times of a server's start and end.
const (
	startLimit = 2 * time.Minute // looking for graphics cards can take long
	askLimit   = 5 * time.Second // for one question whether it is ready
	askPause   = 50 * time.Millisecond
	stopLimit  = 10 * time.Second // between asking it to end and killing it
	portTries  = 3
)

// Config says what to start.
type Config struct {
	Binary string   // the ollama to run, see [Finder]
	Root   string   // directory that holds the directories of private servers; made where missing
	Env    []string // this process's environment, as os.Environ gives it; little of it is passed on

	// Models is a model directory to serve, which is only read; empty: one of the
	// server's own, which goes with it.
	Models string

	// Ready asks the server at address ("127.0.0.1:port") whether it answers; nil
	// means yes. It is asked until it says so.
	Ready func(ctx context.Context, address string) error
}

// Server is a running private server.
type Server struct {
	address string
	models  string
	state   *state
	process *process

	once sync.Once
	err  error // of the first Stop
}

// Start clears what killed processes left behind under c.Root, starts a server
// and returns when it is ready. ctx bounds the start only; [Server.Stop] ends
// the server. Where the server dies at its start the error holds the last lines
// of its log.
func Start(ctx context.Context, c Config) (*Server, error) {
	binary, err := filepath.Abs(c.Binary) // the server runs in another directory
	if err != nil {
		return nil, fmt.Errorf("starting %q: %w", c.Binary, err)
	}
	c.Binary = binary
	if c.Models != "" {
		if c.Models, err = filepath.Abs(c.Models); err != nil {
			return nil, fmt.Errorf("starting %q on %q: %w", c.Binary, c.Models, err)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	// Held until the server is ready, so that two starts never race for a port:
	// the loser would be answered by the winner's server.
	unlock, err := lockRoot(ctx, &c.Root)
	if err != nil {
		return nil, err
	}
	defer unlock()
	sweep(c.Root)

	st, err := newState(c.Root)
	if err != nil {
		return nil, err
	}
	for try := 1; ; try++ {
		s, err := start(ctx, c, st)
		if err == nil {
			return s, nil
		}
		if try < portTries && portTaken(st.logPath()) {
			continue
		}
		if cleanup := st.remove(); cleanup != nil {
			err = fmt.Errorf("%w (and %w)", err, cleanup)
		}
		return nil, err
	}
}

// start makes one try on one port.
func start(ctx context.Context, c Config, st *state) (*Server, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, fmt.Errorf("choosing a port for a private server: %w", err)
	}
	log, err := openLog(st.logPath())
	if err != nil {
		return nil, fmt.Errorf("opening a private server's log: %w", err)
	}
	defer log.Close()
	cmd := exec.Command(c.Binary, "serve")
	cmd.Dir = st.dir
	cmd.Env = environment(c.Env, st.dir, address, c.Models)
	cmd.Stdout, cmd.Stderr = log, log
	p, err := launch(cmd)
	if err != nil {
		return nil, fmt.Errorf("starting %q: %w", c.Binary, err)
	}
	if err := await(ctx, p, c.Ready, address); err != nil {
		p.end(ctx)
		endAll(st.dir)
		return nil, fmt.Errorf("starting %q: %w; its last lines:\n%s", c.Binary, err, lastLines(st.logPath(), 12))
	}
	st.boundLog()
	return &Server{address: address, models: cmp.Or(c.Models, filepath.Join(st.dir, modelsDir)), state: st, process: p}, nil
}

// await asks until the server is ready, dies, or ctx ends.
func await(ctx context.Context, p *process, ready func(context.Context, string) error, address string) error {
	for {
		ask, cancel := context.WithTimeout(ctx, askLimit)
		err := ready(ask, address)
		cancel()
		select {
		case <-p.done:
			return p.ended()
		default:
		}
		if err == nil {
			return nil
		}
		select {
		case <-p.done:
			return p.ended()
		case <-ctx.Done():
			return fmt.Errorf("not ready: %w (%w)", ctx.Err(), err)
		case <-time.After(askPause):
		}
	}
}

// Address is where the server listens: "127.0.0.1:port".
func (s *Server) Address() string { return s.address }

// ModelDir is where the server keeps its models.
func (s *Server) ModelDir() string { return s.models }

// Stop ends the server with its runners and removes its directory. It asks
// first, and kills after ten seconds or when ctx ends. The error says what was
// not as it should be: a server that had died before, with the last lines of its
// log; one that had to be killed; a directory that stays. Further calls return
// the first one's error.
func (s *Server) Stop(ctx context.Context) error {
	s.once.Do(func() { s.err = s.stop(ctx) })
	return s.err
}

func (s *Server) stop(ctx context.Context) error {
	problem := s.process.end(ctx)
	endAll(s.state.dir)
	if problem != nil {
		problem = fmt.Errorf("stopping a private server: %w; its last lines:\n%s", problem, lastLines(s.state.logPath(), 12))
	}
	if err := s.state.remove(); err != nil && problem == nil {
		problem = err
	}
	return problem
}

// freeAddress is a loopback address that nothing listens on at this moment.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// portTaken tells from its log whether a server died because another program
// took the port after it had been chosen.
func portTaken(log string) bool {
	b, err := os.ReadFile(log)
	if err != nil {
		return false
	}
	return strings.Contains(string(b), "address already in use") ||
		strings.Contains(string(b), "Only one usage of each socket address") // Windows
}
