package words

import "strings"

// rootFinder finds in one pass which of a list of roots (lower case, of at least two
// bytes, 64 at most) stand in a text, whatever their case.
type rootFinder struct {
	list   []string
	byPair map[[2]byte][]int // the roots by their first two bytes
	pairs  [1 << 16]bool     // the keys of byPair, for speed
}

func newRootFinder(list []string) *rootFinder {
	const bits = 64
	if len(list) > bits {
		panic("words: too many roots for one mask")
	}
	f := &rootFinder{list: list, byPair: map[[2]byte][]int{}}
	for id, root := range list {
		f.byPair[[2]byte{root[0], root[1]}] = append(f.byPair[[2]byte{root[0], root[1]}], id)
		f.pairs[int(root[0])<<8|int(root[1])] = true
	}
	return f
}

// in gives a mask: bit i stands for the ith root.
func (f *rootFinder) in(text string) (found uint64) {
	if len(text) < 2 {
		return 0
	}
	a := lowerByte(text[0])
	for i := 1; i < len(text); i++ {
		b := lowerByte(text[i])
		if f.pairs[int(a)<<8|int(b)] {
			for _, id := range f.byPair[[2]byte{a, b}] {
				root := f.list[id]
				if end := i - 1 + len(root); end <= len(text) && strings.EqualFold(text[i-1:end], root) {
					found |= 1 << id
				}
			}
		}
		a = b
	}
	return found
}

func lowerByte(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + ('a' - 'A')
	}
	return c
}
