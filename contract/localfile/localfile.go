// Package localfile opens files of this machine that an operator names, such as keys and
// tokens: those that hold secrets only where they are kept from others, those that are in
// use again when they change, and those that are changed by one process at a time.
package localfile

import (
	"errors"
	"fmt"
	"os"
	"runtime"
)

var errNotRegular = errors.New("it is no regular file")

// Open opens a file to read it, and says how it is. What is no regular file is refused
// before it is opened: a pipe would wait for a writer.
func Open(path string) (*os.File, os.FileInfo, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, &os.PathError{Op: "open", Path: path, Err: errNotRegular}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	if info, err = f.Stat(); err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// The permissions of files that hold secrets: SecretMode is that of a new one, GroupReads
// may be added.
const (
	SecretMode os.FileMode = 0o600
	GroupReads os.FileMode = 0o040
)

// ExposedError is why a file is not used that holds secrets.
type ExposedError struct {
	Path string
	Mode os.FileMode
}

// Error says what to do about the file, but not about its secrets.
func (e *ExposedError) Error() string {
	return fmt.Sprintf("%s is open to other users (mode %04o): run `chmod 600 %[1]s`, or 640 where its group is the server's", e.Path, e.Mode)
}

// CheckSecret refuses a file that holds secrets and is open to others: it must be one that
// nobody but its owner may change, or read but for a group of this process's. So an
// orchestrator mounts secrets for a user that does not own them. The error is an
// *[ExposedError]. Where the system keeps no such permissions there is nothing to see.
func CheckSecret(path string, info os.FileInfo) error {
	shared := info.Mode().Perm() &^ SecretMode
	if runtime.GOOS == "windows" || shared == 0 || shared == GroupReads && inGroup(info) {
		return nil
	}
	return &ExposedError{path, info.Mode().Perm()}
}
