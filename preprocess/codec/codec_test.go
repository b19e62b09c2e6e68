package codec

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// kinds of pictures that the tools compress.
var kinds = map[string]Description{
	"8":         {Columns: 61, Rows: 47, Channels: 1, BitsAllocated: 8, BitsStored: 8},
	"8 wide":    {Columns: 300, Rows: 150, Channels: 1, BitsAllocated: 8, BitsStored: 8},
	"8 pixel":   {Columns: 1, Rows: 1, Channels: 1, BitsAllocated: 8, BitsStored: 8},
	"8 column":  {Columns: 1, Rows: 70, Channels: 1, BitsAllocated: 8, BitsStored: 8},
	"8 row":     {Columns: 70, Rows: 1, Channels: 1, BitsAllocated: 8, BitsStored: 8},
	"8 signed":  {Columns: 61, Rows: 47, Channels: 1, BitsAllocated: 8, BitsStored: 8, Signed: true},
	"10":        {Columns: 64, Rows: 64, Channels: 1, BitsAllocated: 16, BitsStored: 10},
	"12":        {Columns: 129, Rows: 200, Channels: 1, BitsAllocated: 16, BitsStored: 12},
	"12 signed": {Columns: 67, Rows: 45, Channels: 1, BitsAllocated: 16, BitsStored: 12, Signed: true},
	"16":        {Columns: 67, Rows: 45, Channels: 1, BitsAllocated: 16, BitsStored: 16},
	"16 signed": {Columns: 67, Rows: 145, Channels: 1, BitsAllocated: 16, BitsStored: 16, Signed: true},
	"RGB":       {Columns: 67, Rows: 45, Channels: 3, BitsAllocated: 8, BitsStored: 8},
	"RGB 16":    {Columns: 67, Rows: 45, Channels: 3, BitsAllocated: 16, BitsStored: 16},
}

var encoders = []struct {
	tool, args, kinds string
	lossy             bool
}{
	{tool: "dcmcjpeg", args: "+tl +e1", kinds: "8,8 wide,8 pixel,8 column,8 row,8 signed,10,12,12 signed,16,16 signed,RGB"},
	{tool: "dcmcjpeg", args: "+tl +el +sv 2", kinds: "8,12,16,16 signed,RGB"},
	{tool: "dcmcjpeg", args: "+tl +el +sv 3", kinds: "8,12,16,RGB"},
	{tool: "dcmcjpeg", args: "+tl +el +sv 4", kinds: "8,12,16,RGB"},
	{tool: "dcmcjpeg", args: "+tl +el +sv 5", kinds: "8,12,16,RGB"},
	{tool: "dcmcjpeg", args: "+tl +el +sv 6", kinds: "8,12,16,16 signed,RGB"},
	{tool: "dcmcjpeg", args: "+tl +el +sv 7", kinds: "8,12,16,RGB"},
	{tool: "dcmcjpeg", args: "+tl +el +sv 4 +pt 3", kinds: "8,12,RGB", lossy: true},
	{tool: "dcmcjpeg", args: "+ee +q 90", kinds: "8,8 wide,8 pixel,8 row,12,10", lossy: true},
	{tool: "dcmcjpeg", args: "+ee +q 90 +cr", kinds: "RGB", lossy: true},
	{tool: "dcmcjpeg", args: "+ee +q 90 +s4", kinds: "RGB", lossy: true},
	{tool: "dcmcjpeg", args: "+ee +q 30", kinds: "8,12,10", lossy: true},
	{tool: "dcmcjpls", args: "+el", kinds: "8,8 wide,8 pixel,8 column,8 row,8 signed,10,12,12 signed,16,16 signed,RGB"},
	{tool: "dcmcjpls", args: "+el +il", kinds: "RGB,RGB 16"},
	{tool: "dcmcjpls", args: "+el +is", kinds: "RGB"},
	{tool: "dcmcjpls", args: "+el +in", kinds: "RGB"},
	{tool: "dcmcjpls", args: "+el +t1 5 +t2 12 +t3 30 +rs 31", kinds: "8,RGB"},
	{tool: "dcmcjpls", args: "+el +t1 50 +t2 120 +t3 300 +rs 100", kinds: "12,16 signed"},
	{tool: "gdcmconv", args: "--lossy --jpegls -e 1", kinds: "8,8 wide,8 row,10,12,12 signed,16,RGB", lossy: true},
	{tool: "gdcmconv", args: "--lossy --jpegls -e 7", kinds: "8,8 wide,8 row,10,12,12 signed,16,RGB", lossy: true},
	{tool: "gdcmconv", args: "--jpegls", kinds: "8,10,12,12 signed,16,16 signed,RGB"},
	{tool: "gdcmconv", args: "--jpeg", kinds: "8,10,12,12 signed,16,16 signed,RGB"},
	{tool: "gdcmconv", args: "--j2k", kinds: "8,8 wide,8 signed,10,12,12 signed,16,16 signed,RGB"},
	{tool: "gdcmconv", args: "--lossy --j2k --irreversible -r 10", kinds: "8,8 wide,8 signed,10,12,12 signed,16,16 signed,RGB", lossy: true},
	{tool: "gdcmconv", args: "--lossy --j2k --irreversible -q 40", kinds: "8,12,16,RGB", lossy: true},
	{tool: "gdcmconv", args: "--j2k -t 32,32", kinds: "8,8 wide,12,16 signed,RGB"},
	{tool: "gdcmconv", args: "--j2k -n 2", kinds: "8,8 wide,12,16 signed,RGB"},
}

// Every stream that the common tools make decodes as they decode it.
func TestToolsAgree(t *testing.T) {
	needTools(t, "dcmcjpeg", "dcmcjpls", "gdcmconv")
	for _, e := range encoders {
		for kind := range strings.SplitSeq(e.kinds, ",") {
			t.Run(fmt.Sprintf("%s %s %s", e.tool, e.args, kind), func(t *testing.T) {
				t.Parallel()
				p := makePicture(kinds[kind])
				compressed := convert(t, p.file(), e.tool, strings.Fields(e.args)...)
				plain, _ := readFile(t, convert(t, compressed, "gdcmconv", "--raw"))
				all, fragments := readFile(t, compressed)
				syntax, d := describe(all)
				got, err := Decode(syntax, bytes.Join(fragments, nil), d)
				if err != nil {
					t.Fatal(err)
				}
				pixels := pack(got, d)
				differ(t, pixels, plain[0x7FE00010], d)
				if !e.lossy {
					differ(t, pixels, p.pixels, d)
				}
			})
		}
	}
}

// differ names the first samples that are not equal.
func differ(t *testing.T, got, want []byte, d Description) {
	t.Helper()
	if want = want[:min(len(want), len(got))]; len(got) != len(want) {
		t.Fatalf("%d bytes, want %d", len(got), len(want))
	}
	n, first := 0, -1
	for i := range got {
		if got[i] != want[i] {
			if n++; first < 0 {
				first = i
			}
		}
	}
	if n > 0 {
		pixel := first / (d.BitsAllocated / 8) / d.Channels
		t.Errorf("%d of %d bytes differ, the first at (%d, %d): %d, want %d", n, len(got), pixel%d.Columns, pixel/d.Columns, got[first], want[first])
	}
}

// pack writes samples as DICOM holds them without compression.
func pack(s Samples, d Description) (out []byte) {
	for _, v := range s.Values {
		out = append(out, byte(v))
		if d.BitsAllocated == 16 {
			out = append(out, byte(v>>8))
		}
	}
	return out
}
