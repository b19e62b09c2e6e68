//go:build integration && unix

package main

import (
	"flag"
	"fmt"
	"runtime"
	"testing"
)

var tortureFlag = flag.String("torture", "", "`KILLS` of lightbox, of the server and of the runner, as in 100/20/20")

// TestTorture kills all that takes part in a run, in random order at random
// moments, many times. make torture runs it.
func TestTorture(t *testing.T) {
	if *tortureFlag == "" {
		t.Skip("it takes long: make torture runs it")
	}
	if runtime.GOOS != "linux" {
		t.Skip("finding runners needs /proc")
	}
	var kills [3]int
	if _, err := fmt.Sscanf(*tortureFlag, "%d/%d/%d", &kills[0], &kills[1], &kills[2]); err != nil {
		t.Fatalf("-torture %q: want three numbers, as in 100/20/20", *tortureFlag)
	}
	c := newCampaign(t, 20)
	var victims []string
	for i, victim := range []string{victimLightbox, victimServer, victimRunner} {
		for range kills[i] {
			victims = append(victims, victim)
		}
	}
	c.chance.Shuffle(len(victims), func(i, j int) { victims[i], victims[j] = victims[j], victims[i] })
	for i, victim := range victims {
		c.accident(victim)
		if (i+1)%10 == 0 {
			fmt.Printf("torture: %d of %d: %s\n", i+1, len(victims), c.summary())
		}
	}
	c.finish()
	if !t.Failed() {
		fmt.Println("torture: passed:", c.summary())
	}
}
