package card

import (
	"fmt"
	"strconv"
)

// Shots says how many demonstrations a sample shows. Its zero value is all that
// it has.
type Shots struct {
	limited bool
	most    int
}

// allShots is how all demonstrations are asked for.
const allShots = "icl"

// FirstShots asks for n demonstrations at most.
func FirstShots(n int) Shots { return Shots{true, n} }

// ParseShots reads "icl", which is all, or a number: 0 is zero-shot.
func ParseShots(text string) (Shots, error) {
	if text == "" || text == allShots {
		return Shots{}, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return Shots{}, fmt.Errorf("choosing shots %q: want %s or a number from 0", text, allShots)
	}
	return Shots{true, n}, nil
}

// String is what ParseShots reads.
func (s Shots) String() string {
	if s.limited {
		return strconv.Itoa(s.most)
	}
	return allShots
}

// Most is how many demonstrations are shown at most; limited is false where all
// are.
func (s Shots) Most() (n int, limited bool) { return s.most, s.limited }

// Show is a sample with its first demonstrations, as many as are shown.
func (s Shots) Show(x Sample) Sample {
	if s.limited && len(x.Demonstrations) > s.most {
		x.Demonstrations = x.Demonstrations[:s.most:s.most]
	}
	return x
}
