package main

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"
)

// nextTime is the first moment after now at which the clock of now's location
// shows the time of text, "07:00". Where clocks are put forward over that time,
// it is the moment at which they are.
func nextTime(text string, now time.Time) (time.Time, error) {
	want, err := time.Parse("15:04", text)
	if err != nil || len(text) != len("15:04") {
		return time.Time{}, usage("--until 07:00 stops at the next 7 in the morning", "--until %q: want a time of day, HH:MM", text)
	}
	const day, half = 24 * 60, 12 * 60 // minutes
	target := ofDay(want)
	for at := now.Truncate(time.Minute); ; {
		before := ofDay(at)
		at = at.Add(time.Minute)
		// How far the clock moved on, and how far it had to. A move of over half a day
		// is one back.
		moved, due := (ofDay(at)-before+day)%day, (target-before+day)%day
		if due == moved || moved < half && due > 0 && due < moved {
			return at, nil
		}
	}
}

// ofDay is what a clock shows, in minutes of the day.
func ofDay(t time.Time) int { return 60*t.Hour() + t.Minute() }

// alarm rings at a time. Its zero value never rings.
type alarm struct {
	at   time.Time
	rang atomic.Bool

	now  func() time.Time
	wait func(time.Duration) <-chan time.Time
}

// newAlarm rings at a time by the machine's clock.
func newAlarm(at time.Time) *alarm { return &alarm{at: at, now: time.Now, wait: time.After} }

// watch calls ring when it is time, unless ctx ends before. The clock is looked
// at again and again: a timer stands still while a machine sleeps.
func (a *alarm) watch(ctx context.Context, ring func()) {
	if a.at.IsZero() {
		return
	}
	for {
		left := a.at.Sub(a.now().Round(0)) // by the clock on the wall
		if left <= 0 {
			a.rang.Store(true)
			ring()
			return
		}
		select {
		case <-a.wait(min(left, time.Second)):
		case <-ctx.Done():
			return
		}
	}
}

// stopped is the error of a run that the alarm ended.
func (a *alarm) stopped(dir string) error {
	return &exitError{
		exitInterrupted, "the same command goes on from here",
		fmt.Errorf("it is %s: stopped as --until says; the work is kept in %s", a.at.Format("15:04"), dir),
	}
}
