package server

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCutLog(t *testing.T) {
	tests := []struct {
		name, log   string
		limit, keep int64
		want        string
	}{
		{"empty", "", 10, 4, ""},
		{"below", "012345678", 10, 4, "012345678"},
		{"at the limit", "0123456789", 10, 4, "0123456789"},
		{"above", "0123456789a", 10, 4, "789a"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "log")
			f, err := openLog(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			fmt.Fprint(f, tt.log)
			if err := cutLog(path, tt.limit, tt.keep); err != nil {
				t.Fatal(err)
			}
			fmt.Fprint(f, "!") // the server writes on behind the cut
			got, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want+"!", string(got)); diff != "" {
				t.Errorf("log (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLastLines(t *testing.T) {
	tests := []struct {
		name, log string
		n         int
		want      string
	}{
		{"empty", "", 3, "(it wrote nothing)"},
		{"blank", "\n\n", 3, "(it wrote nothing)"},
		{"fewer", "a\nb\n", 3, "a\nb"},
		{"more", "a\nb\nc\nd\n", 3, "b\nc\nd"},
		{"long", strings.Repeat("x", 1<<20) + "\nend\n", 1, "end"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "log")
			if err := os.WriteFile(path, []byte(tt.log), 0o600); err != nil {
				t.Fatal(err)
			}
			if got := lastLines(path, tt.n); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestServerLogIsBounded(t *testing.T) {
	s := startIn(t, t.TempDir(), "ollama-chatty")
	eventually(t, "the stand-in has written more than the limit", func() bool {
		_, err := os.Stat(filepath.Join(s.state.dir, "said"))
		return err == nil
	})
	eventually(t, "the log is below its limit", func() bool {
		info, err := os.Stat(s.state.logPath())
		return err == nil && info.Size() <= logLimit
	})
}
