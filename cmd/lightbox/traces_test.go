package main

import (
	"bytes"
	"encoding/base64"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lightbox/infer/ollama/fake"
	"lightbox/preprocess/dicom/dicomtest"
)

// Words that stand for a patient. Each is planted in one place alone.
const (
	inFileNames   = "Zacharias-Quux"
	inHeader      = "Quux^Wilhelmina"
	inColumns     = "Ludmilla Quux"
	inIDs         = "Quux-4711"
	inEnvironment = "quux-password"
	inQuestion    = "quuxosis"
)

// plant makes a directory with questions, pictures and a sheet that hold the
// words, and a server for them.
func plant(t *testing.T) {
	serveCases(t, fake.Config{Models: []fake.Model{fake.Vision("eye"), fake.Text("judge")}, Script: func(r fake.Request) fake.Reply {
		if strings.HasPrefix(r.Last(), "refused") {
			return fake.Error(500, "failed to process inputs: /data/"+inFileNames+".dcm: image: unknown format")
		}
		return nil
	}})
	f := dicomtest.File{Rows: 48, Columns: 64, Stored: 12, Pixels: make([]int, 48*64), More: []dicomtest.Element{
		{Tag: 0x00100010, VR: "PN", Value: inHeader},
		{Tag: 0x00080060, VR: "CS", Value: "CT"},
		{Tag: 0x00280301, VR: "CS", Value: "NO"},
	}}
	for i := range f.Pixels {
		f.Pixels[i] = i % 2048
	}
	writeFile(t, inFileNames+".dcm", string(f.Bytes()), 0o600)
	writeFile(t, inFileNames+"-broken.dcm", string(f.Bytes()[:400]), 0o600)
	row := func(question, file string) string {
		return `{"problem_id": "` + inIDs + question[:3] + `", "question": "` + question + `", "answer": "x", "image": "` + file + `", "tags": ["m:CT"]}` + "\n"
	}
	writeFile(t, "cases.jsonl", row("first sign of "+inQuestion+"?", inFileNames+".dcm")+row("second?", "p.png")+
		row("refused by the server?", "p.png")+row("broken?", inFileNames+"-broken.dcm"), 0o600)
	writeFile(t, "cases.csv", "id,question,answer,image,patient\n"+
		inIDs+",first sign of "+inQuestion+"?,x,"+inFileNames+".dcm,"+inColumns+"\n", 0o600)
	t.Setenv("PATIENT", inEnvironment)
	t.Setenv("HTTP_PROXY", "http://user:"+inEnvironment+"@192.0.2.1:3128")
}

// TestNoPatientIsNamed runs questions with names planted all over, and reads all
// that is left of it: no name is there, in any spelling, and the question's text is
// in the record alone.
func TestNoPatientIsNamed(t *testing.T) {
	plant(t)
	for _, line := range []string{
		"run cases.jsonl --data . --model eye --judge judge --out left/run",
		"run cases.jsonl --data . --model eye --judge judge --out left/run", // again, over the record
		"run cases.csv --data . --model eye --out left/sheet",
		"plan plan.json cases.jsonl --data . --model eye --judge judge --out left/plan",
		"report left/run --html left/page.html --csv left/table.csv",
	} {
		var out bytes.Buffer
		var err said
		if code := execute(append([]string{"lightbox"}, strings.Fields(line)...), terminal{out: &out, err: &err}); code != exitUnscored && code != exitDone {
			t.Fatalf("%s: exit code %d: %s", line, code, err.String())
		}
		absent(t, "stderr of "+line, []byte(err.String()), inHeader, inColumns, inEnvironment, inQuestion)
		absent(t, "stderr of "+line, unnamed([]byte(err.String())), inFileNames, inIDs)
		absent(t, "stdout of "+line, out.Bytes(), inFileNames, inHeader, inColumns, inIDs, inEnvironment)
	}
	files := 0
	err := filepath.WalkDir("left", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		}
		if info, err := d.Info(); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has mode %v, want %v", path, info.Mode(), want)
		}
		absent(t, "the name of "+path, []byte(path), inFileNames, inIDs)
		if d.IsDir() {
			return nil
		}
		files++
		data, err := os.ReadFile(path)
		absent(t, path, data, inFileNames, inHeader, inColumns, inIDs, inEnvironment)
		return err
	})
	if err != nil || files < 12 {
		t.Errorf("%d files, %v", files, err)
	}
	if data, err := os.ReadFile("left/run/responses.jsonl"); err != nil || !bytes.Contains(data, []byte(inQuestion)) {
		t.Errorf("the question is not in the record: what is looked for is not there (%v)", err)
	}
}

// unnamed leaves out the lines that tell the user which samples to mend, the one
// place where the data's own names may stand.
func unnamed(stderr []byte) []byte {
	var rest [][]byte
	for line := range bytes.Lines(stderr) {
		if !bytes.Contains(line, []byte("cannot be asked")) {
			rest = append(rest, line)
		}
	}
	return bytes.Join(rest, nil)
}

// TestNamesAreKeptWhenAsked shows that the words above would be found.
func TestNamesAreKeptWhenAsked(t *testing.T) {
	plant(t)
	if code, said := execution(strings.Fields("run cases.jsonl --data . --model eye --out run --keep-names"), ""); code != exitUnscored {
		t.Fatalf("exit code %d: %s", code, said)
	}
	if data, err := os.ReadFile("run/responses.jsonl"); err != nil || !bytes.Contains(data, []byte(inIDs)) {
		t.Errorf("the ids are not in the record (%v)", err)
	}
}

// absent demands that no word is in data, in any letter case, and not in Base64.
func absent(t *testing.T, where string, data []byte, words ...string) {
	t.Helper()
	data = bytes.ToLower(data)
	for _, w := range words {
		if i := bytes.Index(data, []byte(strings.ToLower(w))); i >= 0 {
			t.Errorf("%s holds %q: …%s…", where, w, data[max(0, i-60):min(len(data), i+60)])
		}
		for shift := range 3 {
			code := base64.StdEncoding.EncodeToString([]byte(strings.Repeat(" ", shift) + w))
			if bytes.Contains(data, bytes.ToLower([]byte(code[4:len(code)-4]))) {
				t.Errorf("%s holds %q in Base64", where, w)
			}
		}
	}
}

// TestFilesForTheUserAreTheUsers looks at the modes of what other commands write.
func TestFilesForTheUserAreTheUsers(t *testing.T) {
	plant(t)
	writeFile(t, "answers.jsonl", `{"id": "1", "response": "CT", "reference": "CT"}`, 0o600)
	for _, line := range []string{
		"image p.png " + inFileNames + ".dcm --out left/image --sheet",
		"preview cases.jsonl --data . --out left/preview",
		"score --card slake --answers answers.jsonl --verdicts left/verdicts.jsonl",
		"benchmarks new --data cases.csv --out left/card.json",
		"bundle pack --data cases.jsonl --out left/kit.tar.zst",
		"bundle unpack left/kit.tar.zst --out left/kit",
	} {
		if code, said := execution(strings.Fields(line), ""); code != exitDone {
			t.Errorf("%s: exit code %d: %s", line, code, said)
		}
	}
	err := filepath.WalkDir("left", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		absent(t, "the name of "+path, []byte(path), inFileNames)
		if info, err := d.Info(); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
