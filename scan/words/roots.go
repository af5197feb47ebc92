package words

// rootFinder finds in one pass which of a list of roots (lower case, of at least two
// bytes, 64 at most) stand in a text, whatever their case.
type rootFinder struct {
	list []string
	// byPair gives, by the first two bytes, the place in buckets of the roots that
	// begin with them; bucket 0 is empty.
	byPair  [1 << 16]uint8
	buckets [][]int
}

func newRootFinder(list []string) *rootFinder {
	const bits = 64
	if len(list) > bits {
		panic("words: too many roots for one mask")
	}
	f := &rootFinder{list: list, buckets: make([][]int, 1)}
	for id, root := range list {
		bucket := &f.byPair[pair(root[0], root[1])]
		if *bucket == 0 {
			*bucket = uint8(len(f.buckets))
			f.buckets = append(f.buckets, nil)
		}
		f.buckets[*bucket] = append(f.buckets[*bucket], id)
	}
	return f
}

func pair(a, b byte) int { return int(a)<<8 | int(b) }

// in gives a mask: bit i stands for the ith root.
func (f *rootFinder) in(text string) (found uint64) {
	if text == "" {
		return 0
	}
	a := lowerByte(text[0])
	for i := 1; i < len(text); i++ {
		b := lowerByte(text[i])
		if bucket := f.byPair[pair(a, b)]; bucket != 0 {
			for _, id := range f.buckets[bucket] {
				if beginsWith(text[i+1:], f.list[id][2:]) {
					found |= 1 << id
				}
			}
		}
		a = b
	}
	return found
}

// beginsWith says whether text begins with the lower-case prefix, whatever its case.
func beginsWith(text, prefix string) bool {
	if len(text) < len(prefix) {
		return false
	}
	for i := 0; i < len(prefix); i++ {
		if lowerByte(text[i]) != prefix[i] {
			return false
		}
	}
	return true
}

func lowerByte(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + ('a' - 'A')
	}
	return c
}
