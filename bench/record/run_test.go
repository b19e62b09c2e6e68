package record

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lightbox/infer"
	"lightbox/score"
)

func create(t testing.TB, dir string) *Run {
	t.Helper()
	r, err := Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	check(t, err)
	return string(b)
}

var someManifest = Manifest{
	Lightbox:  "v0.1.0",
	Benchmark: Benchmark{Name: "phantom", DataDigest: infer.DigestOf(nil), Samples: 100},
	Model:     Model{Name: "phantom-vlm:latest", Template: "{{ .Prompt }}<end>", Messages: []Turn{{"user", "Hello"}}},
	Judge:     &Judge{Model: Model{Name: "phantom-judge:latest"}, Protocol: "strict"},
	Options:   infer.Greedy(4096, 512, []string{"<end>"}),
	Probe:     map[string]string{"second picture": "ok", "first picture": "ok"},
}

func someVerdict(r Response) Verdict {
	return Verdict{
		ID: r.ID, Of: r.TextDigest(),
		Verdict: score.Verdict{Metric: score.ExactMatch, Rule: "exact", Outcome: score.Correct, Answer: "navo"},
	}
}

func TestReopening(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "runs", "phantom")
	r := create(t, dir)
	if r.Manifest() != nil {
		t.Error("a new run has a manifest")
	}
	check(t, r.WriteManifest(someManifest))
	responses := someResponses(4)
	again := responses[1]
	again.Text, again.Done, again.Fault = "now", true, nil
	responses = append(responses, again)
	for _, resp := range responses {
		check(t, r.AppendResponse(resp))
	}
	verdicts := []Verdict{someVerdict(responses[0])}
	check(t, r.AppendVerdict(verdicts[0]))
	start := time.Date(2026, 1, 2, 3, 4, 5, 678_900_000, time.FixedZone("", 3600))
	check(t, r.AppendTiming(Timing{ID: "1-1a2b3c4d", Kind: KindAsk, Attempt: 1, Start: start, Elapsed: MillisecondsOf(1499600 * time.Microsecond)}))
	timings := []Timing{{ID: "1-1a2b3c4d", Kind: KindAsk, Attempt: 1, Start: time.Date(2026, 1, 2, 2, 4, 5, 678_000_000, time.UTC), Elapsed: 1500}}

	manifest := someManifest
	manifest.Layout = layout
	same := func(name string, r *Run) {
		t.Helper()
		for _, diff := range []string{
			cmp.Diff(&manifest, r.Manifest()), cmp.Diff(responses, r.Responses()), cmp.Diff(again, r.Latest()[again.ID]),
			cmp.Diff(verdicts, r.Verdicts()), cmp.Diff(timings, r.Timings()),
		} {
			if diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
	}
	same("while open", r)
	live, err := Read(dir)
	check(t, err)
	same("read while open", live)
	check(t, r.Close())
	check(t, r.Close())
	if err := r.AppendResponse(again); !errors.Is(err, os.ErrClosed) {
		t.Errorf("appending after closing: %v", err)
	}
	r, err = Open(dir)
	check(t, err)
	same("opened again", r)
	if len(r.Torn()) != 0 {
		t.Errorf("torn: %v", r.Torn())
	}
	check(t, r.Close())
}

// TestResumeAnywhere cuts responses.jsonl at every byte, as a crash can, and
// resumes: the run then equals an undisturbed one.
func TestResumeAnywhere(t *testing.T) {
	all := someResponses(3)
	whole, ends := journalOf(t, all)
	dir := t.TempDir()
	path := filepath.Join(dir, responsesFile)
	for cut := range len(whole) + 1 {
		check(t, os.WriteFile(path, whole[:cut], 0o600))
		r, err := Open(dir)
		check(t, err)
		done := r.Latest()
		for i, resp := range all {
			if _, ok := done[resp.ID]; ok != (ends[i] <= cut) {
				t.Fatalf("cut at %d: response %d there: %t", cut, i, ok)
			} else if !ok {
				check(t, r.AppendResponse(resp))
			}
		}
		if diff := cmp.Diff(all, r.Responses()); diff != "" {
			t.Fatalf("cut at %d: %s", cut, diff)
		}
		check(t, r.Close())
		if got := read(t, path); got != string(whole) {
			t.Fatalf("cut at %d: resumed journal differs:\n%s", cut, got)
		}
	}
}

