package slake

import (
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"lightbox/bench/card"
)

// Folder is the directory, and without .zip the archive, that pictures are in.
const Folder = "imgs"

// The columns of a row.
const (
	columnID         = "qid"
	columnPicture    = "img_name"
	columnQuestion   = "question"
	columnAnswer     = "answer"
	columnLanguage   = "q_lang"
	columnAnswerType = "answer_type"
	columnBaseType   = "base_type"
)

// Columns are those that every data set must have.
var Columns = []string{columnID, columnPicture, columnQuestion, columnAnswer, columnLanguage, columnAnswerType}

// Splits are the names of the splits.
var Splits = []string{"train", "validation", "test"}

// Languages are those of questions.
var Languages = []string{"en", "zh"}

// Subsets are the subsets in the order in which they are shown.
var Subsets = []string{"en_open", "en_closed", "zh_open", "zh_closed"}

// baseTypes are the kinds of question: about the picture, and about what is known
// of what it shows.
var baseTypes = []string{"vqa", "kvqa"}

// kinds are the columns that become tags of their name, and may be absent.
var kinds = []string{columnBaseType, "content_type", "modality", "location"}

// unset is the value of the tag of a column that a row leaves open.
const unset = "none"

// instructions follow the question, by language.
var instructions = map[string]string{
	"en": "\nAnswer the question with a single word or phrase in English.\nThe last line of your response must be of the form \"ANSWER: <answer>\" (without quotes).",
	"zh": "\n请用一个中文词语或短语回答问题。\n回答的最后一行必须是 \"ANSWER: <答案>\" 的形式（不含引号）。",
}

// Samples makes a sample out of each row, in their order. A sample's ID is the
// row's qid, its Group the picture's name. The function has tells whether there
// is a picture at a path such as imgs/xmlab102/source.jpg. Errors about rows are
// [*card.FieldError], joined.
func Samples(rows []map[string]any, split string, has func(reference string) bool) ([]card.Sample, error) {
	var bad card.Faults
	samples := make([]card.Sample, len(rows))
	rowOf := map[string]int{}
	for i, row := range rows {
		faults := bad.Len()
		s := sampleOf(card.Fields{Row: i, Values: row, Faults: &bad}, has)
		s.Split = split
		if bad.Full() {
			break
		}
		if bad.Len() > faults {
			continue
		}
		if before, twice := rowOf[s.ID]; twice {
			bad.Add(i, columnID, fmt.Errorf("is %s, as in row %d", s.ID, before+1))
		}
		rowOf[s.ID] = i
		samples[i] = s
	}
	if err := bad.Err(); err != nil {
		return nil, err
	}
	return samples, nil
}

func sampleOf(f card.Fields, has func(reference string) bool) card.Sample {
	id := strconv.FormatInt(f.Whole(columnID), 10)
	picture := f.Text(columnPicture)
	language := f.OneOf(columnLanguage, Languages...)
	answerType := f.OneOf(columnAnswerType, "OPEN", "CLOSED")
	answer := f.Text(columnAnswer)
	s := card.Sample{
		ID: id, Name: id, Group: picture, Subset: language + "_" + strings.ToLower(answerType), Language: language,
		Question: f.Text(columnQuestion), Pictures: []string{Folder + "/" + picture},
		References: []string{answer}, Shown: "ANSWER: " + answer,
	}
	s.Prompt = card.Strip(s.Question) + instructions[language]
	switch {
	case picture == "":
	case !fs.ValidPath(picture):
		f.Fail(columnPicture, fmt.Errorf("is %q, want a path below %s", picture, Folder))
	case !has(s.Pictures[0]):
		f.Fail(columnPicture, fmt.Errorf("is %q, which is neither in the folder %s nor in %s.zip", picture, Folder, Folder))
	}
	s.Tags = []string{"language:" + language, "answer_type:" + answerType}
	for _, column := range kinds {
		value := strings.TrimSpace(f.OptionalText(column))
		switch {
		case value == "":
			value = unset
		case column == columnBaseType && !slices.Contains(baseTypes, value):
			f.Fail(column, fmt.Errorf("is %q, want %s", value, strings.Join(baseTypes, " or ")))
		}
		s.Tags = append(s.Tags, column+":"+value)
	}
	return s
}
