package main

import (
	"errors"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/klauspost/compress/zip"
	"github.com/rogpeppe/go-internal/testscript"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"
	"lightbox/preprocess/dicom/dicomtest"

	"lightbox/bench"
	"lightbox/infer/ollama/fake"
)

// commands are what scripts can use beside those of testscript.
var commands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"archive": packArchive,
	"dataset": copyDataset,
	"exits":   exits,
	"server":  startServer,
	"picture": drawPicture,
	"slice":   writeSlice,
}

// setup gives every script a home of its own and an address where no server is.
func setup(env *testscript.Env) error {
	env.Setenv("HOME", env.WorkDir)
	env.Setenv("XDG_CACHE_HOME", env.WorkDir+"/cache")
	env.Setenv("OLLAMA_HOST", "127.0.0.1:1")
	return nil
}

// exits runs a command and demands its exit code: exits CODE COMMAND [ARG…].
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARG...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("running %s: %v", args[1], err)
	}
	if code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
}

// scripts are the servers that a script can ask for by name.
var scripts = map[string]fake.Config{
	"vision":  {Models: []fake.Model{fake.Vision("eye"), fake.Text("judge")}},
	"updates": {Models: []fake.Model{fake.Vision("eye")}},
	"cpu":     {Models: []fake.Model{onCPU()}},
	"stub":    {Models: []fake.Model{stub()}, CloudEnabled: true},
	"blind":   {Models: []fake.Model{fake.Text("eye")}},
	"by-size": {Models: []fake.Model{bySize()}},
	"says-b":  {Models: []fake.Model{fake.Vision("eye")}, Script: says("B")},
	"clings":  {Models: []fake.Model{fake.Vision("eye"), fake.Text("judge")}, Script: clings},
	"says-ct": {Models: []fake.Model{fake.Vision("eye")}, Script: says("It is this.\nANSWER: CT")},
	"talks-on": {Models: []fake.Model{fake.Vision("eye")}, Script: func(r fake.Request) fake.Reply {
		if r.Last() != "talked over?" {
			return nil
		}
		return fake.Wire("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{} and words of the model")
	}},
	"third-fails": {
		Models: []fake.Model{fake.Vision("eye")},
		Script: func(r fake.Request) fake.Reply {
			if r.Last() == "third?" {
				return fake.PictureRefused()
			}
			return fake.Answer{}
		},
	},
}

// changing are scripts that change the server under a run, by its name.
var changing = map[string]func(*fake.Server, fake.Request) fake.Reply{
	"updates": func(s *fake.Server, r fake.Request) fake.Reply {
		if r.Last() != "second?" || r.Number("num_predict") == 1 { // one token: the start-up probe
			return nil
		}
		s.SetVersion("0.18.0")
		return fake.Cut()
	},
}

// says is a script that answers every question but those of the start-up probe
// with one text.
func says(text string) fake.Script {
	return func(r fake.Request) fake.Reply {
		if r.Number("num_predict") == bench.DefaultNumPredict {
			return fake.Answer{Text: text}
		}
		return nil
	}
}

// clings answers as the demonstration before the question does.
func clings(r fake.Request) fake.Reply {
	if r.Number("num_predict") != bench.DefaultNumPredict {
		return nil
	}
	for _, m := range slices.Backward(r.Messages) {
		if m.Role == "assistant" {
			return fake.Answer{Text: m.Content}
		}
	}
	return fake.Answer{Text: "I cannot tell."}
}

func onCPU() fake.Model {
	m := fake.Vision("eye")
	m.Size, m.OnCPU = 4e9, 4e9
	return m
}

// bySize is a model of no known family: its pictures may cost tokens by their size.
func bySize() fake.Model {
	m := fake.Vision("eye")
	m.Architecture, m.ContextLength = "other", 6000
	return m
}

func stub() fake.Model {
	m := fake.Vision("eye")
	m.RemoteHost, m.RemoteModel = "http://127.0.0.1:9", "up"
	return m
}

