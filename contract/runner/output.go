package runner

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"strings"
	"unicode/utf8"
)

// output takes all that a command writes, however much: it hashes and counts it, looks
// for a text in it, and keeps its end.
type output struct {
	digest hash.Hash
	bytes  int64
	tail   []byte // the last maxTail bytes, and up to as many before them
	want   []byte
	found  bool   // whether want was seen; nothing is seen at once
	seam   []byte // the end of what came before, in which want may begin
}

func newOutput(want string) *output {
	return &output{digest: sha256.New(), want: []byte(want), found: want == ""}
}

// Write never fails.
func (o *output) Write(p []byte) (int, error) {
	o.digest.Write(p)
	o.bytes += int64(len(p))
	o.search(p)
	o.tail = append(o.tail, last(p, maxTail)...)
	if len(o.tail) > 2*maxTail {
		o.tail = append(o.tail[:0], last(o.tail, maxTail)...)
	}
	return len(p), nil
}

func (o *output) search(p []byte) {
	if o.found {
		return
	}
	o.seam = append(o.seam, p...)
	o.found = bytes.Contains(o.seam, o.want)
	o.seam = append(o.seam[:0], last(o.seam, len(o.want)-1)...)
}

// last is the end of p, at most n bytes.
func last(p []byte, n int) []byte { return p[max(0, len(p)-n):] }

func (o *output) sum() string { return hex.EncodeToString(o.digest.Sum(nil)) }

// text is the end of the output as valid UTF-8 of at most maxTail bytes, cut between
// characters.
func (o *output) text() string {
	end := last(o.tail, maxTail)
	if o.bytes > int64(len(end)) {
		end = wholeRunes(end)
	}
	valid := strings.ToValidUTF8(string(end), string(utf8.RuneError))
	return string(wholeRunes(last([]byte(valid), maxTail)))
}

// wholeRunes leaves out what is at the begin of p of a character that began before.
func wholeRunes(p []byte) []byte {
	for i := range min(len(p), utf8.UTFMax-1) {
		if utf8.RuneStart(p[i]) {
			return p[i:]
		}
	}
	return p[min(len(p), utf8.UTFMax-1):]
}
