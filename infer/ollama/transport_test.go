package ollama

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/infer"
)

func TestNewRefuses(t *testing.T) {
	private, err := ParseHost("192.168.1.5")
	if err != nil {
		t.Fatal(err)
	}
	public := Host{netip.MustParseAddrPort("8.8.8.8:11434")}
	tests := []struct {
		name   string
		config Config
		ok     bool
	}{
		{"the default", Config{}, true},
		{"private", Config{Host: private}, false},
		{"private and allowed", Config{Host: private, AllowPrivate: true}, true},
		{"public", Config{Host: public}, false},
		{"public, private allowed", Config{Host: public, AllowPrivate: true}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := New(tt.config)
			var fault *infer.Fault
			if refused := errors.As(err, &fault) && fault.Reason == infer.ReasonRemote; refused == tt.ok {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestNewRefusesToSign(t *testing.T) {
	t.Setenv("OLLAMA_AUTH", "1")
	if _, err := New(Config{}); !errors.Is(err, errAuth) {
		t.Errorf("error %v, want %v", err, errAuth)
	}
}

// TestNoProxy uses a private address, because net/http never sends requests to
// this machine through a proxy.
func TestNoProxy(t *testing.T) {
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"} {
		t.Setenv(name, "http://192.0.2.7:3128")
	}
	t.Setenv("NO_PROXY", "")
	net.DefaultResolver = noLookups(t)
	t.Cleanup(func() { net.DefaultResolver = &net.Resolver{} })
	h, err := ParseHost("10.9.8.7:11434")
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(Config{Host: h, AllowPrivate: true})
	if err != nil {
		t.Fatal(err)
	}
	var dialled []string
	c.sealed.dial = func(_ context.Context, network, address string) (net.Conn, error) {
		dialled = append(dialled, network+" "+address)
		return nil, errors.New("no network in tests")
	}
	if _, err := c.Version(context.Background()); err == nil {
		t.Error("a version without a network")
	}
	if d := cmp.Diff([]string{"tcp 10.9.8.7:11434"}, dialled); d != "" {
		t.Errorf("dialled (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"10.9.8.7:11434"}, c.Contacted()); d != "" {
		t.Errorf("contacted (-want +got):\n%s", d)
	}
}

func TestSealedDialsNothingElse(t *testing.T) {
	net.DefaultResolver = noLookups(t)
	t.Cleanup(func() { net.DefaultResolver = &net.Resolver{} })
	c, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	c.sealed.dial = func(_ context.Context, _, address string) (net.Conn, error) {
		t.Errorf("%s is dialled", address)
		return nil, errors.New("no network in tests")
	}
	for _, url := range []string{"http://192.0.2.1/", "http://example.org/", "http://127.0.0.1:80/", "http://localhost:11434/", "https://127.0.0.1:9/"} {
		if _, err := c.http.Get(url); !errors.Is(err, errElsewhere) {
			t.Errorf("%s: error %v, want %v", url, err, errElsewhere)
		}
	}
	req, err := http.NewRequest(http.MethodGet, c.base.String(), nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "signature")
	if _, err := c.http.Do(req); !errors.Is(err, errSigned) {
		t.Errorf("error %v, want %v", err, errSigned)
	}
	if n := len(c.Contacted()); n != 0 {
		t.Errorf("contacted %v", c.Contacted())
	}
}

// TestRequestsAreBare looks at what is sent: nothing that could name the user,
// and no wish for compression.
func TestRequestsAreBare(t *testing.T) {
	var headers []http.Header
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		headers = append(headers, r.Header)
		http.SetCookie(w, &http.Cookie{Name: "track", Value: "1"})
		fmt.Fprint(w, `{"version":"1"}`)
	})
	for range 2 {
		if _, err := c.Version(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	for _, h := range headers {
		for _, name := range []string{"Cookie", "Authorization", "Accept-Encoding", "Referer"} {
			if h.Get(name) != "" {
				t.Errorf("header %s: %q", name, h.Get(name))
			}
		}
	}
}

// TestShowTellsOfAnotherMachine is about servers that list a stub as if it were
// a model.
func TestShowTellsOfAnotherMachine(t *testing.T) {
	for _, field := range []string{"remote_host", "remote_model"} {
		t.Run(field, func(t *testing.T) {
			c := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/api/tags" {
					fmt.Fprint(w, `{"models":[{"name":"m:latest","digest":"ab"}]}`)
					return
				}
				fmt.Fprintf(w, `{%q:"x","capabilities":["vision"],"model_info":{}}`, field)
			})
			_, err := c.Facts(context.Background(), "m")
			var fault *infer.Fault
			if !errors.As(err, &fault) || fault.Reason != infer.ReasonRemote {
				t.Errorf("error %v", err)
			}
		})
	}
}

// TestAskName is about what servers say to the suffix ":local".
func TestAskName(t *testing.T) {
	tests := []struct {
		name   string
		status int
		body   string
		want   string // empty: an error
	}{
		{"known", 200, `{}`, "m:4b:local"},
		{"read as a tag", 404, `{"error":"model 'm:4b:local' not found"}`, "m:4b"},
		{"not a name", 400, `{"error":"model is required"}`, "m:4b"},
		{"unwell", 500, `{"error":"unqualified name"}`, "m:4b"},
		{"a stub", 403, `{"error":"ollama cloud is disabled: remote model details are unavailable"}`, ""},
		{"remote", 200, `{"remote_host":"x"}`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := serve(t, func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				if !strings.Contains(string(body), `"m:4b:local"`) {
					t.Errorf("request %s", body)
				}
				w.WriteHeader(tt.status)
				fmt.Fprint(w, tt.body)
			})
			got, err := c.askName(context.Background(), "m:4b")
			if got != tt.want || (err == nil) != (tt.want != "") {
				t.Errorf("got %q, %v; want %q", got, err, tt.want)
			}
		})
	}
}

func serve(t *testing.T, handler http.HandlerFunc) *Client {
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	h, err := ParseHost(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(Config{Host: h})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}
