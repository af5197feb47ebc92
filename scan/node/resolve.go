package node

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pb33f/go-yaml"

	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// MaxHops is how many `$ref`s in a row are followed.
const MaxHops = 16

const (
	// maxRefBytes is how long a `$ref` may be that leads anywhere.
	maxRefBytes = 64 << 10
	// maxShownRef is how many characters of one a message repeats.
	maxShownRef = 200
)

// ErrNotAllowed is what [Resolver.Open] returns where files are not to be read.
var ErrNotAllowed = errors.New("references to other files are not followed")

// Reason says why a reference leads nowhere.
type Reason int

// The reasons of a [RefError].
const (
	Missing    Reason = iota // nothing stands there
	Remote                   // it is a URL; nothing is fetched
	NotAllowed               // it is another file, and files are not to be read
	Unreadable               // it is another file that cannot be read
	Circular                 // it leads back to itself
	TooFar                   // it is a longer chain than MaxHops
)

// RefError is a reference that could not be followed.
type RefError struct {
	Ref    string
	Reason Reason
	Detail string // of Unreadable: what went wrong
}

// Error says what happened and what to do next.
func (e *RefError) Error() string {
	ref := surface.Clip(e.Ref, maxShownRef)
	switch e.Reason {
	case Remote:
		return fmt.Sprintf("$ref %q is remote and is never fetched; bundle it into the document", ref)
	case NotAllowed:
		return fmt.Sprintf("$ref %q is another file and was not followed; scan the file by its path with --root DIR, or bundle it", ref)
	case Unreadable:
		return fmt.Sprintf("$ref %q cannot be read: %s", ref, e.Detail)
	case Circular:
		return fmt.Sprintf("$ref %q only leads back to itself; give it a definition", ref)
	case TooFar:
		return fmt.Sprintf("$ref %q is a chain of more than %d references; shorten it", ref, MaxHops)
	}
	return fmt.Sprintf("$ref %q points to nothing; correct it or add what it names", ref)
}

// Target is a node in its tree, and the pointer it stands at.
type Target struct {
	Tree    *Tree
	Node    *yaml.Node
	Pointer string
}

// Resolver follows `$ref`s.
type Resolver struct {
	// Open returns the tree of the file that path names, relative to from, or an
	// error. Where Open is nil no file is read.
	Open func(from *Tree, path string) (*Tree, error)
	// Failed, where not nil, is told of every reference that [Resolver.Hop] could
	// not follow, each time.
	Failed func(*RefError)
}

// Ref is the `$ref` of a mapping; ok is false where n has none that is a string.
func (t *Tree) Ref(n *yaml.Node) (ref string, ok bool) {
	v := t.Get(n, "$ref")
	if v == nil || v.Kind != yaml.ScalarNode || v.ShortTag() != "!!str" {
		return "", false
	}
	return v.Value, true
}

// isURL reports whether ref begins with a scheme of at least two letters (one is a
// drive) or with a host.
func isURL(ref string) bool {
	if strings.HasPrefix(ref, "//") {
		return true
	}
	for i := range len(ref) {
		switch c := ref[i]; {
		case c == ':':
			return i > 1
		case 'a' <= c|0x20 && c|0x20 <= 'z':
		case i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '.' || c == '-'):
		default:
			return false
		}
	}
	return false
}

// Hop follows one reference that stands in from. Its error is a *[RefError].
func (r *Resolver) Hop(from *Tree, ref string) (Target, error) {
	target, err := r.hop(from, ref)
	var refErr *RefError
	if r.Failed != nil && errors.As(err, &refErr) {
		r.Failed(refErr)
	}
	return target, err
}

func (r *Resolver) hop(from *Tree, ref string) (Target, error) {
	if len(ref) > maxRefBytes {
		return Target{}, &RefError{Ref: ref, Reason: Missing}
	}
	if n, pointer := from.lookForName(ref); n != nil {
		return Target{from, n, pointer}, nil
	}
	file, fragment, _ := strings.Cut(ref, "#")
	tree := from
	if file != "" {
		var err error
		if tree, err = r.open(from, ref, file); err != nil {
			return Target{}, err
		}
	}
	if n, pointer := tree.At(fragment); n != nil {
		return Target{tree, n, pointer}, nil
	}
	if n, pointer := tree.named("#" + fragment); n != nil {
		return Target{tree, n, pointer}, nil
	}
	return Target{}, &RefError{Ref: ref, Reason: Missing}
}

// lookForName finds a reference that is the whole $id of a schema in the tree.
func (t *Tree) lookForName(ref string) (*yaml.Node, string) {
	if !isURL(ref) {
		return nil, ""
	}
	return t.named(ref)
}

func (r *Resolver) open(from *Tree, ref, file string) (*Tree, error) {
	if isURL(file) {
		return nil, &RefError{Ref: ref, Reason: Remote}
	}
	if r.Open == nil {
		return nil, &RefError{Ref: ref, Reason: NotAllowed}
	}
	tree, err := r.Open(from, file)
	if errors.Is(err, ErrNotAllowed) {
		return nil, &RefError{Ref: ref, Reason: NotAllowed}
	}
	if err != nil {
		return nil, &RefError{Ref: ref, Reason: Unreadable, Detail: err.Error()}
	}
	return tree, nil
}

// Follow goes from at to what it is by its `$ref`s, or to itself where it has
// none. Its error is a *[RefError], and at is then returned as it came.
func (r *Resolver) Follow(at Target) (Target, error) {
	if _, ok := at.Tree.Ref(at.Node); !ok {
		return at, nil
	}
	start := at
	seen := map[*yaml.Node]bool{}
	for hops := 0; ; hops++ {
		ref, ok := at.Tree.Ref(at.Node)
		if !ok {
			return at, nil
		}
		if seen[at.Node] {
			return start, &RefError{Ref: ref, Reason: Circular}
		}
		if hops == MaxHops {
			return start, &RefError{Ref: ref, Reason: TooFar}
		}
		seen[at.Node] = true
		next, err := r.Hop(at.Tree, ref)
		if err != nil {
			return start, err
		}
		at = next
	}
}
