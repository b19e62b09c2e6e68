package bench

import (
	"context"
	"testing"

	"lightbox/infer/ollama/fake"
)

// BenchmarkRun is what lightbox itself takes for a sample, on a server that
// answers at once: pictures prepared, asked, recorded, scored.
func BenchmarkRun(b *testing.B) {
	const n = 200
	for range b.N {
		_, cfg := play(b, n, fake.Config{Discard: true})
		if _, err := Run(context.Background(), cfg); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n), "µs/sample")
}
