package phantom_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/models/phantom"
)

func readme(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// fact is what README.md's table says of a file.
type fact struct {
	Bytes  int
	Digest string
}

func TestDefinitionsMatchReadme(t *testing.T) {
	row := regexp.MustCompile(`(?m)^\| (phantom-\w+\.gguf) \| ([0-9 ]+) \| ([0-9a-f]{64}) \|`)
	want := map[string]fact{}
	for _, m := range row.FindAllStringSubmatch(readme(t), -1) {
		n, err := strconv.Atoi(strings.ReplaceAll(m[2], " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		want[m[1]] = fact{n, "sha256:" + m[3]}
	}
	stated, actual := map[string]fact{}, map[string]fact{}
	for _, d := range phantom.Definitions() {
		sum := sha256.Sum256(d.Data)
		stated[d.File] = fact{len(d.Data), d.Digest}
		actual[d.File] = fact{len(d.Data), "sha256:" + hex.EncodeToString(sum[:])}
	}
	if diff := cmp.Diff(want, stated); diff != "" {
		t.Errorf("definitions differ from README.md (-README +definitions):\n%s", diff)
	}
	if diff := cmp.Diff(want, actual); diff != "" {
		t.Errorf("files differ from README.md (-README +files):\n%s", diff)
	}
}

func TestTemplateMatchesReadme(t *testing.T) {
	_, rest, ok := strings.Cut(readme(t), "```\n{{")
	if !ok {
		t.Fatal("README.md shows no template")
	}
	body, _, _ := strings.Cut(rest, "\n```")
	for _, d := range phantom.Definitions() {
		if diff := cmp.Diff("{{"+body, d.Template); diff != "" {
			t.Errorf("template of %s (-README +definition):\n%s", d.Name, diff)
		}
	}
}

func TestParameters(t *testing.T) {
	want := map[string]map[string]any{
		phantom.Model: {"temperature": 0, "num_ctx": 4096, "num_predict": 32, "num_thread": 1},
		phantom.Judge: {"temperature": 0, "num_ctx": 4096, "num_predict": 8, "num_thread": 1},
	}
	got := map[string]map[string]any{}
	for _, d := range phantom.Definitions() {
		got[d.Name] = d.Parameters
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("parameters (-want +got):\n%s", diff)
	}
}

func TestDefinitionsAreIndependent(t *testing.T) {
	phantom.Definitions()[0].Parameters["num_ctx"] = 1
	if got := phantom.Definitions()[0].Parameters["num_ctx"]; got != 4096 {
		t.Errorf("num_ctx = %v after another caller changed its copy, want 4096", got)
	}
}

func TestLicenceStandsInTheFiles(t *testing.T) {
	for _, d := range phantom.Definitions() {
		// A GGUF string value: its key, type 8, its length, its bytes.
		field := "general.license\x08\x00\x00\x00\x07\x00\x00\x00\x00\x00\x00\x00cc0-1.0"
		if !bytes.Contains(d.Data, []byte(field)) {
			t.Errorf("%s does not say that its licence is cc0-1.0", d.File)
		}
	}
}
