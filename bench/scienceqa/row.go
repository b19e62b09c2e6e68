package scienceqa

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"lightbox/bench/card"
)

// The columns of a row.
const (
	// PictureColumn holds a reference to the picture, or nil.
	PictureColumn = "image"
	// KeyColumn holds the problem's number in the authors' layout.
	KeyColumn = "pid"

	columnQuestion = "question"
	columnChoices  = "choices"
	columnAnswer   = "answer" // number of the right choice, from 0
	columnHint     = "hint"
	columnSplit    = "split" // of the authors' layout only
)

// Columns are those that every data set must have.
var Columns = []string{columnQuestion, columnChoices, columnAnswer, columnHint, PictureColumn}

// SplitsFile says, in the authors' layout, which problems a split holds.
const SplitsFile = "pid_splits.json"

// Row is a question as either layout has it.
type Row struct {
	At      int    // its place in the data, from 0, for errors
	ID      string // unique in its split
	Values  map[string]any
	Picture string // reference; empty: none
}

// HubRows are all rows of a split as Hugging Face has them. Rows have no ID in
// the data: it is their number, from 0, as lmms-eval has it.
func HubRows(rows []map[string]any) []Row {
	all := make([]Row, len(rows))
	for i, values := range rows {
		picture, _ := values[PictureColumn].(string)
		all[i] = Row{i, strconv.Itoa(i), values, picture}
	}
	return all
}

// ParseSplits reads pid_splits.json.
func ParseSplits(data []byte) (map[string][]string, error) {
	var splits map[string][]string
	if err := json.Unmarshal(data, &splits); err != nil {
		return nil, fmt.Errorf("reading %s: want an object of lists of problem numbers: %w", SplitsFile, err)
	}
	return splits, nil
}

// OriginalRows are the rows of a split as the authors publish them, in the order
// of pid_splits.json, or of problems.json where splits is nil; an ID is the
// problem's number. The function find gives the first of some paths at which
// there is a file, else "". Pictures lie in folders by number, as in
// images/test/11/image.png, or 11/image.png.
func OriginalRows(rows []map[string]any, splits map[string][]string, split string, find func(...string) string) ([]Row, error) {
	split = officialSplit(split)
	var bad card.Faults
	at := map[string]int{}
	var order []string
	for i, values := range rows {
		f := card.Fields{Row: i, Values: values, Faults: &bad}
		pid := f.Text(KeyColumn)
		if before, twice := at[pid]; twice {
			f.Fail(KeyColumn, fmt.Errorf("is %s, as in row %d", pid, before+1))
		}
		at[pid] = i
		if splits == nil && f.OneOf(columnSplit, officialSplits...) == split {
			order = append(order, pid)
		}
		if bad.Full() {
			break
		}
	}
	if err := bad.Err(); err != nil {
		return nil, err
	}
	if splits != nil {
		var known bool
		if err := disjoint(splits); err != nil {
			return nil, err
		}
		if order, known = splits[split]; !known {
			return nil, fmt.Errorf("choosing split %q: %s has %s", split, SplitsFile, strings.Join(slices.Sorted(maps.Keys(splits)), ", "))
		}
	}
	if len(order) == 0 {
		return nil, fmt.Errorf("choosing split %q: there is no problem in it", split)
	}
	return originalRows(rows, at, order, find)
}

// officialSplits are those that a problem is in one of; the authors' file has
// others too, such as minival, that are parts of them.
var officialSplits = []string{"train", "val", "test"}

// disjoint demands that no problem is in two splits.
func disjoint(splits map[string][]string) error {
	in := map[string]string{}
	for _, split := range officialSplits {
		for _, pid := range splits[split] {
			if before := in[pid]; before != "" && before != split {
				return fmt.Errorf("reading %s: problem %q is in the splits %s and %s", SplitsFile, pid, before, split)
			}
			in[pid] = split
		}
	}
	return nil
}

// originalRows are the rows of problems by their numbers.
func originalRows(rows []map[string]any, at map[string]int, order []string, find func(...string) string) ([]Row, error) {
	var bad card.Faults
	seen := map[string]bool{}
	all := make([]Row, len(order))
	for i, pid := range order {
		row, known := at[pid]
		if !known || seen[pid] {
			return nil, fmt.Errorf("reading %s: problem %q is %s", SplitsFile, pid, map[bool]string{true: "there twice", false: "not in the data"}[known])
		}
		seen[pid] = true
		f := card.Fields{Row: row, Values: rows[row], Faults: &bad}
		all[i] = Row{At: row, ID: pid, Values: rows[row]}
		if name := f.OptionalText(PictureColumn); name != "" {
			all[i].Picture = find(pictureOf(pid, f.OptionalText(columnSplit), path.Base(name))...)
			if all[i].Picture == "" {
				f.Fail(PictureColumn, errors.New("names a picture that is not there: "+path.Join("images", f.OptionalText(columnSplit), pid, path.Base(name))))
			}
		}
		if bad.Full() {
			break
		}
	}
	return all, bad.Err()
}

// pictureOf are the paths at which a problem's picture may lie.
func pictureOf(pid, split, name string) []string {
	return []string{
		path.Join("images", split, pid, name), path.Join(split, pid, name),
		path.Join("images", pid, name), path.Join(pid, name),
	}
}

// officialSplit is the authors' name of a split.
func officialSplit(name string) string {
	if name == "validation" || name == "validate" {
		return "val"
	}
	return name
}
