package codec

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// picture is what a test compresses.
type picture struct {
	Description
	pixels []byte
}

// makePicture draws slopes, edges, a flat field and noise over all values that
// d can have.
func makePicture(d Description) picture {
	p := picture{Description: d}
	p.Photometric, p.HighBit = "MONOCHROME2", d.BitsStored-1
	if d.Channels == 3 {
		p.Photometric = "RGB"
	}
	r := rand.New(rand.NewPCG(1, uint64(d.Columns)))
	low, span := 0, 1<<d.BitsStored
	if d.Signed {
		low = -span / 2
	}
	for y := range d.Rows {
		for x := range d.Columns {
			for c := range d.Channels {
				v := 0.5 + 0.4*math.Sin(float64(x*(c+1))/9)*math.Cos(float64(y)/7)
				switch {
				case y%32 < 6:
					v = 0.25
				case x > d.Columns/2 && y > d.Rows/2:
					v = float64((x/5+y/3+c)%2) * 0.999
				case x < d.Columns/3:
					v += r.Float64() * 0.1
				}
				n := low + min(max(int(v*float64(span)), 0), span-1)
				p.pixels = append(p.pixels, byte(n))
				if d.BitsAllocated == 16 {
					p.pixels = append(p.pixels, byte(n>>8))
				}
			}
		}
	}
	return p
}

// file is the picture as a DICOM file without compression.
func (p *picture) file() []byte {
	var meta, set bytes.Buffer
	put := func(b *bytes.Buffer, group, element uint16, vr string, value []byte) {
		if len(value)%2 == 1 {
			value = append(bytes.Clone(value), 0)
		}
		head := binary.LittleEndian.AppendUint16(nil, group)
		head = append(binary.LittleEndian.AppendUint16(head, element), vr...)
		if vr == "OB" || vr == "OW" {
			head = binary.LittleEndian.AppendUint32(append(head, 0, 0), uint32(len(value)))
		} else {
			head = binary.LittleEndian.AppendUint16(head, uint16(len(value)))
		}
		b.Write(append(head, value...))
	}
	const secondary = "1.2.840.10008.5.1.4.1.1.7"
	put(&meta, 2, 1, "OB", []byte{0, 1})
	put(&meta, 2, 2, "UI", []byte(secondary))
	put(&meta, 2, 3, "UI", []byte("1.2.3"))
	put(&meta, 2, 0x10, "UI", []byte("1.2.840.10008.1.2.1"))
	put(&meta, 2, 0x12, "UI", []byte("1.2.3.4"))
	put(&set, 8, 0x16, "UI", []byte(secondary))
	put(&set, 8, 0x18, "UI", []byte("1.2.3"))
	put(&set, 8, 0x60, "CS", []byte("OT"))
	put(&set, 0x20, 0xD, "UI", []byte("1.2.3.5"))
	put(&set, 0x20, 0xE, "UI", []byte("1.2.3.6"))
	p.describe(func(element uint16, vr string, value []byte) { put(&set, 0x28, element, vr, value) })
	put(&set, 0x7FE0, 0x10, "OW", p.pixels)
	out := append(make([]byte, 128), "DICM"...)
	out = append(out, 2, 0, 0, 0, 'U', 'L', 4, 0)
	out = binary.LittleEndian.AppendUint32(out, uint32(meta.Len()))
	return append(append(out, meta.Bytes()...), set.Bytes()...)
}

// describe puts the elements of the description, of group 0028.
func (p *picture) describe(put func(element uint16, vr string, value []byte)) {
	number := func(v int) []byte { return []byte{byte(v), byte(v >> 8)} }
	put(2, "US", number(p.Channels))
	put(4, "CS", []byte(p.Photometric))
	if p.Channels > 1 {
		put(6, "US", number(0))
	}
	put(0x10, "US", number(p.Rows))
	put(0x11, "US", number(p.Columns))
	put(0x100, "US", number(p.BitsAllocated))
	put(0x101, "US", number(p.BitsStored))
	put(0x102, "US", number(p.BitsStored-1))
	signed := 0
	if p.Signed {
		signed = 1
	}
	put(0x103, "US", number(signed))
}

// readFile gives the elements of a file, those within sequences too, and the
// fragments of its pixels.
func readFile(t *testing.T, file []byte) (map[uint32][]byte, [][]byte) {
	t.Helper()
	all, fragments := map[uint32][]byte{}, [][]byte(nil)
	for b := file[132:]; len(b) >= 8; {
		tag := uint32(binary.LittleEndian.Uint16(b))<<16 | uint32(binary.LittleEndian.Uint16(b[2:]))
		vr, n, head := string(b[4:6]), int(binary.LittleEndian.Uint16(b[6:])), 8
		if strings.Contains("OB OW OF SQ UT UN", vr) {
			n, head = int(binary.LittleEndian.Uint32(b[8:])), 12
		}
		if n == 0xFFFFFFFF && tag == 0x7FE00010 {
			for b = b[head:]; binary.LittleEndian.Uint16(b[2:]) == 0xE000; b = b[8+n:] {
				n = int(binary.LittleEndian.Uint32(b[4:]))
				fragments = append(fragments, b[8:8+n])
			}
			return all, fragments[1:] // without the table of offsets
		}
		if tag>>16 == 0xFFFE { // within a sequence
			n, head = 0, 8
		}
		if n == 0xFFFFFFFF {
			n = 0
		}
		all[tag] = b[head : head+n]
		b = b[head+n:]
	}
	return all, nil
}

// describe reads the transfer syntax and the description.
func describe(all map[uint32][]byte) (syntax string, d Description) {
	number := func(tag uint32) int { return int(binary.LittleEndian.Uint16(all[tag])) }
	photometric := strings.TrimSpace(string(all[0x00280004]))
	d = Description{
		Columns: number(0x00280011), Rows: number(0x00280010), Channels: number(0x00280002),
		BitsAllocated: number(0x00280100), BitsStored: number(0x00280101), HighBit: number(0x00280102),
		Signed: number(0x00280103) == 1, Photometric: photometric,
	}
	return strings.TrimRight(string(all[0x00020010]), "\x00"), d
}

// convert runs a tool on a file and gives what it writes.
func convert(t *testing.T, file []byte, tool string, args ...string) []byte {
	t.Helper()
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.dcm"), filepath.Join(dir, "out.dcm")
	if err := os.WriteFile(in, file, 0o600); err != nil {
		t.Fatal(err)
	}
	if said, err := exec.Command(tool, append(args, in, out)...).CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", tool, args, err, said)
	}
	made, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// needTools skips a test where a tool is not installed.
func needTools(t *testing.T, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed (packages dcmtk and libgdcm-tools)", tool)
		}
	}
}
