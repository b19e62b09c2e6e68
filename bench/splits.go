package bench

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lightbox/bench/card"
	"lightbox/bench/source"
	"lightbox/score"
)

// openSplit opens the rows of one split of a published data set, test unless
// named otherwise or path is a file of another. Files that say they are of
// another split than the one that is wanted are an error.
func openSplit(path, split string, o source.TableOptions) (*source.Table, string, error) {
	o.Split = cmp.Or(source.CanonicalSplit(split), "test")
	table, err := source.OpenTable(path, o)
	if err != nil {
		return nil, "", err
	}
	got := table.Split()
	if got == "" || got == o.Split {
		return table, o.Split, nil
	}
	if split == "" && isFile(path) {
		return table, got, nil
	}
	err = fmt.Errorf("reading split %q of %q: %s is of split %q, and there is no other", o.Split, path, table.Files[0], got)
	return nil, "", errors.Join(err, table.Close())
}

// trainSplit opens the rows of the train split beside those at a path, of which
// another is asked. Their file must say that it is of that split, unless its rows
// do, as those by key: else questions that are asked could be demonstrations.
func trainSplit(path, asked string, o source.TableOptions) (*source.Table, error) {
	if asked == "train" {
		return nil, errors.New("demonstrations are drawn from the train split, which is the one that is asked")
	}
	if isFile(path) {
		path = filepath.Dir(path)
	}
	table, _, err := openSplit(path, "train", o)
	if err == nil && table.Split() != "train" && !slices.Contains(table.Columns, o.Key) {
		err = errors.Join(fmt.Errorf("reading %q: no file in it says that it is of the train split", path), table.Close())
	}
	if err != nil {
		return nil, fmt.Errorf("opening the train split, which demonstrations are drawn from: %w", err)
	}
	return table, nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// checkColumns demands the columns of a benchmark.
func checkColumns(table *source.Table, path string, columns []string) error {
	for _, column := range columns {
		if !slices.Contains(table.Columns, column) {
			return fmt.Errorf("reading %q: there is no column %q; there are %s", path, column, strings.Join(table.Columns, ", "))
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

// wrongData is the failure that data of a published benchmark cannot be read.
func wrongData(err error, hint string) error {
	var arrow *source.ArrowError
	if errors.As(err, &arrow) {
		hint = "convert it with: " + arrow.Convert
	}
	return &Failure{Kind: WrongData, Hint: hint, Err: err}
}

// unlike says in a sentence that data are not those that were published, "" where
// they are.
func unlike(name string, differences []string) string {
	if len(differences) == 0 {
		return ""
	}
	return fmt.Sprintf("the data are not what was published as %s (%s); lightbox benchmarks show %s --data PATH lists all that differs", name, differences[0], name)
}

// rulesNamed are rules by their names, which are in the program.
func rulesNamed(names ...string) []score.Rule {
	all := make([]score.Rule, len(names))
	for i, name := range names {
		rule, err := score.RuleNamed(name)
		if err != nil {
			panic(err)
		}
		all[i] = rule
	}
	return all
}
