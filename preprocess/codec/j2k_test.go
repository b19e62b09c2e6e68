package codec

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// codestreams are options of opj_compress that gdcm does not use.
var codestreams = []string{
	"", "-n 1", "-n 4 -b 16,16", "-b 4,4", "-b 1024,4", "-b 4,1024",
	"-M 1", "-M 2", "-M 4", "-M 8", "-M 16", "-M 32", "-M 63", "-M 5", "-M 9", "-I -M 1 -r 8", "-I -M 63 -r 20,5",
	"-p LRCP -r 20,10,1", "-p RLCP -r 20,10,1", "-p RPCL -r 20,10,1", "-p PCRL -r 20,10,1", "-p CPRL -r 20,10,1",
	"-c [32,32],[16,16],[8,8]", "-c [32,32] -p RPCL -r 9,1", "-n 4 -c [32,64] -p PCRL -r 9,1", "-n 2 -c [64,32] -p CPRL -I -r 9,3",
	"-SOP -EPH -r 9,1", "-SOP -c [32,32]", "-EPH -I -r 5",
	"-t 33,29 -n 4", "-t 64,64 -T 0,0 -p RPCL -r 9,1", "-t 50,50 -d 7,5 -T 3,2", "-d 13,9", "-I -d 13,9 -r 4", "-I -t 40,32 -n 4 -r 6",
	"-TP R -p RPCL -r 9,1", "-TP L -p LRCP -r 20,10,1", "-t 64,64 -TP R",
	"-mct 0", "-I -mct 0 -r 4", "-I -q 30,40,50",
}

// Every option of the codestream decodes as openjpeg decodes it.
func TestOpenJPEGAgrees(t *testing.T) {
	needTools(t, "opj_compress", "opj_decompress")
	for _, kind := range []string{"8", "12", "16 signed", "RGB"} {
		p := makePicture(kinds[kind])
		for _, options := range codestreams {
			if strings.Contains(options, "-mct") && p.Channels == 1 {
				continue
			}
			t.Run(kind+" "+options, func(t *testing.T) {
				t.Parallel()
				stream, want := openJPEG(t, p, options)
				d := p.Description
				got, err := Decode(JPEG2000, stream, d)
				if err != nil {
					t.Fatal(err)
				}
				differ(t, pack(got, d), want, d)
				if want := d.Channels == 3 && !strings.Contains(options, "-mct 0"); got.RGB != want {
					t.Errorf("RGB is %t", got.RGB)
				}
			})
		}
	}
}

// openjpeg writes streams of more planes of bits than its header says when a
// colour transform of few levels overflows, and reads them wrong.
func TestTooManyPlanes(t *testing.T) {
	needTools(t, "opj_compress", "opj_decompress")
	p := makePicture(kinds["RGB"])
	stream, _ := openJPEG(t, p, "-n 3")
	if _, err := Decode(JPEG2000, stream, p.Description); !errors.Is(err, ErrDamaged) {
		t.Error(err)
	}
}

// openJPEG compresses a picture and gives the stream and what openjpeg reads of it.
func openJPEG(t *testing.T, p picture, options string) (stream, pixels []byte) {
	t.Helper()
	dir := t.TempDir()
	in, out, back := filepath.Join(dir, "in.rawl"), filepath.Join(dir, "out.j2k"), filepath.Join(dir, "back.rawl")
	sign := "u"
	if p.Signed {
		sign = "s"
	}
	shape := []string{strconv.Itoa(p.Columns), strconv.Itoa(p.Rows), strconv.Itoa(p.Channels), strconv.Itoa(p.BitsStored), sign}
	if err := os.WriteFile(in, planar(p.pixels, p.Description), 0o600); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"-i", in, "-o", out, "-F", strings.Join(shape, ",")}, strings.Fields(options)...)
	for _, c := range []*exec.Cmd{exec.Command("opj_compress", args...), exec.Command("opj_decompress", "-i", out, "-o", back)} {
		if said, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", c.Args, err, said)
		}
	}
	stream, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if pixels, err = os.ReadFile(back); err != nil {
		t.Fatal(err)
	}
	return stream, interleaved(pixels, p.Description)
}

// planar and interleaved turn samples side by side into planes, and back.
func planar(b []byte, d Description) []byte      { return reorder(b, d, true) }
func interleaved(b []byte, d Description) []byte { return reorder(b, d, false) }

func reorder(b []byte, d Description, plane bool) []byte {
	out, size, n := make([]byte, len(b)), d.BitsAllocated/8, d.Columns*d.Rows
	for i := range n {
		for c := range d.Channels {
			side, apart := (i*d.Channels+c)*size, (c*n+i)*size
			if plane {
				copy(out[apart:apart+size], b[side:])
			} else {
				copy(out[side:side+size], b[apart:])
			}
		}
	}
	return out
}
