package localfile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), SecretMode); err != nil {
		t.Fatal(err)
	}
}

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	good := filepath.Join(dir, "good")
	write(t, good, "text")
	for path, want := range map[string]string{good: "", dir: "no regular file", os.DevNull: "no regular file", filepath.Join(dir, "none"): "no such file"} {
		f, info, err := Open(path)
		if err == nil {
			f.Close()
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) || (info == nil) != (err != nil) {
			t.Errorf("%s: %v, %v; want %q", path, info, err, want)
		}
	}
}

// look is a file as a server with a clock sees it.
type look struct {
	t    *testing.T
	path string
	seen Seen
	now  time.Time
}

// read reads the file a while after the last time.
func (l *look) read(after time.Duration) {
	l.t.Helper()
	l.now = l.now.Add(after)
	info, err := os.Stat(l.path)
	if err != nil {
		l.t.Fatal(err)
	}
	l.seen.Note(info, l.now)
}

func (l *look) want(unchanged bool, why string) {
	l.t.Helper()
	if l.seen.Unchanged(l.path) != unchanged {
		l.t.Errorf("%s: want unchanged %t", why, unchanged)
	}
}

// A file is not read again once it has looked the same for long enough, whatever its own
// time is; each change begins that anew.
func TestSeen(t *testing.T) {
	for _, age := range []time.Duration{0, 24 * time.Hour, -24 * time.Hour} {
		path := filepath.Join(t.TempDir(), "file")
		at := time.Now().Add(-age)
		set := func(text string) {
			t.Helper()
			write(t, path, text)
			if err := os.Chtimes(path, at, at); err != nil {
				t.Fatal(err)
			}
		}
		set("one")
		l := &look{t: t, path: path, now: time.Now()}
		l.want(false, "never read")
		l.read(0)
		l.want(false, "read once: a change within the same tick would not show")
		l.read(settles)
		l.want(false, "within what file systems keep")
		l.read(time.Nanosecond)
		l.want(true, "read again later")

		set("longer")
		l.want(false, "of another size")
		l.read(time.Hour)
		l.want(false, "changed a moment ago")
		l.read(2 * settles)
		l.want(true, "settled again")

		at = at.Add(time.Second)
		set("fooled")
		l.want(false, "of another time")
		l.read(time.Hour)
		l.read(time.Hour)
		if err := errors.Join(os.Rename(path, path+".old"), os.WriteFile(path, []byte("fooler"), SecretMode), os.Chtimes(path, at, at)); err != nil {
			t.Fatal(err)
		}
		l.want(false, "another file of its size and time")
		l.read(time.Hour)
		l.read(time.Hour)
		l.want(true, "settled a third time")
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		l.want(false, "gone")
		l.seen.Note(nil, l.now.Add(time.Hour))
		set("fooled")
		l.want(false, "not read since it was gone")
	}
}

// One at a time, also those who find the lock of one who was stopped; none is left.
func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	write(t, path+lockSuffix, "")
	var inside atomic.Int32
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			unlock, err := Lock(path)
			if err != nil {
				t.Error(err)
				return
			}
			if n := inside.Add(1); n != 1 {
				t.Errorf("%d are in at once", n)
			}
			inside.Add(-1)
			unlock()
		})
	}
	all.Wait()
	if _, err := os.Lstat(path + lockSuffix); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the lock is left: %v", err)
	}
}

func TestNoLock(t *testing.T) {
	dir := t.TempDir()
	full, link := filepath.Join(dir, "full"), filepath.Join(dir, "link")
	write(t, full+lockSuffix, "mine")
	if err := os.Symlink("elsewhere", link+lockSuffix); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{full, link} {
		if _, err := Lock(path); err == nil || !strings.Contains(err.Error(), "in the way") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := Lock(filepath.Join(dir, "none", "file")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("in no directory: %v", err)
	}
}
