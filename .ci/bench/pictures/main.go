// Pictures times the preparation of pictures beside Pillow and pydicom with numpy
// on the same files, which it makes up: CPU seconds and peak memory of whole
// processes, each doing the same work many times, less what a process takes that has
// only read the files. It prints and asserts nothing.
package main

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"lightbox/preprocess"
	"lightbox/preprocess/dicom/dicomtest"
)

// row is a kind of work.
type row struct {
	name, file string
	side       int // longer side that is scaled to; 0: decoded and checked alone
	times      int
	decoded    float64 // MB of a picture: two bytes a pixel of DICOM, three of JPEG
	goal       float64 // CPU time at most, in Python's
}

var rows = []row{
	{"CT 512x512 DICOM, windowed, PNG", "ct.dcm", 512, 100, 2 * 0.262, 1},
	{"film 2048x2500 DICOM, windowed, PNG", "chest.dcm", 4096, 10, 2 * 5.12, 1},
	{"film 2048x2500 JPEG, decoded", "chest.jpg", 0, 10, 3 * 5.12, 4},
	{"film 2048x2500 JPEG, to 896, PNG", "chest.jpg", 896, 10, 3 * 5.12, 5},
	{"100 pictures 512x512 JPEG, to 448, PNG", "slake", 448, 1, 3 * 0.262, 5},
}

func main() {
	if len(os.Args) == 5 && os.Args[1] == "row" {
		check(work(os.Args[2], os.Args[3], os.Args[4]))
		return
	}
	if len(os.Args) == 3 && os.Args[1] == "make" {
		check(makeFiles(os.Args[2]))
		return
	}
	dir, err := os.MkdirTemp("", "pictures")
	check(err)
	defer os.RemoveAll(dir)
	self, err := os.Executable()
	check(err)
	cost(self, []string{"make", dir}) // apart, since a process inherits its parent's peak
	if len(os.Args) != 2 {
		check(fmt.Errorf("usage: pictures PICTURES.PY"))
	}
	script := os.Args[1]
	fmt.Println("CPU seconds, and MB at the peak more than a process that has only read the files;", version(script))
	fmt.Println("goals: CPU time in Python's, and memory of 3 decoded pictures")
	fmt.Printf("%-40s %18s %18s  %-14s %s\n", "work", "lightbox", "Python", "CPU", "memory")
	for _, r := range rows {
		args := []string{"row", filepath.Join(dir, r.file), strconv.Itoa(r.side), strconv.Itoa(r.times)}
		idle := []string{"row", filepath.Join(dir, r.file), strconv.Itoa(r.side), "0"}
		ours, oursMB := measure(self, idle, args)
		theirs, theirsMB := measure(python(), append([]string{script}, idle...), append([]string{script}, args...))
		fmt.Printf("%-40s %7.2f s %5.1f MB %7.2f s %5.1f MB  %4.2f of %4.2f   %5.1f of %4.1f MB\n", r.name, ours, oursMB, theirs, theirsMB, ours/theirs, r.goal, oursMB, 3*r.decoded)
	}
}

// python is the interpreter that PYTHON names.
func python() string { return cmp.Or(os.Getenv("PYTHON"), "python3") }

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

func version(script string) string {
	out, err := exec.Command(python(), script, "version").Output()
	check(err)
	return strings.TrimSpace(string(out))
}

// measure runs a command, and takes off what it costs to start; the least of three.
func measure(name string, idle, args []string) (cpu, megabytes float64) {
	for i := range 3 {
		start, before := cost(name, idle)
		took, peak := cost(name, args)
		if i == 0 || took-start < cpu {
			cpu = took - start
		}
		if i == 0 || peak-before < megabytes {
			megabytes = peak - before
		}
	}
	return cpu, megabytes
}

func cost(name string, args []string) (cpu, megabytes float64) {
	c := exec.Command(name, args...)
	c.Stderr = os.Stderr
	check(c.Run())
	usage := c.ProcessState.SysUsage().(*syscall.Rusage)
	return (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds(), float64(usage.Maxrss) / 1e3
}

// work prepares a file, or all of a folder, so many times.
func work(path, side, times string) error {
	max, err := strconv.Atoi(side)
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(times)
	if err != nil {
		return err
	}
	var files [][]byte
	paths := []string{path}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		if paths, err = filepath.Glob(filepath.Join(path, "*")); err != nil {
			return err
		}
	}
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		files = append(files, data)
	}
	for range n {
		for _, data := range files {
			if _, err := (preprocess.Recipe{MaxSide: max}).Prepare(data); err != nil {
				return err
			}
		}
	}
	return nil
}

// makeFiles draws the pictures: smooth shapes with noise, as films have it.
func makeFiles(dir string) error {
	random := rand.New(rand.NewPCG(1, 2))
	film := func(w, h int) []int {
		pix := make([]int, w*h)
		for y := range h {
			for x := range w {
				dx, dy := float64(x-w/2)/float64(w), float64(y-h/2)/float64(h)
				pix[y*w+x] = min(max(int(3500*(1-3*(dx*dx+dy*dy)))+random.IntN(60), 0), 4095)
			}
		}
		return pix
	}
	slice := dicomtest.File{Rows: 512, Columns: 512, Stored: 12, Pixels: film(512, 512)}
	chest := dicomtest.File{Rows: 2500, Columns: 2048, Stored: 12, Pixels: film(2048, 2500)}
	for name, f := range map[string]dicomtest.File{"ct.dcm": slice, "chest.dcm": chest} {
		f.More = []dicomtest.Element{
			{Tag: 0x00080060, VR: "CS", Value: "CT"},
			{Tag: 0x00281050, VR: "DS", Value: "1000"},
			{Tag: 0x00281051, VR: "DS", Value: "3000"},
			{Tag: 0x00281052, VR: "DS", Value: "-1024"},
			{Tag: 0x00281053, VR: "DS", Value: "1"},
			{Tag: 0x00280301, VR: "CS", Value: "NO"},
		}
		if err := os.WriteFile(filepath.Join(dir, name), f.Bytes(), 0o600); err != nil {
			return err
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "slake"), 0o700); err != nil {
		return err
	}
	if err := writeJPEG(filepath.Join(dir, "chest.jpg"), film(2048, 2500), 2048); err != nil {
		return err
	}
	for i := range 100 {
		if err := writeJPEG(filepath.Join(dir, "slake", fmt.Sprintf("%03d.jpg", i)), film(512, 512), 512); err != nil {
			return err
		}
	}
	return nil
}

func writeJPEG(path string, pix []int, width int) error {
	m := image.NewRGBA(image.Rect(0, 0, width, len(pix)/width))
	for i, v := range pix {
		m.SetRGBA(i%width, i/width, color.RGBA{uint8(v >> 4), uint8(v >> 4), uint8(v >> 4), 255})
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: 90}); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o600)
}
