package bench

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"
	"time"

	"lightbox/bench/card"
	"lightbox/bench/record"
	"lightbox/infer"
	"lightbox/infer/ollama"
	"lightbox/infer/ollama/fake"
	"lightbox/score"
)

// gallery is pictures in memory.
type gallery map[string][]byte

func (g gallery) Open(reference string) ([]byte, error) {
	data, ok := g[reference]
	if !ok {
		return nil, fmt.Errorf("no picture %q", reference)
	}
	return data, nil
}

// greyPNG is a small picture that no other number gives.
func greyPNG(t testing.TB, number int) []byte {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, 40, 32))
	for i := range img.Pix {
		img.Pix[i] = uint8(i * (number + 3))
	}
	img.SetGray(0, 0, color.Gray{uint8(number)})
	img.SetGray(1, 0, color.Gray{uint8(number >> 8)})
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// questions is a benchmark of n open questions with a picture each; those whose
// number divides by three have two demonstrations.
func questions(t testing.TB, n int) Benchmark {
	t.Helper()
	pictures := gallery{}
	b := Benchmark{Name: "test", Digest: infer.DigestOf([]byte("test")), Pictures: pictures, Primary: score.Judged, Pooled: true}
	picture := func(i int) []string {
		name := fmt.Sprintf("%d.png", i)
		pictures[name] = greyPNG(t, i)
		return []string{name}
	}
	for i := range n {
		s := card.Sample{ID: fmt.Sprint(i + 1), Question: fmt.Sprintf("question %d?", i+1), Pictures: picture(i), References: []string{"yes"}}
		if i%3 == 2 {
			for j := range 2 {
				s.Demonstrations = append(s.Demonstrations, card.Sample{
					Question: fmt.Sprintf("example %d.%d?", i+1, j+1), Pictures: picture(1000 + 10*i + j), References: []string{"no"},
				})
			}
		}
		b.Samples = append(b.Samples, s)
	}
	return b
}

// play starts a fake server and gives the configuration of a run on it.
func play(t testing.TB, n int, c fake.Config) (*fake.Server, Config) {
	t.Helper()
	if c.Models == nil {
		c.Models = []fake.Model{fake.Vision("eye"), fake.Text("judge")}
	}
	s := fake.Start(c)
	t.Cleanup(s.Close)
	host, err := ollama.ParseHost(s.Addr())
	if err != nil {
		t.Fatal(err)
	}
	return s, Config{
		Benchmark: questions(t, n), Host: host, HostHidden: true, Model: "eye", Out: t.TempDir(), Version: "test",
		pause: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	}
}

// isSample tells a sample's request from those of the start-up probe.
func isSample(r fake.Request) bool {
	return strings.HasPrefix(r.Last(), "question ") && r.Number("num_predict") > 1
}

// on replies to the sample with the question of that number; the others get a
// normal answer.
func on(number int, reply func(attempt int) fake.Reply) fake.Script {
	attempts := make(chan int, 1)
	attempts <- 0
	return func(r fake.Request) fake.Reply {
		if !isSample(r) || r.Last() != fmt.Sprintf("question %d?", number) {
			return fake.Answer{}
		}
		n := <-attempts + 1
		attempts <- n
		return reply(n)
	}
}

// always is a reply that does not change from one attempt to the next.
func always(r fake.Reply) func(int) fake.Reply { return func(int) fake.Reply { return r } }

// asked counts the requests for the sample of that number.
func asked(s *fake.Server, number int) int {
	n := 0
	for _, r := range s.Chats() {
		if isSample(r) && r.Last() == fmt.Sprintf("question %d?", number) {
			n++
		}
	}
	return n
}

// lineOf is the last line of a sample in a run's record.
func lineOf(t testing.TB, dir, id string) record.Response {
	t.Helper()
	run, err := record.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	line, ok := run.Latest()[id]
	if !ok {
		t.Fatalf("the record has no response to %q", id)
	}
	return line
}

// verdictOf is the last verdict of a sample by a metric.
func verdictOf(t testing.TB, dir, id string, metric score.Metric) score.Verdict {
	t.Helper()
	run, err := record.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	var found score.Verdict
	for _, v := range run.Verdicts() {
		if v.ID == id && v.Metric == metric {
			found = v.Verdict
		}
	}
	if found.Outcome == "" {
		t.Fatalf("the record has no %s verdict on %q", metric, id)
	}
	return found
}
