package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/bench/card"
	"lightbox/bench/record"
	"lightbox/infer"
	"lightbox/infer/ollama/fake"
	"lightbox/score"
)

const (
	exampleCard = "card/testdata/example.json"
	bones       = "testdata/bones" // data of the example, written by pyarrow
)

func openCard(t testing.TB, path string, o CardData) Benchmark {
	t.Helper()
	b, err := OpenCard(path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// replies answers each bone question as the map says, by a part of it.
func replies(answers map[string]string) fake.Script {
	return func(r fake.Request) fake.Reply {
		for part, text := range answers {
			if strings.Contains(r.Last(), part) {
				return fake.Answer{Text: text}
			}
		}
		return fake.Answer{}
	}
}

func TestCardOnTheWire(t *testing.T) {
	s, cfg := play(t, 0, fake.Config{Script: replies(map[string]string{"bone?": "B", "side?": "B. right", "carpal": "(A) eight", "joint?": "A"})})
	cfg.Benchmark, cfg.KeepNames = openCard(t, exampleCard, CardData{Path: bones, KeepNames: true}), true
	result, err := Run(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	run, err := record.Read(cfg.Out)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"t1": "user: #Which bone?\nA) ulna\nB) radius\nAnswer with a letter. (grade1)",
		"t2": "user: #Note: seen from behind\nWhich side?\nA) left\nB) right\nC) both\nAnswer with a letter. (grade2)",
		"t3": "user: How many carpal bones?\nA) eight\nB) ten\nAnswer with a letter. (grade1)",
		"t4": "user: #Which joint?\nA) hip\nB) knee\nAnswer with a letter. (grade2)",
	}
	for id, text := range want {
		if diff := cmp.Diff([]string{text}, said(chatOf(t, s, run.Latest()[id]))); diff != "" {
			t.Errorf("%s: %s", id, diff)
		}
	}
	verdicts := map[string]string{}
	for id := range want {
		v := verdictOf(t, cfg.Out, id, score.MCQA)
		verdicts[id] = strings.TrimSpace(fmt.Sprintf("%s %s %s%s", v.Outcome, v.Rule, v.Answer, v.Reason))
	}
	if diff := cmp.Diff(map[string]string{
		"t1": "correct exact-match B", "t2": "incorrect rule-match B", "t3": "no_answer exact-match, rule-match",
		"t4": "unscored exact-match A" + score.ReasonReference,
	}, verdicts); diff != "" {
		t.Error(diff)
	}
	m := run.Manifest().Benchmark
	if m.Name != "Bones" || m.Version != "2026-01-15" || m.Card == "" || m.Split != "test" || m.Primary != score.MCQA || m.Licence != "CC0" {
		t.Errorf("manifest: %+v", m)
	}
	if diff := cmp.Diff([]string{"exact-match, rule-match"}, m.Rules); diff != "" {
		t.Error(diff)
	}
	text := fmt.Sprint(result.Report.Provenance)
	for _, part := range []string{"the letter alone; no model judges", "own; made up", "made up for tests", "some-model", m.Card.Short()} {
		if !strings.Contains(text, part) {
			t.Errorf("provenance %s, want %q in it", text, part)
		}
	}
}

// TestCardShots: demonstrations come from the train split, with the letter as the
// answer, and never with the query's picture or group.
func TestCardShots(t *testing.T) {
	allowed := map[string][]string{
		"t1": {"side", "joint", "end"}, // r1 has its picture, r5 no answer
		"t2": {"bone", "joint", "end"}, // r2 is of its group
		"t3": {"bone", "side", "joint", "end"},
		"t4": {"bone", "side", "joint", "end"},
	}
	keys := map[string]string{"bone": "B", "side": "B", "joint": "B", "end": "A"}
	shown := func(seed int) map[string][]string {
		s, cfg := play(t, 0, fake.Config{})
		cfg.Benchmark, cfg.KeepNames, cfg.Seed, cfg.Shots = openCard(t, exampleCard, CardData{Path: bones, KeepNames: true}), true, seed, card.FirstShots(2)
		if _, err := Run(context.Background(), cfg); err != nil {
			t.Fatal(err)
		}
		run, err := record.Read(cfg.Out)
		if err != nil {
			t.Fatal(err)
		}
		if m := run.Manifest(); m.Benchmark.PoolDigest == "" || m.Shots != "2" {
			t.Errorf("manifest: shots %s, %+v", m.Shots, m.Benchmark)
		}
		all := map[string][]string{}
		for id, line := range run.Latest() {
			turns := said(chatOf(t, s, line))
			if len(turns) != 5 {
				t.Fatalf("%s: %q", id, turns)
			}
			for i := 0; i < 4; i += 2 {
				words := strings.Fields(turns[i])
				if words[1] != "#Which" || turns[i+1] != "assistant: "+keys[strings.TrimSuffix(words[2], "?")] {
					t.Errorf("%s: %q", id, turns[i:i+2])
				}
				all[id] = append(all[id], strings.TrimSuffix(words[2], "?"))
			}
		}
		return all
	}
	seen := map[string]bool{}
	for seed := range 4 {
		for id, names := range shown(seed) {
			for _, name := range names {
				if !slices.Contains(allowed[id], name) {
					t.Errorf("seed %d: %s shows %s", seed, id, name)
				}
				seen[name] = true
			}
		}
	}
	if len(seen) != 4 {
		t.Errorf("only %v were drawn", slices.Collect(maps.Keys(seen)))
	}
	if diff := cmp.Diff(shown(7), shown(7)); diff != "" {
		t.Errorf("a seed draws differently: %s", diff)
	}
	if b := openCard(t, exampleCard, CardData{Path: bones}); b.Shots != 1 || b.Recipe.MaxSide != 512 {
		t.Errorf("the card's own settings: %d shots, %+v", b.Shots, b.Recipe)
	}
}

// TestParityPublishedCard loads a card as it is published, which lies beside the
// project, and runs it on rows of our own.
func TestParityPublishedCard(t *testing.T) {
	path := "../../shared/data/cards/scienceqa.json"
	if _, err := os.Stat(path); err != nil {
		t.Skipf("the published card is not here: %v", err)
	}
	dir := t.TempDir()
	writeData(t, dir, "a.png", string(greyPNG(t, 1)))
	writeData(t, dir, "test.jsonl", `{"image": "a.png", "question": "Which?", "choices": ["x", "y"], "answer": 1, "hint": "", "subject": "natural science", "grade": "grade1"}
{"image": null, "question": "Why?", "choices": ["x", "y", "z"], "answer": 2, "hint": "Because.", "subject": "natural science", "grade": "grade2"}`)
	s, cfg := play(t, 0, fake.Config{Script: replies(map[string]string{"Which?": "b", "Why?": "C. z"})})
	cfg.Benchmark = openCard(t, path, CardData{Path: dir})
	result, err := Run(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	run, err := record.Read(cfg.Out)
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{
		"0": "user: #Question: Which?\nOptions:\n(A) x\n(B) y\nAnswer with the option letter from the given choices.",
		"1": "user: Context: Because.\nQuestion: Why?\nOptions:\n(A) x\n(B) y\n(C) z\nAnswer with the option letter from the given choices.",
	} {
		if diff := cmp.Diff([]string{want}, said(chatOf(t, s, run.Latest()[id]))); diff != "" {
			t.Errorf("%s: %s", id, diff)
		}
		if v := verdictOf(t, cfg.Out, id, score.MCQA); v.Outcome != score.Correct {
			t.Errorf("%s: %+v", id, v)
		}
	}
	if result.Unscored != 0 {
		t.Errorf("%d unscored", result.Unscored)
	}
}

func writeData(t testing.TB, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// changedCard is the example with a part of its text replaced.
func changedCard(t testing.TB, old, new string) string {
	t.Helper()
	text, err := os.ReadFile(exampleCard)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), old) {
		t.Fatalf("the example has no %s", old)
	}
	return writeData(t, t.TempDir(), "card.json", strings.Replace(string(text), old, new, 1))
}

const boneRow = `{"picture": null, "id": "a", "question": "q?", "choices": ["x", "y"], "answer": 0, "hint": "", "patient": "p", "grade": 1}`

func TestCardRefused(t *testing.T) {
	dir := t.TempDir()
	rows := writeData(t, dir, "rows.jsonl", boneRow+"\n\n"+strings.Replace(boneRow, `"answer": 0`, `"answer": 2`, 1))
	few := writeData(t, dir, "few.jsonl", `{"id": "a", "question": "q?"}`)
	bytes := writeData(t, dir, "bytes.jsonl", strings.Replace(boneRow, `"picture": null`, `"picture": {"bytes": "iVBO", "path": null}`, 1))
	tests := []struct {
		name, path string
		o          CardData
		kind       Kind
		want       string
	}{
		{"no card", "nowhere.json", CardData{Path: bones}, WrongData, "nowhere.json"},
		{"no data given", exampleCard, CardData{}, Usage, "--data is missing"},
		{"no data there", exampleCard, CardData{Path: "nowhere"}, WrongData, "nowhere"},
		{"an unknown rule", changedCard(t, `"rule-match"`, `"rule-mach"`), CardData{Path: bones}, WrongData, `subsets.plain.score_pipeline[1]: unknown rule "rule-mach"; did you mean "rule-match"?`},
		{"an unknown protocol", changedCard(t, `"few_shot"`, `"judge": "lenient", "few_shot"`), CardData{Path: bones}, WrongData, `unknown judge protocol "lenient"`},
		{"an unknown normalizer", changedCard(t, `"few_shot"`, `"normalizer": "none", "few_shot"`), CardData{Path: bones}, WrongData, `unknown rule "none"`},
		{"a split that the card has not", exampleCard, CardData{Path: bones, Split: "val"}, Usage, `the card has no split "validation"; it has train, test`},
		{"a split of another file", exampleCard, CardData{Path: bones + "/data/test-00000-of-00001.parquet", Split: "train"}, WrongData, `of split "test"`},
		{"a subset that the card has not", exampleCard, CardData{Path: bones, Subsets: []string{"plan"}}, Usage, `did you mean "plain"?`},
		{"a column that the data have not", exampleCard, CardData{Path: few}, WrongData, `there is no column "grade", which the card maps; there are id, question`},
		{"a bad row", exampleCard, CardData{Path: rows}, WrongData, `reading row 3 of "` + rows + `": key "answer": is 2, and the places of the 2 options are 0 to 1`},
		{"pictures in JSON", exampleCard, CardData{Path: bytes}, WrongData, `key "picture": is a picture's bytes, which JSON rows cannot hold; want a path`},
		{"another file", changedCard(t, `"licence"`, `"sha256": {"test-00000-of-00001.parquet": "`+strings.Repeat("0", 64)+`"}, "licence"`), CardData{Path: bones}, WrongData, "its digest is sha256:"},
		{"a file without a digest", changedCard(t, `"licence"`, `"sha256": {"other.parquet": "`+strings.Repeat("0", 64)+`"}, "licence"`), CardData{Path: bones}, WrongData, "none of this one"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := OpenCard(tt.path, tt.o)
			var f *Failure
			if !errors.As(err, &f) || f.Kind != tt.kind || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v (%+v), want %s", err, f, tt.want)
			}
		})
	}
}

