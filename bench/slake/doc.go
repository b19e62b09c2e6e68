// Package slake makes the samples of SLAKE out of its rows: questions of doctors
// about CT, MRI and X-ray pictures, in English and Chinese (Liu et al. 2021,
// arXiv:2102.09542; data BoKelvin/SLAKE, CC BY 4.0).
//
// It is asked as evalscope asks it (modelscope/evalscope at fde259d, benchmarks
// slake): a picture, the question and an instruction in the question's language,
// and four subsets by language and by whether the answer is open. Demonstrations
// answer in the form that the instruction demands.
//
// [Samples] gives the samples, and [Count] with [Published.Differences] whether a
// download is what was published.
package slake
