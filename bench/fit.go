package bench

import (
	"fmt"

	"lightbox/infer"
	"lightbox/models"
)

// fitted is the context window of a run and what set it.
type fitted struct {
	numCtx  int
	longest int    // index of the plan with the largest upper bound, -1: none can be asked
	price   string // said where one sample alone sets the window, else ""
}

// fit chooses one num_ctx for the run (want 0: from the largest prompt) and
// refuses the samples that cannot fit into it.
func fit(plans []planned, want, reserve, limit int) fitted {
	f := fitted{longest: -1}
	if limit > 0 { // what no window holds does not set it
		refuseTooLong(plans, limit, reserve)
	}
	high, second := 0, 0
	for i, p := range plans {
		if p.refusal != nil {
			continue
		}
		if p.bounds.High > high {
			high, second, f.longest = p.bounds.High, high, i
		} else {
			second = max(second, p.bounds.High)
		}
	}
	f.numCtx = want
	if want == 0 {
		f.numCtx = models.Window(high, reserve, limit)
	} else if limit > 0 {
		f.numCtx = min(want, limit)
	}
	if next := models.Window(second, reserve, limit); want == 0 && f.longest >= 0 && f.numCtx >= next+next/2 {
		f.price = fmt.Sprintf("a context of %d tokens is needed for sample %s alone; %d would do for the rest", f.numCtx, plans[f.longest].sample.ID, next)
	}
	refuseTooLong(plans, f.numCtx, reserve)
	return f
}

// refuseTooLong marks the samples whose prompts need more than the window even
// by the lower bound. Those between the bounds are asked: the server refuses
// what does not fit, because it may not truncate.
func refuseTooLong(plans []planned, numCtx, reserve int) {
	for i := range plans {
		p := &plans[i]
		need := p.bounds.Low + reserve + 1
		if p.refusal != nil || need <= numCtx {
			continue
		}
		p.refusal = &infer.Fault{
			Reason: infer.ReasonContextRefused,
			Detail: fmt.Sprintf("needs num_ctx %d at least (%d pictures), the run has %d", need, len(p.size.Pictures), numCtx),
		}
	}
}
