package source

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"lightbox/bench/card"
)

// The fields that a column of a spreadsheet can hold.
const (
	fieldQuestion = "question"
	fieldAnswer   = "answer"
	fieldImage    = "image"
	fieldOptions  = "options"
	fieldID       = "id"
	fieldProblem  = "problem_id"
	fieldOrder    = "order"
	fieldSubset   = "subset"
	fieldTask     = "task"
	fieldTags     = "tags"
	fieldTag      = "tag"
	fieldImages   = "images" // a row's, where image has several
)

// columnNames are the names by which the fields are known. Letter case, blanks,
// hyphens and underscores do not matter.
var columnNames = map[string][]string{
	fieldQuestion: {"question", "questiontext", "query", "prompt", "问题", "提问", "题目", "题干"},
	fieldAnswer:   {"answer", "reference", "referenceanswer", "groundtruth", "gold", "label", "trueanswer", "correctanswer", "答案", "参考答案", "标准答案"},
	fieldImage:    {"image", "images", "imagepath", "imagefile", "imagename", "img", "imgname", "picture", "pictures", "file", "filename", "path", "图片", "图像", "影像", "图片路径", "文件", "文件名"},
	fieldOptions:  {"options", "choices", "选项"},
	fieldID:       {"id", "case", "caseid", "编号", "序号"},
	fieldProblem:  {"problemid", "problem", "group"},
	fieldOrder:    {"order", "顺序"},
	fieldSubset:   {"subset", "子集"},
	fieldTask:     {"task"},
	fieldTags:     {"tags", "标签"},
	fieldTag:      nil, // named by the user alone: other columns can hold anything
}

// Columns says which columns of a spreadsheet hold which field, by their places
// from 0. Pictures, options and tags can have several.
type Columns struct {
	header []string
	of     map[string][]int
}

// FieldNames are the fields that columns can be named for.
func FieldNames() []string { return slices.Sorted(maps.Keys(columnNames)) }

// chooseColumns takes the columns that the user names, "field=column", and
// guesses the others by their names.
func chooseColumns(header, named []string) (Columns, error) {
	c := Columns{header, map[string][]int{}}
	for _, pair := range named {
		if err := c.name(pair); err != nil {
			return c, err
		}
	}
	taken := map[int]bool{}
	for _, places := range c.of {
		for _, at := range places {
			taken[at] = true
		}
	}
	for _, field := range FieldNames() {
		if len(c.of[field]) > 0 {
			continue
		}
		if err := c.guess(field, taken); err != nil {
			return c, err
		}
	}
	if len(c.of[fieldQuestion]) == 0 {
		return c, fmt.Errorf("no column is known to hold the question; there are %s", quoted(header))
	}
	return c, nil
}

// name takes a column that the user names.
func (c Columns) name(pair string) error {
	field, column, ok := strings.Cut(pair, "=")
	if _, known := columnNames[field]; !ok || !known {
		return fmt.Errorf("naming a column %q: want FIELD=NAME, the field one of %s", pair, strings.Join(FieldNames(), ", "))
	}
	at := slices.Index(c.header, column)
	if at < 0 {
		near := ""
		if name := card.Nearest(column, c.header); name != "" {
			near = fmt.Sprintf("; did you mean %q?", name)
		}
		return fmt.Errorf("naming a column %q: no column is called so; there are %s%s", pair, quoted(c.header), near)
	}
	if len(c.of[field]) > 0 && !several(field) {
		return fmt.Errorf("naming a column %q: a column for %s is named already", pair, field)
	}
	c.of[field] = append(c.of[field], at)
	return nil
}

// several tells whether more than one column can hold a field.
func several(field string) bool {
	return field == fieldImage || field == fieldOptions || field == fieldTag
}

// guess finds the columns of a field by their names.
func (c Columns) guess(field string, taken map[int]bool) error {
	var found, numbered []int
	for at, name := range c.header {
		switch {
		case taken[at]:
		case slices.Contains(columnNames[field], bare(name)):
			found = append(found, at)
		case several(field) && isPart(field, bare(name)):
			numbered = append(numbered, at)
		}
	}
	switch {
	case len(found) > 1:
		return fmt.Errorf("columns %s could each hold the %s; name one with --column %s=NAME", quoted(pick(c.header, found)), field, field)
	case len(found) == 0 && (len(numbered) > 1 || field == fieldImage):
		found = numbered
	}
	if len(found) > 0 {
		c.of[field] = found
	}
	return nil
}

// isPart tells whether a name is that of one of several columns: image1 or
// 图片2, optiona, or a bare letter.
func isPart(field, name string) bool {
	for _, whole := range columnNames[field] {
		part, ok := strings.CutPrefix(name, strings.TrimSuffix(whole, "s"))
		if ok && field == fieldImage && part != "" && strings.Trim(part, "0123456789") == "" {
			return true
		}
		if ok && field == fieldOptions && len(part) == 1 && 'a' <= part[0] && part[0] <= 'z' {
			return true
		}
	}
	return field == fieldOptions && len(name) == 1 && 'a' <= name[0] && name[0] <= 'h'
}

// bare is a name without what does not matter.
func bare(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// String says what was chosen, for people.
func (c Columns) String() string {
	var parts []string
	used := map[int]bool{}
	for _, field := range FieldNames() {
		for _, at := range c.of[field] {
			used[at] = true
		}
		if len(c.of[field]) > 0 {
			parts = append(parts, fmt.Sprintf("%s = %s", field, strings.Join(pick(c.header, c.of[field]), " + ")))
		}
	}
	text := strings.Join(parts, ", ")
	var left []string
	for at, name := range c.header {
		if !used[at] {
			left = append(left, name)
		}
	}
	if left != nil {
		text += "; not used: " + strings.Join(left, ", ")
	}
	return text
}

func pick(header []string, places []int) []string {
	names := make([]string, len(places))
	for i, at := range places {
		names[i] = header[at]
	}
	return names
}

func quoted(names []string) string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = fmt.Sprintf("%q", name)
	}
	return list(all)
}
