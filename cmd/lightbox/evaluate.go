package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"

	"lightbox/bench"
)

// evaluate runs cfg until it is done or the alarm rings, shows its progress, and
// prints the report.
func (t terminal) evaluate(ctx context.Context, cfg bench.Config, asJSON bool, until *alarm) error {
	ctx, stop, release := interruptible(ctx, t, until)
	defer release()
	defer t.stayAwake()()
	progress := newProgress(t.err)
	cfg.Stop, cfg.Watch = stop, progress.watch
	if !cfg.Host.Loopback() {
		progress.watch(bench.Event{Warning: fmt.Sprintf("%s is another machine: questions and pictures go there", cfg.Host)})
	}
	result, err := bench.Run(ctx, cfg)
	progress.clear()
	var failure *bench.Failure
	if errors.As(err, &failure) && failure.Kind == bench.Interrupted && until.rang.Load() {
		return until.stopped(cfg.Out)
	}
	if err != nil {
		return err
	}
	if asJSON {
		err = result.Report.JSON(t.out)
	} else {
		err = result.Report.Text(t.out)
	}
	if err != nil {
		return fmt.Errorf("printing the report: %w", err)
	}
	t.tell("the record is in", filepath.Join(result.Dir, "")+",", "the page is", filepath.Join(result.Dir, "report.html"))
	if result.Unscored > 0 {
		return &exitError{code: exitUnscored}
	}
	return nil
}

// interruptible turns the alarm or the first Ctrl-C into a wish to stop after the
// sample under way, and the next Ctrl-C into the end of it.
func interruptible(ctx context.Context, t terminal, until *alarm) (context.Context, <-chan struct{}, func()) {
	ctx, cancel := context.WithCancel(ctx)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	stop := make(chan struct{})
	var once sync.Once
	wish := func() {
		once.Do(func() {
			close(stop)
			fmt.Fprintln(t.err, "\nlightbox: stopping after the sample under way; Ctrl-C now stops at once")
		})
	}
	go until.watch(ctx, wish)
	go func() {
		for {
			select {
			case <-signals:
			case <-ctx.Done():
				return
			}
			select {
			case <-stop:
				cancel()
				return
			default:
				wish()
			}
		}
	}()
	return ctx, stop, func() {
		signal.Stop(signals)
		cancel()
	}
}