func TestTornTailIsTold(t *testing.T) {
	dir := t.TempDir()
	r := create(t, dir)
	check(t, r.AppendResponse(someResponses(1)[0]))
	check(t, r.Close())
	path := filepath.Join(dir, responsesFile)
	whole := read(t, path)
	check(t, os.WriteFile(path, []byte(whole+`{"id":"2`), 0o600))

	reader, err := Read(dir)
	check(t, err)
	if n := len(reader.Responses()); n != 1 {
		t.Errorf("reading finds %d responses, want 1", n)
	}
	if got := read(t, path); got == whole {
		t.Error("reading changed the journal")
	}
	r = create(t, dir)
	if diff := cmp.Diff([]Torn{{responsesFile, 8}}, r.Torn()); diff != "" {
		t.Error(diff)
	}
	if got := read(t, path); got != whole {
		t.Errorf("tail still there: %s", got)
	}
}

func TestDamageIsLeftAlone(t *testing.T) {
	dir := t.TempDir()
	r := create(t, dir)
	for _, resp := range someResponses(3) {
		check(t, r.AppendResponse(resp))
	}
	check(t, r.Close())
	path := filepath.Join(dir, responsesFile)
	damaged := strings.Replace(read(t, path), "Answer 0", "Answer 9", 1)
	check(t, os.WriteFile(path, []byte(damaged), 0o600))
	for name, open := range map[string]func(string) (*Run, error){"Open": Open, "Create": Create, "Read": Read} {
		_, err := open(dir)
		var je *JournalError
		if !errors.As(err, &je) || je.File != responsesFile || je.Line != 1 || je.Offset != 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if read(t, path) != damaged {
		t.Error("the damaged journal was changed")
	}
}

func TestManifestIsWrittenOnce(t *testing.T) {
	dir := t.TempDir()
	r := create(t, dir)
	check(t, r.WriteManifest(someManifest))
	first := read(t, filepath.Join(dir, manifestFile))
	if !strings.Contains(first, `"template": "{{ .Prompt }}<end>"`) {
		t.Errorf("manifest is not plain:\n%s", first)
	}
	other := someManifest
	other.Seed = 7
	if err := r.WriteManifest(other); !errors.Is(err, os.ErrExist) {
		t.Errorf("second manifest: %v", err)
	}
	if read(t, filepath.Join(dir, manifestFile)) != first {
		t.Error("the manifest was changed")
	}
}

func TestBadManifest(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"later layout", `{"layout": 2}`, "layout 2, this version of lightbox knows layout 1"},
		{"no layout", `{}`, "layout 0"},
		{"no JSON", `{"layout": 1`, "unexpected end of JSON input"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			check(t, os.WriteFile(filepath.Join(dir, manifestFile), []byte(tt.text), 0o600))
			for name, open := range map[string]func(string) (*Run, error){"Open": Open, "Read": Read} {
				if _, err := open(dir); err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("%s: error %v, want %q in it", name, err, tt.want)
				}
			}
		})
	}
}

func TestLockedByThisProcess(t *testing.T) {
	dir := filepath.Join(t.TempDir(), `a "run"`)
	r := create(t, dir)
	_, err := Open(dir)
	if !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), fmt.Sprintf("%q", dir)) {
		t.Errorf("second open: %v", err)
	}
	check(t, r.AppendResponse(someResponses(1)[0])) // the failed open took nothing away
	check(t, r.Close())
	r, err = Open(dir)
	check(t, err)
	check(t, r.Close())
}

func TestOpenMissing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "none")
	if _, err := Open(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Open: %v", err)
	}
	if _, err := Read(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Read: %v", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the directory was made: %v", err)
	}
}

