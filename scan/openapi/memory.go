package openapi

import "encoding/binary"

// What a parsed document takes, in bytes: a node and its place in its parent; a
// short string that was not met before, as the parser keeps each once.
const (
	nodeBytes  = 168
	shortBytes = 130
	shortText  = 64
)

// memory estimates what a JSON text takes once parsed, while it is gone over.
type memory struct {
	values int // keys and values
	texts  int // bytes of long strings, and the cost of new short ones
	recent [1 << 12]uint64
}

// text counts a string.
func (m *memory) text(s []byte) {
	if len(s) > shortText {
		m.texts += len(s)
		return
	}
	// A table of what was met lately tells documents that repeat their words, as
	// all real ones do, from those made to have no two alike.
	mark := uint64(len(s))*0x9E3779B97F4A7C15 ^ sample(s)
	mark *= 0xD6E8FEB86659FD93
	if slot := &m.recent[mark>>52]; *slot != mark {
		*slot = mark
		m.texts += shortBytes
	}
}

// sample is made of the first and the last eight bytes.
func sample(s []byte) uint64 {
	if len(s) >= 8 {
		return binary.LittleEndian.Uint64(s) ^ binary.LittleEndian.Uint64(s[len(s)-8:])*3
	}
	var sum uint64
	for _, c := range s {
		sum = sum<<8 | uint64(c)
	}
	return sum
}

// estimate is the sum so far; rewritten is the size of a second copy of the text.
func (m *memory) estimate(rewritten int) int {
	return m.values*nodeBytes + m.texts + rewritten
}
