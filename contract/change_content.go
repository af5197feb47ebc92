package contract

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Limits of what a change tells of what it changed, in characters.
const (
	maxContent = 500 // all of one side
	maxMember  = 200 // the value of one member that differs
	maxAlike   = 40  // what is kept of a beginning that both sides share, where one is cut
)

// Sides are the lines that show what stood there and what stands there now, as far as
// the change tells it: "- " before the one, "+ " before the other.
func (c Change) Sides() []string {
	var sides []string
	if c.From != "" {
		sides = append(sides, "- "+c.From)
	}
	if c.To != "" {
		sides = append(sides, "+ "+c.To)
	}
	return sides
}

// texts sets both sides of a change; an empty one was not there.
func (c *Change) texts(from, to string) { c.From, c.To = around(from, to, maxContent) }

// from tells what was removed, but for the members that the change names it by.
func (c *Change) from(v *Value, told ...string) { c.From = Members(v, told...) }

// to tells what was added, but for the members that the change names it by.
func (c *Change) to(v *Value, told ...string) { c.To = Members(v, told...) }

// values tells what differs between two values: the members that do, where both have
// some; else both as they stand.
func (c *Change) values(from, to *Value) {
	if from.Type() != Object || to.Type() != Object {
		c.texts(onLine(from), onLine(to))
		return
	}
	var was, is []string
	before, after := byName(from), byName(to)
	for _, name := range memberNames(from, to) {
		old, now := before[name], after[name]
		if old.Same(now) {
			continue
		}
		oldText, nowText := around(onLine(old), onLine(now), maxMember)
		if old != nil {
			was = append(was, showName(name)+" "+oldText)
		}
		if now != nil {
			is = append(is, showName(name)+" "+nowText)
		}
	}
	c.From, c.To = cutTo(strings.Join(was, ", "), maxContent), cutTo(strings.Join(is, ", "), maxContent)
}

// memberNames are the names of the members of either object, each once, in their order.
func memberNames(from, to *Value) []string {
	var names []string
	known := map[string]bool{}
	for _, m := range slices.Concat(from.Members, to.Members) {
		if !known[m.Name] {
			known[m.Name] = true
			names = append(names, m.Name)
		}
	}
	return names
}

// members shows the members of an object but for the told ones; empty for what is none.
func members(v *Value, told []string) string {
	if v.Type() != Object {
		return ""
	}
	var shown []string
	for _, m := range v.Members {
		if !slices.Contains(told, m.Name) {
			shown = append(shown, showName(m.Name)+" "+onLine(m.Value))
		}
	}
	return strings.Join(shown, ", ")
}

var plainName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.-]*$`)

// Members shows what an object holds on one line, but for the members that are told
// elsewhere: each name with its value as JSON, escaped, cut to about maxContent characters.
// It is empty for what is no object.
func Members(v *Value, told ...string) string { return cutTo(members(v, told), maxContent) }

// showName shows a member's name before its value: quoted, unless it is a plain word.
func showName(name string) string {
	if plainName.MatchString(name) {
		return name
	}
	return quoteText(name)
}

// onLine shows a value as JSON on one line; an absent one is empty.
func onLine(v *Value) string {
	if v == nil {
		return ""
	}
	return string(onOneLine(v.Canonical()))
}

// around cuts two texts to n characters each. Where they begin alike and one is longer,
// both begin shortly before they differ, so that the difference is seen.
func around(a, b string, n int) (string, string) {
	if utf8.RuneCountInString(a) > n || utf8.RuneCountInString(b) > n {
		if skip := sharedStart(a, b); skip > 0 {
			a, b = "…"+a[skip:], "…"+b[skip:]
		}
	}
	return cutTo(a, n), cutTo(b, n)
}

// sharedStart gives how many bytes of what both texts begin with can be left out.
func sharedStart(a, b string) int {
	var starts []int // of the characters that both share
	for i, r := range a {
		if other, _ := utf8.DecodeRuneInString(b[min(i, len(b)):]); i >= len(b) || other != r {
			break
		}
		starts = append(starts, i)
	}
	if len(starts) <= maxAlike {
		return 0
	}
	return starts[len(starts)-maxAlike]
}

// cutTo cuts a text to n characters and says so.
func cutTo(s string, n int) string {
	seen := 0
	for at := range s {
		if seen == n {
			return fmt.Sprintf("%s… (%d more characters)", s[:at], utf8.RuneCountInString(s[at:]))
		}
		seen++
	}
	return s
}

// quoteSome quotes a text; an empty one is absent.
func quoteSome(s string) string {
	if s == "" {
		return ""
	}
	return quoteText(s)
}

// quoteAll quotes texts in their order.
func quoteAll(texts []string) string {
	quoted := make([]string, len(texts))
	for i, s := range texts {
		quoted[i] = quoteText(s)
	}
	return strings.Join(quoted, ", ")
}

// quoteText shows a text of the contract as a JSON string on one line.
func quoteText(s string) string { return string(onOneLine(appendString(nil, s))) }

// onOneLine escapes what canonical JSON leaves as it is and some readers take for a
// line break or a control: U+007F to U+009F, U+2028 and U+2029. It stays the same JSON.
func onOneLine(text []byte) []byte {
	if !bytes.ContainsFunc(text, breaksLine) {
		return text
	}
	var out strings.Builder
	for _, r := range string(text) {
		if breaksLine(r) {
			fmt.Fprintf(&out, `\u%04x`, r)
		} else {
			out.WriteRune(r)
		}
	}
	return []byte(out.String())
}

func breaksLine(r rune) bool {
	return 0x7F <= r && r <= 0x9F || r == 0x2028 || r == 0x2029
}
