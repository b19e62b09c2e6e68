package dicom

import (
	"fmt"
	"strconv"
	"strings"
)

// Choice says which frame of a file, or slice of a series, is shown. The zero
// value is the middle one.
type Choice struct {
	Number int // from 1; 0: the middle one
	Grid   int // above 0: a contact sheet of up to so many, evenly spaced
}

const (
	defaultGrid = 16
	maxGrid     = 25
)

// ParseChoice reads "middle" or empty, a number from 1, "grid" (16 frames) or
// "grid:N" with N up to 25.
func ParseChoice(text string) (Choice, error) {
	switch text {
	case "", "middle":
		return Choice{}, nil
	case "grid":
		return Choice{Grid: defaultGrid}, nil
	}
	if s, ok := strings.CutPrefix(text, "grid:"); ok {
		if n, err := strconv.Atoi(s); err == nil && n >= 1 && n <= maxGrid {
			return Choice{Grid: n}, nil
		}
	} else if n, err := strconv.Atoi(text); err == nil && n >= 1 {
		return Choice{Number: n}, nil
	}
	return Choice{}, fmt.Errorf("reading frame %q: it is none of middle, grid, grid:N (N from 1 to %d), nor a number from 1", text, maxGrid)
}

// String is the choice as ParseChoice reads it.
func (c Choice) String() string {
	switch {
	case c.Grid == defaultGrid:
		return "grid"
	case c.Grid > 0:
		return "grid:" + strconv.Itoa(c.Grid)
	case c.Number > 0:
		return strconv.Itoa(c.Number)
	}
	return "middle"
}

// Pick is the indices of the frames that are shown of n, from 0, rising. The
// middle of an even number is the later one; those of a grid are the middles of
// equal parts.
func (c Choice) Pick(n int) ([]int, error) {
	switch {
	case n < 1:
		return nil, fmt.Errorf("picking frames: there is none")
	case c.Grid > maxGrid || c.Grid < 0 || c.Number < 0:
		return nil, fmt.Errorf("picking frames: there is no choice %+v", c)
	case c.Grid == 0 && c.Number > n:
		return nil, unsupported(0, "picking frame %d: there are %d; --frame takes 1 to %d, middle or grid", c.Number, n, n)
	case c.Grid == 0 && c.Number > 0:
		return []int{c.Number - 1}, nil
	case c.Grid == 0:
		return []int{n / 2}, nil
	}
	k := min(c.Grid, n)
	out := make([]int, k)
	for i := range out {
		out[i] = (2*i + 1) * n / (2 * k)
	}
	return out, nil
}
