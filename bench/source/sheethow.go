package source

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"lightbox/bench/source/sheet"
)

// how says which columns were taken, the encoding, and which rows lack a picture
// where there is a column of them.
func (c Columns) how(s *sheet.Sheet) string {
	how := fmt.Sprintf("columns: %s (%s)", c, s.Said())
	if hidden := c.hidden(s); len(hidden) > 0 {
		how += fmt.Sprintf("; there are pictures in %s, which are not shown: --column image=NAME names a column of pictures", quoted(hidden))
	}
	if len(c.of[fieldImage]) == 0 {
		return how
	}
	var without []string
	for i, cells := range s.Rows {
		if len(c.pictures(cells)) == 0 {
			without = append(without, strconv.Itoa(s.Lines[i]))
		}
	}
	n := len(without)
	if n == 0 {
		return how
	}
	rows := "row"
	if n > 1 {
		rows = "rows"
	}
	if more := n - maxNamed; more > 0 {
		without = append(without[:maxNamed], fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf("%s; %d of %d questions have no picture: %s %s", how, n, len(s.Rows), rows, strings.Join(without, ", "))
}

// pictureName is how names of pictures end.
var pictureName = regexp.MustCompile(`(?i)\.(png|jpe?g|webp|tiff?|bmp|gif|dcm)$`)

// hidden are the columns with names of pictures that hold no field.
func (c Columns) hidden(s *sheet.Sheet) []string {
	var all []string
	for _, at := range c.left() {
		if slices.ContainsFunc(s.Rows, func(cells []string) bool { return pictureName.MatchString(strings.TrimSpace(cells[at])) }) {
			all = append(all, c.header[at])
		}
	}
	return all
}

// maxNamed is how many rows are named that lack a picture.
const maxNamed = 10
