package preprocess

// FormatOf names the format of a picture file by its first bytes: "png", "jpeg",
// "webp" and so on, or "unknown".
func FormatOf(data []byte) string { return sniff(data) }
