package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"lightbox/bench"
	"lightbox/infer/ollama/fake"
	"lightbox/models/phantom"
)

// forwarded are the ways in which the name of a model can mean another machine.
var forwarded = []struct {
	how, name string
	model     func(*fake.Model) // what the server says of it; nil: it is not asked
	code      int
}{
	{"the tag cloud", "m:cloud", nil, exitNotLocal},
	{"a tag that ends in -cloud", "m:120b-cloud", nil, exitNotLocal},
	{"capitals", "M:CLOUD", nil, exitNotLocal},
	{"blanks", "  m:120b-Cloud ", nil, exitNotLocal},
	{"a registry before it", "example.org:5000/library/m:cloud", nil, exitNotLocal},
	{"said to be local", "m:cloud:local", nil, exitNotLocal},
	{"remote_host in the list", "m", func(m *fake.Model) { m.RemoteHost, m.ShowSilent = "https://example.org", true }, exitNotLocal},
	{"remote_model in the list", "m", func(m *fake.Model) { m.RemoteModel, m.ShowSilent = "up", true }, exitNotLocal},
	{"remote_host when shown", "m", func(m *fake.Model) { m.RemoteHost, m.TagsSilent = "https://example.org", true }, exitNotLocal},
	{"remote_model when shown", "m", func(m *fake.Model) { m.RemoteModel, m.TagsSilent = "up", true }, exitNotLocal},
	{"an alias", "m", func(m *fake.Model) { m.RemoteHost, m.RemoteModel, m.Unlisted = "https://example.org", "up", true }, exitModel},
	{"not shown", "m", func(m *fake.Model) { m.RemoteHost, m.TagsSilent, m.ShowStatus = "https://example.org", true, 500 }, exitFailure},
	{"not shown, by permission", "m", func(m *fake.Model) { m.RemoteHost, m.TagsSilent, m.ShowStatus = "https://example.org", true, 403 }, exitFailure},
}

// sending are the commands that ask something of a model, with MODEL in the place
// of its name.
var sending = []string{
	"run cases.jsonl --data . --model MODEL",
	"run cases.jsonl --data . --model eye --judge MODEL",
	"run cases.jsonl --data . --model eye --judge MODEL --judge-protocol official --no-probe",
	"plan plan.json cases.jsonl --data . --model MODEL",
	"plan plan.json cases.jsonl --data . --model eye --judge MODEL",
	"preview cases.jsonl --data . --model MODEL",
	"image p.png --out seen --model MODEL",
	"doctor --model MODEL",
	"doctor --model eye --judge MODEL",
	"doctor cases.jsonl --data . --model MODEL",
}

// TestForwardedModelsAreRefusedByEveryCommand demands that no text and no picture
// is sent where either model would be another machine's.
func TestForwardedModelsAreRefusedByEveryCommand(t *testing.T) {
	for _, f := range forwarded {
		for _, newer := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, newer %v", f.how, newer), func(t *testing.T) {
				config := fake.Config{Newer: newer, CloudEnabled: true, Models: []fake.Model{fake.Vision("eye")}}
				if f.model != nil {
					m := fake.Vision(f.name)
					f.model(&m)
					config.Models = append(config.Models, m)
				}
				s := serveCases(t, config)
				for _, line := range sending {
					code, said := execution(strings.Fields(line), f.name)
					if code != f.code && !strings.HasPrefix(line, "doctor") || code == exitDone {
						t.Errorf("%s: exit code %d, want %d: %s", line, code, f.code, said)
					}
				}
				for _, r := range s.Requests() {
					if len(r.Messages) > 0 || r.Path == "/api/chat" {
						t.Errorf("%s %s was sent: %+v", r.Method, r.Path, r.Messages)
					}
				}
				if n := len(s.Loads()); n > 0 {
					t.Errorf("%d models were loaded", n)
				}
				if _, err := os.Stat("runs"); err == nil {
					t.Error("there is a run directory")
				}
			})
		}
	}
}

// TestTheDemoRefusesForwardedModels has its models' names stand for another
// machine's.
func TestTheDemoRefusesForwardedModels(t *testing.T) {
	for _, name := range []string{phantom.Model, phantom.Judge} {
		t.Run(name, func(t *testing.T) {
			stub := fake.Vision(name)
			stub.RemoteHost, stub.RemoteModel = "https://example.org", "up"
			s := serveCases(t, fake.Config{Models: []fake.Model{stub}, CloudEnabled: true})
			if code, said := execution([]string{"demo", "--host", os.Getenv("OLLAMA_HOST")}, ""); code != exitNotLocal {
				t.Errorf("%s: exit code %d: %s", name, code, said)
			}
			if n := s.ChatCount(); n > 0 {
				t.Errorf("%d questions were sent", n)
			}
		})
	}
}

// TestAForwardedReplyEndsTheRun has a server that turns out to forward requests
// once they are sent: no further one is.
func TestAForwardedReplyEndsTheRun(t *testing.T) {
	for _, judge := range []bool{false, true} {
		for name, answer := range map[string]fake.Answer{
			"remote_host": {Text: "x", RemoteHost: "https://example.org"}, "remote_model": {Text: "x", RemoteModel: "up"},
		} {
			t.Run(fmt.Sprintf("%s, of the judge %v", name, judge), func(t *testing.T) {
				after := 0
				s := serveCases(t, fake.Config{
					Models: []fake.Model{fake.Vision("eye"), fake.Text("judge")},
					Script: func(r fake.Request) fake.Reply {
						mine := r.Number("num_predict") == bench.DefaultNumPredict
						if judge {
							mine = strings.HasPrefix(r.Model, "judge") && r.Format != nil
						}
						if after > 0 || mine {
							after++
							return answer
						}
						return nil
					},
				})
				code, said := execution(strings.Fields("run cases.jsonl --data . --model eye --judge judge"), "")
				if code != exitNotLocal {
					t.Errorf("exit code %d: %s", code, said)
				}
				if after != 1 {
					t.Errorf("%d replies came from elsewhere, want 1 (%d requests)", after, s.ChatCount())
				}
			})
		}
	}
}

// serveCases starts a fake server that OLLAMA_HOST names, in a directory with
// questions, a picture and a plan.
func serveCases(t *testing.T, c fake.Config) *fake.Server {
	t.Helper()
	s := fake.Start(c)
	t.Cleanup(s.Close)
	picture, err := os.ReadFile("../../bench/phantom/images/ph00.png")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	t.Setenv("OLLAMA_HOST", s.Addr())
	writeFile(t, "p.png", string(picture), 0o600)
	writeFile(t, "cases.jsonl", `{"question": "first?", "answer": "a", "image": "p.png"}`+"\n"+`{"question": "second?", "answer": "b", "image": "p.png"}`, 0o600)
	writeFile(t, "plan.json", `{"name": "p", "reference": "a", "arms": [{"name": "a"}, {"name": "b", "ablate": "blank"}]}`, 0o600)
	return s
}

// execution runs a command line in this process, with a model's name in the place
// of MODEL.
func execution(args []string, model string) (code int, text string) {
	for i, a := range args {
		if a == "MODEL" {
			args[i] = model
		}
	}
	var out bytes.Buffer
	var err said
	code = execute(append([]string{"lightbox"}, args...), terminal{out: &out, err: &err})
	return code, out.String() + err.String()
}
