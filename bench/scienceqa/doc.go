// Package scienceqa makes the samples of ScienceQA out of its rows: questions of
// school science with two to five choices, about half of them with a picture (Lu
// et al. 2022, arXiv:2209.09513; lupantech/ScienceQA at 2cbf831).
//
// [HubRows] and [OriginalRows] read the two layouts in which it is published:
// the Parquet files of derek-thomas/ScienceQA, and problems.json with
// pid_splits.json of the authors. [Samples] gives the samples, asked as lmms-eval
// does (at 75571cf, tasks scienceqa) or as the authors do, and [Count] with
// [Published.Differences] whether a download is what was published.
package scienceqa
