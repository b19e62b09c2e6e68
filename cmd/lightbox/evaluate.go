package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"lightbox/bench"
)

// evaluate runs cfg, shows its progress, and prints the report.
func (t terminal) evaluate(ctx context.Context, cfg bench.Config, asJSON bool) error {
	ctx, stop, release := interruptible(ctx, t)
	defer release()
	progress := newProgress(t.err)
	cfg.Stop, cfg.Watch = stop, progress.watch
	if !cfg.Host.Loopback() {
		progress.watch(bench.Event{Warning: fmt.Sprintf("%s is another machine: questions and pictures go there", cfg.Host)})
	}
	result, err := bench.Run(ctx, cfg)
	progress.clear()
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
	fmt.Fprintln(t.err, "lightbox: the record is in", filepath.Join(result.Dir, "")+",", "the page is", filepath.Join(result.Dir, "report.html"))
	if result.Unscored > 0 {
		return &exitError{code: exitUnscored}
	}
	return nil
}

// interruptible turns the first Ctrl-C into a wish to stop after the sample
// under way, and the second into the end of it.
func interruptible(ctx context.Context, t terminal) (context.Context, <-chan struct{}, func()) {
	ctx, cancel := context.WithCancel(ctx)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	stop := make(chan struct{})
	go func() {
		select {
		case <-signals:
		case <-ctx.Done():
			return
		}
		close(stop)
		fmt.Fprintln(t.err, "\nlightbox: stopping after the sample under way; once more stops at once")
		select {
		case <-signals:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, stop, func() {
		signal.Stop(signals)
		cancel()
	}
}
