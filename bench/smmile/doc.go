// Package smmile makes the samples of SMMILE and SMMILE++ out of their rows: 111
// and 1038 problems of medical in-context learning (Rieff et al. 2025,
// arXiv:2506.21355; code eth-medical-ai-lab/smmile at ab004d2).
//
// A row is a panel: one picture, a question and an answer. The panels of a
// problem, sorted by their order, are demonstrations but for the last, which is
// the query. SMMILE++ holds 86 of the problems with their demonstrations in
// other orders.
//
// [Problems] gives the samples, [Shown] the tags that depend on what is shown,
// [FamilyOf] how the authors addressed a family of models, and [Count] with
// [Benchmark.Differences] whether a download is what was published.
package smmile
