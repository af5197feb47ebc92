package surface

import "strings"

// Clip cuts s to at most n characters, the last of which is then an ellipsis. It
// reads no more of s than that, however long s is.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	count, cut := 0, 0
	for i := range s {
		if count == n-1 {
			cut = i
		}
		if count == n {
			return strings.TrimRight(s[:cut], " ") + "…"
		}
		count++
	}
	return s
}
