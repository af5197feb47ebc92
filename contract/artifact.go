package contract

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
)

// Limits of reading an artifact, a file of cases or rows that a contract names.
const (
	MaxArtifactBytes = 8 << 20 // bytes of one artifact
	maxArtifactLinks = 40      // symbolic links followed on the way to one
	// MaxKeptBytes is how many bytes the case and domain files of one revision may have
	// together to be kept in a ledger.
	MaxKeptBytes = 8 * MaxArtifactBytes

	// maxArtifactWork is how many bytes are read and looked through, together, for the
	// findings of a round or a chain: a contract may name one file by many keys.
	maxArtifactWork = 8 * MaxArtifactBytes
)

// What may be wrong with an artifact, beside what the file system says.
var (
	// ErrNoRoot says that there is no root to read artifacts under.
	ErrNoRoot = errors.New("no root directory was given to read artifacts from")
	// ErrLinkLeavesRoot says that a link on an artifact's path leads out of the root,
	// which AAC404 forbids (objects page, section 3).
	ErrLinkLeavesRoot = errors.New("a link on its path leads out of the root directory")
	// ErrTooMuchKept says that a contract names more than [MaxKeptBytes] of artifacts.
	ErrTooMuchKept = fmt.Errorf("with it the artifacts have more than %d bytes together", MaxKeptBytes)

	errTooManyLinks = fmt.Errorf("more than %d links stand on its path", maxArtifactLinks)
	errNotRegular   = errors.New("it is not a regular file")
	errTooMuchWork  = fmt.Errorf("the files that findings name have more than %d bytes to look through, one by many keys counted for each", maxArtifactWork)
	errTooLarge     = fmt.Errorf("it has more than %d bytes, the most that an artifact may have", MaxArtifactBytes)
)

// ReadArtifact gives the bytes of the regular file at name, a path that
// [fs.ValidPath] accepts, under root. Links are followed inside the root only;
// absolute ones count as leaving it. At most [MaxArtifactBytes] are read.
//
// The error names the file and wraps [ErrNoRoot] where root is nil,
// [ErrLinkLeavesRoot], or what the file system says, as [fs.ErrNotExist].
func ReadArtifact(root fs.FS, name string) ([]byte, error) {
	data, err := readRegular(root, name)
	var system *fs.PathError
	if errors.As(err, &system) {
		err = system.Err // without the path, which is a stranger's and shown escaped
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", quoteName(name), err)
	}
	return data, nil
}

func readRegular(root fs.FS, name string) ([]byte, error) {
	if root == nil {
		return nil, ErrNoRoot
	}
	real, err := followLinks(root, name)
	if err != nil {
		return nil, err
	}
	// Asked before opening, since opening a pipe would wait for its other end.
	info, err := fs.Stat(root, real)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	f, err := root.Open(real)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxArtifactBytes+1))
	if err == nil && len(data) > MaxArtifactBytes {
		err = errTooLarge
	}
	return data, err
}

// followLinks gives the path of name without links, element by element, so that
// ".." after a link means what it means to the system. It also guards roots that do
// not guard themselves, as [os.DirFS].
func followLinks(root fs.FS, name string) (string, error) {
	if !fs.ValidPath(name) {
		return "", &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	real, links := ".", 0
	for rest := strings.Split(name, "/"); len(rest) > 0; {
		element := rest[0]
		rest = rest[1:]
		switch element {
		case "", ".":
			continue
		case "..":
			if real == "." {
				return "", ErrLinkLeavesRoot
			}
			real = path.Dir(real)
			continue
		}
		next := path.Join(real, element)
		target, err := linkTarget(root, next)
		if err != nil {
			return "", err
		}
		if target == "" {
			real = next
			continue
		}
		if links++; links > maxArtifactLinks {
			return "", errTooManyLinks
		}
		rest = append(strings.Split(target, "/"), rest...)
	}
	return real, nil
}

// linkTarget is where the link at name leads, with slashes; empty where name is no
// link.
func linkTarget(root fs.FS, name string) (string, error) {
	info, err := fs.Lstat(root, name)
	if err != nil {
		return "", err
	}
	if info.Mode()&fs.ModeSymlink == 0 {
		return "", nil
	}
	target, err := fs.ReadLink(root, name)
	if err != nil {
		return "", err
	}
	if filepath.IsAbs(target) || path.IsAbs(target) || filepath.VolumeName(target) != "" {
		return "", ErrLinkLeavesRoot
	}
	return filepath.ToSlash(target), nil
}
