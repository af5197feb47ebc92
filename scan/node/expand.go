package node

import (
	"slices"

	"github.com/pb33f/go-yaml"
)

// Limits of [Expand].
const (
	// maxAliasHops is how many aliases in a row are followed.
	maxAliasHops = 16
	// MaxMerged is how many members merge keys may copy in one document.
	MaxMerged = 200_000
)

// Expand replaces, in place, every alias under root by the node it names and every
// merge key (`<<`) by the members it brings. It does not copy what an alias names,
// so a bomb of aliases stays as small as it was written; the result may have
// cycles. It returns false where the merge keys bring more than [MaxMerged]
// members in all; those beyond are dropped.
func Expand(root *yaml.Node) (whole bool) {
	e := expander{left: MaxMerged, state: map[*yaml.Node]int{}}
	e.aliases(root)
	if e.found {
		e.merges(root)
	}
	return e.left >= 0
}

type expander struct {
	left  int
	found bool // a merge key, anywhere
	state map[*yaml.Node]int
}

// States of a node in the pass that merges.
const (
	open = 1 + iota
	done
)

// aliases replaces the aliases below n. It goes into no alias: what one names
// stands elsewhere in the tree and is met there.
func (e *expander) aliases(n *yaml.Node) {
	if n == nil {
		return
	}
	for i, c := range n.Content {
		if c.Kind == yaml.AliasNode {
			n.Content[i] = follow(c)
			continue
		}
		e.found = e.found || isMergeKey(c)
		e.aliases(c)
	}
}

// follow is the node an alias names; a null scalar where there is none.
func follow(n *yaml.Node) *yaml.Node {
	for hops := 0; n != nil && n.Kind == yaml.AliasNode && hops < maxAliasHops; hops++ {
		n = n.Alias
	}
	if n == nil || n.Kind == yaml.AliasNode {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}
	}
	return n
}

// merges works from the leaves up, so that what a merge key brings has its own
// merge keys replaced already. A mapping that merges itself gets nothing by it.
func (e *expander) merges(n *yaml.Node) {
	if n == nil || len(n.Content) == 0 || e.state[n] != 0 {
		return
	}
	e.state[n] = open
	for _, c := range n.Content {
		e.merges(c)
	}
	if n.Kind == yaml.MappingNode {
		if at := slices.IndexFunc(n.Content, isMergeKey); at >= 0 {
			n.Content = e.merged(n)
		}
	}
	e.state[n] = done
}

func isMergeKey(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!merge" }

// merged is the content of m with its merge keys replaced: own members first, then
// what the sources bring under names not yet taken.
func (e *expander) merged(m *yaml.Node) []*yaml.Node {
	taken := map[string]bool{}
	var content, sources []*yaml.Node
	for i := 0; i+1 < len(m.Content); i += 2 {
		k, v := m.Content[i], m.Content[i+1]
		switch {
		case !isMergeKey(k):
			taken[k.Value] = true
			content = append(content, k, v)
		case IsSeq(v):
			sources = append(sources, v.Content...)
		default:
			sources = append(sources, v)
		}
	}
	for _, s := range sources {
		if !IsMap(s) || e.state[s] != done {
			continue
		}
		for i := 0; i+1 < len(s.Content); i += 2 {
			k := s.Content[i]
			e.left--
			if e.left < 0 {
				return content
			}
			if !taken[k.Value] {
				taken[k.Value] = true
				content = append(content, k, s.Content[i+1])
			}
		}
	}
	return content
}
