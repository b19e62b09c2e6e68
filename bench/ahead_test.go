package bench

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"strings"
	"sync"
	"testing"
	"time"

	"lightbox/bench/card"
	"lightbox/bench/icl"
	"lightbox/bench/record"
	"lightbox/infer/ollama/fake"
	"lightbox/models"
	"lightbox/preprocess"
)

// counted counts how often each picture is opened.
type counted struct {
	Pictures
	mu     sync.Mutex
	opened map[string]int
}

func (c *counted) Open(reference string) ([]byte, error) {
	c.mu.Lock()
	c.opened[reference]++
	c.mu.Unlock()
	return c.Pictures.Open(reference)
}

// counting makes a run count, and gives the counter.
func counting(cfg *Config) *counted {
	c := &counted{Pictures: cfg.Benchmark.Pictures, opened: map[string]int{}}
	cfg.Benchmark.Pictures = c
	return c
}

// TestPicturesArePreparedOnce: each picture is opened to plan and once more to be
// prepared, however many samples show it and whatever is asked at once. The longest
// prompt is sent ahead of the samples, so that its pictures are prepared twice.
func TestPicturesArePreparedOnce(t *testing.T) {
	for _, parallel := range []int{1, 4} {
		t.Run(fmt.Sprint(parallel), func(t *testing.T) {
			_, cfg := play(t, 12, fake.Config{})
			cfg.Parallel = parallel
			for i := range cfg.Benchmark.Samples { // all show the demonstrations of one
				cfg.Benchmark.Samples[i].Demonstrations = cfg.Benchmark.Samples[2].Demonstrations
			}
			c := counting(&cfg)
			if _, err := Run(context.Background(), cfg); err != nil {
				t.Fatal(err)
			}
			twice := 0
			for reference, n := range c.opened {
				switch n {
				case 2:
				case 3:
					twice++
				default:
					t.Errorf("%s was opened %d times", reference, n)
				}
			}
			if len(c.opened) != 14 || twice > 3 {
				t.Errorf("%d pictures, %d of them prepared twice", len(c.opened), twice)
			}
		})
	}
}

func TestStudioKeepsWhatIsExpected(t *testing.T) {
	pictures := gallery{}
	sample := func(names ...string) planned {
		for i, name := range names {
			pictures[name] = greyPNG(t, len(pictures)+i)
		}
		return planned{turns: []turn{{role: "user", pictures: names}}}
	}
	shared, own := sample("a", "b"), sample("b", "c")
	a := newAlbum(pictures, preprocess.Recipe{})
	s := newStudio(a)
	for _, p := range []planned{shared, own} {
		a.measure(p.turns, nil)
		s.expect(p)
	}
	for i, want := range []string{"b", ""} {
		if _, _, err := s.prompt([]planned{shared, own}[i]); err != nil {
			t.Fatal(err)
		}
		var kept []string
		size := 0
		for name, shot := range s.kept {
			kept = append(kept, name)
			size += len(shot.image.Data)
		}
		if strings.Join(kept, ",") != want || s.size != size {
			t.Errorf("after sample %d %q are kept (%d bytes, counted %d), want %q", i+1, kept, size, s.size, want)
		}
	}
}

// TestQuestionsFitTheMemory: what is prepared ahead is bounded by bytes, and a
// question that needs more than there are is prepared alone.
func TestQuestionsFitTheMemory(t *testing.T) {
	side := models.Side{W: 10_000, H: 10_000}
	facts := map[string]pictureFacts{
		"small": {bytes: 1000, whole: models.Side{W: 100, H: 50}, side: models.Side{W: 100, H: 50}},
		"large": {bytes: 1000, whole: side, side: side},
	}
	s := newStudio(&album{facts: facts})
	plan := func(names ...string) planned { return planned{turns: []turn{{pictures: names}}} }
	if preparing, kept := s.needs(plan("small", "small"), aheadBytes); preparing != 1000+8*5000 || kept != 2*15_000 {
		t.Errorf("two small pictures need %d bytes and then %d", preparing, kept)
	}
	if preparing, kept := s.needs(plan("large", "large", "small"), aheadBytes); preparing+kept != aheadBytes || kept != aheadBytes/2 {
		t.Errorf("large pictures need %d bytes and then %d of %d", preparing, kept, aheadBytes)
	}
	if preparing, kept := s.needs(plan(), aheadBytes); preparing != 0 || kept != 0 {
		t.Errorf("no picture needs %d bytes and then %d", preparing, kept)
	}
}

