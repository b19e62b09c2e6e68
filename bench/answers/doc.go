// Package answers reads responses that were made elsewhere, to be scored.
//
// [Load] reads JSON Lines or a sheet (.csv), a row a sample, with the fields
//
//	id         of the sample; absent: the number of the row
//	response   the model's text, which may be empty; absent: it was not answered
//	reference  the reference answer, or a list of acceptable ones
//	question   text
//	options    list of texts, list of [letter, text] in the order shown, or an
//	           object from letter to text
//	answer     letter of the right option, or its place from 0
//	subset     text
//	language   text, which stands for the subset where there is none
//
// and the result files that SMMILE's authors published, which are recognised by
// their columns and read as pandas reads them.
package answers
