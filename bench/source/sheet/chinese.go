package sheet

// chinese tells whether bytes that are valid GB18030 were meant as such: half of
// the characters beyond ASCII at least are common ones, as in any Chinese text.
//
// A letter with an accent and the letter behind it make a valid pair too, but of
// a rare character: "Ödem" of Windows-1252 reads "謉em", "5 µm" reads "5 祄", and
// "größe" has a character between two Latin letters.
func chinese(data []byte) bool {
	common, all := 0, 0
	for i := 0; i < len(data); {
		n := width(data[i:])
		if data[i] >= 0x80 {
			all++
			if isCommon(data[i:i+n]) && !(isLetter(data, i-1) && isLetter(data, i+n)) {
				common++
			}
		}
		i += n
	}
	return 2*common >= all
}

// width is how many bytes of GB18030 the first character has.
func width(data []byte) int {
	switch {
	case data[0] <= 0x80 || len(data) < 2:
		return 1
	case '0' <= data[1] && data[1] <= '9':
		return min(4, len(data))
	}
	return 2
}

// isCommon tells whether a character is punctuation or of the first level of GB
// 2312: the 3755 characters of everyday use.
func isCommon(character []byte) bool {
	return len(character) == 2 && character[1] >= 0xa1 &&
		(0xa1 <= character[0] && character[0] <= 0xa9 || 0xb0 <= character[0] && character[0] <= 0xd7)
}

// isLetter tells whether a Latin letter is at a place.
func isLetter(data []byte, at int) bool {
	if at < 0 || at >= len(data) {
		return false
	}
	lower := data[at] | 0x20
	return 'a' <= lower && lower <= 'z'
}
