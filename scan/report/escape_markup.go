package report

import (
	"html"
	"strings"
)

// code is text of strangers, escaped and cut, as a code span of Markdown: no markup,
// HTML, mention or link comes of it there.
func code(s string) string { return span(show(s)) }

// span is escaped text as a code span. A bar, at which a table's cell would end, is
// written as \x7c.
func span(s string) string {
	s = strings.ReplaceAll(s, "|", escaped('|'))
	if strings.TrimSpace(s) == "" {
		return "(empty)"
	}
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if fence != "`" {
		s = " " + s + " " // of which a renderer takes one space off
	}
	return fence + s + fence
}

// codeHTML is text of strangers, escaped and cut, as an HTML code element.
func codeHTML(s string) string { return "<code>" + html.EscapeString(show(s)) + "</code>" }

// marks are the characters of Markdown and HTML that prose must not hold as they are,
// with what is written instead, and what services make mentions and links of, broken
// by an empty comment.
var marks = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;",
	"|", `\|`, "~", `\~`, "$", `\$`, "&", "&amp;",
	"@", "@"+nothing, "#", `\#`+nothing, "://", ":"+nothing+"//", "www.", "www"+nothing+".",
)

// nothing is a comment, which no reader sees.
const nothing = "<!-- -->"

// prose is text as Markdown prose: all characters stand for themselves.
func prose(s string) string {
	return marks.Replace(strings.TrimLeft(Escape(s), " -+=\t"))
}
