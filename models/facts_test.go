package models_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/models"
)

func TestCloudName(t *testing.T) {
	tests := []struct {
		name string
		want bool
	}{
		{"m:cloud", true},
		{"m:120b-cloud", true},
		{"M:CLOUD", true},
		{"gpt-oss:120B-Cloud", true},
		{" m:cloud ", true},
		{"m: cloud", true},
		{"host:5000/ns/m:cloud", true},
		{"m", false},
		{"m:4b", false},
		{"m:cloud:local", false},
		{"m-cloud", false},
		{"cloud", false},
		{"cloud:4b", false},
		{"m:clouds", false},
		{"m:4bcloud", false},
		{"host:5000/m-cloud", false},
		{"", false},
		{":", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := models.CloudName(tt.name); got != tt.want {
				t.Errorf("CloudName(%q) = %v, want %v", tt.name, got, tt.want)
			}
		})
	}
}

func TestFactsCanAndRemote(t *testing.T) {
	f := models.Facts{Capabilities: []string{"completion", "vision"}}
	for capability, want := range map[string]bool{"vision": true, "completion": true, "thinking": false, "": false} {
		if got := f.Can(capability); got != want {
			t.Errorf("Can(%q) = %v, want %v", capability, got, want)
		}
	}
	tests := []struct {
		name  string
		facts models.Facts
		want  bool
	}{
		{"neither", models.Facts{Name: "m:cloud"}, false},
		{"host", models.Facts{RemoteHost: "https://example.org:443"}, true},
		{"model", models.Facts{RemoteModel: "up"}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.facts.Remote(); got != tt.want {
				t.Errorf("Remote() = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestStopList(t *testing.T) {
	long := strings.Repeat("x", 1<<17)
	tests := []struct {
		name, parameters string
		want             []string
	}{
		{"nothing", "", []string{}},
		{"others", "temperature 1\nnum_ctx 4096", []string{}},
		{"plain", "stop </s>", []string{"</s>"}},
		{"quoted, aligned", "temperature                    0.1\nstop                           \"<|im_end|>\"", []string{"<|im_end|>"}},
		{"order kept, repeats kept", "stop \"b\"\nstop \"a\"\nstop \"b\"", []string{"b", "a", "b"}},
		{"escapes", `stop "\n\t\"User:\""`, []string{"\n\t\"User:\""}},
		{"blanks inside", `stop "### User: "`, []string{"### User: "}},
		{"blanks inside, unquoted", "stop ### User", []string{"### User"}},
		{"carriage returns", "stop \"a\"\r\nstop \"b\"\r\n", []string{"a", "b"}},
		{"another name", "stopped \"a\"\nnum_stop 3", []string{}},
		{"broken quotes", `stop "a`, []string{`"a`}},
		{"very long, another follows", "stop " + long + "\nstop b", []string{long, "b"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, models.StopList(tt.parameters)); diff != "" {
				t.Errorf("stops (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFullName(t *testing.T) {
	tests := []struct{ name, want string }{
		{"m", "m:latest"},
		{"m:4b", "m:4b"},
		{" m ", "m:latest"},
		{"ns/m", "ns/m:latest"},
		{"host:5000/ns/m", "host:5000/ns/m:latest"},
		{"host:5000/ns/m:4b", "host:5000/ns/m:4b"},
		{"m:4b:local", "m:4b:local"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := models.FullName(tt.name)
			if got != tt.want {
				t.Errorf("FullName(%q) = %q, want %q", tt.name, got, tt.want)
			}
			if again := models.FullName(got); again != got {
				t.Errorf("FullName(%q) = %q, want it unchanged", got, again)
			}
		})
	}
}

func FuzzStopList(f *testing.F) {
	f.Add("temperature 0\nstop \"</s>\"\nstop \"a b\"")
	f.Add("stop `raw`\nstop 'c'")
	f.Fuzz(func(t *testing.T, parameters string) {
		stops := models.StopList(parameters)
		if stops == nil {
			t.Fatal("a nil list would be sent as null")
		}
		if lines := strings.Count(parameters, "\n") + 1; len(stops) > lines {
			t.Errorf("%d stops from %d lines", len(stops), lines)
		}
	})
}
