package doctor

import (
	"context"
	"errors"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/infer"
	"lightbox/infer/ollama"
	"lightbox/models"
	"lightbox/models/listener"
)

// scripted is a server that says what it is told to.
type scripted struct {
	cloud  ollama.CloudStatus
	facts  map[string]models.Facts
	loaded []ollama.Loaded
	down   bool
}

func (s scripted) Version(context.Context) (string, error) {
	if s.down {
		return "", errors.New("connection refused")
	}
	return "0.17.4", nil
}

func (s scripted) Cloud(context.Context) (ollama.CloudStatus, error) { return s.cloud, nil }

func (s scripted) Facts(_ context.Context, name string) (models.Facts, error) {
	f, ok := s.facts[name]
	if !ok {
		return f, &infer.Fault{Reason: infer.ReasonModel, Detail: "not found"}
	}
	return f, nil
}

func (s scripted) Loaded(context.Context) ([]ollama.Loaded, error) { return s.loaded, nil }

// found are the levels by check, and the kind of a failure.
func found(all []Finding) map[string]string {
	by := map[string]string{}
	for _, f := range all {
		by[f.Check] = strings.TrimSpace(string(f.Level) + " " + string(f.Kind))
	}
	return by
}

func good() models.Facts {
	return models.Facts{Name: "eye:latest", Digest: strings.Repeat("a", 64), Capabilities: []string{"vision"}, ContextLength: 8192}
}

func TestExamine(t *testing.T) {
	loopback := listener.Listener{Addresses: []netip.Addr{netip.MustParseAddr("127.0.0.1")}, PID: 1, Environment: []string{"OLLAMA_DEBUG=0"}}
	open := listener.Listener{Addresses: []netip.Addr{netip.MustParseAddr("::")}, PID: 1, Environment: []string{"OLLAMA_DEBUG_LOG_REQUESTS=1"}}
	talks := good()
	talks.Messages = []models.Turn{{Role: "user", Text: "hello"}}
	blind := good()
	blind.Capabilities = nil
	blind.System = "You are terse."
	away := good()
	away.RemoteHost = "https://example.org"
	well := Patient{
		Model: "eye", Judge: "judge", Disk: func() (int64, bool) { return 5 << 30, true },
		Listener: func(uint16) (listener.Listener, error) { return loopback, nil },
	}
	server := scripted{cloud: ollama.CloudStatus{Known: true, Disabled: true}, facts: map[string]models.Facts{"eye": good(), "judge": good()}}
	for _, tt := range []struct {
		name   string
		change func(*Patient, *scripted)
		want   map[string]string // what is not a pass
	}{
		{"all is well", func(*Patient, *scripted) {}, map[string]string{}},
		{"no server", func(_ *Patient, s *scripted) { s.down = true }, map[string]string{"server": "fail server unreachable"}},
		{"open to others, requests logged", func(p *Patient, _ *scripted) {
			p.Listener = func(uint16) (listener.Listener, error) { return open, nil }
		}, map[string]string{"listening": "warn", "request logging": "warn"}},
		{"another user's process", func(p *Patient, _ *scripted) {
			p.Listener = func(uint16) (listener.Listener, error) {
				return listener.Listener{Addresses: loopback.Addresses}, nil
			}
		}, map[string]string{"request logging": "warn"}},
		{"not shown", func(p *Patient, _ *scripted) {
			p.Listener = func(uint16) (listener.Listener, error) { return listener.Listener{}, listener.ErrUnknown }
		}, map[string]string{"listening": "warn"}},
		{"can forward", func(_ *Patient, s *scripted) { s.cloud.Disabled = false }, map[string]string{"cloud": "warn"}},
		{"too old to say", func(_ *Patient, s *scripted) { s.cloud = ollama.CloudStatus{} }, map[string]string{"cloud": "warn"}},
		{"no such model", func(p *Patient, _ *scripted) { p.Model = "nobody" }, map[string]string{"model": "fail model missing or unable"}},
		{"a name of the cloud", func(p *Patient, _ *scripted) { p.Judge = "big:cloud" }, map[string]string{"judge": "fail not local"}},
		{"forwarded", func(_ *Patient, s *scripted) {
			s.facts = map[string]models.Facts{"eye": away, "judge": good()}
		}, map[string]string{"model": "fail not local"}},
		{"blind, with words of its own", func(_ *Patient, s *scripted) {
			s.facts = map[string]models.Facts{"eye": blind, "judge": good()}
		}, map[string]string{"model sees": "fail model missing or unable", "model's own words": "warn"}},
		{"messages of its own", func(_ *Patient, s *scripted) {
			s.facts = map[string]models.Facts{"eye": good(), "judge": talks}
		}, map[string]string{"judge's own words": "fail model missing or unable"}},
		{"half on the CPU", func(_ *Patient, s *scripted) {
			s.loaded = []ollama.Loaded{{Name: "eye:latest", Size: 100, SizeVRAM: 40}}
		}, map[string]string{"model on the GPU": "warn", "judge on the GPU": "warn"}},
		{"a full disk", func(p *Patient, _ *scripted) { p.Disk = func() (int64, bool) { return 1 << 20, true } }, map[string]string{"disk": "fail no room"}},
		{"proxies", func(p *Patient, _ *scripted) { p.Proxies = []string{"HTTP_PROXY"} }, map[string]string{"proxies": "warn"}},
		{"prompts that do not fit", func(p *Patient, _ *scripted) { p.Prompts = &Prompts{Benchmark: "smmile", Needs: 9000, Refused: 3} }, map[string]string{"largest prompt": "fail no room"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, s := well, server
			tt.change(&p, &s)
			all := p.Examine(t.Context(), s)
			got := found(all)
			for check, level := range got {
				if level == string(Pass) {
					delete(got, check)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			for _, f := range all {
				if f.Level != Pass && f.Mend == "" && f.Check != "disk" {
					t.Errorf("nothing mends %+v", f)
				}
			}
		})
	}
}
