package words

import (
	"html"
	"regexp"
	"strings"
)

var (
	htmlComment = regexp.MustCompile(`(?s)<!--.*?(-->|$)`)
	htmlTag     = regexp.MustCompile(`</?[A-Za-z][^<>]*>`)
	mdImage     = regexp.MustCompile(`!\[[^\]]*\]\([^)]*\)`)
	mdLink      = regexp.MustCompile(`\[([^\]]+)\](\([^)]*\)|\[[^\]]*\])`)
	mdLineStart = regexp.MustCompile(`(?m)^[ \t]*(#{1,6}|>|[-*+]|\d+[.)])[ \t]+`)
	mdEmphasis  = regexp.MustCompile("[*`~]+|\\b_+|_+\\b")
)

// stripMarkup removes Markdown and HTML markup and keeps what a reader sees of it.
func stripMarkup(s string) string {
	if strings.ContainsRune(s, '<') {
		s = htmlComment.ReplaceAllString(s, " ")
		s = htmlTag.ReplaceAllString(s, " ")
	}
	if strings.ContainsRune(s, '&') {
		s = html.UnescapeString(s)
	}
	if strings.ContainsRune(s, '[') {
		s = mdImage.ReplaceAllString(s, " ")
		s = mdLink.ReplaceAllString(s, "$1")
	}
	s = mdLineStart.ReplaceAllString(s, "")
	if strings.ContainsAny(s, "*`~_") {
		s = mdEmphasis.ReplaceAllString(s, "")
	}
	return s
}
