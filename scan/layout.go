package scan

import (
	"strings"

	"github.com/plumbline-mcp/plumbline/scan/surface"
	"github.com/plumbline-mcp/plumbline/scan/words"
)

// layout is how a tool's request fields lie in each other.
type layout struct {
	encloses map[object]bool // objects and lists that hold fields
	address  map[object]address
}

// object is a value that holds fields: where it is sent and its path.
type object struct{ in, path string }

// address is what of a postal address an object holds.
type address struct{ postal, city, street bool }

var (
	postalWords = words.NewSet("zip postal postcode zipcode")
	streetWords = words.NewSet("street address line")
)

func layoutOf(fields []*surface.Field) *layout {
	l := &layout{encloses: map[object]bool{}, address: map[object]address{}}
	for _, f := range fields {
		l.encloses[object{f.In, withoutItems(f.Parent)}] = true
		ws := words.Split(f.Name)
		parent := object{f.In, f.Parent}
		a := l.address[parent]
		a.postal = a.postal || postalWords.Any(ws)
		a.city = a.city || lastWord(ws) == "city"
		a.street = a.street || streetWords.Any(ws)
		l.address[parent] = a
	}
	return l
}

// withoutItems gives the path of the field whose items or values a path means.
func withoutItems(path string) string {
	for {
		short := strings.TrimSuffix(strings.TrimSuffix(path, "[]"), ".*")
		if short == path {
			return path
		}
		path = short
	}
}

// layout works out how the request fields lie, once.
func (s *subject) layout() *layout {
	if s.laid == nil {
		s.laid = layoutOf(s.tool.Fields)
	}
	return s.laid
}

// encloses says whether the field holds others, and so is an object or a list.
func (s *subject) encloses(f *surface.Field) bool {
	return s.layout().encloses[object{f.In, f.Path}]
}

// inAddress says whether the object that holds the field is a postal address.
func (s *subject) inAddress(f *surface.Field) bool {
	a := s.layout().address[object{f.In, f.Parent}]
	return a.postal || a.city && a.street
}
