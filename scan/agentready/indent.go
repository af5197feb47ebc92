package agentready

import (
	"bufio"
	"bytes"
)

// indenter lays compact JSON out with an indent of two spaces while it is written. The
// encoder's own indent scans and copies the whole text once more, which takes longer
// than encoding it.
type indenter struct{ out *bufio.Writer }

// Write writes a whole compact JSON text, as the encoder gives it.
func (w indenter) Write(text []byte) (int, error) {
	compact := EscapeUnseen(text)
	depth := 0
	for i := 0; i < len(compact); i++ {
		c := compact[i]
		switch c {
		case '"':
			end := endOfString(compact, i)
			w.out.Write(compact[i:end])
			i = end - 1
		case '{', '[':
			w.out.WriteByte(c)
			if next := compact[i+1]; next == '}' || next == ']' {
				w.out.WriteByte(next)
				i++
				continue
			}
			depth++
			w.line(depth)
		case '}', ']':
			depth--
			w.line(depth)
			w.out.WriteByte(c)
		case ',':
			w.out.WriteByte(c)
			w.line(depth)
		case ':':
			w.out.WriteString(": ")
		default:
			w.out.WriteByte(c)
		}
	}
	return len(text), nil // the buffer keeps its first error for Flush
}

func (w indenter) line(depth int) {
	w.out.WriteByte('\n')
	for range depth {
		w.out.WriteString("  ")
	}
}

// endOfString gives the offset after the string that begins at a position.
func endOfString(text []byte, begin int) int {
	for at := begin + 1; ; {
		at += bytes.IndexAny(text[at:], `"\`)
		if text[at] == '"' {
			return at + 1
		}
		at += 2
	}
}
