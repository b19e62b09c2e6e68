// Package card says what is asked: benchmarks, their samples, and how samples
// are selected.
//
// # Glossary
//
//   - benchmark: a data set with a way of asking and scoring
//   - card: the description of a benchmark, as JSON; mapping: the part of it that
//     says what samples are made of
//   - sample: one question to the model, with its pictures and reference answers
//   - problem (group): the samples that belong together, such as the panels of
//     one in-context learning problem
//   - demonstration: a sample shown with its answer before the query
//   - query: the sample that is asked
//   - reference answer: what the data hold to be right
//   - response: the model's raw text
//   - answer: what a rule takes out of a response
//   - verdict: one rule's decision about one sample
//   - score: an aggregate of verdicts
//   - subset, split: parts of a benchmark, by kind and by purpose
//   - judge: a language model that compares a response with the reference answer
//   - unscored: the machine failed; no answer: the model said nothing usable
package card
