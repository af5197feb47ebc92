package openapi

import "encoding/json"

// grammar follows JSON (RFC 8259) token by token. The normalizer asks it along the
// way, which is cheaper than to validate the whole text first; of what it refuses,
// encoding/json says what is wrong.
type grammar struct {
	open []byte // the brackets that close what is open, innermost last
	want want
}

// want is what may come next.
type want byte

const (
	wantValue        want = iota
	wantFirstValue        // or the end of the list
	wantFirstKey          // or the end of the object
	wantKey               //
	wantColon             //
	wantCommaOrClose      // at depth 0: nothing
)

// next takes the token that begins with c; false says that it may not stand here.
func (g *grammar) next(c byte) bool {
	value := g.want == wantValue || g.want == wantFirstValue
	switch c {
	case '{':
		g.open, g.want = append(g.open, '}'), wantFirstKey
		return value
	case '[':
		g.open, g.want = append(g.open, ']'), wantFirstValue
		return value
	case '}', ']':
		return g.close(c)
	case ',':
		ok := g.want == wantCommaOrClose && len(g.open) > 0
		if g.want = wantValue; ok && g.open[len(g.open)-1] == '}' {
			g.want = wantKey
		}
		return ok
	case ':':
		ok := g.want == wantColon
		g.want = wantValue
		return ok
	case '"':
		if g.want == wantKey || g.want == wantFirstKey {
			g.want = wantColon
			return true
		}
	}
	g.want = wantCommaOrClose
	return value
}

func (g *grammar) close(c byte) bool {
	last := len(g.open) - 1
	if last < 0 || g.open[last] != c {
		return false
	}
	empty := g.want == wantFirstKey || g.want == wantFirstValue
	ok := empty || g.want == wantCommaOrClose
	g.open, g.want = g.open[:last], wantCommaOrClose
	return ok
}

// done reports whether the text may end here.
func (g *grammar) done() bool { return len(g.open) == 0 && g.want == wantCommaOrClose }

// isScalar reports whether s is a number, true, false or null.
func isScalar(s []byte) bool {
	switch string(s) {
	case "true", "false", "null":
		return true
	}
	if len(s) == 0 || s[0] != '-' && (s[0] < '0' || s[0] > '9') {
		return false
	}
	return len(s) == 1 && s[0] != '-' || json.Valid(s)
}
