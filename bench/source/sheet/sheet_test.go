package sheet

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

func encode(t testing.TB, e encoding.Encoding, text string) []byte {
	t.Helper()
	data, err := e.NewEncoder().Bytes([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestEncodings(t *testing.T) {
	const text = "问题,答案,图片\r\n哪个器官异常？,肺,图 1.png\r\n"
	want := [][]string{{"哪个器官异常？", "肺", "图 1.png"}}
	for _, tt := range []struct {
		name     string
		data     []byte
		encoding string
	}{
		{"UTF-8", []byte(text), UTF8},
		{"with byte order mark", []byte("\xef\xbb\xbf" + text), UTF8},
		{"GB18030", encode(t, simplifiedchinese.GB18030, text), GB18030},
		{"GBK", encode(t, simplifiedchinese.GBK, text), GB18030},
		{"UTF-16, little end first", encode(t, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), text), UTF16},
		{"UTF-16, big end first", encode(t, unicode.UTF16(unicode.BigEndian, unicode.UseBOM), text), UTF16},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := Read(tt.data, "")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, s.Rows); diff != "" || s.Encoding != tt.encoding {
				t.Errorf("encoding %s, rows (-want +got):\n%s", s.Encoding, diff)
			}
		})
	}
	plain, err := Read(encode(t, unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), "question\tanswer\nWhich organ?\tlung\n"), "")
	if err != nil || plain.Encoding != UTF16 || plain.Comma != "\t" {
		t.Errorf("UTF-16 without a mark: %+v, %v", plain, err)
	}
}

// TestWesternTextIsNotReadAsChinese: all of these are valid GB18030.
func TestWesternTextIsNotReadAsChinese(t *testing.T) {
	for _, cell := range []string{
		"fémur", "größe ändern", "Ödem", "Übelkeit", "5 µm", "µm", "50 °C", "Läsion", "GRÖßE", "Löß", "Lungenödem", "señal", "naïve", "it’s", "J. Müller",
	} {
		data := encode(t, charmap.Windows1252, "question,answer\nWhich?,"+cell+"\nWhat is this?,yes\n")
		if _, _, err := transform.Bytes(simplifiedchinese.GB18030.NewDecoder(), data); err != nil {
			t.Fatalf("%q: %v", cell, err)
		}
		s, err := Read(data, "")
		if err == nil {
			t.Errorf("%q is read as %s: %q", cell, s.Encoding, s.Rows)
			continue
		}
		if !strings.Contains(err.Error(), "CSV UTF-8") || !strings.Contains(err.Error(), "--encoding") {
			t.Errorf("error %q does not say what to do", err)
		}
		if s, err = Read(data, "windows-1252"); err != nil || s.Rows[0][1] != cell || s.Guessed {
			t.Errorf("%q of a named encoding: %+v, %v", cell, s, err)
		}
	}
}

// TestShortChineseIsRead: few characters, alone or among Latin letters.
func TestShortChineseIsRead(t *testing.T) {
	for _, cell := range []string{"肝", "左", "是", "CT图像", "X光", "MRI是什么?", "MRI是CT吗？", "左髋CT", "患者的左側肺部是否有異常陰影", "王喆的CT是什么？", "T2像", "5mm结节"} {
		s, err := Read(encode(t, simplifiedchinese.GB18030, "question,answer\nWhich?,"+cell+"\nWhat is this?,yes\n"), "")
		if err != nil || s.Rows[0][1] != cell || !s.Guessed || !strings.Contains(s.Said(), "a guess") {
			t.Errorf("%q: %+v, %v", cell, s, err)
		}
	}
}

func TestNamedEncodings(t *testing.T) {
	const text = "question,answer\nWhich?,Größe\n"
	for _, tt := range []struct {
		name, encoding string
		data           []byte
		line           int
		problem        string // empty: it is read
	}{
		{"as it is", "utf-8", []byte(text), 0, ""},
		{"in capitals", "UTF-8", []byte(text), 0, ""},
		{"with its mark", "utf-8", []byte("\xef\xbb\xbf" + text), 0, ""},
		{"not UTF-8", "utf-8", encode(t, charmap.Windows1252, text), 2, "not valid UTF-8"},
		{"UTF-16", "utf-16", encode(t, unicode.UTF16(unicode.BigEndian, unicode.UseBOM), text), 0, ""},
		{"half of UTF-16", "utf-16", []byte("abc"), 0, "is not UTF-16"},
		{"the mark of another", "windows-1252", []byte("\xef\xbb\xbf" + text), 0, "mark of UTF-8"},
		{"bytes that Windows-1252 has not", "windows-1252", []byte("a,b\n1,\x81\n"), 0, "is not Windows-1252"},
		{"bytes that GB18030 has not", "gb18030", []byte("a,b\n1,\xff\n"), 0, "is not GB18030"},
		{"unknown", "latin-1", []byte(text), 0, `"latin-1" is not known`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := Read(tt.data, tt.encoding)
			if tt.problem == "" {
				if err != nil || s.Rows[0][1] != "Größe" || s.Guessed {
					t.Errorf("%+v, %v", s, err)
				}
				return
			}
			var bad *Error
			if !errors.As(err, &bad) || bad.Line != tt.line || !strings.Contains(bad.Problem, tt.problem) {
				t.Errorf("error %v, want line %d, %q", err, tt.line, tt.problem)
			}
		})
	}
}

