package ollama

import (
	"context"
	"errors"
	"net"
	"testing"

	"lightbox/infer"
)

func TestParseHost(t *testing.T) {
	tests := []struct {
		in, want          string
		loopback, private bool
	}{
		{"", "127.0.0.1:11434", true, false},
		{"  ", "127.0.0.1:11434", true, false},
		{"127.0.0.1", "127.0.0.1:11434", true, false},
		{"127.0.0.1:8080", "127.0.0.1:8080", true, false},
		{"127.8.9.1:1", "127.8.9.1:1", true, false},
		{":8080", "127.0.0.1:8080", true, false},
		{"http://127.0.0.1:8080", "127.0.0.1:8080", true, false},
		{"http://127.0.0.1:8080/", "127.0.0.1:8080", true, false},
		{"HTTP://127.0.0.1", "127.0.0.1:80", true, false},
		{"http://", "127.0.0.1:80", true, false},
		{"127.0.0.1/", "127.0.0.1:11434", true, false},
		{`"127.0.0.1:5"`, "127.0.0.1:5", true, false},
		{"localhost", "127.0.0.1:11434", true, false},
		{"LocalHost:99", "127.0.0.1:99", true, false},
		{"http://localhost:99/", "127.0.0.1:99", true, false},
		{"0.0.0.0", "127.0.0.1:11434", true, false},
		{"0.0.0.0:65535", "127.0.0.1:65535", true, false},
		{"::", "[::1]:11434", true, false},
		{"[::]:7", "[::1]:7", true, false},
		{"::1", "[::1]:11434", true, false},
		{"[::1]", "[::1]:11434", true, false},
		{"[::1]:7", "[::1]:7", true, false},
		{"http://[::1]:7/", "[::1]:7", true, false},
		{"::ffff:127.0.0.1", "127.0.0.1:11434", true, false},
		{"[::ffff:0.0.0.0]:7", "127.0.0.1:7", true, false},
		{"192.168.1.5", "192.168.1.5:11434", false, true},
		{"10.0.0.1:80", "10.0.0.1:80", false, true},
		{"172.16.0.1", "172.16.0.1:11434", false, true},
		{"[fd00::1]:80", "[fd00::1]:80", false, true},
		{"::ffff:10.0.0.1", "10.0.0.1:11434", false, true},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			h, err := ParseHost(tt.in)
			if err != nil {
				t.Fatal(err)
			}
			if h.String() != tt.want || h.Loopback() != tt.loopback || h.Private() != tt.private {
				t.Errorf("got %s, loopback %v, private %v; want %s, %v, %v", h, h.Loopback(), h.Private(), tt.want, tt.loopback, tt.private)
			}
		})
	}
}

func TestParseHostRefuses(t *testing.T) {
	tests := []struct {
		in    string
		local bool // the error says something else than that it is not local
	}{
		{in: "8.8.8.8"},
		{in: "8.8.8.8:11434"},
		{in: "[2001:db8::1]:80"},
		{in: "169.254.169.254"},
		{in: "fe80::1"},
		{in: "[fe80::1%lo]:80"},
		{in: "100.64.0.1"},
		{in: "172.32.0.1"},
		{in: "224.0.0.1"},
		{in: "255.255.255.255"},
		{in: "::ffff:8.8.8.8"},
		{in: "ollama.com"},
		{in: "ollama.com:443"},
		{in: "localhost.example.org"},
		{in: "localhost."},
		{in: "127.1"},
		{in: "2130706433"},
		{in: "127.0.0.01"},
		{in: "http://example.org:80/"},
		{in: "[::1", local: true},
		{in: "https://127.0.0.1", local: true},
		{in: "ftp://127.0.0.1", local: true},
		{in: "127.0.0.1:0", local: true},
		{in: "127.0.0.1:", local: true},
		{in: "127.0.0.1:65536", local: true},
		{in: "127.0.0.1:-1", local: true},
		{in: "127.0.0.1:x", local: true},
		{in: "127.0.0.1/api", local: true},
		{in: "127.0.0.1//", local: true},
		{in: "127.0.0.1?x", local: true},
		{in: "user:secret@127.0.0.1", local: true},
		{in: "http://u@127.0.0.1:1", local: true},
		{in: "127.0.0.1@8.8.8.8", local: true},
	}
	net.DefaultResolver = noLookups(t)
	t.Cleanup(func() { net.DefaultResolver = &net.Resolver{} })
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			h, err := ParseHost(tt.in)
			if err == nil {
				t.Fatalf("got %s, want an error", h)
			}
			var fault *infer.Fault
			remote := errors.As(err, &fault) && fault.Reason == infer.ReasonRemote
			if remote == tt.local {
				t.Errorf("error %q: not local %v, want %v", err, remote, !tt.local)
			}
		})
	}
}

// noLookups is a resolver that fails the test when it is used.
func noLookups(t *testing.T) *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		t.Error("a name is looked up")
		return nil, errors.New("no lookups")
	}}
}

func FuzzParseHost(f *testing.F) {
	for _, s := range []string{"", "127.0.0.1:1", ":80", "http://[::1]:7/", "0.0.0.0", "localhost", "8.8.8.8", "::ffff:10.0.0.1", "[fe80::1%a]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		h, err := ParseHost(s)
		if err != nil {
			return
		}
		if !h.Loopback() && !h.Private() {
			t.Errorf("%q gives the public address %s", s, h)
		}
		again, err := ParseHost(h.String())
		if err != nil || again != h {
			t.Errorf("%q gives %s, which gives %s, %v", s, h, again, err)
		}
	})
}
