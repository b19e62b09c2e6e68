// Package answers reads responses that were made elsewhere, to be scored.
//
// [Load] reads JSON Lines or a sheet (.csv), a row a sample, with the fields
//
//	id         of the sample; absent: the number of the row
//	response   the model's text, which may be empty; null: it was not answered,
//	           and is unscored. A row without it is an error: nothing is counted
//	           wrong because its key is misspelt
//	reference  the reference answer, or a list of acceptable ones
//	question   text
//	options    list of texts, list of [letter, text] in the order shown, or an
//	           object from letter to text
//	answer     letter of the right option, or its place from 0; must agree with
//	           a reference that is an option
//	subset     text
//	group      text or number that rows of one problem or picture share: they are no
//	           separate evidence in intervals
//	language   text, which stands for the subset where there is none
//
// In a sheet options can have a column each (A, B … or option a, option b …), and
// a reference can be a JSON list.
//
// It also reads the result files that SMMILE's authors published, which are recognised by
// their columns and read as pandas reads them.
package answers