func TestRead(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       [][]string
	}{
		{"commas", "a,b\n1,2\n", [][]string{{"1", "2"}}},
		{"semicolons", "a;b\n1,5;2\n", [][]string{{"1,5", "2"}}},
		{"tabs, no line end", "a\tb\n1\t", [][]string{{"1", ""}}},
		{"said by the first line", "sep=;\na;b\n1;2\n", [][]string{{"1", "2"}}},
		{"quoted", "a,b\n\"x, \"\"y\"\"\",\"two\nlines\"\n", [][]string{{`x, "y"`, "two\nlines"}}},
		{"quotation mark inside", "a,b\n5\" wide,2\n", [][]string{{`5" wide`, "2"}}},
		{"comma in a quoted name", "\"a;b;c\",b\n1,2\n", [][]string{{"1", "2"}}},
		{"blank rows and empty columns of a spreadsheet", "a,b,,\n1,2,,\n,,,\n\n3,4,,\n", [][]string{{"1", "2"}, {"3", "4"}}},
		{"blanks are kept", "a,b\n 1 ,2\n", [][]string{{" 1 ", "2"}}},
		{"old line ends", "a,b\r1,2\r3,4", [][]string{{"1", "2"}, {"3", "4"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := Read([]byte(tt.text), "")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, s.Rows); diff != "" {
				t.Errorf("rows (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadNamesTheLine(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		line       int
		problem    string
	}{
		{"open quotation mark", "a,b\n1,\"2\n3,4\n", 2, "never closed"},
		{"text behind a quotation mark", "a,b\n1,\"2\"x\n", 2, "follows"},
		{"too few cells, after a cell of two lines", "a,b\n\"1\n2\",3\n4\n", 4, "1 cells"},
		{"too many cells", "a,b\n1,2,3\n", 2, "3 cells"},
		{"no name", "a,,b\n", 1, "no name"},
		{"a name twice", "a,b,a\n", 1, "twice"},
		{"nothing", "\n\n", 0, "no header"},
		{"a workbook", "PK\x03\x04 and more", 0, "workbook"},
		{"no text", "\xff\xff\xff,\x81", 0, "neither"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Read([]byte(tt.text), "")
			var bad *Error
			if !errors.As(err, &bad) || bad.Line != tt.line || !strings.Contains(bad.Problem, tt.problem) {
				t.Errorf("error %v, want line %d: … %s …", err, tt.line, tt.problem)
			}
		})
	}
}

// TestPandas has what pandas 3.1 makes of the same texts.
func TestPandas(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       [][]string
	}{
		{"line ends in cells stay", "a,b\n\"x\r\ny\",2\n", [][]string{{"x\r\ny", "2"}}},
		{"text behind a quotation mark", "a,b\n\"x\"y,2\n", [][]string{{"xy", "2"}}},
		{"short row", "a,b,c\n1\n", [][]string{{"1", "", ""}}},
		{"blank lines", "a,b\n\n   \n1,2\n", [][]string{{"1", "2"}}},
		{"semicolons are text", "a,b\n1;5,2\n", [][]string{{"1;5", "2"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := Pandas([]byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, s.Rows); diff != "" {
				t.Errorf("rows (-want +got):\n%s", diff)
			}
		})
	}
	for _, text := range []string{"a,b\n1,\"2\n", "a,b\n1,2,3\n", "\xff"} {
		if s, err := Pandas([]byte(text)); err == nil {
			t.Errorf("%q: %v, want an error", text, s.Rows)
		}
	}
	for cell, want := range map[string]bool{"": true, "nan": true, "None": true, "NULL": true, "none": false, " ": false, "Nan": false} {
		if Missing(cell) != want {
			t.Errorf("Missing(%q) = %t", cell, !want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"a,b\n1,2\n", "a;b\r\n\"x\"\"y\";2", "\xef\xbb\xbf问题,答案\n肺,是\n", "sep=|\na|b\n", "sep=\xfcA\np=\xfcA\n0\xfc\x1f", "a,\"b\n", "\xff\xfea\x00", "\xce\xca,\xb4\xf0\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, encoding := range append([]string{"", "pandas"}, Encodings...) {
			s, err := Pandas(data)
			if encoding != "pandas" {
				s, err = Read(data, encoding)
			}
			var bad *Error
			if err != nil {
				if !errors.As(err, &bad) {
					t.Errorf("error %v has no type", err)
				}
				continue
			}
			if len(s.Rows) != len(s.Lines) {
				t.Errorf("%d rows, %d lines", len(s.Rows), len(s.Lines))
			}
			for _, row := range s.Rows {
				if len(row) != len(s.Header) || !utf8.ValidString(strings.Join(row, "")) {
					t.Errorf("row %q under %q", row, s.Header)
				}
			}
		}
	})
}