func TestReadOnly(t *testing.T) {
	dir := t.TempDir()
	r, err := Read(dir)
	check(t, err)
	for name, err := range map[string]error{
		"AppendResponse": r.AppendResponse(Response{}),
		"AppendVerdict":  r.AppendVerdict(Verdict{}),
		"AppendTiming":   r.AppendTiming(Timing{}),
		"WriteManifest":  r.WriteManifest(Manifest{}),
		"WriteFile":      r.WriteFile(ReportJSON, func(io.Writer) error { return nil }),
	} {
		if !errors.Is(err, ErrReadOnly) {
			t.Errorf("%s: %v", name, err)
		}
	}
	check(t, r.Close())
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("reading left %v", entries)
	}
}

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	r := create(t, dir)
	write := func(text string, fail error) func(io.Writer) error {
		return func(w io.Writer) error {
			io.WriteString(w, text)
			return fail
		}
	}
	path := filepath.Join(dir, ReportJSON)
	check(t, r.WriteFile(ReportJSON, write("old", nil)))
	broken := errors.New("no more rows")
	if err := r.WriteFile(ReportJSON, write("half", broken)); !errors.Is(err, broken) {
		t.Errorf("failing writer: %v", err)
	}
	if got := read(t, path); got != "old" {
		t.Errorf("after a failure the file holds %q", got)
	}
	check(t, r.WriteFile(ReportJSON, write("new", nil)))
	if got := read(t, path); got != "new" {
		t.Errorf("the file holds %q", got)
	}
	for _, name := range []string{"", ".", "..", "../x", "a/b", "/x", manifestFile, responsesFile, lockFile} {
		if err := r.WriteFile(name, write("x", nil)); err == nil {
			t.Errorf("name %q was taken", name)
		}
	}
	unfinished, _ := filepath.Glob(filepath.Join(dir, ".*"))
	if len(unfinished) != 0 {
		t.Errorf("left behind: %v", unfinished)
	}
}

func TestUnfinishedFilesAreRemoved(t *testing.T) {
	dir := t.TempDir()
	left, other := filepath.Join(dir, ".unfinished-123.tmp"), filepath.Join(dir, "notes.tmp")
	check(t, os.WriteFile(left, nil, 0o600))
	check(t, os.WriteFile(other, nil, 0o600))
	create(t, dir)
	if _, err := os.Stat(left); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("unfinished file: %v", err)
	}
	if _, err := os.Stat(other); err != nil {
		t.Errorf("a user's file: %v", err)
	}
}

// TestConcurrent appends from many goroutines while others read.
func TestConcurrent(t *testing.T) {
	dir := t.TempDir()
	r := create(t, dir)
	const writers, each = 8, 40
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				resp := Response{ID: fmt.Sprintf("%d/%d", w, i), Text: strings.Repeat("x", i*100)}
				if err := errors.Join(r.AppendResponse(resp), r.AppendVerdict(someVerdict(resp)), r.AppendTiming(Timing{ID: resp.ID})); err != nil {
					t.Error(err)
				}
				if i%10 == 0 {
					live, err := Read(dir)
					if err != nil {
						t.Error(err)
						return
					}
					responses := live.Latest()
					for _, v := range live.Verdicts() {
						if _, ok := responses[v.ID]; !ok {
							t.Errorf("a verdict of %s without its response", v.ID)
						}
					}
				}
			}
		})
	}
	wg.Wait()
	check(t, r.Sync())
	inMemory := r.Responses()
	check(t, r.Close())
	again, err := Read(dir)
	check(t, err)
	if diff := cmp.Diff(inMemory, again.Responses()); diff != "" {
		t.Error(diff)
	}
	if n := len(again.Latest()); n != writers*each {
		t.Errorf("%d samples, want %d", n, writers*each)
	}
}

func BenchmarkAppendResponse(b *testing.B) {
	r := create(b, b.TempDir())
	resp := someResponses(3)[2]
	resp.Text = strings.Repeat("The lesion is round. ", 20)
	b.ReportAllocs()
	for b.Loop() {
		check(b, r.AppendResponse(resp))
	}
}

func BenchmarkOpen(b *testing.B) {
	dir := b.TempDir()
	r := create(b, dir)
	resp := someResponses(3)[2]
	for i := range 10_000 {
		resp.ID = fmt.Sprint(i)
		check(b, r.AppendResponse(resp))
	}
	check(b, r.Close())
	b.ReportAllocs()
	for b.Loop() {
		r, err := Open(dir)
		check(b, err)
		check(b, r.Close())
	}
}
