package slake

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The benchmark as commands and people call it.
const (
	Name    = "slake"
	Version = "1" // of what is asked: prompts, selection, order
	Title   = "radiology questions in English and Chinese"
	DataID  = "BoKelvin/SLAKE"
	Licence = "CC BY 4.0"
	Source  = "Liu et al. 2021, arXiv:2102.09542; asked as evalscope does"
	Size    = "2094 questions about 180 pictures (test)"
)

// About is what a reader of figures must know of the splits.
const About = "the splits of SLAKE share no picture only inside one language: 142 of the 180 pictures of the test split are in the train split, with questions in the other language"

// ShotsWarning is what a reader of figures with demonstrations must know.
const ShotsWarning = "demonstrations are from SLAKE's train split, in the query's language; a model tuned on that split in both languages has seen 142 of the 180 test pictures"

// Published are counts of a split as it was published. What was not published is
// zero or nil.
type Published Counts

// PublishedSplits are the splits that were published (BoKelvin/SLAKE; lengths of
// prompts as evalscope documents them).
var PublishedSplits = map[string]Published{
	"train":      {Questions: 9835, Pictures: 586, Tags: map[string]map[string]int{"language": {"en": 4919, "zh": 4916}}},
	"validation": {Questions: 2099, Pictures: 174, Tags: map[string]map[string]int{"language": {"en": 1053, "zh": 1046}}},
	"test": {
		Questions: 2094, Pictures: 180,
		Prompts: Lengths{N: 2094, Mean: 130.2, Min: 60, Max: 257},
		Subsets: map[string]Lengths{
			"en_open":   {N: 645, Mean: 195.09, Min: 168, Max: 257},
			"en_closed": {N: 416, Mean: 187.99, Min: 162, Max: 253},
			"zh_open":   {N: 613, Mean: 67.07, Min: 61, Max: 79},
			"zh_closed": {N: 420, Mean: 65.44, Min: 60, Max: 82},
		},
		Tags: map[string]map[string]int{
			"language":     {"en": 1061, "zh": 1033},
			"base_type":    {"vqa": 1827, "kvqa": 267},
			"content_type": {"Organ": 507, "Position": 375, "Abnormality": 311, "KG": 267, "Modality": 228, "Size": 124, "Plane": 116, "Quantity": 89, "Color": 65, "Shape": 12},
			"modality":     {"CT": 865, "X-Ray": 740, "MRI": 489},
			"location":     {"Lung": 828, "Abdomen": 607, "Brain_Tissue": 322, "Pelvic Cavity": 83, "Brain": 77, "Neck": 75, "Brain_Face": 60, "Chest_mediastinal": 21, "Chest_lung": 21},
		},
	},
}

// Differences says what of counts is not as published, in a line each.
func (p Published) Differences(got Counts) []string {
	var all []string
	differ := func(what string, n, want int) {
		if n != want {
			all = append(all, fmt.Sprintf("%s: %d, published %d", what, n, want))
		}
	}
	differ("questions", got.Questions, p.Questions)
	differ("pictures", got.Pictures, p.Pictures)
	lengths := func(what, format string, l, want Lengths) {
		if is, was := l.text(format), want.text(format); is != was {
			all = append(all, fmt.Sprintf("%s: %s, published %s", what, is, was))
		}
	}
	if p.Subsets != nil {
		lengths("prompts", "%.1f", got.Prompts, p.Prompts)
	}
	for _, subset := range slices.Sorted(maps.Keys(p.Subsets)) {
		lengths("subset "+subset, "%.2f", got.Subsets[subset], p.Subsets[subset])
	}
	for _, tag := range slices.Sorted(maps.Keys(p.Tags)) {
		values := maps.Clone(p.Tags[tag])
		maps.Copy(values, got.Tags[tag])
		for _, value := range slices.Sorted(maps.Keys(values)) {
			differ(strings.ReplaceAll(tag, "_", " ")+" "+value, got.Tags[tag][value], p.Tags[tag][value])
		}
	}
	return all
}

// text is the lengths in words, the mean in a format of its decimals.
func (l Lengths) text(format string) string {
	if l.N == 0 {
		return "0"
	}
	return fmt.Sprintf("%d, mean "+format+", %d to %d characters", l.N, l.Mean, l.Min, l.Max)
}

// String is the lengths in words.
func (l Lengths) String() string { return l.text("%.2f") }
