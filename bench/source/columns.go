package source

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

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
	names  map[string][]string // by which the fields are known
	of     map[string][]int
	advice string // where two columns could hold a field
}

// FieldNames are the fields that columns can be named for.
func FieldNames() []string { return slices.Sorted(maps.Keys(columnNames)) }

// AnswerColumns finds the columns of a sheet of answers made elsewhere: each
// field by its own name, and options also in a column each.
func AnswerColumns(header, fields []string) (Columns, error) {
	c := Columns{header, map[string][]string{}, map[string][]int{}, "rename one"}
	for _, field := range fields {
		c.names[field] = []string{field}
	}
	c.names[fieldOptions] = columnNames[fieldOptions]
	return c, c.guessAll()
}

// chooseColumns takes the columns that the user names, "field=column", and
// guesses the others by their names.
func chooseColumns(header, named []string) (Columns, error) {
	c := Columns{header, columnNames, map[string][]int{}, "name one with --column FIELD=NAME"}
	for _, pair := range named {
		if err := c.name(pair); err != nil {
			return c, err
		}
	}
	if err := c.guessAll(); err != nil {
		return c, err
	}
	if len(c.of[fieldQuestion]) == 0 {
		return c, fmt.Errorf("no column is known to hold the question; there are %s", quoted(header))
	}
	return c, nil
}

// guessAll guesses the columns of all fields that have none.
func (c Columns) guessAll() error {
	taken := map[int]bool{}
	for _, places := range c.of {
		for _, at := range places {
			taken[at] = true
		}
	}
	for _, field := range slices.Sorted(maps.Keys(c.names)) {
		if len(c.of[field]) > 0 {
			continue
		}
		if err := c.guess(field, taken); err != nil {
			return err
		}
	}
	return nil
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

// guess finds the columns of a field by their names. Numbered columns of pictures
// are further pictures of the one without a number.
func (c Columns) guess(field string, taken map[int]bool) error {
	var found, parts []int
	for at, name := range c.header {
		switch {
		case taken[at]:
		case slices.Contains(c.names[field], bare(name)):
			found = append(found, at)
		case several(field) && c.part(field, bare(name)) != "":
			parts = append(parts, at)
		}
	}
	if len(found) > 1 {
		return c.either(field, found)
	}
	slices.SortStableFunc(parts, func(a, b int) int { return comparePart(c.partAt(field, a), c.partAt(field, b)) })
	for i := 1; i < len(parts); i++ {
		if before, at := parts[i-1], parts[i]; comparePart(c.partAt(field, before), c.partAt(field, at)) == 0 {
			return c.either(field, []int{before, at})
		}
	}
	switch {
	case field == fieldImage:
		for _, at := range parts {
			if len(found) > 0 && stem(c.header[at]) != stem(c.header[found[0]]) {
				return c.either(field, []int{found[0], at})
			}
		}
		found = append(found, parts...)
	case len(found) == 0 && len(parts) > 1:
		found = parts
	}
	if len(found) > 0 {
		c.of[field] = found
	}
	return nil
}

// either is the error that each of some columns could be the one of a field.
func (c Columns) either(field string, found []int) error {
	return fmt.Errorf("columns %s could each hold the %s; %s", quoted(pick(c.header, found)), field, strings.ReplaceAll(c.advice, "FIELD", field))
}

// partAt is the part that the name of a column says.
func (c Columns) partAt(field string, at int) string { return c.part(field, bare(c.header[at])) }

// part says which of several columns of a field a name is of: 1 of image1 or 图片1,
// a of optiona or a bare letter; "": of none.
func (c Columns) part(field, name string) string {
	for _, whole := range c.names[field] {
		part, ok := strings.CutPrefix(name, strings.TrimSuffix(whole, "s"))
		if ok && field == fieldImage && part != "" && strings.Trim(part, digits) == "" {
			return cmp.Or(strings.TrimLeft(part, "0"), "0")
		}
		if ok && field == fieldOptions && len(part) == 1 && 'a' <= part[0] && part[0] <= 'z' {
			return part
		}
	}
	if field == fieldOptions && len(name) == 1 && 'a' <= name[0] && name[0] <= 'h' {
		return name
	}
	return ""
}

// comparePart orders numbers without leading zeros, and letters.
func comparePart(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

// Has tells whether a column holds a field.
func (c Columns) Has(field string) bool { return len(c.of[field]) > 0 }

// Several tells whether more than one column holds a field.
func (c Columns) Several(field string) bool { return len(c.of[field]) > 1 }

// Name is the name of a field's column, of the first of several.
func (c Columns) Name(field string) string { return c.at(field) }

// Text is a row's cell of a field, as it stands; "" where no column holds it.
func (c Columns) Text(cells []string, field string) string {
	if !c.Has(field) {
		return ""
	}
	return cells[c.of[field][0]]
}

const digits = "0123456789"

// stem is a name without its number and the s of several.
func stem(name string) string { return strings.TrimSuffix(strings.TrimRight(bare(name), digits), "s") }

// bare is a name without what does not matter.
func bare(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("_-.#()", r) || unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKC.String(name)) // digits and letters of Chinese keyboards
}

// String says what was chosen, for people.
func (c Columns) String() string {
	var parts []string
	for _, field := range slices.Sorted(maps.Keys(c.names)) {
		if len(c.of[field]) > 0 {
			parts = append(parts, fmt.Sprintf("%s = %s", field, strings.Join(pick(c.header, c.of[field]), " + ")))
		}
	}
	text := strings.Join(parts, ", ")
	if left := pick(c.header, c.left()); len(left) > 0 {
		text += "; not used: " + strings.Join(left, ", ")
	}
	return text
}

// left are the columns that hold no field.
func (c Columns) left() []int {
	used := slices.Concat(slices.Collect(maps.Values(c.of))...)
	var left []int
	for at := range c.header {
		if !slices.Contains(used, at) {
			left = append(left, at)
		}
	}
	return left
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
