package bench

import (
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"lightbox/bench/card"
	"lightbox/bench/source"
	"lightbox/infer"
)

// deck reads the data of a card's subsets.
type deck struct {
	card     *card.Card
	data     CardData
	labels   *card.Labels
	pictures *cardPictures
	digests  []infer.Digest
}

// cardPictures opens pictures of the tables of several subsets, whose files can
// be called the same.
type cardPictures struct {
	several bool // references begin with their subset
	tables  map[string][]*source.Table
}

// Open opens a picture in the table that has it.
func (p *cardPictures) Open(reference string) ([]byte, error) {
	subset := ""
	if p.several {
		subset, reference, _ = strings.Cut(reference, "\x00")
	}
	tables := p.tables[subset]
	for _, t := range tables {
		if t.Has(reference) {
			return t.Open(reference)
		}
	}
	return tables[0].Open(reference) // says what is wrong
}

// Close gives all tables back.
func (p *cardPictures) Close() error {
	var errs []error
	for _, tables := range p.tables {
		for _, t := range tables {
			errs = append(errs, t.Close())
		}
	}
	return errors.Join(errs...)
}

// add reads the samples of a subset into the benchmark.
func (d *deck) add(b *Benchmark, s card.Subset) error {
	at, err := subsetPath(d.data.Path, s.Name, d.pictures.several)
	if err != nil {
		return err
	}
	split, err := d.split(s, at)
	if err != nil {
		return err
	}
	table, samples, err := d.read(b, s, at, split, "")
	if err != nil {
		return err
	}
	o := origin(d.card, s)
	o.Split = samples[0].Split
	shots, asked := d.data.Shots.Most()
	if !asked {
		shots = s.FewShot.Shots
	}
	if shots > 0 {
		o.FewShot = fmt.Sprintf("%d from the split %s, drawn with seed %d", shots, s.FewShot.Split, d.data.Seed)
		if err := d.demonstrate(b, s, at, table, samples, shots); err != nil {
			return err
		}
	}
	b.Files = append(b.Files, table.Files...)
	b.Samples = append(b.Samples, samples...)
	b.Origin = joinOrigins(b.Origin, o)
	return nil
}

// split is the split to ask for: what the user says, else test, else the first
// that the card names. A file is one split, whatever the card names.
func (d *deck) split(s card.Subset, at string) (string, error) {
	var known []string
	for _, u := range s.Source.URLs {
		known = append(known, source.CanonicalSplit(u.Split))
	}
	want := source.CanonicalSplit(d.data.Split)
	if want != "" {
		if len(known) > 0 && !slices.Contains(known, want) {
			return "", fail(Usage, "", "the card has no split %q; it has %s", want, strings.Join(known, ", "))
		}
		return want, nil
	}
	if info, err := os.Stat(at); err == nil && !info.IsDir() || len(known) == 0 {
		return "", nil
	}
	if slices.Contains(known, "test") {
		return "test", nil
	}
	return known[0], nil
}

// read opens a split's table and makes its samples.
func (d *deck) read(b *Benchmark, s card.Subset, at, split, prefix string) (*source.Table, []card.Sample, error) {
	table, err := source.OpenTable(at, source.TableOptions{Split: split, Picture: s.Mapping.Media.From})
	if err != nil {
		return nil, nil, err
	}
	key := ""
	if d.pictures.several {
		key = s.Name
	}
	d.pictures.tables[key] = append(d.pictures.tables[key], table)
	if is := table.Split(); is != "" && split != "" && is != split {
		return nil, nil, fmt.Errorf("reading %q: it holds the split %s, and %s is wanted; --split chooses", at, is, split)
	} else if split == "" {
		split = is
	}
	if err := d.checkFiles(table); err != nil {
		return nil, nil, err
	}
	needed, optional := s.Absent(table.Columns)
	if len(needed) > 0 {
		return nil, nil, fmt.Errorf("reading %q: there is no column %q, which the card maps; there are %s", at, needed[0], strings.Join(table.Columns, ", "))
	}
	for _, column := range optional {
		b.Warnings = append(b.Warnings, fmt.Sprintf("the data have no column %q, which the card calls optional", column))
	}
	samples, err := s.Samples(card.Rows{Columns: table.Columns, All: table.Rows, Split: split, Prefix: prefix}, d.labels)
	if err != nil {
		return nil, nil, rowFaults(table, err)
	}
	d.digests = append(d.digests, table.Digest)
	if key != "" {
		for i := range samples {
			samples[i] = under(key, samples[i])
		}
	}
	return table, samples, nil
}

// under makes a sample of one of several subsets: its names are told from those
// of the others.
func under(subset string, x card.Sample) card.Sample {
	x.ID, x.Group = subset+"/"+x.ID, subset+"/"+x.Group
	for i := range x.Pictures {
		x.Pictures[i] = subset + "\x00" + x.Pictures[i]
	}
	return x
}

// checkFiles holds the files with rows against the card's digests.
func (d *deck) checkFiles(table *source.Table) error {
	if len(d.card.SHA256) == 0 {
		return nil
	}
	for i, name := range table.Files {
		want, ok := d.card.SHA256[path.Base(name)]
		if !ok {
			return fmt.Errorf("checking %q: the card has digests of other files, and none of this one", name)
		}
		got, err := table.FileDigest(i)
		if err != nil {
			return fmt.Errorf("checking %q: %w", name, err)
		}
		if got != infer.Digest("sha256:"+want) {
			return fmt.Errorf("checking %q: its digest is %s, and the card's sha256:%s", name, got, want)
		}
	}
	return nil
}

// rowFaults says where in the files the rows with errors stand.
func rowFaults(table *source.Table, err error) error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return err
	}
	var all []error
	for _, e := range joined.Unwrap() {
		var field *card.FieldError
		if errors.As(e, &field) {
			e = table.Fault(field.Row, field.Column, field.Err)
		}
		all = append(all, e)
	}
	return errors.Join(all...)
}

// demonstrate draws demonstrations for samples.
func (d *deck) demonstrate(b *Benchmark, s card.Subset, at string, queries *source.Table, samples []card.Sample, shots int) error {
	split := source.CanonicalSplit(s.FewShot.Split)
	none := func(why error) error {
		return fail(Usage, "--shots 0 asks without demonstrations; --data names a folder with all splits", "demonstrations of subset %q come from the split %s: %w", s.Name, split, why)
	}
	if split == samples[0].Split {
		return none(errors.New("that is the one that is asked"))
	}
	table, pool, err := d.read(&Benchmark{}, s, at, split, split+"/")
	if err != nil {
		return none(err)
	}
	if table.Split() != split || slices.ContainsFunc(table.Files, func(f string) bool { return slices.Contains(queries.Files, f) }) {
		return none(errors.New("it is not among the data"))
	}
	few := 0
	for i := range samples {
		samples[i].Demonstrations = card.Draw(pool, samples[i], shots, int64(d.data.Seed))
		if len(samples[i].Demonstrations) < shots {
			few++
		}
	}
	if few > 0 {
		b.Warnings = append(b.Warnings, fmt.Sprintf("%d samples show fewer than %d demonstrations: the split %s has no more that fit them", few, shots, split))
	}
	return nil
}
