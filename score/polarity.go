package score

// Polarity is "yes" or "no" where all reference answers say just that, in English
// or Chinese, else "".
func Polarity(references []string) string {
	polarity := ""
	for i, reference := range references {
		own := polarityOf(reference)
		if own == "" || i > 0 && own != polarity {
			return ""
		}
		polarity = own
	}
	return polarity
}

// polarityOf is that of one reference answer.
func polarityOf(reference string) string {
	switch Normalize(reference) {
	case "yes", "y", "yeah", "yep", "true", "是", "是的", "有", "存在":
		return "yes"
	case "no", "n", "nope", "false", "否", "不是", "没有", "无", "不存在":
		return "no"
	}
	return ""
}
