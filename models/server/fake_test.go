package server

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain lets the test binary stand in for other programs, chosen by the name
// it is started under, because a private server's environment cannot carry a
// switch.
func TestMain(m *testing.M) {
	role := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	if role == "owner" || strings.HasPrefix(role, "ollama") {
		time.AfterFunc(2*time.Minute, func() { os.Exit(9) }) // whatever the test forgets
	}
	switch role {
	case "owner":
		own()
	case "ollama-dies":
		fmt.Fprintln(os.Stderr, "first line\nError: something is missing")
		os.Exit(7)
	case "ollama-busy":
		loseFirstPort()
		serve()
	case "ollama-stubborn":
		signal.Ignore(syscall.SIGTERM)
		serve()
	case "ollama-chatty":
		go chatter()
		serve()
	case "ollama":
		serve()
	}
	os.Exit(m.Run())
}

// serve acts as an Ollama: it listens, has a runner, answers every request with
// its environment, and ends the runner when asked to end.
func serve() {
	if len(os.Args) > 1 && os.Args[1] == "runner" {
		select {}
	}
	runner := exec.Command(os.Args[0], "runner")
	if err := runner.Start(); err != nil {
		fatal(err)
	}
	if !signal.Ignored(syscall.SIGTERM) {
		terminated := make(chan os.Signal, 1)
		signal.Notify(terminated, syscall.SIGTERM)
		go func() {
			<-terminated
			runner.Process.Kill()
			runner.Wait()
			os.Exit(0)
		}()
	}
	l, err := net.Listen("tcp", os.Getenv("OLLAMA_HOST"))
	if err != nil {
		fatal(err)
	}
	for {
		c, err := l.Accept()
		if err != nil {
			fatal(err)
		}
		bufio.NewReader(c).ReadString('\n')
		fmt.Fprintf(c, "HTTP/1.0 200 OK\r\n\r\n%s", strings.Join(os.Environ(), "\n"))
		c.Close()
	}
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, "Error:", err)
	os.Exit(1)
}

// loseFirstPort ends the first process of a directory as Ollama ends where its
// port is taken.
func loseFirstPort() {
	f, err := os.OpenFile("tried", os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		f.Close()
		fatal(fmt.Errorf("listen tcp %s: bind: address already in use", os.Getenv("OLLAMA_HOST")))
	}
}

func chatter() {
	line := strings.Repeat("x", 1023) + "\n"
	for range 2 * logLimit / len(line) {
		io.WriteString(os.Stdout, line)
	}
	os.WriteFile("said", nil, 0o600)
}

// own acts as a lightbox: it starts a server and waits to be killed.
func own() {
	s, err := Start(context.Background(), Config{Binary: os.Args[1], Root: os.Args[2], Ready: ready})
	if err != nil {
		fatal(err)
	}
	fmt.Println(s.Address(), s.state.dir)
	select {}
}

// standIn is the path of this test binary under another name.
func standIn(t *testing.T, name string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.Symlink(self, path); err != nil {
		t.Fatal(err)
	}
	return path
}

// get asks a server by hand, without an HTTP client.
func get(ctx context.Context, address, path string) (string, error) {
	return ask(ctx, address, "GET "+path+" HTTP/1.0\r\nHost: "+address+"\r\n\r\n")
}

func ask(ctx context.Context, address, request string) (string, error) {
	var d net.Dialer
	c, err := d.DialContext(ctx, "tcp", address)
	if err != nil {
		return "", err
	}
	defer c.Close()
	if deadline, ok := ctx.Deadline(); ok {
		c.SetDeadline(deadline)
	}
	if _, err := io.WriteString(c, request); err != nil {
		return "", err
	}
	b, err := io.ReadAll(c)
	if err != nil {
		return "", err
	}
	head, body, _ := strings.Cut(string(b), "\r\n\r\n")
	if status, _, _ := strings.Cut(head, "\r\n"); !strings.Contains(status, " 20") {
		return "", fmt.Errorf("%s: %s", status, body)
	}
	return body, nil
}

func ready(ctx context.Context, address string) error {
	_, err := get(ctx, address, "/api/version")
	return err
}

// startIn starts a stand-in under root and stops it with the test.
func startIn(t *testing.T, root, name string) *Server {
	t.Helper()
	s, err := Start(t.Context(), Config{Binary: standIn(t, name), Root: root, Ready: ready})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		gone, cancel := context.WithCancel(context.Background())
		cancel()
		s.Stop(gone)
	})
	return s
}

// eventually waits for what other processes do.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for range 600 {
		if ok() {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("waited 30 s in vain: %s", what)
}

// servers are the names of the servers' directories under root.
func servers(t *testing.T, root string) []string {
	t.Helper()
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names
}
