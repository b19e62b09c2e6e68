// Package report counts verdicts and shows the scores: as JSON, which other
// programs read, as text for a terminal, and as one HTML page.
//
// # Rules
//
//   - Every figure stands with its n. A sample without a verdict of a metric
//     that its subset has is unscored, never left out in silence.
//   - No answer counts as incorrect in the accuracy and is shown apart.
//   - Unscored samples are outside n. They are listed by reason, with the
//     bounds that they put on the score.
//   - An overall figure is given only where the benchmark says that one across
//     its subsets has a meaning. Tags are then counted across subsets too, and
//     within each subset otherwise.
//   - The primary metric of the benchmark is named even where it was not
//     computed; no other metric takes its place in silence.
//   - Equal input gives equal bytes. Nothing here reads a clock, and nothing is
//     NaN: where there is no number, JSON has null and pages have a dash.
package report
