package record

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gofrs/flock"
)

// The files of a run directory.
const (
	manifestFile  = "manifest.json"
	responsesFile = "responses.jsonl"
	verdictsFile  = "verdicts.jsonl"
	timingsFile   = "timings.jsonl"
	lockFile      = "lock"
)

// ownFiles are those that only a Run writes.
var ownFiles = []string{manifestFile, responsesFile, verdictsFile, timingsFile, lockFile}

// The files that are written at the end of a run, for [Run.WriteFile].
const (
	ReportJSON = "report.json"
	ReportHTML = "report.html"
)

var (
	// ErrLocked says that another process writes to the run directory.
	ErrLocked = errors.New("another process is writing to it")
	// ErrReadOnly says that a run was opened with [Read].
	ErrReadOnly = errors.New("the run was opened for reading")
)

// Run is an open run directory. Its methods are safe for concurrent use, but
// for Close and WriteManifest.
type Run struct {
	dir       string
	lock      *flock.Flock // nil: opened for reading
	manifest  *Manifest
	responses *journal[Response, *Response]
	verdicts  *journal[Verdict, *Verdict]
	timings   *journal[Timing, *Timing]
	torn      []Torn
}

// Torn is an unfinished end of a journal, as a crash leaves it, that was cut
// off on opening.
type Torn struct {
	File  string
	Bytes int64
}

// Create opens the run directory dir for writing and makes it where it is
// missing, mode 0700, with all its parents.
func Create(dir string) (*Run, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("creating run %q: %w", dir, err)
	}
	return Open(dir)
}

// Open opens an existing run directory for writing. It fails with [ErrLocked]
// while another process, or another Run of this one, has it open, and with a
// [JournalError] where a journal is damaged. A torn end of a journal is cut off.
func Open(dir string) (*Run, error) {
	r := &Run{dir: dir, lock: flock.New(filepath.Join(dir, lockFile))}
	locked, err := r.lock.TryLock()
	if err == nil && !locked {
		err = ErrLocked
	}
	if err == nil {
		err = r.restrict()
	}
	if err == nil {
		err = r.open()
	}
	if err != nil {
		r.Close()
		return nil, fmt.Errorf("opening run %q: %w", dir, err)
	}
	return r, nil
}

