package models_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/models"
)

func TestWindow(t *testing.T) {
	tests := []struct {
		name                 string
		high, reserve, limit int
		want                 int
	}{
		{"small prompts get the least that vision models get", 20, 32, 0, 2048},
		{"exactly the least", 2015, 32, 0, 2048},
		{"one more", 2016, 32, 0, 2304},
		{"rounded up to steps of 256", 7168, 512, 0, 7936},
		{"within the model's limit", 7168, 512, 7700, 7700},
		{"limit larger", 7168, 512, 8192, 7936},
		{"limit below the least", 20, 32, 1024, 1024},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := models.Window(tt.high, tt.reserve, tt.limit); got != tt.want {
				t.Errorf("Window(%d, %d, %d) = %d, want %d", tt.high, tt.reserve, tt.limit, got, tt.want)
			}
		})
	}
}

func TestWindowProperties(t *testing.T) {
	for high := 0; high < 20000; high += 97 {
		for _, reserve := range []int{1, 32, 512, 4608} {
			n := models.Window(high, reserve, 0)
			if n < high+reserve+1 {
				t.Fatalf("Window(%d, %d) = %d does not hold both and one more", high, reserve, n)
			}
			if n%256 != 0 || n < 2048 {
				t.Fatalf("Window(%d, %d) = %d is no step of 256 from 2048", high, reserve, n)
			}
			if n > 2048 && n-256 >= high+reserve+1 {
				t.Fatalf("Window(%d, %d) = %d is a step too large", high, reserve, n)
			}
			if limited := models.Window(high, reserve, 4000); limited != min(n, 4000) {
				t.Fatalf("Window(%d, %d) within 4000 is %d, want %d", high, reserve, limited, min(n, 4000))
			}
		}
	}
}

func TestOversize(t *testing.T) {
	for numCtx := 1; numCtx < 10000; numCtx += 31 {
		got := models.Oversize(numCtx)
		roundedUp := numCtx + 255 - (numCtx+255)%256
		for _, window := range []int{numCtx, 2048, roundedUp} {
			if got <= window {
				t.Fatalf("Oversize(%d) = %d words fit into %d tokens", numCtx, got, window)
			}
		}
	}
}

func TestBounds(t *testing.T) {
	gemma := models.ProfileOf(models.Facts{Architecture: "gemma3"})
	tests := []struct {
		name     string
		size     models.Size
		template string
		want     models.Bounds
	}{
		{"nothing", models.Size{}, "", models.Bounds{Low: 0, High: 64}},
		{"text", models.Size{TextBytes: 640, Messages: 2}, "", models.Bounds{Low: 20, High: 640 + 2*16 + 64}},
		{"short template", models.Size{}, "0123456789", models.Bounds{Low: 0, High: 64 + 10}},
		{"long template", models.Size{}, string(make([]byte, 9000)), models.Bounds{Low: 0, High: 64 + 512}},
		{
			"pictures",
			models.Size{Messages: 1, Pictures: []models.Side{{W: 896, H: 896}, {W: 100, H: 100}}},
			"",
			models.Bounds{Low: 2 * 256, High: 2*264 + 16 + 64},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, gemma.Bounds(tt.size, tt.template)); diff != "" {
				t.Errorf("bounds (-want +got):\n%s", diff)
			}
		})
	}
}

// Prompt tokens of the phantom benchmark, as counted by a server: in context
// with five demonstrations and without any.
func TestBoundsHoldForThePhantom(t *testing.T) {
	p := models.ProfileOf(models.Facts{Architecture: "mistral3", Vision: phantomVision})
	question, answer := len("Which finding is shown?"), len("gorp")
	side := models.Side{W: 72, H: 72}
	tests := []struct {
		name   string
		size   models.Size
		tokens int
	}{
		{"no demonstrations", models.Size{TextBytes: question, Messages: 1, Pictures: []models.Side{side}}, 20},
		{
			"two demonstrations",
			models.Size{TextBytes: 3*question + 2*answer, Messages: 5, Pictures: []models.Side{side, side, side}},
			62,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := p.Bounds(tt.size, "{{ .Prompt }}"); tt.tokens < got.Low || tt.tokens > got.High {
				t.Errorf("%d tokens are outside %d to %d", tt.tokens, got.Low, got.High)
			}
		})
	}
}
