package template

// node is a part of a template that writes.
type node interface{}

type (
	// output writes a value.
	output struct{ value expr }
	// branch writes the first body whose condition holds.
	branch struct{ arms []arm }
	// arm is a body under a condition; nil: always.
	arm struct {
		when expr
		body []node
	}
	// forLoop writes a body for every item.
	forLoop struct {
		place     place
		targets   []string
		items     expr
		when      expr // nil: all
		body      []node
		otherwise []node
	}
	// assignment gives a name a value.
	assignment struct {
		name  string
		value expr
	}
)

// expr is a part of a template that has a value.
type expr interface{ at() place }

func (p place) at() place { return p }

type (
	literal struct {
		place
		value value
	}
	variable struct {
		place
		name string
	}
	listing struct {
		place
		kind  listKind
		items []expr
	}
	dict struct {
		place
		keys   []string
		values []expr
	}
	attribute struct {
		place
		of   expr
		name string
	}
	item struct {
		place
		of, key expr
	}
	span struct {
		place
		of, from, to expr
	} // from and to may be nil
	call struct {
		place
		of   expr
		args []expr
	}
	filtered struct {
		place
		of   expr
		name string
		args []expr
		keys []string // names of args, "" where one has none
	}
	tested struct {
		place
		of   expr
		name string
		not  bool
		args []expr
	}
	unary struct {
		place
		op string
		of expr
	}
	binary struct {
		place
		op          string
		left, right expr
	}
	// comparison is a chain: each two neighbours must compare.
	comparison struct {
		place
		first expr
		ops   []string
		rest  []expr
	}
	choice struct {
		place
		when, then, otherwise expr
	} // otherwise may be nil
)