// restrict takes the directory and its files away from other users, whoever made
// them.
func (r *Run) restrict() error {
	if err := os.Chmod(r.dir, 0o700); err != nil {
		return err
	}
	for _, name := range []string{manifestFile, responsesFile, verdictsFile, timingsFile, ReportJSON, ReportHTML} {
		if err := os.Chmod(filepath.Join(r.dir, name), 0o600); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// open reads the directory, whose lock is held.
func (r *Run) open() (err error) {
	if err := removeUnfinished(r.dir); err != nil {
		return err
	}
	if r.manifest, err = readManifest(filepath.Join(r.dir, manifestFile)); err != nil {
		return err
	}
	if r.responses, err = openIn[Response](r, responsesFile); err != nil {
		return err
	}
	if r.verdicts, err = openIn[Verdict](r, verdictsFile); err != nil {
		return err
	}
	if r.timings, err = openIn[Timing](r, timingsFile); err != nil {
		return err
	}
	return syncDir(r.dir)
}

func openIn[T any, P entry[T]](r *Run, file string) (*journal[T, P], error) {
	j, tail, err := openJournal[T, P](filepath.Join(r.dir, file))
	if tail > 0 {
		r.torn = append(r.torn, Torn{file, tail})
	}
	return j, err
}

// Read reads the run directory dir without its lock and without changing it,
// also while a run writes to it: lines that are not complete yet are left out.
// All that writes fails with [ErrReadOnly].
func Read(dir string) (*Run, error) {
	r := &Run{dir: dir}
	if err := r.read(); err != nil {
		return nil, fmt.Errorf("reading run %q: %w", dir, err)
	}
	return r, nil
}

func (r *Run) read() (err error) {
	if _, err := os.ReadDir(r.dir); err != nil {
		return err
	}
	if r.manifest, err = readManifest(filepath.Join(r.dir, manifestFile)); err != nil {
		return err
	}
	// Verdicts come before responses, so that every verdict has its response
	// where both grow meanwhile.
	if r.verdicts, err = readJournal[Verdict](filepath.Join(r.dir, verdictsFile)); err != nil {
		return err
	}
	if r.responses, err = readJournal[Response](filepath.Join(r.dir, responsesFile)); err != nil {
		return err
	}
	r.timings, err = readJournal[Timing](filepath.Join(r.dir, timingsFile))
	return err
}

// Dir is the directory as it was given.
func (r *Run) Dir() string { return r.dir }

// Torn lists what was cut off on opening, for telling the user.
func (r *Run) Torn() []Torn { return slices.Clone(r.torn) }

// Manifest holds the settings of the run, or nil where none were written yet.
// It must not be changed.
func (r *Run) Manifest() *Manifest { return r.manifest }

// WriteManifest writes the settings. A run has one manifest for ever: a second
// call fails with [os.ErrExist].
func (r *Run) WriteManifest(m Manifest) error {
	path := filepath.Join(r.dir, manifestFile)
	if r.lock == nil {
		return fmt.Errorf("writing %q: %w", path, ErrReadOnly)
	}
	if r.manifest != nil {
		return fmt.Errorf("writing %q: %w", path, os.ErrExist)
	}
	m.Layout = layout
	if err := writeAtomic(path, m.encode); err != nil {
		return fmt.Errorf("writing %q: %w", path, err)
	}
	r.manifest = &m
	return nil
}

// Responses are all lines of responses.jsonl in the order of the file. Several
// can have one id, where a sample was asked again. Slices and faults in them are
// shared and must not be changed.
func (r *Run) Responses() []Response { return r.responses.all() }

// Latest are the responses by sample id, the last of each.
func (r *Run) Latest() map[string]Response {
	latest := map[string]Response{}
	for _, resp := range r.responses.all() {
		latest[resp.ID] = resp
	}
	return latest
}

// Verdicts are all lines of verdicts.jsonl in the order of the file. The last
// one of a sample, metric and rule counts, if it is of the response's text.
func (r *Run) Verdicts() []Verdict { return r.verdicts.all() }

// Timings are all lines of timings.jsonl in the order of the file.
func (r *Run) Timings() []Timing { return r.timings.all() }

// AppendResponse adds a line to responses.jsonl. When it returns without error
// the line survives the end of this process; it survives the end of the machine
// once a second has passed and another line was added, or after Sync. A failed
// append, on a full disk say, leaves the journal as it was and can be repeated.
func (r *Run) AppendResponse(resp Response) error { return r.responses.append(resp) }

// AppendVerdict adds a line to verdicts.jsonl, as AppendResponse does.
func (r *Run) AppendVerdict(v Verdict) error { return r.verdicts.append(v) }

// AppendTiming adds a line to timings.jsonl, as AppendResponse does.
func (r *Run) AppendTiming(t Timing) error {
	t.Start = t.Start.UTC().Truncate(time.Millisecond)
	return r.timings.append(t)
}

// Sync makes all that was appended survive the end of the machine.
func (r *Run) Sync() error {
	return errors.Join(r.responses.sync(), r.verdicts.sync(), r.timings.sync())
}

// WriteFile replaces a file of the run directory, such as [ReportJSON]: readers
// see the old one or the whole new one. The name is a plain one and none of the
// record's own.
func (r *Run) WriteFile(name string, write func(io.Writer) error) error {
	if name != filepath.Base(name) || !filepath.IsLocal(name) || name == "." || slices.Contains(ownFiles, name) {
		return fmt.Errorf("writing %q: not a name for a file of a run", name)
	}
	path := filepath.Join(r.dir, name)
	if r.lock == nil {
		return fmt.Errorf("writing %q: %w", path, ErrReadOnly)
	}
	if err := writeAtomic(path, write); err != nil {
		return fmt.Errorf("writing %q: %w", path, err)
	}
	return nil
}

// Close syncs and closes the journals and gives the lock back. It may be called
// twice.
func (r *Run) Close() error {
	var errs []error
	if r.responses != nil {
		errs = append(errs, r.responses.close())
	}
	if r.verdicts != nil {
		errs = append(errs, r.verdicts.close())
	}
	if r.timings != nil {
		errs = append(errs, r.timings.close())
	}
	if r.lock != nil {
		errs = append(errs, r.lock.Close())
	}
	return errors.Join(errs...)
}
