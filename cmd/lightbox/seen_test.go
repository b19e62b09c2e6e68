package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCaptions(t *testing.T) {
	for _, tt := range []struct {
		name        string
		steps, want []string
	}{
		{"none", []string{"passed"}, []string{""}},
		{"automatic", []string{"no window in the file that can be used", "automatic window 0..5, the 0.5 to 99.5 percentile", "resized 10x10 to 5x5"}, []string{"automatic window 0..5", ""}},
		{"of frames", []string{"file window 1 of 1 40/80 LINEAR", "file window 1 of 1 50/90 LINEAR", "frame 2: nothing but black is to be seen"}, []string{"file window 1 of 1 40/80 and 1 more", "frame 2: nothing but black is to be seen"}},
		{"masked", []string{"masked [0,0,9,9]", "nothing but black is to be seen"}, []string{"masked, nothing but black is to be seen"}},
	} {
		if diff := cmp.Diff(tt.want, captions(tt.steps)); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}
