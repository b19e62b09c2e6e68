// Package analysis finds what is more than scores of groups: how a model does on
// each side of yes-or-no questions, what guesses would score, whether answers
// are copied from demonstrations. Every finding is computed from samples as a
// record holds them, and comes as a table of the report.
package analysis
