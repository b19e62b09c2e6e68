package source

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"lightbox/bench/card"
)

const phantomFile = "../phantom/problems.jsonl"

func samplesOf(t testing.TB, text string, o Options) []card.Sample {
	t.Helper()
	set, err := Parse("own.jsonl", []byte(text), o)
	if err != nil {
		t.Fatal(err)
	}
	return set.Samples
}

// conform fails unless the samples are what every reader must give.
func conform(t testing.TB, samples []card.Sample, o Options) {
	t.Helper()
	seen := map[string]bool{}
	for _, s := range samples {
		if seen[s.ID] || s.ID == "" {
			t.Errorf("ID %q is empty or there twice", s.ID)
		}
		seen[s.ID] = true
		if o.KeepNames != (s.ID == s.Name) {
			t.Errorf("sample %q of name %q, names kept: %t", s.ID, s.Name, o.KeepNames)
		}
		if s.Name == "" || s.Group == "" {
			t.Errorf("%s: name %q, group %q", s.ID, s.Name, s.Group)
		}
		if _, ok := find(samples, s.Group); !ok {
			t.Errorf("%s: group %q is no sample's ID", s.ID, s.Group)
		}
		for _, q := range append([]card.Sample{s}, s.Demonstrations...) {
			if strings.TrimSpace(q.Question) == "" {
				t.Errorf("%s: empty question", s.ID)
			}
			if len(q.Options) == 1 || len(q.Options) > 0 && len(q.References) > 0 && q.Key == "" {
				t.Errorf("%s: options %v without the reference %q", s.ID, q.Options, q.References)
			}
			for _, p := range q.Pictures {
				if !fs.ValidPath(p) {
					t.Errorf("%s: picture %q", s.ID, p)
				}
			}
		}
		for _, d := range s.Demonstrations {
			if len(d.References) == 0 || len(d.Demonstrations) > 0 || d.Group != s.Group {
				t.Errorf("%s: demonstration %+v", s.ID, d)
			}
		}
	}
}

func find(samples []card.Sample, id string) (card.Sample, bool) {
	i := slices.IndexFunc(samples, func(s card.Sample) bool { return s.ID == id })
	if i < 0 {
		return card.Sample{}, false
	}
	return samples[i], true
}

func TestPhantom(t *testing.T) {
	for _, o := range []Options{{}, {KeepNames: true}} {
		set, err := Load(phantomFile, o)
		if err != nil {
			t.Fatal(err)
		}
		conform(t, set.Samples, o)
		shots := map[int]int{}
		for _, s := range set.Samples {
			shots[len(s.Demonstrations)]++
		}
		if diff := cmp.Diff(map[int]int{0: 60, 2: 10, 3: 10, 4: 10, 5: 10}, shots); diff != "" {
			t.Error(diff)
		}
	}
}

