//go:build unix

package localfile

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// secretModes says which permissions a file with secrets may have: of one rule for all of
// them.
var secretModes = map[os.FileMode]bool{
	0o600: true, 0o400: true, 0o640: true, 0o440: true,
	0o700: false, 0o660: false, 0o620: false, 0o650: false, 0o644: false, 0o642: false, 0o604: false, 0o602: false, 0o601: false, 0o444: false, 0o777: false,
}

func TestCheckSecret(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	write(t, path, "secret")
	check := func(mode os.FileMode, good bool) {
		t.Helper()
		f, info, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		err = CheckSecret(path, info)
		var exposed *ExposedError
		if (err == nil) != good || err != nil && (!errors.As(err, &exposed) || exposed.Mode != mode || exposed.Path != path) {
			t.Errorf("mode %04o: %v", mode, err)
		}
	}
	for mode, good := range secretModes {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		check(mode, good)
	}
	if os.Geteuid() == 0 { // only then the file can be another group's
		if err := errors.Join(os.Chown(path, 0, 65533), os.Chmod(path, 0o640)); err != nil {
			t.Fatal(err)
		}
		check(0o640, false)
	}
}

// What is mended by another owner or other permissions alone is read again.
func TestSeenMended(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	write(t, path, "text")
	l := &look{t: t, path: path, now: time.Now()}
	l.read(0)
	l.read(time.Hour)
	l.want(true, "settled")
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	l.want(false, "of other permissions")
	if os.Geteuid() == 0 { // only then the file can be another group's
		l.read(time.Hour)
		l.read(time.Hour)
		if err := os.Chown(path, -1, 65533); err != nil {
			t.Fatal(err)
		}
		l.want(false, "of another group")
	}
}
