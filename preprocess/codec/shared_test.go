package codec

import (
	"bytes"
	"os"
	"testing"
)

// A file of the wild decodes as gdcm decodes it.
func TestSharedFile(t *testing.T) {
	needTools(t, "gdcmconv")
	file, err := os.ReadFile("../../../shared/data/dicom/JPEG2000.dcm")
	if err != nil {
		t.Skip("../shared/data/dicom is not beside the tree")
	}
	all, fragments := readFile(t, file)
	syntax, d := describe(all)
	got, err := Decode(syntax, bytes.Join(fragments, nil), d)
	if err != nil {
		t.Fatal(err)
	}
	plain, _ := readFile(t, convert(t, file, "gdcmconv", "--raw"))
	differ(t, pack(got, d), plain[0x7FE00010], d)
}

func BenchmarkDecode(b *testing.B) {
	for _, s := range stored {
		stream := readStored(b, s.name)
		b.Run(s.name, func(b *testing.B) {
			b.SetBytes(int64(s.samples()))
			for b.Loop() {
				if _, err := Decode(s.syntax, stream, s.Description); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