// TestCardDigests: files whose digests are the card's are read.
func TestCardDigests(t *testing.T) {
	name := "test-00000-of-00001.parquet"
	data, err := os.ReadFile(filepath.Join(bones, "data", name))
	if err != nil {
		t.Fatal(err)
	}
	digest := strings.TrimPrefix(string(infer.DigestOf(data)), "sha256:")
	openCard(t, changedCard(t, `"licence"`, `"sha256": {"`+name+`": "`+digest+`"}, "licence"`), CardData{Path: bones})
}

// TestCardWithoutPool: demonstrations are never drawn from what is asked.
func TestCardWithoutPool(t *testing.T) {
	dir := t.TempDir()
	alone := writeData(t, filepath.Join(dir, "alone"), "rows.jsonl", boneRow)
	tests := []struct {
		name string
		o    CardData
		want string
	}{
		{"the split that is asked", CardData{Path: bones, Split: "train"}, "it is the one that is asked"},
		{"one file that does not say what it is", CardData{Path: alone}, "no file says that it is of this split"},
		{"one folder that does not say what it is", CardData{Path: filepath.Dir(alone)}, "no file says that it is of this split"},
	}
	for _, tt := range tests {
		b := openCard(t, exampleCard, tt.o)
		if _, err := b.Pool(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v", tt.name, err)
		}
	}
	beside := openCard(t, exampleCard, CardData{Path: bones + "/data/test-00000-of-00001.parquet"})
	if pool, err := beside.Pool(); err != nil || len(pool.Samples) != 5 || pool.Samples[0].Split != "train" {
		t.Errorf("a file with the train split beside it: %v, %d", err, len(pool.Samples))
	}
}

