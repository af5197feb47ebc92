package server

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
)

// line is one line of input without its end; its text is nil where it was longer
// than the limit.
type line struct{ text []byte }

// readLines gives the lines of in until its end, the last one without a newline
// too, leaving out blank ones. The channel is closed at the end of input.
func readLines(ctx context.Context, in io.Reader, limit int) <-chan line {
	lines := make(chan line)
	go func() {
		defer close(lines)
		r := bufio.NewReaderSize(in, 64<<10)
		for {
			text, err := readLine(r, limit)
			trimmed := bytes.TrimSpace(text)
			if text == nil || len(trimmed) > 0 {
				select {
				case lines <- line{trimmed}:
				case <-ctx.Done():
					return
				}
			}
			if err != nil {
				return // a client that can no longer be read has left
			}
		}
	}()
	return lines
}

// readLine reads one line. The text is nil where it is too long: the rest of it is
// read and dropped, so that the next line can be answered.
func readLine(r *bufio.Reader, limit int) ([]byte, error) {
	text := []byte{}
	for {
		part, err := r.ReadSlice('\n')
		switch {
		case text == nil:
		case len(text)+len(bytes.TrimSuffix(part, []byte("\n"))) > limit:
			text = nil
		default:
			text = append(text, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return text, err
		}
	}
}
