package codec

// tagTree holds minima of a grid of numbers, and of its quarters, T.800 B.10.2.
type tagTree struct {
	nodes []tagNode
	wide  int
}

type tagNode struct {
	parent int // -1 at the root
	low    int // the value is known not to be below
	known  bool
}

func newTagTree(w, h int) *tagTree {
	t := &tagTree{wide: w}
	for {
		base := len(t.nodes)
		up, upW := base+w*h, (w+1)/2
		for i := range w * h {
			n := tagNode{parent: -1}
			if w*h > 1 {
				n.parent = up + i/w/2*upW + i%w/2
			}
			t.nodes = append(t.nodes, n)
		}
		if w*h == 1 {
			return t
		}
		w, h = upW, (h+1)/2
	}
}

// below says whether the value of a leaf is below limit, reading what is needed.
func (t *tagTree) below(r *packetBits, leaf, limit int) bool {
	var path [32]int
	n := 0
	for i := leaf; i >= 0; i = t.nodes[i].parent {
		path[n] = i
		n++
	}
	low := 0
	for n--; n >= 0; n-- {
		node := &t.nodes[path[n]]
		node.low = max(node.low, low)
		for node.low < limit && !node.known {
			if r.bit() == 1 {
				node.known = true
			} else {
				node.low++
			}
		}
		low = node.low
	}
	return t.nodes[leaf].known && t.nodes[leaf].low < limit
}
