package scan

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"

	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// PolicyName is what policy files are called.
const PolicyName = ".plumbline.yaml"

// MaxPolicy is the largest policy file, in bytes.
const MaxPolicy = 1 << 20

// FindPolicy reads the policy file for the document at a path in files: the nearest,
// beside the document or above, but not above the repository that holds it. It is nil
// where there is none. Policy.File is its path in files. Errors are *[PolicyError]s.
func FindPolicy(files fs.FS, document string) (*Policy, error) {
	for dir := path.Dir(document); ; dir = path.Dir(dir) {
		name := path.Join(dir, PolicyName)
		data, err := readPolicyFile(files, name)
		switch {
		case err == nil:
			return namedPolicy(name, data)
		case !errors.Is(err, fs.ErrNotExist):
			return nil, &PolicyError{File: name, Problems: []*surface.ReadError{{
				Message: err.Error(), Hint: fmt.Sprintf("make it a readable file of at most %d MiB", MaxPolicy>>20),
			}}}
		}
		if _, err := fs.Stat(files, path.Join(dir, ".git")); dir == "." || !errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
	}
}

func namedPolicy(name string, data []byte) (*Policy, error) {
	policy, err := ReadPolicy(data)
	var broken *PolicyError
	if errors.As(err, &broken) {
		broken.File = name
		return nil, broken
	}
	policy.File = name
	return policy, nil
}

// readPolicyFile reads a regular file. It looks before it opens: a named pipe may
// never end.
func readPolicyFile(files fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(files, name)
	if errors.Is(err, fs.ErrNotExist) {
		if _, taken := fs.Lstat(files, name); taken == nil { // else it would be as if there were none
			return nil, errors.New("it is a link that leads nowhere")
		}
	}
	if err != nil {
		return nil, cause(err)
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	f, err := files.Open(name)
	if err != nil {
		return nil, cause(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxPolicy+1))
	if err == nil && len(data) > MaxPolicy {
		err = fmt.Errorf("it is larger than %d MiB", MaxPolicy>>20)
	}
	return data, err
}

// cause is err without the operation and path that the system puts before it.
func cause(err error) error {
	var pe *fs.PathError
	for errors.As(err, &pe) {
		err = pe.Err
	}
	return err
}