// startServer starts a fake server by the name of its script and makes it the
// one that OLLAMA_HOST names.
func startServer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: server NAME")
	}
	config, ok := scripts[args[0]]
	if !ok {
		ts.Fatalf("no server is called %q", args[0])
	}
	var s *fake.Server
	if script, ok := changing[args[0]]; ok {
		config.Script = func(r fake.Request) fake.Reply { return script(s, r) }
	}
	s = fake.Start(config)
	ts.Defer(s.Close)
	ts.Setenv("OLLAMA_HOST", s.Addr())
}

// copyDataset copies a file of a small data set, that in SMMILE's layout unless
// another is named: dataset FILE [NAME].
func copyDataset(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: dataset FILE [NAME]")
	}
	data, err := os.ReadFile(smallDatasets[append(args, "smmile")[1]])
	ts.Check(err)
	to := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(filepath.Dir(to), 0o700))
	ts.Check(os.WriteFile(to, data, 0o600))
}

// smallDatasets are relative to this package, where the tests run.
var smallDatasets = map[string]string{
	"smmile":          "../../bench/source/testdata/hub/data/train-00000-of-00001.parquet",
	"scienceqa-test":  "../../bench/testdata/scienceqa/data/test-00000-of-00001-0123456789abcdef.parquet",
	"scienceqa-train": "../../bench/testdata/scienceqa/data/train-00000-of-00001-fedcba9876543210.parquet",
}

// packArchive packs a folder with its name into a zip archive: archive FILE DIR.
func packArchive(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: archive FILE DIR")
	}
	f, err := os.Create(ts.MkAbs(args[0]))
	ts.Check(err)
	defer f.Close()
	w := zip.NewWriter(f)
	dir := ts.MkAbs(args[1])
	ts.Check(filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(filepath.Dir(dir), path)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		entry, err := w.Create(filepath.ToSlash(rel))
		if err != nil {
			return err
		}
		_, err = entry.Write(data)
		return err
	}))
	ts.Check(w.Close())
}

// drawPicture writes a grey picture of the format that the file's name ends in:
// picture FILE WIDTH HEIGHT.
func drawPicture(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: picture FILE WIDTH HEIGHT")
	}
	w, err := strconv.Atoi(args[1])
	ts.Check(err)
	h, err := strconv.Atoi(args[2])
	ts.Check(err)
	img := image.NewGray(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.SetGray(x, y, color.Gray{uint8(x*7 + y*3 + len(args[0]))})
		}
	}
	f, err := os.Create(ts.MkAbs(args[0]))
	ts.Check(err)
	defer f.Close()
	switch filepath.Ext(args[0]) {
	case ".bmp":
		err = bmp.Encode(f, img)
	case ".gif":
		err = gif.Encode(f, img, nil)
	case ".tiff":
		err = tiff.Encode(f, img, nil)
	default:
		err = png.Encode(f, img)
	}
	ts.Check(err)
}

// writeSlice writes a CT slice in DICOM with a patient's name in it: slice FILE
// BURNED Z, BURNED being what the file says of burned-in text, or -.
func writeSlice(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: slice FILE BURNED Z")
	}
	f := dicomtest.File{Rows: 48, Columns: 64, Stored: 12, More: []dicomtest.Element{
		{Tag: 0x00100010, VR: "PN", Value: "Zacharias^Quux"},
		{Tag: 0x00080060, VR: "CS", Value: "CT"},
		{Tag: 0x0020000E, VR: "UI", Value: "1.2.3.4"},
		{Tag: 0x00200032, VR: "DS", Value: `0\0\` + args[2]},
		{Tag: 0x00200037, VR: "DS", Value: `1\0\0\0\1\0`},
		{Tag: 0x00281050, VR: "DS", Value: "40"},
		{Tag: 0x00281051, VR: "DS", Value: "400"},
		{Tag: 0x00281052, VR: "DS", Value: "-1024"},
		{Tag: 0x00281053, VR: "DS", Value: "1"},
	}}
	if args[1] != "-" {
		f.More = append(f.More, dicomtest.Element{Tag: 0x00280301, VR: "CS", Value: args[1]})
	}
	for i := range f.Rows * f.Columns {
		f.Pixels = append(f.Pixels, i%2048)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), f.Bytes(), 0o600))
}
