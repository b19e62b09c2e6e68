package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"lightbox/bench/source"
	"lightbox/bench/source/sheet"
)

// encodingFlag says in which encoding a sheet is.
func encodingFlag(category string) cli.Flag {
	return &cli.StringFlag{Name: "encoding", Category: category, Usage: "`NAME` of the encoding of a sheet: " + strings.Join(sheet.Encodings, ", ") + "; unless given it is found, and said where it is a guess"}
}

// columnFlag says which columns of a sheet hold what.
func columnFlag(category string) cli.Flag {
	return &cli.StringSliceFlag{Name: "column", Category: category, Usage: "`FIELD=NAME` of a column of a sheet; its field is one of " + strings.Join(source.FieldNames(), ", ") + "; the others are guessed by their names and shown"}
}

// encodingOf is the encoding that the command line says; "" where it says none.
func encodingOf(c *cli.Context, isSheet bool) (string, error) {
	name := strings.ToLower(c.String("encoding"))
	switch {
	case name == "":
		return "", nil
	case !isSheet:
		return "", usage("leave --encoding out", "--encoding %s: only sheets (.csv, .tsv) have an encoding", name)
	case !slices.Contains(sheet.Encodings, name):
		return "", usage(explained(c), "--encoding %q: want %s", c.String("encoding"), strings.Join(sheet.Encodings, " or "))
	}
	return name, nil
}
