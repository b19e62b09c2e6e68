package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Difference is a setting in which two manifests differ.
type Difference struct {
	Path string // such as "options.num_ctx" or "model.messages[0].text"
	Was  string // as JSON; empty: not there
	Is   string
}

// String tells the difference in a line.
func (d Difference) String() string {
	return fmt.Sprintf("%s was %s, is %s", d.Path, orNone(d.Was), orNone(d.Is))
}

func orNone(s string) string {
	if s == "" {
		return "not set"
	}
	return s
}

// Differences lists the settings in which is differs from was, sorted by path.
// An ignored path leaves out itself and all below it. Empty lists and absent
// ones are the same. The layout, which writing sets, is not a setting.
func Differences(was, is Manifest, ignore ...string) []Difference {
	was.Layout, is.Layout = 0, 0
	before, after := flatten(was), flatten(is)
	paths := maps.Clone(before)
	maps.Copy(paths, after)
	var all []Difference
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		if before[path] != after[path] && !slices.ContainsFunc(ignore, func(i string) bool { return below(path, i) }) {
			all = append(all, Difference{path, before[path], after[path]})
		}
	}
	return all
}

// below tells whether path is top or lies below it.
func below(path, top string) bool {
	rest, ok := strings.CutPrefix(path, top)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// flatten maps the path of every number, text and truth value of m to its JSON.
func flatten(m Manifest) map[string]string {
	var b bytes.Buffer
	if err := m.encode(&b); err != nil { // a struct of plain values always encodes
		panic(fmt.Sprintf("encoding a manifest: %v", err))
	}
	dec := json.NewDecoder(&b)
	dec.UseNumber()
	var tree any
	if err := dec.Decode(&tree); err != nil {
		panic(fmt.Sprintf("decoding a manifest: %v", err))
	}
	flat := map[string]string{}
	flattenInto(flat, "", tree)
	return flat
}

func flattenInto(flat map[string]string, path string, node any) {
	switch n := node.(type) {
	case nil:
	case map[string]any:
		for name, child := range n {
			below := name
			if path != "" {
				below = path + "." + name
			}
			flattenInto(flat, below, child)
		}
	case []any:
		for i, child := range n {
			flattenInto(flat, fmt.Sprintf("%s[%d]", path, i), child)
		}
	case string:
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		_ = enc.Encode(n) // a string always encodes
		flat[path] = strings.TrimSuffix(b.String(), "\n")
	default:
		flat[path] = fmt.Sprint(n)
	}
}
