package bench_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"lightbox/bench"
	"lightbox/infer/ollama"
	"lightbox/infer/ollama/fake"
)

// A run needs a benchmark, a server, a model, and a directory for its record.
func ExampleRun() {
	server := fake.Start(fake.Config{Models: []fake.Model{fake.Vision("eye")}}) // stands for Ollama
	defer server.Close()
	host, err := ollama.ParseHost(server.Addr())
	if err != nil {
		fmt.Println(err)
		return
	}
	dir, err := os.MkdirTemp("", "lightbox-example-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	benchmark, err := bench.Phantom()
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := bench.Run(context.Background(), bench.Config{
		Benchmark: benchmark, Host: host, Model: "eye", Out: filepath.Join(dir, "run"), KeepNames: true,
	})
	var failure *bench.Failure
	if errors.As(err, &failure) {
		fmt.Println(failure, "-", failure.Hint)
		return
	}
	for _, subset := range result.Report.Subsets {
		fmt.Println(subset.Name, len(subset.Scores), "score of", subset.Samples, "samples")
	}
	// Output:
	// in-context 1 score of 40 samples
	// without demonstrations 1 score of 40 samples
	// in-context mcqa 1 score of 40 samples
	// zero-shot 1 score of 60 samples
	// zero-shot mcqa 1 score of 60 samples
}