// TestPhantomFirst compares the first problem with its rows.
func TestPhantomFirst(t *testing.T) {
	set, err := Load(phantomFile, Options{KeepNames: true})
	if err != nil {
		t.Fatal(err)
	}
	row := func(id, answer, image string, tags ...string) card.Sample {
		return card.Sample{
			ID: id, Name: "icl-000", Group: "icl-000", Question: "Which finding is shown?",
			References: []string{answer}, Pictures: []string{image},
			Tags: append(append([]string{"in-context", "k:2", "labels:2"}, tags...), "task:finding"),
		}
	}
	want := row("icl-000", "fep", "images/ph10.png", "modality:CT", "shape:cross", "side:left")
	want.Demonstrations = []card.Sample{
		row("icl-000/1", "navo", "images/ph33.png", "modality:MRI", "shape:round", "side:right"),
		row("icl-000/2", "fep", "images/ph52.png", "modality:X-ray", "shape:cross", "side:right"),
	}
	if diff := cmp.Diff(want, set.Samples[0]); diff != "" {
		t.Error(diff)
	}
	raw, err := os.ReadFile(phantomFile)
	if err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(raw); string(set.Digest) != "sha256:"+hex.EncodeToString(sum[:]) {
		t.Errorf("digest %s", set.Digest)
	}
	own, err := Load(phantomFile, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if id := own.Samples[0].ID; !strings.HasPrefix(id, "3-") || len(id) != 10 {
		t.Errorf("ID %q, want the query's row 3 and 8 digits", id)
	}
}

// TestPhantomPictures opens every picture that the benchmark names.
func TestPhantomPictures(t *testing.T) {
	set, err := Load(phantomFile, Options{})
	if err != nil {
		t.Fatal(err)
	}
	folder, err := OpenFolder("../phantom")
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	for _, s := range set.Samples {
		for _, q := range append(slices.Clone(s.Demonstrations), s) {
			for _, p := range q.Pictures {
				if data, err := folder.Open(p); err != nil || !bytes.HasPrefix(data, []byte("\x89PNG")) {
					t.Errorf("%s: picture %q: %v", s.ID, p, err)
				}
			}
		}
	}
}

func TestSamples(t *testing.T) {
	tests := []struct {
		name, text string
		want       []card.Sample // IDs and groups left out
	}{
		{
			name: "least", text: `{"question":"What?"}`,
			want: []card.Sample{{Name: "1", Question: "What?"}},
		},
		{
			name: "nulls are absent",
			text: `{"problem_id":null,"order":null,"question":"What?","answer":null,"image":null,"options":null,"subset":null,"task":null,"tags":null}`,
			want: []card.Sample{{Name: "1", Question: "What?"}},
		},
		{
			name: "everything",
			text: `{"problem_id":"p","question":"Which?","answer":"b c","image":"./a//b.png","options":["a","b c"],"subset":"en","task":"side","tags":["ct","task:side","ct"]}`,
			want: []card.Sample{{
				Name: "p", Subset: "en", Question: "Which?", References: []string{"b c"}, Pictures: []string{"a/b.png"},
				Options: []card.Option{{Letter: "A", Text: "a"}, {Letter: "B", Text: "b c"}}, Key: "B", Tags: []string{"ct", "task:side"},
			}},
		},
		{
			name: "rows of problems apart and out of order",
			text: `{"problem_id":"p","order":7,"question":"p last"}
{"problem_id":"q","order":1,"question":"q first","answer":"1"}
{"question":"alone"}
{"problem_id":"p","order":-1,"question":"p first","answer":"3"}
{"problem_id":"q","order":2.0,"question":"q last","answer":"4"}`,
			want: []card.Sample{
				{Name: "p", Question: "p last", Demonstrations: []card.Sample{{Name: "p", Question: "p first", References: []string{"3"}}}},
				{Name: "3", Question: "alone"},
				{Name: "q", Question: "q last", References: []string{"4"}, Demonstrations: []card.Sample{{Name: "q", Question: "q first", References: []string{"1"}}}},
			},
		},
		{
			name: "one ordered row", text: `{"problem_id":"p","order":3,"question":"What?"}`,
			want: []card.Sample{{Name: "p", Question: "What?"}},
		},
		{
			name: "byte order mark, other line ends, blank lines",
			text: "\xef\xbb\xbf{\"question\":\"a\"}\r\n\r\n \t\n{\"question\":\"b\"}\r\n",
			want: []card.Sample{{Name: "1", Question: "a"}, {Name: "4", Question: "b"}},
		},
		{
			name: "line ends that are none", text: "{\"question\":\"a\u2028b\u0085c\"}",
			want: []card.Sample{{Name: "1", Question: "a\u2028b\u0085c"}},
		},
		{
			name: "escapes", text: `{"\u0071uestion":"\ud83d\ude00 \\ud83d \ufffd"}`,
			want: []card.Sample{{Name: "1", Question: "😀 \\ud83d \ufffd"}},
		},
		{
			name: "blanks around texts stay", text: `{"question":" a ","answer":" b\n"}`,
			want: []card.Sample{{Name: "1", Question: " a ", References: []string{" b\n"}}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := samplesOf(t, tt.text, Options{})
			conform(t, got, Options{})
			if diff := cmp.Diff(tt.want, got, cmpopts.IgnoreFields(card.Sample{}, "ID", "Group")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestIDs(t *testing.T) {
	// The canonical bytes, so that IDs stay as they are from version to version.
	canonical := `{"problem_id":"Jane Doe","question":"What?","answer":"CT","tags":["x"]}`
	sum := sha256.Sum256([]byte(canonical))
	want := "2-" + hex.EncodeToString(sum[:4])
	for _, text := range []string{
		"{\"question\":\"a\"}\n" + canonical,
		"{\"question\":\"a\"}\n" + `{ "tags" : ["x"], "answer":"CT", "question":"\u0057hat?", "problem_id":"Jane Doe" }` + "\n",
	} {
		got := samplesOf(t, text, Options{})[1]
		if got.ID != want || got.Group != want || got.Name != "Jane Doe" {
			t.Errorf("ID %q, group %q, name %q; want ID %q", got.ID, got.Group, got.Name, want)
		}
	}
}

// TestGroups: rows without order that share a name are one group.
func TestGroups(t *testing.T) {
	got := samplesOf(t, `{"problem_id":"p","question":"a"}
{"problem_id":"q","question":"b"}
{"problem_id":"p","question":"c"}
{"question":"d"}`, Options{})
	if len(got) != 4 || got[2].Group != got[0].ID || got[1].Group != got[1].ID || got[3].Group != got[3].ID {
		t.Errorf("got %+v", got)
	}
}

func TestNoRows(t *testing.T) {
	for _, text := range []string{"", "\n \r\n", "\xef\xbb\xbf"} {
		if _, err := Parse("own.jsonl", []byte(text), Options{}); err == nil || err.Error() != `reading "own.jsonl": no rows` {
			t.Errorf("%q: error %v", text, err)
		}
	}
}

func TestKeptNamesMustDiffer(t *testing.T) {
	_, err := Parse("own.jsonl", []byte(`{"problem_id":"2","question":"a"}
{"question":"b"}`), Options{KeepNames: true})
	var re *RowError
	if !errors.As(err, &re) || re.Row != 2 || re.Field != "problem_id" || !strings.Contains(err.Error(), `"2", as in row 1`) {
		t.Errorf("error %v", err)
	}
}

func TestLimits(t *testing.T) {
	small := limits{line: 40, file: 100, rows: 5}
	tests := []struct{ name, text, want string }{
		{"within", strings.Repeat(`{"question":"a"}`+"\n", 5), ""},
		{"line", `{"question":"a"}` + "\n" + `{"question":"` + strings.Repeat("a", 40) + `"}`, "is longer than 40 bytes"},
		{"file", strings.Repeat(`{"question":"a"}`+strings.Repeat(" ", 20)+"\n", 3), "more data than the limit"},
		{"rows", strings.Repeat("{\"question\":\"a\"}\n", 5) + "x", "more than 5 rows"},
		{"blank lines", strings.Repeat("\n", 101), "more data than the limit"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := parse("own.jsonl", strings.NewReader(tt.text), Options{}, small)
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

// TestCompressed: a compressed file gives the same samples and the digest of
// its own bytes. Cut anywhere in its second half, it is an error.
func TestCompressed(t *testing.T) {
	plain, err := os.ReadFile(phantomFile)
	if err != nil {
		t.Fatal(err)
	}
	want := samplesOf(t, string(plain), Options{})
	var gz bytes.Buffer
	w := gzip.NewWriter(&gz)
	w.Write(plain)
	w.Close()
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	half := len(plain) / 2
	for name, packed := range map[string][]byte{
		"a.jsonl.gz": gz.Bytes(), "a.jsonl.zst": enc.EncodeAll(plain, nil), "A.JSONL.GZ": gz.Bytes(),
		"two-frames.zst": enc.EncodeAll(plain[half:], enc.EncodeAll(plain[:half], nil)),
	} {
		path := filepath.Join(t.TempDir(), name)
		load := func(b []byte) (*Set, error) {
			if err := os.WriteFile(path, b, 0o600); err != nil {
				t.Fatal(err)
			}
			return Load(path, Options{})
		}
		set, err := load(packed)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(want, set.Samples); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if sum := sha256.Sum256(packed); string(set.Digest) != "sha256:"+hex.EncodeToString(sum[:]) {
			t.Errorf("%s: digest %s", name, set.Digest)
		}
		if name == "two-frames.zst" {
			continue // cut between its frames it is whole
		}
		for cut := len(packed) / 2; cut < len(packed); cut += 97 {
			if set, err := load(packed[:cut]); err == nil {
				t.Errorf("%s cut at %d: %d samples", name, cut, len(set.Samples))
			}
		}
		if _, err := load(plain); err == nil {
			t.Errorf("%s: plain text was taken for compressed", name)
		}
	}
}

func TestLoadMissing(t *testing.T) {
	if _, err := Load(filepath.Join(t.TempDir(), "none.jsonl"), Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

// rowsOf writes samples as rows again.
func rowsOf(samples []card.Sample) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	for i, s := range samples {
		all := append(slices.Clone(s.Demonstrations), s)
		for j, q := range all {
			r := row{Problem: fmt.Sprintf("%d %s", i, s.Name), Question: q.Question, Subset: q.Subset, Tags: q.Tags}
			if len(all) > 1 {
				r.Order = &j
			}
			for _, o := range q.Options {
				r.Options = append(r.Options, o.Text)
			}
			if len(q.References) > 0 {
				r.Answer = q.References[0]
			}
			if r.Images = q.Pictures; len(r.Images) == 1 {
				r.Image, r.Images = r.Images[0], nil
			}
			enc.Encode(r)
		}
	}
	return b.Bytes()
}

// FuzzParse: samples conform, and written as rows again they are read as the
// same samples.
func FuzzParse(f *testing.F) {
	phantom, err := os.ReadFile(phantomFile)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(phantom[:bytes.IndexByte(phantom, '\n')*4])
	f.Add([]byte(`{"question":"a","answer":"b c","options":["a","b c"],"image":"./a//b.png","tags":["x"],"task":"y","subset":"s"}`))
	f.Add([]byte("{\"problem_id\":\"p\",\"order\":2.0,\"question\":\"a\"}\r\n\n{\"problem_id\":\"p\",\"order\":-1,\"question\":\"b\",\"answer\":\"c\"}"))
	f.Add([]byte("\xef\xbb\xbf{\"question\":\"\\ud83d\\ude00\u2028\"}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		set, err := Parse("own.jsonl", data, Options{})
		if err != nil {
			return
		}
		conform(t, set.Samples, Options{})
		again, err := Parse("again.jsonl", rowsOf(set.Samples), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(set.Samples, again.Samples, cmpopts.IgnoreFields(card.Sample{}, "ID", "Name", "Group")); diff != "" {
			t.Fatal(diff)
		}
	})
}
