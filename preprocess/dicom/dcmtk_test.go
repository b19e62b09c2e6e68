package dicom_test

import (
	"bytes"
	"fmt"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"lightbox/preprocess/dicom"
	"lightbox/preprocess/dicom/dicomtest"
)

// tool finds a program that the file is compared with.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("no %s on PATH", name)
	}
	return path
}

// convert runs a tool on a file and gives what it writes.
func convert(t *testing.T, data []byte, name string, args ...string) []byte {
	t.Helper()
	path := tool(t, name)
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.dcm"), filepath.Join(dir, "out")
	if err := os.WriteFile(in, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if said, err := exec.Command(path, append(args, in, out)...).CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, said)
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// shown is what dcmj2pnm makes of a file: samples of grey or colour.
func shown(t *testing.T, data []byte, args ...string) []byte {
	t.Helper()
	b := convert(t, data, "dcmj2pnm", append([]string{"-O", "+op"}, args...)...)
	var kind string
	var w, h, white int
	if _, err := fmt.Fscan(bytes.NewReader(b), &kind, &w, &h, &white); err != nil || white != 255 {
		t.Fatalf("head of %s: %v", kind, err)
	}
	n := w * h
	if kind == "P6" {
		n *= 3
	}
	return b[len(b)-n:]
}

// samples are those of a picture without alpha.
func samples(t *testing.T, m image.Image) (out []byte) {
	t.Helper()
	if g, ok := m.(*image.Gray); ok {
		return g.Pix
	}
	for _, c := range colours(t, m) {
		out = append(out, c[:]...)
	}
	return out
}

// near compares pictures by the mean and the largest difference.
func near(t *testing.T, got, want []byte, mean float64, largest int) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d samples, want %d", len(got), len(want))
	}
	sum, top := 0, 0
	for i := range got {
		d := int(got[i]) - int(want[i])
		sum, top = sum+max(d, -d), max(top, d, -d)
	}
	if m := float64(sum) / float64(len(got)); m > mean || top > largest {
		t.Errorf("differs by %.3f in the mean and %d at most, want %v and %d", m, top, mean, largest)
	}
}

// TestAgreesWithDCMTK compares pictures with dcmj2pnm's, which truncates where we
// round.
func TestAgreesWithDCMTK(t *testing.T) {
	ct := dicomtest.File{Rows: 64, Columns: 64, Stored: 12, Pixels: ramp(0, 4096), More: rescale("1", "-1024")}
	signed := dicomtest.File{Rows: 128, Columns: 512, Signed: true, Pixels: ramp(-32768, 65536), More: rescale("-1", "7")}
	padded := dicomtest.File{Rows: 64, Columns: 64, Stored: 12, Pixels: ramp(0, 4096)}
	padded.More = append(rescale("1", "-1024"), us(0x00280120, 0), us(0x00280121, 500))
	table := dicomtest.File{Rows: 16, Columns: 16, Allocated: 8, Pixels: ramp(0, 256)}
	table.More = []dicomtest.Element{dicomtest.Sequence(0x00283010, lutItem("US", 10, 12, ramp(0, 200)...))}
	rgb := dicomtest.File{Rows: 8, Columns: 32, Allocated: 8, Photometric: "RGB", Pixels: ramp(0, 768)}
	planes := rgb
	planes.Planar = true
	ybr := rgb
	ybr.Photometric = "YBR_FULL"
	halved := ybr
	halved.Photometric = "YBR_FULL_422"
	files := map[string]struct {
		file    dicomtest.File
		mean    float64
		largest int
	}{
		"ct": {ct, 1, 1}, "signed": {signed, 1, 1}, "padded": {padded, 1, 1}, "table": {table, 1, 1},
		"rgb": {rgb, 0, 0}, "planes": {planes, 0, 0}, "ybr": {ybr, 2, 3}, "halved": {halved, 2, 3},
	}
	options := []struct {
		window, function string
		args             []string
	}{
		{"40/80", "", []string{"+Ww", "40", "80"}},
		{"-600/1500", "", []string{"+Ww", "-600", "1500"}},
		{"0.5/40000", "", []string{"+Ww", "0.5", "40000"}},
		{"file", "LINEAR", []string{"+Wi", "1"}},
		{"file", "SIGMOID", []string{"+Wi", "1"}},
		{"file", "", []string{"+Wl", "1"}},
	}
	for name, c := range files {
		for _, photometric := range []string{"MONOCHROME1", "MONOCHROME2"} {
			for _, o := range options {
				f := c.file
				if f.Photometric == "" {
					f.Photometric = photometric
				} else if photometric == "MONOCHROME1" || o.window != "40/80" {
					continue
				} else {
					o.args = nil
				}
				if (o.window == "file" && o.function == "") != (name == "table") {
					continue
				}
				t.Run(strings.Join([]string{name, photometric, o.window, o.function}, " "), func(t *testing.T) {
					if o.function != "" {
						f.More = append(f.More[:len(f.More):len(f.More)], windows("300", "900", o.function)...)
					}
					data := f.Bytes()
					got := samples(t, render(t, data, dicom.Options{Window: window(t, o.window)}).Image)
					near(t, got, shown(t, data, o.args...), c.mean, c.largest)
				})
			}
		}
	}
}

