package tools

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
)

// ErrTooLarge is returned for what is larger than the most that is read of it.
var ErrTooLarge = errors.New("too large")

// ReadBounded reads r to its end, at most limit bytes: a file may grow while it is
// read. The buffer is sized by the file at once, since growing to the size of a large
// document costs more than reading it. More than limit is ErrTooLarge.
func ReadBounded(r io.Reader, limit int64) ([]byte, error) {
	var b bytes.Buffer
	if f, ok := r.(fs.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			b.Grow(int(min(info.Size(), limit)) + bytes.MinRead)
		}
	}
	if _, err := b.ReadFrom(io.LimitReader(r, limit+1)); err != nil {
		return nil, err
	}
	if int64(b.Len()) > limit {
		return nil, ErrTooLarge
	}
	return b.Bytes(), nil
}
