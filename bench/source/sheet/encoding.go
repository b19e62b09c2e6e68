package sheet

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/simplifiedchinese"
	utf16 "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// Names of encodings.
const (
	UTF8    = "UTF-8"
	UTF16   = "UTF-16"
	GB18030 = "GB18030"
)

// Decode turns the bytes of a file into text and names their encoding. A byte
// order mark decides; without one, what is valid UTF-8 is that, what has zeros
// in every other byte is UTF-16, and the rest GB18030, which holds GBK and
// GB2312. Text that is none of them is an [*Error]: above all, what Western
// versions of Windows write without being told to write UTF-8 looks like
// scattered Chinese characters, and is refused.
func Decode(data []byte) (text, name string, err error) {
	switch order, is16 := byteOrder(data); {
	case bytes.HasPrefix(data, []byte{0xff, 0xfe, 0, 0}), bytes.HasPrefix(data, []byte{0, 0, 0xfe, 0xff}):
		text, err = decode(utf32.UTF32(utf32.BigEndian, utf32.UseBOM), data)
		return text, "UTF-32", err
	case is16:
		text, err = decode(utf16.UTF16(order, utf16.UseBOM), data)
		return text, UTF16, err
	case utf8.Valid(data):
		return string(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))), UTF8, nil
	}
	text, err = decode(simplifiedchinese.GB18030, data)
	if err == nil && scattered(text) {
		err = &Error{Problem: "the text is neither UTF-8 nor Chinese; save it as CSV UTF-8"}
	}
	return text, GB18030, err
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
		return "", &Error{Problem: "the text is neither UTF-8, UTF-16 nor GB18030; save it as CSV UTF-8"}
	}
	return strings.TrimPrefix(string(text), "\ufeff"), nil
}

// scattered tells whether most of the characters beyond ASCII stand alone behind
// a Latin letter, as no Chinese does: "fémur" of Windows-1252 reads "f閙ur".
func scattered(text string) bool {
	alone, all := 0, 0
	letter := func(r rune) bool { return r < 0x80 && unicode.IsLetter(r) }
	var before, last rune
	for _, r := range text + " " {
		if last >= 0x80 {
			all++
			if letter(before) && r < 0x80 {
				alone++
			}
		}
		before, last = last, r
	}
	return all > 0 && 2*alone > all
}