// TestReencoded reads what other programs make of our files.
func TestReencoded(t *testing.T) {
	grey := dicomtest.File{Rows: 31, Columns: 33, Stored: 12, Signed: true, Pixels: ramp(-500, 31*33), More: windows("0", "1000", "")}
	rgb := dicomtest.File{Rows: 16, Columns: 40, Allocated: 8, Photometric: "RGB"}
	for i := range 16 * 40 {
		rgb.Pixels = append(rgb.Pixels, 40+i%40*5, 30+i/40*10, 200-i%40*3)
	}
	eight := dicomtest.File{Rows: 16, Columns: 16, Allocated: 8, Pixels: ramp(0, 256), More: windows("128", "256", "")}
	tests := []struct {
		name    string
		file    dicomtest.File
		tool    string
		args    []string
		mean    float64
		largest int
	}{
		{"implicit", grey, "dcmconv", []string{"+ti"}, 0, 0},
		{"big", grey, "dcmconv", []string{"+tb"}, 0, 0},
		{"deflated", grey, "dcmconv", []string{"+td"}, 0, 0},
		{"undefined lengths", grey, "dcmconv", []string{"-e"}, 0, 0},
		{"rle by dcmtk", grey, "dcmcrle", nil, 0, 0},
		{"rle of colours by dcmtk", rgb, "dcmcrle", nil, 0, 0},
		{"rle by gdcm", grey, "gdcmconv", []string{"--rle"}, 0, 0},
		{"rle of colours by gdcm", rgb, "gdcmconv", []string{"--rle"}, 0, 0},
		{"planes by gdcm", rgb, "gdcmconv", []string{"--planar-configuration", "1", "--raw"}, 0, 0},
		{"jpeg of grey", eight, "dcmcjpeg", []string{"+eb", "+q", "100"}, 1, 3},
		{"jpeg of colours", rgb, "dcmcjpeg", []string{"+eb", "+q", "100", "+s4"}, 2, 6},
		{"jpeg of halved colours", rgb, "dcmcjpeg", []string{"+eb", "+q", "100", "+s2"}, 2, 12},
		{"jpeg of rgb", rgb, "dcmcjpeg", []string{"+eb", "+q", "100", "+cr"}, 2, 6},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data := tt.file.Bytes()
			want := samples(t, render(t, data, dicom.Options{}).Image)
			got := samples(t, render(t, convert(t, data, tt.tool, tt.args...), dicom.Options{}).Image)
			near(t, got, want, tt.mean, tt.largest)
		})
	}
}

// TestPublishedAgree compares published files with dcmj2pnm.
func TestPublishedAgree(t *testing.T) {
	tests := []struct {
		name, window string
		args         []string
		mean         float64
		largest      int
	}{
		{"CT_small.dcm", "abdomen", []string{"+Ww", "40", "400"}, 1, 1},
		{"CT_small.dcm", "lung", []string{"+Ww", "-600", "1500"}, 1, 1},
		{"MR_small.dcm", "file", []string{"+Wi", "1"}, 1, 1},
		{"MR_small_implicit.dcm", "file", []string{"+Wi", "1"}, 1, 1},
		{"MR_small_bigendian.dcm", "file", []string{"+Wi", "1"}, 1, 1},
		{"MR_small_RLE.dcm", "file", []string{"+Wi", "1"}, 1, 1},
		{"image_dfl.dcm", "128/256", []string{"+Ww", "128", "256"}, 1, 1},
		{"SC_rgb_rle.dcm", "file", nil, 0, 0},
		{"SC_rgb_jpeg_dcmtk.dcm", "file", nil, 2, 3},
		{"examples_palette.dcm", "file", nil, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name+" "+tt.window, func(t *testing.T) {
			data := sample(t, tt.name)
			got := samples(t, render(t, data, dicom.Options{Window: window(t, tt.window)}).Image)
			near(t, got, shown(t, data, tt.args...), tt.mean, tt.largest)
		})
	}
}

// TestPublishedRefused names why.
func TestPublishedRefused(t *testing.T) {
	for name, want := range map[string]string{
		"MR_truncated.dcm": "(7fe0,0010) PixelData: the value has 8192 bytes, but 8130 are left",
		"test-SR.dcm":      "the file has no picture (modality SR)",
		"JPEG2000.dcm":     "transfer syntax 1.2.840.10008.1.2.4.91 (JPEG 2000) is not read",
	} {
		if err := refused(t, sample(t, name), dicom.Options{}); !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}
