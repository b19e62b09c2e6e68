package bench

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"lightbox/bench/card"
	"lightbox/bench/source"
	"lightbox/infer"
	"lightbox/preprocess"
)

// deck reads the data of a card's subsets.
type deck struct {
	card     *card.Card
	data     CardData
	labels   *card.Labels
	pictures *cardPictures
}

// cardPictures opens pictures of the tables of several subsets, whose files can
// be called the same.
type cardPictures struct {
	several bool // references begin with their subset
	tables  map[string][]*source.Table
}

// Open opens a picture in the table that has it.
func (p *cardPictures) Open(reference string) ([]byte, error) {
	t, reference := p.find(reference)
	return t.Open(reference)
}

// Series reads the headers of the slices in a directory of the table that has it.
func (p *cardPictures) Series(reference string) (s *preprocess.Series, ok bool, err error) {
	t, reference := p.find(reference)
	return readSeries(t, reference)
}

// find is the table that has a picture, else one that says what is wrong with the
// reference, and the reference there.
func (p *cardPictures) find(reference string) (*source.Table, string) {
	subset := ""
	if p.several {
		subset, reference, _ = strings.Cut(reference, subsetEnd)
	}
	tables := p.tables[subset]
	for _, t := range tables {
		if t.Check(reference) == nil {
			return t, reference
		}
	}
	return tables[0], reference
}

// subsetEnd stands between a subset and a picture's reference in its table.
const subsetEnd = "\x00"

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

// key is the subset that references of pictures begin with.
func (d *deck) key(s card.Subset) string {
	if d.pictures.several {
		return s.Name
	}
	return ""
}

// add reads the samples of a subset into the benchmark, and gives the digest of
// its rows.
func (d *deck) add(b *Benchmark, s card.Subset) (infer.Digest, error) {
	at, err := subsetPath(d.card, d.data.Path, s.Name, d.pictures.several)
	if err != nil {
		return "", err
	}
	split, err := d.split(s, at)
	if err != nil {
		return "", err
	}
	table, split, err := d.open(s, at, split)
	if err != nil {
		return "", err
	}
	needed, optional := s.Absent(table.Columns)
	if len(needed) > 0 {
		return "", fmt.Errorf("reading %q: there is no column %q, which the card maps; there are %s", at, needed[0], strings.Join(table.Columns, ", "))
	}
	for _, column := range optional {
		b.Warnings = append(b.Warnings, fmt.Sprintf("the data have no column %q, which the card calls optional", column))
	}
	samples, err := d.samples(s, table, split, "")
	if err != nil {
		return "", err
	}
	b.About = joined(b.About, strings.Join(table.Guessed, "; "))
	if source.IsSheet(table.Files[0]) {
		b.About = joined(b.About, withoutPicture(samples))
	}
	b.Split = split
	b.Files = append(b.Files, table.Files...)
	b.Samples = append(b.Samples, samples...)
	b.Origin = joinOrigins(b.Origin, origin(d.card, s))
	b.Pool = func() (Pool, error) { return d.pool(s, at, split) }
	return table.Digest, nil
}

// split is the split to ask for: what the user says, else test if the card has
// it, else the first that it names. A file is of one split, whatever the card
// names; empty: any.
func (d *deck) split(s card.Subset, at string) (string, error) {
	var known []string
	for _, u := range s.Source.URLs {
		known = append(known, source.CanonicalSplit(u.Split))
	}
	want := source.CanonicalSplit(d.data.Split)
	switch {
	case want != "" && len(known) > 0 && !slices.Contains(known, want):
		return "", fail(Usage, "", "the card has no split %q; it has %s", want, strings.Join(known, ", "))
	case want != "" || isFile(at) || len(known) == 0 || slices.Contains(known, "test"):
		return want, nil
	}
	return known[0], nil
}

// open opens the table of a split, and says which one it is; "" where neither
// the user nor the files say so.
func (d *deck) open(s card.Subset, at, want string) (*source.Table, string, error) {
	table, split, err := openSplit(at, want, source.TableOptions{Picture: s.Mapping.Media.From, Encoding: d.data.Encoding})
	if err != nil {
		return nil, "", err
	}
	d.pictures.tables[d.key(s)] = append(d.pictures.tables[d.key(s)], table)
	if want == "" {
		split = table.Split()
	}
	return table, split, d.checkFiles(table)
}

// samples are those of a table. Those of several subsets are told apart.
func (d *deck) samples(s card.Subset, table *source.Table, split, prefix string) ([]card.Sample, error) {
	samples, err := s.Samples(card.Rows{Columns: table.Columns, All: table.Rows, Split: split, Prefix: prefix, Texts: source.IsSheet(table.Files[0])}, d.labels)
	if err == nil {
		err = checkPictures(samples, s.Mapping.Media.From, table)
	}
	if err != nil {
		return nil, rowFaults(table, err)
	}
	if key := d.key(s); key != "" {
		for i := range samples {
			x := &samples[i]
			x.ID, x.Group = key+"/"+x.ID, key+"/"+x.Group
			for j := range x.Pictures {
				x.Pictures[j] = key + subsetEnd + x.Pictures[j]
			}
		}
	}
	return samples, nil
}

// checkPictures complains of pictures that are not there. The samples are those of
// the rows of a table.
func checkPictures(samples []card.Sample, column string, table *source.Table) error {
	var faults card.Faults
	for i, x := range samples {
		for _, reference := range x.Pictures {
			if err := table.Check(reference); err != nil && !faults.Full() {
				faults.Add(i, column, err)
			}
		}
	}
	return faults.Err()
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

// pool reads the split that demonstrations are drawn from.
func (d *deck) pool(s card.Subset, at, asked string) (Pool, error) {
	want := source.CanonicalSplit(s.FewShot.Split)
	none := func(err error) (Pool, error) {
		return Pool{}, wrongData(fmt.Errorf("reading the split %s, which demonstrations are drawn from: %w", want, err),
			"--data names a folder with all splits; --shots 0 asks without demonstrations")
	}
	switch {
	case d.pictures.several:
		return Pool{}, fail(Usage, "choose one with --subset", "demonstrations are drawn for one subset at a time")
	case want == asked:
		return none(errors.New("it is the one that is asked"))
	case isFile(at):
		at = filepath.Dir(at)
	}
	table, _, err := d.open(s, at, want)
	if err != nil {
		return none(err)
	}
	if table.Split() != want {
		return none(fmt.Errorf("no file says that it is of this split; %s does not", table.Files[0]))
	}
	samples, err := d.samples(s, table, want, want+"/")
	if err != nil {
		return none(err)
	}
	return Pool{Samples: samples, Digest: table.Digest, Warning: strings.Join(table.Guessed, "; ")}, nil
}
