package node

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"

	"github.com/pb33f/go-yaml"
)

// maxReach is how many references the fingerprints of one document visit in all.
// Beyond it a fingerprint covers the whole document: it then changes more often
// than it must, never less.
const maxReach = 20_000_000

// Fingerprinter makes fingerprints of definitions in one document. What definitions
// share is read once.
type Fingerprinter struct {
	resolver *Resolver
	texts    canonicalizer
	parts    map[part]*reached // those given to Of, which definitions may share
	number   map[vertex]int    // its place in reached
	reached  []reached
	seen     []int // by number: the last definition that reached it
	round    int
	left     int
}

// part is a part of a definition: its references are followed in its tree.
type part struct {
	tree *Tree
	node *yaml.Node
}

// vertex is a node that references lead to, or an anchored one on the way.
type vertex struct {
	node   *yaml.Node
	shared bool
}

// reached is what is known of a vertex.
type reached struct {
	name string // where it stands: file and pointer
	Target
	// shared is true for an anchored node, whose text is part of what stands around
	// it already.
	shared bool
	text   summary
	mark   marks // of its name and text
	to     []int // what it refers to, once read
	read   bool
}

// NewFingerprinter returns one that follows references by resolver.
func NewFingerprinter(resolver *Resolver) *Fingerprinter {
	f := &Fingerprinter{resolver: resolver, parts: map[part]*reached{}, number: map[vertex]int{}, left: maxReach}
	f.texts.shared = map[*yaml.Node]*summary{}
	return f
}

// Of is the fingerprint of a definition made of parts: "sha256:" and 12 hex digits
// over the canonical text of the parts and of all that their references reach, and
// the size of those texts in bytes. Documents that mean the same (JSON or YAML,
// keys in any order) have the same; it changes whenever a part or anything reached
// does.
func (f *Fingerprinter) Of(parts ...Target) (fingerprint string, size int) {
	sum := sha256.New()
	var next []int
	for _, p := range parts {
		read := f.part(p)
		sum.Write(read.text.digest[:])
		size = add(size, read.text.size)
		next = append(next, read.to...)
	}
	marks, more := f.reach(next)
	if more > 0 {
		sum.Write(marks.bytes())
	}
	size = add(size, more)
	if f.left < 0 && len(parts) > 0 {
		whole := f.part(Target{Tree: parts[0].Tree, Node: parts[0].Tree.Root})
		sum.Write(whole.text.digest[:])
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil)[:6]), size
}

// part reads a part of a definition, once where definitions share it.
func (f *Fingerprinter) part(at Target) *reached {
	key := part{at.Tree, at.Node}
	read, ok := f.parts[key]
	if !ok {
		text := f.texts.of(at.Tree, at.Node)
		read = &reached{text: text, to: f.follow(at.Tree, text.edges)}
		f.parts[key] = read
	}
	return read
}

// reach sums up all that can be reached from start, itself included, in whatever
// order it is met: names come from references, which have no order of their own.
func (f *Fingerprinter) reach(start []int) (marks marks, size int) {
	f.round++
	queue := start
	for len(queue) > 0 && f.left >= 0 {
		i := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		f.left--
		if f.seen[i] == f.round {
			continue
		}
		f.seen[i] = f.round
		queue = append(queue, f.neighbours(i)...)
		if r := &f.reached[i]; !r.shared {
			marks.add(r.mark)
			size = add(size, r.text.size)
		}
	}
	return marks, size
}

func (f *Fingerprinter) neighbours(i int) []int {
	if r := f.reached[i]; !r.read {
		text := f.read(r)
		to := f.follow(r.Tree, text.edges)
		mark := markOf(r.name, text.digest)
		f.reached[i].text, f.reached[i].to, f.reached[i].mark, f.reached[i].read = text, to, mark, true
	}
	return f.reached[i].to
}

func (f *Fingerprinter) read(r reached) summary {
	if s := f.texts.shared[r.Node]; r.shared && s != nil {
		return *s
	}
	return f.texts.of(r.Tree, r.Node)
}

// follow gives what edges lead to their numbers. A reference that leads nowhere is
// left out: its text is part of what holds it.
func (f *Fingerprinter) follow(tree *Tree, edges []edge) []int {
	var to []int
	for _, e := range edges {
		target := Target{Tree: tree, Node: e.shared}
		if e.shared == nil {
			var err error
			if target, err = f.resolver.Hop(tree, e.ref); err != nil {
				continue
			}
		}
		v := vertex{target.Node, e.shared != nil}
		i, ok := f.number[v]
		if !ok {
			i = len(f.reached)
			f.number[v] = i
			name := target.Tree.File + "#" + target.Pointer
			f.reached = append(f.reached, reached{name: name, Target: target, shared: v.shared})
			f.seen = append(f.seen, 0)
		}
		to = append(to, i)
	}
	return to
}

// marks is a sum of digests, the same in whatever order they are added.
type marks [sha256.Size / 8]uint64

func markOf(name string, digest [sha256.Size]byte) (m marks) {
	sum := sha256.New()
	sum.Write([]byte(name + "\n"))
	sum.Write(digest[:])
	bytes := sum.Sum(nil)
	for i := range m {
		m[i] = binary.BigEndian.Uint64(bytes[8*i:])
	}
	return m
}

func (m *marks) add(other marks) {
	for i := range m {
		m[i] += other[i]
	}
}

func (m *marks) bytes() []byte {
	var out []byte
	for _, part := range m {
		out = binary.BigEndian.AppendUint64(out, part)
	}
	return out
}

// add is a+b, or the largest int where that is too small for it.
func add(a, b int) int {
	if a > math.MaxInt-b {
		return math.MaxInt
	}
	return a + b
}
