package contract

import (
	"bytes"
	"sort"
)

// JSONType is the type of a JSON value.
type JSONType uint8

// The types of JSON values. Absent is the type of a nil *Value.
const (
	Absent JSONType = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

// String names the type with its article, as messages do: "an object".
func (t JSONType) String() string {
	return [...]string{"missing", "null", "a boolean", "a number", "a string", "an array", "an object"}[t]
}

// Value is one JSON value at its place in its document. Its methods accept a nil
// *Value, which stands for an absent one, so that lookups can be chained.
type Value struct {
	Members []Member // of an object, in the order of the document
	Items   []*Value // of an array
	Offset  int      // where the value begins, in bytes from the document's begin
	End     int      // the offset behind its last byte

	kind   JSONType
	truth  bool    // of a boolean
	index  int32   // among the parent's items or members
	number float64 // of a number
	text   string  // of a string, unescaped
	parent *Value
	doc    *document
}

// Member is one member of an object.
type Member struct {
	Name   string // unescaped
	Offset int    // where the name begins, at its quote
	Value  *Value
}

// document is the text that values stand in.
type document struct {
	text  []byte // without byte order mark
	lines []int  // offsets at which lines begin
}

// position gives the 1-based line and column, the column in bytes, of an offset.
func (d *document) position(offset int) (line, column int) {
	line = sort.SearchInts(d.lines, offset+1)
	return line, offset - d.lines[line-1] + 1
}

// Type gives the value's type; [Absent] for nil.
func (v *Value) Type() JSONType {
	if v == nil {
		return Absent
	}
	return v.kind
}

// Get gives the member of exactly that name; nil if v is no object or has none.
func (v *Value) Get(name string) *Value {
	if v == nil {
		return nil
	}
	for i := range v.Members {
		if v.Members[i].Name == name {
			return v.Members[i].Value
		}
	}
	return nil
}

// items gives the items of an array; none of anything else.
func (v *Value) items() []*Value {
	if v.Type() != Array {
		return nil
	}
	return v.Items
}

// Text gives a string's text, unescaped.
func (v *Value) Text() (text string, ok bool) {
	if v.Type() != String {
		return "", false
	}
	return v.text, true
}

// float gives a number as the double it means.
func (v *Value) float() (number float64, ok bool) {
	if v.Type() != Number {
		return 0, false
	}
	return v.number, true
}

// Int gives a number that is an integer, as 1, 1.0 and 1e0 are, within
// ±[MaxSafeInteger].
func (v *Value) Int() (number int64, ok bool) {
	f, ok := v.float()
	if !ok || f != float64(int64(f)) || f > MaxSafeInteger || f < -MaxSafeInteger {
		return 0, false
	}
	return int64(f), true
}

// Truth gives a boolean.
func (v *Value) Truth() (truth, ok bool) {
	if v.Type() != Bool {
		return false, false
	}
	return v.truth, true
}

// Raw gives the bytes of the value as they stand in the document. They must not be
// changed.
func (v *Value) Raw() []byte {
	if v == nil {
		return nil
	}
	return v.doc.text[v.Offset:v.End:v.End]
}

// Position gives the 1-based line and column, the column in bytes, at which the
// value begins; a byte order mark counts as nothing.
func (v *Value) Position() (line, column int) {
	if v == nil {
		return 0, 0
	}
	return v.doc.position(v.Offset)
}

// name gives the name of the member whose value v is; empty if it is none.
func (v *Value) name() string {
	if v.parent == nil || v.parent.kind != Object {
		return ""
	}
	return v.parent.Members[v.index].Name
}

// Same says whether two values are equal as canonical JSON; absent ones are equal to
// absent ones only.
func (v *Value) Same(other *Value) bool {
	if v == nil || other == nil {
		return v == other
	}
	return bytes.Equal(v.Canonical(), other.Canonical())
}

// plain gives the value as package encoding/json would, for the schema validator.
func (v *Value) plain() any {
	switch v.Type() {
	case Bool:
		return v.truth
	case Number:
		return v.number
	case String:
		return v.text
	case Array:
		items := make([]any, len(v.Items))
		for i, item := range v.Items {
			items[i] = item.plain()
		}
		return items
	case Object:
		members := make(map[string]any, len(v.Members))
		for _, m := range v.Members {
			members[m.Name] = m.Value.plain()
		}
		return members
	default:
		return nil
	}
}