// wideGrey is a large picture of a small file.
func wideGrey(t *testing.T, w, h, number int) []byte {
	t.Helper()
	m := image.NewGray(image.Rect(0, 0, w, h))
	m.Pix[0] = byte(number)
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestLargePicturesAreAskedOneByOne: questions of which two do not fit the memory are
// all answered, and a run that is stopped among them ends and goes on.
func TestLargePicturesAreAskedOneByOne(t *testing.T) {
	stop := make(chan struct{})
	var once sync.Once
	n := 0
	var mu sync.Mutex
	_, cfg := play(t, 6, fake.Config{Script: func(r fake.Request) fake.Reply {
		mu.Lock()
		defer mu.Unlock()
		if strings.HasPrefix(r.Last(), "question") {
			if n++; n == 4 {
				once.Do(func() { close(stop) })
			}
		}
		return nil
	}})
	cfg.aheadBytes = 1000 // less than one question needs
	cfg.Stop = stop
	if _, err := Run(context.Background(), cfg); err == nil {
		t.Fatal("the run was not stopped")
	}
	cfg.Stop = nil
	result, err := Run(context.Background(), cfg)
	if err != nil || result.Unscored != 0 {
		t.Fatalf("%d unscored, error %v", result.Unscored, err)
	}
}

// TestWaitingIsKept: how long requests waited for pictures stands in timings.jsonl.
func TestWaitingIsKept(t *testing.T) {
	_, cfg := play(t, 3, fake.Config{})
	result, err := Run(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	run, err := record.Read(result.Dir)
	if err != nil {
		t.Fatal(err)
	}
	var waited []record.Timing
	for _, line := range run.Timings() {
		if line.Kind == record.KindWaited {
			waited = append(waited, line)
		}
	}
	if len(waited) != 1 || waited[0].Elapsed > waited[0].Total || waited[0].Start.Before(time.Unix(0, 0)) {
		t.Errorf("lines %+v", waited)
	}
}

// budgeted plans a run of one question with so many pictures.
func budgeted(t *testing.T, pictures int, change func(*Config)) (Preview, *counted, error) {
	t.Helper()
	grid := fake.Vision("eye") // a model whose pictures cost by their size
	grid.Architecture, grid.ContextLength = "mistral3", 32768
	_, cfg := play(t, 1, fake.Config{Models: []fake.Model{grid, fake.Text("judge")}})
	all := gallery{}
	s := &cfg.Benchmark.Samples[0]
	s.Pictures = nil
	for i := range pictures {
		name := fmt.Sprint(i)
		all[name] = wideGrey(t, 800, 600, i)
		s.Pictures = append(s.Pictures, name)
	}
	cfg.Benchmark.Pictures = all
	cfg.ImageBudget = true
	change(&cfg)
	c := counting(&cfg)
	v, err := Show(context.Background(), cfg, "")
	return v, c, err
}

func TestImageBudget(t *testing.T) {
	free, _, err := budgeted(t, 2, func(*Config) {})
	if err != nil || free.MaxSide != 896 {
		t.Fatalf("two pictures: side %d, want 896; error %v", free.MaxSide, err)
	}
	tight, c, err := budgeted(t, 4, func(c *Config) { c.NumCtx = 2600 })
	if err != nil {
		t.Fatal(err)
	}
	if tight.MaxSide >= 800 || tight.High+DefaultNumPredict+1 > 2600 {
		t.Errorf("side %d, prompts up to %d tokens", tight.MaxSide, tight.High)
	}
	for reference, n := range c.opened {
		if n != 2 { // to plan and to show
			t.Errorf("picture %s was opened %d times", reference, n)
		}
	}
	// It is the largest: one pixel more does not fit.
	more, _, err := budgeted(t, 4, func(c *Config) {
		c.NumCtx, c.ImageBudget, c.Recipe.MaxSide = 2600, false, tight.MaxSide+1
	})
	if err != nil || more.High+DefaultNumPredict+1 <= 2600 {
		t.Errorf("a side of %d needs %d tokens, error %v", more.MaxSide, more.High, err)
	}
	blank, _, err := budgeted(t, 4, func(c *Config) {
		c.NumCtx, c.Arrangement = 2600, icl.Arrangement{Ablate: icl.Blank}
	})
	if err != nil || blank.Refused != "" || blank.MaxSide != tight.MaxSide {
		t.Errorf("grey pictures: side %d, refused %q, error %v", blank.MaxSide, blank.Refused, err)
	}
	if _, _, err := budgeted(t, 4, func(c *Config) { c.NumCtx = 520 }); err == nil || !strings.Contains(err.Error(), "does not fit 520 tokens") {
		t.Errorf("error %v", err)
	}
}

// TestManySlicesNeedTheirContext: 85 slices of 256 tokens each are not asked for in
// less context than that.
func TestManySlicesNeedTheirContext(t *testing.T) {
	_, cfg := play(t, 1, fake.Config{})
	s := card.Sample{ID: "ct", Question: "Which?", References: []string{"yes"}}
	all := gallery{}
	for i := range 85 {
		name := fmt.Sprint(i)
		all[name] = greyPNG(t, i)
		s.Pictures = append(s.Pictures, name)
	}
	cfg.Benchmark.Samples, cfg.Benchmark.Pictures = []card.Sample{s}, all
	v, err := Show(context.Background(), cfg, "")
	if err != nil || v.Low < 85*256 || v.Context < v.High+DefaultNumPredict+1 {
		t.Errorf("context %d for %d to %d tokens of prompt, error %v", v.Context, v.Low, v.High, err)
	}
}
