package bench

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"lightbox/bench/record"
	"lightbox/infer"
	"lightbox/infer/ollama"
	"lightbox/models"
)

// lookEvery is the least time between two looks at a server that answers.
const lookEvery = time.Minute

// errChanged lies beneath the failure that another server or model answers.
var errChanged = errors.New("it is not the one that the run began with")

// sentry looks whether the server and the model that is asked are still those of
// the run's start: servers update themselves, and models are pulled again, in
// the middle of a night. What was answered since the last good look can be
// another model's and is taken back when a look finds a change.
type sentry struct {
	client  *ollama.Client
	now     func() time.Time
	version string
	loaded  func(record.Timing) error // keeps what a model takes of the memory
	tell    func(Event)

	mu       sync.Mutex
	looking  bool
	next     time.Time
	models   []models.Facts // whose answers a look must prove; the last one is asked
	memory   ollama.Loaded  // of the model, as last seen
	first    int64          // bytes of memory when it was first seen; 0: not yet
	grown    bool           // the user was told
	unproven []func() error
}

// guard makes model the one that is asked. It was seen a moment ago, or is
// looked at before it is asked.
func (s *sentry) guard(model models.Facts) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.unproven) == 0 {
		s.models = nil
	}
	s.models, s.next = append(s.models, model), s.now().Add(lookEvery)
	s.memory, s.first, s.grown = ollama.Loaded{}, 0, false
}

// doubt keeps what takes one answer back. It is called when the answer is in the
// record.
func (s *sentry) doubt(takeBack func() error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unproven = append(s.unproven, takeBack)
}

// doubts tells whether there are answers since the last good look.
func (s *sentry) doubts() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.unproven) > 0
}

// look compares, where a minute has passed since the last time or at once is
// set. One look is under way at a time; who comes meanwhile goes on. An error
// says that the run cannot go on.
func (s *sentry) look(ctx context.Context, atOnce bool) error {
	s.mu.Lock()
	if s.looking || !atOnce && s.now().Before(s.next) {
		s.mu.Unlock()
		return nil
	}
	s.looking = true
	guarded, answers := slices.Clone(s.models), len(s.unproven)
	s.mu.Unlock()

	good, err := s.compare(ctx, guarded)
	if good {
		err = s.weigh(ctx, guarded[len(guarded)-1])
	}

	s.mu.Lock()
	defer s.mu.Unlock()
	s.looking, s.next = false, s.now().Add(lookEvery)
	if good {
		s.unproven = slices.Delete(s.unproven, 0, answers)
	}
	return err
}

const changedHint = "bring the old one back and give the same command, or begin again with another --out"

// compare asks for the version and the digests of models. Where the server does
// not say, nothing is known: a fault that lasts ends the run by itself.
func (s *sentry) compare(ctx context.Context, guarded []models.Facts) (good bool, err error) {
	version, err := s.client.Version(ctx)
	if err != nil {
		return false, nil
	}
	if version != s.version {
		return false, fail(WrongModel, changedHint, "the server changed under the run: Ollama was %s and is now %s: %w", s.version, version, errChanged)
	}
	for _, model := range guarded {
		digest, err := s.client.Digest(ctx, model.Name)
		var fault *infer.Fault
		switch {
		case asFault(err, &fault) && endsRun(fault):
			return false, fatal(model.Name, err)
		case err != nil:
			return false, nil
		case digest != model.Digest:
			return false, fail(WrongModel, changedHint, "model %q changed under the run: its digest was %s and is now %s: %w",
				model.Name, infer.Digest(model.Digest).Short(), infer.Digest(digest).Short(), errChanged)
		}
	}
	return true, nil
}

// takeBack marks the answers since the last good look to be asked again, and
// gives their number.
func (s *sentry) takeBack() (int, error) {
	for _, back := range s.unproven {
		if err := back(); err != nil {
			return 0, err
		}
	}
	return len(s.unproven), nil
}

// weigh looks at what the model takes of the memory, tells the user what makes a
// run slow or ends it, and keeps what is new.
func (s *sentry) weigh(ctx context.Context, model models.Facts) error {
	all, err := s.client.Loaded(ctx)
	if err != nil {
		return nil // it moves no number
	}
	for _, l := range all {
		if strings.TrimPrefix(l.Digest, "sha256:") != model.Digest || l.Size == 0 {
			continue
		}
		s.mu.Lock()
		events, fresh := s.weighed(l)
		s.mu.Unlock()
		for _, e := range events {
			s.tell(e)
		}
		if fresh {
			return s.loaded(record.Timing{Kind: record.KindMemory, Model: model.Name, Size: l.Size, SizeVRAM: l.SizeVRAM})
		}
		return nil
	}
	return nil
}
