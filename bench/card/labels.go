package card

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
)

// Labels name the samples of one run. Its zero value keeps the data's own names
// out of records.
type Labels struct {
	KeepNames bool
	groups    map[string]string
}

// name gives the sample its names. Ids of the data can be personal: unless they
// are kept, the row's number and eight digits of a digest stand in records.
func (m mapper) name(x *Sample, labels *Labels) {
	number := m.rows.Prefix + strconv.Itoa(m.Row)
	if f := m.subset.Mapping.ID; f.From != "" && m.has(f.From) {
		x.Name = m.text(f, true)
		sum := sha256.Sum256([]byte(x.Name + "\x00" + x.Prompt))
		number += "-" + hex.EncodeToString(sum[:4])
	}
	x.ID = number
	if labels.KeepNames && x.Name != "" {
		x.ID = x.Name
	}
	x.Group = x.ID
	f := m.subset.Mapping.Group
	group := m.text(f, false)
	if group == "" || labels.KeepNames {
		x.Group = cmp.Or(group, x.ID)
		return
	}
	if labels.groups == nil {
		labels.groups = map[string]string{}
	}
	if labels.groups[group] == "" {
		labels.groups[group] = x.ID
	}
	x.Group = labels.groups[group]
}

func (m mapper) has(column string) bool { return slices.Contains(m.rows.Columns, column) }
