package sheet

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
	utf16 "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// Names of encodings.
const (
	UTF8        = "UTF-8"
	UTF16       = "UTF-16"
	GB18030     = "GB18030"
	Windows1252 = "Windows-1252"

	utf32Name = "UTF-32"
)

// Encodings are the names that a user can say, in lower case.
var Encodings = []string{"utf-8", "utf-16", "gb18030", "windows-1252"}

// Decode turns the bytes of a file into text and names their encoding. It is the
// one that is named, of [Encodings], or where none is: what a byte order mark
// says; what is valid UTF-8 is that, what has zeros in every other byte is
// UTF-16, and the rest GB18030, which holds GBK and GB2312. The last two are
// guesses. Text that is none of them is an [*Error]: above all, what Western
// versions of Windows write without being told to write UTF-8 can be read as rare
// Chinese characters, and is refused.
func Decode(data []byte, named string) (text, name string, guessed bool, err error) {
	if named != "" {
		text, name, err = decodeAs(data, strings.ToLower(named))
		return text, name, false, err
	}
	marked := mark(data)
	switch order, is16 := byteOrder(data); {
	case marked == utf32Name:
		text, err = decode(utf32.UTF32(utf32.BigEndian, utf32.UseBOM), data)
		return text, utf32Name, false, err
	case is16:
		text, err = decode(utf16.UTF16(order, utf16.UseBOM), data)
		return text, UTF16, marked == "", err
	case utf8.Valid(data):
		return string(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))), UTF8, false, nil
	}
	text, err = decode(simplifiedchinese.GB18030, data)
	if err == nil && !chinese(data) {
		err = &Error{Problem: "the text is neither UTF-8 nor Chinese; save it as CSV UTF-8, or name its encoding with --encoding " + strings.Join(Encodings, ", ")}
	}
	return text, GB18030, true, err
}

// decodeAs decodes what the user says, unless the file itself says otherwise.
func decodeAs(data []byte, named string) (text, name string, err error) {
	at := slices.Index(Encodings, named)
	if at < 0 {
		return "", "", &Error{Problem: fmt.Sprintf("encoding %q is not known; known are %s", named, strings.Join(Encodings, ", "))}
	}
	name = []string{UTF8, UTF16, GB18030, Windows1252}[at]
	if marked := mark(data); marked != "" && marked != name {
		return "", name, &Error{Problem: fmt.Sprintf("the text begins with the mark of %s and is not %s", marked, name)}
	}
	switch name {
	case UTF8:
		if !utf8.Valid(data) {
			return "", name, &Error{Line: invalidLine(data), Problem: "is not valid UTF-8"}
		}
		return string(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))), name, nil
	case UTF16:
		order, _ := byteOrder(data)
		text, err = decode(utf16.UTF16(order, utf16.UseBOM), data)
	case GB18030:
		text, err = decode(simplifiedchinese.GB18030, data)
	default:
		text, err = decode(charmap.Windows1252, data)
		if strings.ContainsFunc(text, func(r rune) bool { return 0x80 <= r && r < 0xa0 }) {
			err = &Error{} // bytes that stand for nothing
		}
	}
	if err != nil {
		err = &Error{Problem: "the text is not " + name}
	}
	return text, name, err
}

// invalidLine is the line of the first byte that is not UTF-8.
func invalidLine(data []byte) int {
	line := 1
	for len(data) > 0 {
		r, n := utf8.DecodeRune(data)
		if r == utf8.RuneError && n == 1 {
			break
		}
		if r == '\n' {
			line++
		}
		data = data[n:]
	}
	return line
}

// mark is the encoding that a byte order mark says; "": there is none.
func mark(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte{0xff, 0xfe, 0, 0}), bytes.HasPrefix(data, []byte{0, 0, 0xfe, 0xff}):
		return utf32Name
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}), bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		return UTF16
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		return UTF8
	}
	return ""
}

// byteOrder tells whether data are UTF-16.
func byteOrder(data []byte) (order utf16.Endianness, is16 bool) {
	switch {
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}):
		return utf16.LittleEndian, true
	case bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		return utf16.BigEndian, true
	}
	var zeros [2]int
	head := data[:min(len(data), 4096)]
	for i, b := range head {
		if b == 0 {
			zeros[i%2]++
		}
	}
	switch quarter := len(head) / 8; {
	case zeros[1] > quarter && zeros[0] == 0:
		return utf16.LittleEndian, true
	case zeros[0] > quarter && zeros[1] == 0:
		return utf16.BigEndian, true
	}
	return utf16.LittleEndian, false
}

func decode(e encoding.Encoding, data []byte) (string, error) {
	text, err := e.NewDecoder().Bytes(data)
	if err != nil || bytes.ContainsRune(text, utf8.RuneError) {
		return "", &Error{Problem: "the text is neither UTF-8, UTF-16 nor GB18030; save it as CSV UTF-8, or name its encoding with --encoding " + strings.Join(Encodings, ", ")}
	}
	return strings.TrimPrefix(string(text), "\ufeff"), nil
}
