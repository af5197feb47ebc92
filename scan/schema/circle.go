package schema

import (
	"slices"
	"strings"

	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// A circle is a largest set of schemas each of which is composed of all the others:
// by references, allOf, oneOf, anyOf, or as list items and map values. Most schemas
// are alone in theirs.
//
// What a schema says must not depend on which operation asked first. So circles are
// found before anything is worked out; of a schema in one, every member is worked out
// anew from that schema, and only what has become of that schema is kept.

// circle is what is known of a circle.
type circle struct {
	size int
	// height is how many circles stand on each other from here down.
	height int
	// problem says why the members are not followed, where they are not.
	problem *surface.Note
}

// standing is a schema's part in the search for circles (Tarjan's algorithm).
type standing struct {
	order, low int // 0: not met yet
	circle     *circle
	itself     bool // it is composed of itself directly
}

// alone reports whether the schema is composed of nothing that is composed of it.
func (s *schema) alone() bool { return s.circle.size == 1 && !s.itself }

// simple reports whether s is composed of nothing.
func (s *schema) simple() bool {
	return s.ref == nil && len(s.all)+len(s.oneOf)+len(s.anyOf)+len(s.items)+len(s.values)+len(s.maybe) == 0
}

// single is the circle of all simple schemas.
var single = &circle{size: 1, height: 1}

// parts are what s is composed of.
func (s *schema) parts() []*schema {
	var all []*schema
	if s.ref != nil {
		all = append(all, s.ref)
	}
	for _, list := range [][]*schema{s.all, s.oneOf, s.anyOf, s.maybe, s.items, s.values} {
		all = append(all, list...)
	}
	return all
}

// step is a schema on the way of the search, with the parts still to be followed.
type step struct {
	*schema
	left []*schema
}

// finder finds the circles that can be reached from one schema. It keeps its way in a
// list, since a document can have a chain of a million references.
type finder struct {
	way   []step
	open  []*schema // met, and in no circle yet
	order int
}

// findCircles gives s and all it is composed of their circles.
func findCircles(s *schema) {
	if s.simple() {
		s.circle = single
		return
	}
	f := &finder{}
	f.enter(s)
	for len(f.way) > 0 {
		at := &f.way[len(f.way)-1]
		if len(at.left) == 0 {
			f.leave()
			continue
		}
		part := at.left[0]
		at.left = at.left[1:]
		at.itself = at.itself || part == at.schema
		switch {
		case part.circle != nil:
		case part.simple():
			part.circle = single
		case part.order == 0:
			f.enter(part)
		default:
			at.low = min(at.low, part.order)
		}
	}
}

func (f *finder) enter(s *schema) {
	f.order++
	s.order, s.low = f.order, f.order
	f.open = append(f.open, s)
	f.way = append(f.way, step{s, s.parts()})
}

// leave ends the last step: a schema from which none before it can be reached begins
// a circle.
func (f *finder) leave() {
	s := f.way[len(f.way)-1].schema
	f.way = f.way[:len(f.way)-1]
	if len(f.way) > 0 {
		before := f.way[len(f.way)-1]
		before.low = min(before.low, s.low)
	}
	if s.low < s.order {
		return
	}
	first := len(f.open) - 1
	for f.open[first] != s {
		first--
	}
	closed(f.open[first:])
	f.open = f.open[:first]
}

// closed makes a circle of its members.
func closed(members []*schema) {
	c := &circle{size: len(members)}
	for _, m := range members {
		m.circle = c
	}
	for _, m := range members {
		for _, part := range m.parts() {
			if part.circle != c {
				c.height = max(c.height, part.circle.height)
			}
		}
	}
	c.height++
	cut := func(format string, limit int) {
		named := slices.MinFunc(members, func(a, b *schema) int { return strings.Compare(a.at.Pointer, b.at.Pointer) })
		p := note(named.at, format, limit)
		c.problem, c.height = &p, 1
	}
	switch {
	case c.height > maxComposition:
		cut("schemas refer to each other more than %d deep here; the rest was not read; flatten them", maxComposition)
	case c.size > maxCircle:
		cut("more than %d schemas are composed of each other here; what they are composed of was not read; take them apart", maxCircle)
	}
}

// composed works out what s says, by its circle: known is what is kept of a schema,
// compose what becomes of one, by what has become of its parts (nil where that is
// being worked out).
func composed[T any](s *schema, known func(*schema) *T, compose func(s *schema, of func(*schema) *T) *T) *T {
	if s.alone() {
		return compose(s, known)
	}
	met := map[*schema]*T{}
	var of func(part *schema) *T
	of = func(part *schema) *T {
		if part.circle != s.circle {
			return known(part)
		}
		if t, again := met[part]; again {
			return t
		}
		met[part] = nil
		met[part] = compose(part, of)
		return met[part]
	}
	return of(s)
}
