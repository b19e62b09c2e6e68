package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"lightbox/bench/bundle"
)

// shownBundle is a bundle for programs.
type shownBundle struct {
	File     string           `json:"file"`
	Whole    bool             `json:"whole"`
	Models   []bundle.Model   `json:"models"`
	Files    int              `json:"files"` // of all kinds
	Bytes    int64            `json:"bytes"` // unpacked
	Problems []bundle.Problem `json:"problems"`
	More     int              `json:"more_problems,omitempty"`
}

// showBundle prints what a bundle holds and what is wrong with it. index is nil
// where it could not be read, damage where nothing is wrong.
func (t terminal) showBundle(file string, index *bundle.Index, damage *bundle.Damage, asJSON bool) error {
	if index == nil {
		index = &bundle.Index{}
	}
	shown := shownBundle{
		File: file, Whole: damage == nil, Models: index.Models, Files: len(index.Files), Bytes: index.Size(),
		Problems: []bundle.Problem{},
	}
	if shown.Models == nil {
		shown.Models = []bundle.Model{}
	}
	if damage != nil {
		shown.Problems, shown.More = damage.Problems, damage.More
	}
	if asJSON {
		return writeJSON(t.out, shown)
	}
	state := "whole"
	if damage != nil {
		state = "DAMAGED"
	}
	w := tabwriter.NewWriter(t.text(), 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s: %s, %s, %s\n", file, state, plural(shown.Files, "file", "files"), megabytes(shown.Bytes))
	for _, line := range bundleLines(index) {
		fmt.Fprintf(w, "  %s\n", strings.Join(line, "\t"))
	}
	for _, p := range shown.Problems {
		fmt.Fprintf(w, "  wrong: %s\n", p)
	}
	if shown.More > 0 {
		fmt.Fprintf(w, "  wrong: %s\n", plural(shown.More, "more thing", "more things"))
	}
	return w.Flush()
}

// bundleLines are a line for each model, and for each thing below cards, bin and
// data.
func bundleLines(index *bundle.Index) [][]string {
	var lines [][]string
	for _, m := range index.Models {
		lines = append(lines, []string{"models", m.Name, megabytes(m.Size), "digest " + m.Digest[:12]})
	}
	type heap struct {
		files int
		bytes int64
	}
	heaps := map[[2]string]*heap{}
	var order [][2]string
	for _, f := range index.Files {
		parts := strings.SplitN(f.Path, "/", 3)
		if parts[0] == "models" {
			continue
		}
		key := [2]string{parts[0], parts[1]}
		if heaps[key] == nil {
			heaps[key] = &heap{}
			order = append(order, key)
		}
		heaps[key].files++
		heaps[key].bytes += f.Size
	}
	for _, key := range order {
		lines = append(lines, []string{key[0], key[1], megabytes(heaps[key].bytes), plural(heaps[key].files, "file", "files")})
	}
	return lines
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

// showUnpacked prints what is in the target now.
func (t terminal) showUnpacked(u *bundle.Unpacked, target bundle.Target, asJSON bool) error {
	if asJSON {
		return writeJSON(t.out, u)
	}
	w := tabwriter.NewWriter(t.text(), 0, 0, 2, ' ', 0)
	place := "the server"
	if target.Server == nil {
		place = target.ModelDir
	}
	for _, m := range u.Models {
		state := "unpacked into " + place
		if m.There {
			state = "was there already"
		}
		digests := "digest " + m.Digest[:12]
		if m.Digest != m.Packed {
			digests += " (packed as " + m.Packed[:12] + ")"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", m.Name, digests, state)
	}
	if u.Files > 0 {
		fmt.Fprintf(w, "%s beside models in %s\n", plural(u.Files, "file", "files"), target.Out)
	}
	if u.There > 0 {
		fmt.Fprintf(w, "%s of all were there already\n", plural(u.There, "file", "files"))
	}
	return w.Flush()
}
