package tools

import (
	"errors"
	"io"
	"io/fs"
	"slices"
)

// ErrTooLarge is returned for what is larger than the most that is read of it.
var ErrTooLarge = errors.New("too large")

// ReadBounded reads r to its end, at most limit bytes: a file may grow while it is
// read. The buffer is sized by the file at once, since growing to the size of a large
// document costs more than reading it. More than limit is ErrTooLarge; no more is read of
// it than the buffer has space for.
func ReadBounded(r io.Reader, limit int64) ([]byte, error) {
	const least = 512
	data := make([]byte, 0, sizeOf(r, limit)+least)
	for {
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case int64(len(data)) > limit:
			return nil, ErrTooLarge
		case errors.Is(err, io.EOF):
			return data, nil
		case err != nil:
			return nil, err
		}
		data = slices.Grow(data, least)
	}
}

// sizeOf gives the size of a regular file, at most limit; 0 for another reader.
func sizeOf(r io.Reader, limit int64) int64 {
	if f, ok := r.(fs.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return min(info.Size(), limit)
		}
	}
	return 0
}
