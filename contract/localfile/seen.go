package localfile

import (
	"os"
	"time"
)

// settles is how long a file must look the same before the time of its last change tells
// it from the next one: some file systems keep times to two seconds.
const settles = 3 * time.Second

// Seen is a file as it was when it was read last, which tells whether to read it again. The
// zero value is a file that nobody has read. It is not safe for concurrent use.
type Seen struct {
	info  os.FileInfo
	since time.Time // when it was first read as it is
	last  time.Time
}

// Note keeps that a file was read: info is how it was then, nil where it is to be read again
// in any case, and at is a time before that.
func (s *Seen) Note(info os.FileInfo, at time.Time) {
	if s.info == nil || info == nil || !alike(info, s.info) {
		s.since = at
	}
	s.info, s.last = info, at
}

// Unchanged says whether the file at a path is sure to be as it was read. Times are compared
// with each other and never with the clock, which may be another than the file system's.
func (s *Seen) Unchanged(path string) bool {
	if s.info == nil {
		return false
	}
	now, err := os.Stat(path)
	return err == nil && alike(now, s.info) && s.last.Sub(s.since) > settles
}

// alike says whether two looks show one file that nobody changed in between, nor gave to
// somebody else.
func alike(a, b os.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.Mode() == b.Mode() && a.ModTime().Equal(b.ModTime()) && sameOwner(a, b)
}
