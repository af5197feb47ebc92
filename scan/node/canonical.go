package node

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/pb33f/go-yaml"
)

const (
	// maxInline is the longest text of a container that stands inside that of its
	// parent as it is; a longer one is replaced there by its digest. So what is
	// shared by aliases costs at most this much at each use.
	maxInline = 256
	// maxTextDepth is how deep a definition is read; parsers stop long before.
	maxTextDepth = 10_000
)

// summary is what is kept of a canonical text.
type summary struct {
	digest [sha256.Size]byte
	text   string // empty where longer than maxInline
	size   int    // in bytes, of the text with nothing replaced
	edges  []edge
}

// edge leads from a text to what it refers to: by a `$ref`, or by standing around
// an anchored node that has edges of its own.
type edge struct {
	ref    string
	shared *yaml.Node
}

// canonicalizer writes the canonical text of nodes: keys sorted by code point,
// scalars as JSON by what they mean.
type canonicalizer struct {
	shared map[*yaml.Node]*summary // of anchored nodes; nil while one is being read
	edges  []edge
	// members are those of the mappings being written, innermost last.
	members []keyed
}

// keyed is a member of a mapping and its position there.
type keyed struct {
	key   string
	at    int
	value *yaml.Node
}

// of is the summary of n, with the references in it.
func (c *canonicalizer) of(t *Tree, n *yaml.Node) summary {
	c.edges = nil
	text, size := c.append(nil, t, n, 0)
	return summary{digest: sha256.Sum256(text), size: size, edges: c.edges}
}

// append writes n, replaced by its digest where it is long, and returns the size of
// what it stands for.
func (c *canonicalizer) append(out []byte, t *Tree, n *yaml.Node, depth int) ([]byte, int) {
	if n == nil || depth > maxTextDepth {
		return append(out, "null"...), 4
	}
	if n.Kind == yaml.ScalarNode {
		start := len(out)
		out = appendScalar(out, n)
		return out, len(out) - start
	}
	if n.Anchor == "" {
		return c.container(out, t, n, depth)
	}
	return c.anchored(out, t, n, depth)
}

// anchored writes a node that aliases may name, once.
func (c *canonicalizer) anchored(out []byte, t *Tree, n *yaml.Node, depth int) ([]byte, int) {
	s, known := c.shared[n]
	if known && s == nil {
		return append(out, `"*"`...), 3 // inside itself
	}
	if !known {
		c.shared[n] = nil
		outer := c.edges
		c.edges = nil
		text, size := c.container(nil, t, n, depth)
		s = &summary{text: string(text), size: size, edges: c.edges}
		c.edges = outer
		c.shared[n] = s
	}
	if len(s.edges) > 0 {
		c.edges = append(c.edges, edge{shared: n})
	}
	return append(out, s.text...), s.size
}

func (c *canonicalizer) container(out []byte, t *Tree, n *yaml.Node, depth int) ([]byte, int) {
	start := len(out)
	size := 0
	if IsSeq(n) {
		out, size = c.sequence(out, t, n, depth)
	} else {
		out, size = c.mapping(out, t, n, depth)
	}
	if text := out[start:]; len(text) > maxInline {
		sum := sha256.Sum256(text)
		out = append(out[:start], '#')
		out = hex.AppendEncode(out, sum[:])
	}
	return out, size
}

func (c *canonicalizer) sequence(out []byte, t *Tree, n *yaml.Node, depth int) ([]byte, int) {
	size := 2
	out = append(out, '[')
	for i, item := range n.Content {
		if i > 0 {
			out = append(out, ',')
			size = add(size, 1)
		}
		var s int
		out, s = c.append(out, t, item, depth+1)
		size = add(size, s)
	}
	return append(out, ']'), size
}

func (c *canonicalizer) mapping(out []byte, t *Tree, n *yaml.Node, depth int) ([]byte, int) {
	if ref, ok := t.Ref(n); ok {
		c.edges = append(c.edges, edge{ref: ref})
	}
	first := len(c.members)
	c.sortMembers(n)
	end := len(c.members)
	size := 2
	out = append(out, '{')
	for i := first; i < end; i++ {
		m := c.members[i]
		if i+1 < end && c.members[i+1].key == m.key {
			continue // the last of equal keys counts
		}
		start := len(out)
		if size > 2 {
			out = append(out, ',')
		}
		out = append(appendQuoted(out, m.key), ':')
		size = add(size, len(out)-start)
		var s int
		out, s = c.append(out, t, m.value, depth+1)
		size = add(size, s)
	}
	c.members = c.members[:first]
	return append(out, '}'), size
}

// sortMembers puts the members of n on the stack, sorted by key, equal ones in
// document order.
func (c *canonicalizer) sortMembers(n *yaml.Node) {
	first := len(c.members)
	for i := 0; i+1 < len(n.Content); i += 2 {
		if k := n.Content[i]; k.Kind == yaml.ScalarNode {
			c.members = append(c.members, keyed{k.Value, i, n.Content[i+1]})
		}
	}
	slices.SortFunc(c.members[first:], func(a, b keyed) int {
		if order := strings.Compare(a.key, b.key); order != 0 {
			return order
		}
		return a.at - b.at
	})
}

func appendScalar(out []byte, n *yaml.Node) []byte {
	switch n.ShortTag() {
	case "!!null":
		return append(out, "null"...)
	case "!!bool":
		if v, ok := Bool(n); ok {
			return strconv.AppendBool(out, v)
		}
	case "!!int", "!!float":
		if v, ok := Number(n); ok {
			return strconv.AppendFloat(out, v, 'g', -1, 64)
		}
	}
	return appendQuoted(out, n.Value)
}

func appendQuoted(out []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c == '"' || c == '\\' {
			return appendEscaped(out, s)
		}
	}
	out = append(out, '"')
	out = append(out, s...)
	return append(out, '"')
}

// escapes are the characters that JSON cannot hold as they are.
var escapes = func() (table [128]string) {
	for c := range table {
		quoted, err := json.Marshal(string(rune(c)))
		if err != nil {
			panic(err) // a text always marshals
		}
		table[c] = string(quoted[1 : len(quoted)-1])
	}
	return table
}()

func appendEscaped(out []byte, s string) []byte {
	out = append(out, '"')
	last := 0
	for i := range len(s) {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		out = append(out, s[last:i]...)
		out = append(out, escapes[c]...)
		last = i + 1
	}
	out = append(out, s[last:]...)
	return append(out, '"')
}
