package bench

import (
	"fmt"
	"time"

	"lightbox/bench/record"
	"lightbox/infer"
	"lightbox/infer/cache"
)

// answered gives the reply to a prompt that another arm of a study or an earlier
// run was given. Probabilities are kept in records as what came of them, so that
// requests for them are always sent.
func (r *run) answered(prompt infer.Digest) (infer.Response, bool) {
	if r.cfg.Benchmark.Format == FormatLogprob {
		return infer.Response{}, false
	}
	if response, ok := r.cfg.shared.take(prompt); ok {
		return response, true
	}
	if r.cfg.Cache == nil || r.cfg.Temperature > 0 {
		return infer.Response{}, false
	}
	return r.cfg.Cache.Get(r.cacheKey(prompt))
}

func (r *run) cacheKey(prompt infer.Digest) cache.Key {
	return cache.Key{Model: r.facts.Digest, Server: r.server.Version, Prompt: prompt}
}

// cacheAll keeps the replies of a finished run for others. Not before: until then
// the model could turn out to have been replaced. That they cannot be kept harms
// nothing, and is said.
func (r *run) cacheAll() {
	if r.cfg.Cache == nil || r.cfg.Temperature > 0 || r.cfg.Benchmark.Format == FormatLogprob {
		return
	}
	for _, line := range r.record.Latest() {
		if line.Fault != nil || line.Prompt == "" {
			continue
		}
		key := r.cacheKey(line.Prompt)
		if _, there := r.cfg.Cache.Get(key); there {
			continue
		}
		if err := r.cfg.Cache.Put(key, responseOf(line)); err != nil {
			r.warn("replies could not be kept for other runs: %v", err)
			return
		}
	}
	if err := r.cfg.Cache.Trim(); err != nil {
		r.warn("old replies that were kept could not be removed: %v", err)
	}
}

// noteShared writes down that a sample's reply was not asked for. It stands with
// the times, since what was answered is the same: two runs leave equal records.
func (r *run) noteShared(id string) error {
	r.sharedCount.Add(1)
	return r.record.AppendTiming(record.Timing{ID: id, Kind: record.KindShared, Start: r.cfg.now().UTC().Truncate(time.Millisecond)})
}

// tellShared says how many replies were not asked for.
func (r *run) tellShared() {
	if n := r.sharedCount.Load(); n > 0 {
		r.cfg.Watch(Event{Note: fmt.Sprintf("%d replies are those that the same model gave to the same requests before", n)})
	}
}
