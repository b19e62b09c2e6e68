package bench

import (
	"fmt"

	"lightbox/infer/ollama"
)

// weighed takes up how much memory a model has and gives what the user should
// hear of it. fresh says that it is not as it was.
func (s *sentry) weighed(l ollama.Loaded) (events []Event, fresh bool) {
	fresh = l.Size != s.memory.Size || l.SizeVRAM != s.memory.SizeVRAM
	s.memory = l
	if s.first == 0 {
		s.first = l.Size
		switch {
		case l.SizeVRAM <= 0:
			events = append(events, Event{Note: fmt.Sprintf("model %s runs on the CPU (%s)", l.Name, bytesInWords(l.Size))})
		case l.SizeVRAM < l.Size:
			events = append(events, Event{Warning: fmt.Sprintf("only %s of the %s of model %s are in the GPU's memory: the rest runs on the CPU, which is slow",
				bytesInWords(l.SizeVRAM), bytesInWords(l.Size), l.Name)})
		}
	}
	if !s.grown && l.Size-s.first >= s.first/5 { // the growth that reports of leaks start at
		s.grown = true
		events = append(events, Event{Warning: fmt.Sprintf("the server's memory for model %s has grown from %s to %s: if it runs out, start the server again and give the same command",
			l.Name, bytesInWords(s.first), bytesInWords(l.Size))})
	}
	return events, fresh
}

// bytesInWords is a size of memory for people.
func bytesInWords(n int64) string {
	if n < 1e9 {
		return fmt.Sprintf("%.0f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}
