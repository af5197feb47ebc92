package contract

import (
	"io/fs"
	"strings"
)

// safeArtifactPath says whether an artifact's path is a plain path under the root
// (objects page, section 3): one that [fs.ValidPath] accepts, not ".", without
// backslash, NUL or drive letter.
func safeArtifactPath(path string) bool {
	return fs.ValidPath(path) && path != "." && !strings.ContainsAny(path, "\\\x00") && !hasDriveLetter(path)
}

func hasDriveLetter(path string) bool {
	if len(path) < 2 || path[1] != ':' {
		return false
	}
	letter := path[0] | 0x20
	return 'a' <= letter && letter <= 'z'
}
