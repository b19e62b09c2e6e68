// Package template renders the prompts of benchmark cards. Its language is the
// part of Jinja2 that prompts need, with Jinja2's own meaning:
//
//   - {{ … }}, {# … #}, {% if %} {% elif %} {% else %}, {% for %} with an inline
//     if and {% else %}, {% set name = … %}, and - beside a delimiter
//   - texts, numbers, true, false, none, lists, tuples, dicts; attributes, items
//     and slices; and, or, not; comparisons, in, is; + - * / // % on numbers, +
//     and ~ on texts; a if b else c
//   - the filters, tests and methods in filters, tests and methods
//   - loop.index, index0, revindex, revindex0, first, last, length
//
// Anything else is refused by name when the template is parsed. Autoescaping is
// off, trim_blocks and lstrip_blocks are off, one line end at the end of the
// template is dropped: the defaults of Jinja2's Environment.
//
// Names must have a value (StrictUndefined), and none is not printed: where
// Jinja2 would write "None" into a prompt, Render fails.
//
// # Design
//
// The language is read and evaluated here. Engines for Go read it more loosely
// than Jinja2 does and go on where it stops: gonja v2.9.1 renders {{ not 1 }} as
// 0, -7 // 2 as -3, 1 < 2 < 2 as True, a name behind a line end as nothing, and
// a loop over a number as nothing. A prompt that is silently another one makes
// every score wrong, so that what this package renders is held against Jinja2's
// own output (testdata/oracle.json), and what it does not know it refuses.
//
// A template is data of others: its size, the depth of its nesting, the steps of
// a rendering and the length of every text are bounded, and no template can
// reach a file.
package template
