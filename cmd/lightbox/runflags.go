package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"lightbox/bench"
	"lightbox/bench/icl"
	"lightbox/bench/smmile"
)

const runDescription = `BENCH is a .csv or .jsonl file of your own questions, smmile, smmile++, slake or
scienceqa (--data names the downloaded data set), phantom (embedded), or the card of
another benchmark, card.json (--data names its data). lightbox benchmarks lists them.

A file of your own has a question a row: question, answer, image (below --data: PNG,
JPEG, WebP, TIFF, BMP, GIF, DICOM, or a folder of DICOM slices), and as needed options, problem_id and order. In a .csv
these are columns, whose names are guessed and shown; in a .jsonl each line is a JSON
object. Rows of one problem_id are, by order, its demonstrations and last its query.

The same command goes on where it was stopped. Options may stand before or
behind BENCH.

EXAMPLES:
   lightbox run cases.jsonl --data pictures --model gemma3:4b
   lightbox run cases.csv --data pictures --model gemma3:4b --column answer=Befund
   lightbox run cases.jsonl --data pictures --model gemma3:4b --judge llama3.3
   lightbox run smmile --data SMMILE --model medgemma --family medgemma --judge llama3.3
   lightbox run slake --data SLAKE --subset en_open,en_closed --model medgemma

   lightbox run card.json --data PATH --split test --shots 2 --model gemma3:4b`

const (
	groupAsked = "what is asked"
	groupOwn   = "own questions"
	groupModel = "the model"
	groupJudge = "the judge"
	groupRun   = "the run"
)

func runFlags() []cli.Flag { return slices.Concat(askingFlags(), pictureFlags(), judgingFlags()) }

// askingFlags are the options of what is asked and of the model.
func askingFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "data", Category: groupAsked, Usage: "`PATH` of the directory with the pictures, or of a downloaded data set"},
		&cli.StringFlag{Name: "split", Category: groupAsked, Usage: "`NAME` of a part of the data set, test unless given: train, validation or test; smmile and smmile++ have one, which train and test both mean"},
		&cli.StringSliceFlag{Name: "subset", Category: groupAsked, Usage: "`NAMES` of the subsets to ask, with commas between"},
		&cli.StringSliceFlag{Name: "ids", Category: groupAsked, Usage: "`IDS` or row numbers of the samples to ask, with commas between"},
		&cli.IntFlag{Name: "limit", Category: groupAsked, Usage: "only the first `N` samples of each subset"},
		&cli.StringFlag{Name: "shots", Category: groupAsked, Value: "icl", Usage: "`N` demonstrations at most, the first of each sample; icl (default) shows all, 0 none; slake, scienceqa and cards have none of their own: N are drawn from the train split"},
		&cli.StringFlag{Name: "format", Category: groupAsked, Value: bench.FormatOpen, Usage: "`FORM` of smmile's questions: open (default), or mcqa, multiple choice as its scripts make it; mcqa-logprob, of any benchmark with options: the letters' probabilities as first token decide"},
		&cli.StringFlag{Name: "order", Category: groupAsked, Value: icl.Natural, Usage: "`ORDER` of the demonstrations: " + strings.Join(icl.Orders, ", ") + "; relevant are those with the query's answer"},
		&cli.StringFlag{Name: "distract", Category: groupAsked, Value: icl.None, Usage: "`WHAT` to put among the demonstrations: none (default), random ones of other problems, or targeted ones of the same specialty"},
		&cli.IntFlag{Name: "distract-count", Category: groupAsked, Value: 1, Usage: "`N` demonstrations to put in, 1 unless given"},
		&cli.StringFlag{Name: "ablate", Category: groupAsked, Usage: "image=`HOW` to take the query's picture away: image=none, image=blank (grey), or image=swapped (another sample's)"},
		&cli.StringFlag{Name: "family", Category: groupAsked, Value: "none", Usage: "`NAME` of the models whose system text and turns the SMMILE scripts use: " + strings.Join(smmile.FamilyNames(), ", ")},
		&cli.StringFlag{Name: "prompt", Category: groupAsked, Usage: "`NAME` of the way to ask scienceqa: lmms (default), as lmms-eval does, or qcm, as its authors do"},
		&cli.IntFlag{Name: "seed", Category: groupAsked, Usage: "`N` for all that is drawn by chance"},
		columnFlag(groupOwn),
		encodingFlag(groupOwn),
		&cli.StringFlag{Name: "model", Category: groupModel, Usage: "`NAME` of the vision model, as in: ollama list"},
		&cli.Float64Flag{Name: "temperature", Category: groupModel, Usage: "`T` of sampling, 0 unless given"},
		&cli.IntFlag{Name: "num-predict", Category: groupModel, Value: bench.DefaultNumPredict, Usage: "`N` tokens of reply at most, 512 unless given"},
		&cli.StringFlag{Name: "num-ctx", Category: groupModel, Value: "auto", Usage: "`N` tokens of context; auto (default) takes what the longest prompt needs"},
		&cli.StringFlag{Name: "think", Category: groupModel, Value: "auto", Usage: "`MODE` of models that can think: auto (default) and off: no thinking; on: 4096 tokens more"},
		&cli.StringFlag{Name: "model-system", Category: groupModel, Value: "refuse", Usage: "`WHAT` to do where the model has a system text of its own: refuse (default) or keep"},
		&cli.BoolFlag{Name: "no-probe", Category: groupModel, Usage: "do not ask first whether the model sees pictures"},
		&cli.BoolFlag{Name: "escape-control", Category: groupModel, Usage: "break control tokens in the data with a zero-width space instead of leaving the sample unscored"},
	}
}

// judgingFlags are the options of the judge and of the run.
func judgingFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "judge", Category: groupJudge, Usage: "`NAME` of a model that judges the responses to open questions"},
		&cli.StringFlag{Name: "judge-protocol", Category: groupJudge, Value: "strict", Usage: "`HOW` the judge is asked: strict (default); official, as in the published evaluation, with sampling left to the server; card, in the words of the benchmark's card; llm_recall, as evalscope does: only what the rule calls wrong is judged, and can become right"},
		&cli.StringFlag{Name: "host", Category: groupRun, Usage: "`URL` of the Ollama server, unless OLLAMA_HOST or 127.0.0.1:11434"},
		&cli.IntFlag{Name: "parallel", Category: groupRun, Value: 1, Usage: "`N` requests at once; more than 1 can change answers even at temperature 0"},
		&cli.StringFlag{Name: "until", Category: groupRun, Usage: "`HH:MM` at which no further sample is asked; the same command goes on later"},
		&cli.StringFlag{Name: "out", Category: groupRun, Usage: "run `DIR`; unless given, one below runs/ that is named by the settings"},
		&cli.BoolFlag{Name: "no-cache", Category: groupRun, Usage: "ask again what the same model was asked before; replies to own questions are never kept"},
		&cli.BoolFlag{Name: "keep-names", Category: groupRun, Usage: "keep the data's own ids in the record; they can be personal"},
		&cli.BoolFlag{Name: "json", Category: groupRun, Usage: "print the report as JSON"},
	}
}
