package bench

import (
	"slices"

	"lightbox/bench/card"
	"lightbox/infer"
)

// Pool is what demonstrations are drawn from where samples have none of their
// own. Its pictures are among those of the benchmark.
type Pool struct {
	Samples []card.Sample
	Digest  infer.Digest // of the questions
	Warning string       // what a reader of figures with demonstrations must know, may be empty
}

// draw gives samples the demonstrations that are wanted and that they do not
// have, out of the benchmark's pool.
func (r *run) draw(samples []card.Sample) ([]card.Sample, error) {
	n, limited := r.cfg.Shots.Most()
	if r.cfg.Benchmark.Pool == nil || !limited || n == 0 {
		return samples, nil
	}
	pool, err := r.cfg.Benchmark.Pool()
	if err != nil {
		return nil, err
	}
	r.pool = pool.Digest
	if pool.Warning != "" {
		r.cfg.Benchmark.Warnings = append(slices.Clone(r.cfg.Benchmark.Warnings), pool.Warning)
	}
	for i, s := range samples {
		drawn := card.Draw(pool.Samples, s, n, int64(r.cfg.Seed))
		if len(drawn) < n {
			return nil, fail(WrongData, "ask for fewer --shots", "drawing %d demonstrations for sample %q: the data have %d that can be shown with it", n, s.ID, len(drawn))
		}
		samples[i].Demonstrations = drawn
	}
	return samples, nil
}
