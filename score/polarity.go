package score

// Polarity is "yes" or "no" where a reference answer says just that, in English
// or Chinese, else "".
func Polarity(reference string) string {
	switch Normalize(reference) {
	case "yes", "true", "是", "是的", "有", "存在":
		return "yes"
	case "no", "false", "否", "不是", "没有", "无", "不存在":
		return "no"
	}
	return ""
}