// twoSubsets is a card of two subsets, the second changed by old and new.
func twoSubsets(t testing.TB, old, new string) string {
	t.Helper()
	text, err := os.ReadFile(exampleCard)
	if err != nil {
		t.Fatal(err)
	}
	var c map[string]any
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	plain, err := json.Marshal(c["subsets"].(map[string]any)["plain"])
	if err != nil {
		t.Fatal(err)
	}
	second := strings.Replace(string(plain), old, new, 1)
	return writeData(t, t.TempDir(), "card.json", fmt.Sprintf(`{"name": "Two", "subsets": {"a": %s, "b": %s}}`, plain, second))
}

// TestSubsetsOfOneCard: the data of several subsets lie side by side; equal names
// of pictures and ids are told apart.
func TestSubsetsOfOneCard(t *testing.T) {
	dir := t.TempDir()
	row := strings.Replace(boneRow, `"picture": null`, `"picture": "a.png"`, 1)
	for i, subset := range []string{"a", "b"} {
		writeData(t, dir, subset+"/rows.jsonl", row)
		writeData(t, dir, subset+"/a.png", string(greyPNG(t, i)))
	}
	path := twoSubsets(t, "", "")
	b := openCard(t, path, CardData{Path: dir, KeepNames: true})
	if len(b.Samples) != 2 || b.Samples[0].ID != "a/a" || b.Samples[1].ID != "b/a" || b.Pooled {
		t.Fatalf("samples %+v", b.Samples)
	}
	for i, x := range b.Samples {
		data, err := b.Pictures.Open(x.Pictures[0])
		if err != nil || string(data) != string(greyPNG(t, i)) {
			t.Errorf("the picture of %s is another one: %v", x.ID, err)
		}
	}
	_, cfg := play(t, 0, fake.Config{})
	cfg.Benchmark, cfg.KeepNames = b, true
	if _, err := Run(context.Background(), cfg); err != nil {
		t.Error(err)
	}
	one := openCard(t, path, CardData{Path: dir, Subsets: []string{"b"}})
	if len(one.Samples) != 1 || one.Samples[0].Subset != "b" || !one.Pooled {
		t.Errorf("samples %+v", one.Samples)
	}
	if _, err := b.Pool(); err == nil || !strings.Contains(err.Error(), "one subset at a time") {
		t.Errorf("pool: %v", err)
	}
	for name, path := range map[string]string{
		"other rules":    twoSubsets(t, `["exact-match","rule-match"]`, `["mcqa"]`),
		"other pictures": twoSubsets(t, `512`, `256`),
	} {
		if _, err := OpenCard(path, CardData{Path: dir}); err == nil || !strings.Contains(err.Error(), `subsets "a" and "b" are scored or shown in different ways`) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := OpenCard(path, CardData{Path: bones}); err == nil || !strings.Contains(err.Error(), "want a or a.parquet or a.jsonl or a.json there") {
		t.Errorf("no data of a subset: %v", err)
	}
}

// TestOpenCardQuestions: a card of open questions is scored by its normalizer.
func TestOpenCardQuestions(t *testing.T) {
	text := changedCard(t, `["exact-match", "rule-match"]`, `["exact-match"]`)
	raw, err := os.ReadFile(text)
	if err != nil {
		t.Fatal(err)
	}
	path := writeData(t, t.TempDir(), "card.json", strings.Replace(string(raw), `"few_shot"`, `"normalizer": "smmile-em", "judge": "card", "few_shot"`, 1))
	rows := writeData(t, t.TempDir(), "rows.jsonl", strings.Replace(strings.Replace(boneRow, `["x", "y"]`, `null`, 1), `"answer": 0`, `"answer": ["The Ulna", "ulna"]`, 1))
	_, cfg := play(t, 0, fake.Config{Script: replies(map[string]string{"q?": "the ulna."})})
	cfg.Benchmark = openCard(t, path, CardData{Path: rows})
	if cfg.Benchmark.JudgeProtocol != "card" || cfg.Benchmark.Primary != score.Judged {
		t.Errorf("benchmark %+v", cfg.Benchmark)
	}
	if _, err := Run(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	id := cfg.Benchmark.Samples[0].ID
	if v := verdictOf(t, cfg.Out, id, score.ExactMatch); v.Outcome != score.Correct || !strings.HasPrefix(v.Rule, "smmile-em") {
		t.Errorf("verdict %+v", v)
	}
	if lineOf(t, cfg.Out, id); strings.Contains(id, "a-") || cfg.Benchmark.Samples[0].Name != "a" {
		t.Errorf("the data's id stands in the record: %s", id)
	}
}
