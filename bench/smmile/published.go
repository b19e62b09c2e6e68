package smmile

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Benchmark is one of the two benchmarks as it was published.
type Benchmark struct {
	Name    string // as commands call it
	Version string // of what is asked: prompts, selection, order
	Title   string
	DataID  string // on Hugging Face and ModelScope
	Licence string
	Source  string
	Size    string
	Counts  Counts // those that were published
}

// Names of the benchmarks.
const (
	Name     = "smmile"
	NamePlus = "smmile++"
)

const (
	licence = "CC BY 4.0 (authors' repository), CC BY-NC-SA 4.0 (dataset card)"
	source  = "Rieff et al. 2025, arXiv:2506.21355"
)

// Benchmarks are the two, with the counts of their published data (dataset
// revision of mid 2025, paper section 3 and the authors' result files). A value
// of a tag that is not listed was not published.
var Benchmarks = []Benchmark{
	{
		Name: Name, Version: "1", Title: "medical in-context learning, by experts", DataID: "smmile/SMMILE",
		Licence: licence, Source: source, Size: "111 problems, 517 pictures with question and answer",
		Counts: Counts{
			Problems: 111, Panels: 517,
			Demonstrations: map[int]int{2: 34, 3: 34, 4: 18, 5: 12, 6: 6, 7: 2, 8: 1, 9: 3, 19: 1},
			Tags: map[string]map[string]int{
				"speciality":        {"radiology": 58, "pathology": 21, "other": 13, "dermatology": 10, "ophthalmology": 5, "surgery": 4},
				"answer_format":     {"free response": 79, "binary(yes/no)": 22, "multiple choice": 8, "numerical": 2},
				"image_type":        {"X-Ray": 30, "CT": 24, "Staining": 20, "Photograph": 19, "ECG": 5, "Fundus Photograph": 3, "Ultrasound": 3, "Other": 2, "EEG": 1, "MRI": 1, "Text": 1, "Mammogram": 1, "Illustration": 1},
				"cognitive_process": {"classification/diagnosis": 83, "reasoning classification": 25, "regression/quantitative": 3},
				"rarity":            {"common": 59, "uncommon": 39, unset: 13},
				"difficulty":        {"hard": 91, "medium": 20},
				"first_match":       {"yes": 32, "no": 79},
				"last_match":        {"yes": 23, "no": 88},
			},
		},
	},
	{
		Name: NamePlus, Version: "1", Title: "86 of the problems with their demonstrations in other orders", DataID: "smmile/SMMILE-plusplus",
		Licence: licence, Source: source, Size: "1038 problems, 5994 pictures with question and answer",
		Counts: Counts{
			Problems: 1038, Panels: 5994,
			Demonstrations: map[int]int{2: 54, 3: 144, 4: 384, 5: 264, 6: 96, 7: 48, 8: 24, 19: 24},
			Tags: map[string]map[string]int{
				"first_match": {"yes": 230, "no": 808},
				"last_match":  {"yes": 250, "no": 788},
			},
		},
	},
}

// ByName finds a benchmark by its name.
func ByName(name string) (Benchmark, bool) {
	i := slices.IndexFunc(Benchmarks, func(b Benchmark) bool { return b.Name == name })
	if i < 0 {
		return Benchmark{}, false
	}
	return Benchmarks[i], true
}

// Differences says what of counts is not as published, in a line each.
func (b Benchmark) Differences(got Counts) []string {
	var all []string
	differ := func(what string, n, want int) {
		if n != want {
			all = append(all, fmt.Sprintf("%s: %d, published %d", what, n, want))
		}
	}
	differ("problems", got.Problems, b.Counts.Problems)
	differ("panels", got.Panels, b.Counts.Panels)
	for _, k := range keys(got.Demonstrations, b.Counts.Demonstrations) {
		differ(fmt.Sprintf("problems with %d demonstrations", k), got.Demonstrations[k], b.Counts.Demonstrations[k])
	}
	for _, tag := range slices.Sorted(maps.Keys(b.Counts.Tags)) {
		if got.Tags[tag] == nil {
			all = append(all, strings.ReplaceAll(tag, "_", " ")+": not in the data")
			continue
		}
		for _, value := range keys(got.Tags[tag], b.Counts.Tags[tag]) {
			differ(strings.ReplaceAll(tag, "_", " ")+" "+value, got.Tags[tag][value], b.Counts.Tags[tag][value])
		}
	}
	return all
}

// keys are those of both maps, sorted.
func keys[K int | string](a, b map[K]int) []K {
	all := maps.Clone(b)
	if all == nil {
		all = map[K]int{}
	}
	maps.Copy(all, a)
	return slices.Sorted(maps.Keys(all))
}
