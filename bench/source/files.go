package source

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Limits of looking for files.
const (
	maxDepth   = 6
	maxEntries = 1_000_000
)

// found are the files of a folder that can hold rows, by path with slashes.
type found struct {
	parquet, arrow, text []string
	caches               []string // repositories of a hub's cache
}

// notRows are JSON files that the hubs' tools put beside data.
var notRows = []string{
	"dataset_info.json", "dataset_infos.json", "dataset_dict.json", "state.json",
	"configuration.json", "config.json", "croissant.json",
}

// look walks through a folder. What begins with a dot belongs to tools.
func (f *Folder) look() (found, error) {
	var all found
	entries := 0
	err := fs.WalkDir(f.files, f.below, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel := strings.TrimPrefix(strings.TrimPrefix(name, f.below), "/")
		if f.below == "." {
			rel = name
		}
		if entries++; entries > maxEntries {
			return fmt.Errorf("more than %d files", maxEntries)
		}
		if d.IsDir() {
			if name == f.below {
				return nil
			}
			if strings.HasPrefix(d.Name(), "datasets--") {
				all.caches = append(all.caches, rel)
				return fs.SkipDir
			}
			if strings.HasPrefix(d.Name(), ".") || strings.Count(rel, "/") >= maxDepth {
				return fs.SkipDir
			}
			return nil
		}
		all.add(rel)
		return nil
	})
	return all, err
}

func (all *found) add(name string) {
	base := strings.ToLower(path.Base(name))
	switch {
	case strings.HasPrefix(base, "."), slices.Contains(notRows, base):
	case strings.HasSuffix(base, ".parquet"):
		all.parquet = append(all.parquet, name)
	case strings.HasSuffix(base, ".arrow"):
		all.arrow = append(all.arrow, name)
	case isRows(base):
		all.text = append(all.text, name)
	}
}

// isRows tells whether a name is that of a file of JSON rows.
func isRows(name string) bool {
	name = strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(name), ".gz"), ".zst")
	return strings.HasSuffix(name, ".jsonl") || strings.HasSuffix(name, ".json")
}

// choose picks the files that hold the rows, in order: those of a split in
// Parquet, else one of JSON.
func (all found) choose(split string) ([]string, error) {
	switch {
	case len(all.parquet) > 0:
		return shards(all.parquet, split)
	case len(all.arrow) > 0:
		return nil, &ArrowError{}
	case len(all.text) == 1:
		return all.text, nil
	case len(all.text) > 1:
		slices.SortStableFunc(all.text, func(a, b string) int { return cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")) })
		if name := rowFile(all.text, split); name != "" {
			return []string{name}, nil
		}
		return nil, fmt.Errorf("it holds several files of rows; name one: %s", list(all.text))
	case len(all.caches) > 0:
		return nil, fmt.Errorf("it is a cache of several data sets; name one: %s", list(all.caches))
	}
	return nil, fmt.Errorf("it holds no .parquet, .jsonl or .json file: %w", fs.ErrNotExist)
}

// rowFile is the one of several JSON files that holds the rows: that of the split,
// such as test.json, else one whose name says so, the nearest to the top.
func rowFile(names []string, split string) string {
	ofSplit := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return split == "" || splitOf(name) != CanonicalSplit(split) })
	if len(ofSplit) == 1 || len(ofSplit) > 1 && strings.Count(ofSplit[0], "/") < strings.Count(ofSplit[1], "/") {
		return ofSplit[0]
	}
	for _, name := range names {
		switch path.Base(name) {
		case "problems.jsonl", "metadata.jsonl", "problems.json":
			return name
		}
	}
	return ""
}

// CanonicalSplit is the name of a split as Hugging Face has it: data sets call
// their validation split val and validate too.
func CanonicalSplit(name string) string {
	switch name {
	case "val", "validate":
		return "validation"
	}
	return name
}

// splitOf is the split that a file's name says it is of; "" where it says none
// of the usual.
func splitOf(name string) string {
	base, _, _ := strings.Cut(path.Base(name), ".")
	if strings.HasSuffix(name, ".parquet") {
		_, p := partOf(name)
		base = p.split
	}
	switch split := CanonicalSplit(base); split {
	case "train", "validation", "test":
		return split
	}
	return ""
}

// list joins the first names.
func list(names []string) string {
	if more := len(names) - 8; more > 0 {
		return strings.Join(names[:8], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(names, ", ")
}

// shardName is the name of a part, as the datasets library writes it:
// data/train-00000-of-00002-1028f23e353fbe3e.parquet, older ones with a digest.
var shardName = regexp.MustCompile(`^(.+)-(\d{5})-of-(\d{5})(-[0-9a-f]{16})?\.parquet$`)

// numberedPart is the name of a part in a directory that names the split:
// default/train/0000.parquet.
var numberedPart = regexp.MustCompile(`^(.*/)?(\d+)\.parquet$`)

// parts are files that belong together.
type parts struct {
	split string
	names []string
	want  int // number of files, 0: not known
}

// shards picks the parts of one split. Where there is one, its name does not
// matter.
func shards(names []string, split string) ([]string, error) {
	byKey := map[string]*parts{}
	var keys []string
	for _, name := range names {
		key, p := partOf(name)
		if byKey[key] == nil {
			byKey[key] = &p
			keys = append(keys, key)
		}
		byKey[key].names = append(byKey[key].names, name)
	}
	if len(keys) > 1 && split != "" {
		keys = slices.DeleteFunc(keys, func(k string) bool { return CanonicalSplit(byKey[k].split) != CanonicalSplit(split) })
	}
	if len(keys) != 1 {
		return nil, fmt.Errorf("it holds several sets of rows, of which none or more than one is meant; name a file: %s", list(names))
	}
	p := byKey[keys[0]]
	slices.Sort(p.names)
	if p.want > 0 && len(p.names) != p.want {
		return nil, fmt.Errorf("%d of %d parts are there: %s: %w", len(p.names), p.want, list(p.names), fs.ErrNotExist)
	}
	return p.names, nil
}

// partOf tells what a file is a part of.
func partOf(name string) (key string, p parts) {
	if m := shardName.FindStringSubmatch(name); m != nil {
		p.want, _ = strconv.Atoi(m[3])
		p.split = path.Base(m[1])
		return m[1] + "/" + m[3], p
	}
	if m := numberedPart.FindStringSubmatch(name); m != nil {
		p.split = path.Base(path.Dir(name))
		return path.Dir(name), p
	}
	p.split = strings.TrimSuffix(path.Base(name), path.Ext(name))
	return name, p
}
