package source

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"lightbox/bench/card"
)

// problem is the rows of one problem_id, or a row without one.
type problem struct {
	name string
	rows []row
}

// group joins rows to problems, in the order of their first rows.
func group(rows []row) []*problem {
	var all []*problem
	byName := map[string]*problem{}
	for _, r := range rows {
		p := byName[r.Problem]
		if p == nil || r.Problem == "" {
			p = &problem{name: r.Problem}
			all = append(all, p)
			byName[r.Problem] = p
		}
		if p.name == "" {
			p.name = strconv.Itoa(r.number)
		}
		p.rows = append(p.rows, r)
	}
	return all
}

// check tells what keeps a problem from being asked. It sorts the rows by order.
func (p *problem) check(bad *problems) {
	if !slices.ContainsFunc(p.rows, row.ordered) {
		return
	}
	for _, r := range p.rows {
		if !r.ordered() {
			bad.add(r.number, "order", fmt.Errorf("is missing, though other rows of problem %q have it", p.name))
			return
		}
	}
	slices.SortStableFunc(p.rows, func(a, b row) int { return cmp.Compare(*a.Order, *b.Order) })
	for i, r := range p.rows[1:] {
		if before := p.rows[i]; *before.Order == *r.Order {
			bad.add(r.number, "order", fmt.Errorf("is %d, as in row %d of problem %q", *r.Order, before.number, p.name))
		}
	}
	for _, r := range p.rows[:len(p.rows)-1] {
		if r.Answer == "" {
			bad.add(r.number, "answer", fmt.Errorf("is missing, though the row is a demonstration of problem %q", p.name))
		}
	}
}

func (r row) ordered() bool { return r.Order != nil }

// samples are those of a problem that check found nothing wrong with.
func (p *problem) samples(keepNames bool) []numbered {
	queries, demonstrations := p.rows, []row(nil)
	if p.rows[0].ordered() {
		last := len(p.rows) - 1
		queries, demonstrations = p.rows[last:], p.rows[:last]
	}
	label := func(r row) string {
		if keepNames {
			return p.name
		}
		return r.id()
	}
	group := label(queries[0])
	var all []numbered
	for _, q := range queries {
		s := q.sample(label(q), p.name, group)
		for _, d := range demonstrations {
			id := d.id()
			if keepNames {
				id = fmt.Sprintf("%s/%d", p.name, *d.Order)
			}
			s.Demonstrations = append(s.Demonstrations, d.sample(id, p.name, group))
		}
		all = append(all, numbered{q.number, s})
	}
	return all
}

// numbered is a sample with the row of its query.
type numbered struct {
	row    int
	sample card.Sample
}

// sample is the row as a sample without demonstrations.
func (r row) sample(id, name, group string) card.Sample {
	s := card.Sample{
		ID: id, Name: name, Group: group, Subset: r.Subset,
		Question: r.Question,
	}
	s.Options, _ = card.Letters(r.Options) // few enough, as checkOptions knows
	if len(s.Options) == 0 {
		s.Options = nil
	}
	s.Pictures = r.pictures()
	if r.Answer != "" {
		s.References = []string{r.Answer}
		s.Key = card.KeyOf(s.Options, r.Answer)
	}
	tags := slices.Clone(r.Tags)
	if r.Task != "" {
		tags = append(tags, "task:"+r.Task)
	}
	for _, tag := range tags {
		if !slices.Contains(s.Tags, tag) {
			s.Tags = append(s.Tags, tag)
		}
	}
	return s
}
