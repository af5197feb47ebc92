package contract

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// Stamp sets contract.revision and contract.fingerprint, which nobody can compute by
// hand, in the text of a contract and leaves every other byte as it is. A revision
// below 1 keeps the one that stands there, else it is 1. The contract need not be valid
// otherwise. Errors: a *[SyntaxError]; no contract object; no criteria array; a
// revision beyond [MaxSafeInteger].
func Stamp(text []byte, revision int64) ([]byte, error) {
	v, err := Decode(text)
	if err != nil {
		return nil, err
	}
	head, criteria := v.Get("contract"), v.Get("criteria")
	if head.Type() != Object {
		return nil, fmt.Errorf("`contract` is %s, not an object: add it, with id and owner", head.Type())
	}
	if criteria.Type() != Array {
		return nil, fmt.Errorf("`criteria` is %s, not an array: the fingerprint is computed from it", criteria.Type())
	}
	if revision > MaxSafeInteger {
		return nil, errors.New("the revision is too large: give the number after the newest registered one")
	}
	if revision < 1 {
		revision = standingRevision(head)
	}
	label := strconv.Quote(Fingerprint(criteria.Canonical()))
	stamped, err := setHeadMember(text, "revision", strconv.FormatInt(revision, 10))
	if err != nil {
		return nil, err
	}
	return setHeadMember(stamped, "fingerprint", label)
}

// setHeadMember sets a member of the contract object in a copy of the text.
func setHeadMember(text []byte, name, value string) ([]byte, error) {
	v, err := Decode(text)
	if err != nil {
		return nil, err
	}
	return slices.Concat(text[:len(text)-len(v.doc.text)], v.Get("contract").SetMember(name, value)), nil
}

// SetMember gives the text of the document that an object stands in, without a byte order
// mark, with the JSON text value as that member of the object: in place of the one of that
// name, or at the end, laid out as the member before it.
func (v *Value) SetMember(name, value string) []byte {
	e := setMember(v, name, value)
	return slices.Concat(v.doc.text[:e.from], []byte(e.text), v.doc.text[e.to:])
}

// standingRevision is the revision that a contract declares, 1 if it declares none.
func standingRevision(head *Value) int64 {
	if n, ok := head.Get("revision").Int(); ok && n >= 1 {
		return n
	}
	return 1
}

// edit replaces the bytes from one offset to another.
type edit struct {
	from, to int
	text     string
}

// setMember replaces the value of an object's member, or adds the member at the end,
// laid out as the member before it.
func setMember(object *Value, name, value string) edit {
	if v := object.Get(name); v != nil {
		return edit{v.Offset, v.End, value}
	}
	member := strconv.Quote(name) + ": " + value
	text := object.doc.text
	if len(object.Members) == 0 {
		inside := object.Offset + 1
		return edit{inside, inside, member}
	}
	last := object.Members[len(object.Members)-1]
	space := text[:last.Offset]
	space = space[len(bytes.TrimRight(space, " \t\r\n")):]
	return edit{last.Value.End, last.Value.End, "," + string(space) + member}
}
