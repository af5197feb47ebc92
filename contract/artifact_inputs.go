package contract

import (
	"fmt"
	"io/fs"
	"strconv"
)

// naming is how the rows of an artifact are called as inputs.
type naming struct {
	cases bool // by case id; else by row number, unless keyed
	keyed bool // by the value of the column or member key
	key   string
}

// rowNames are what an artifact's rows are called under one naming.
type rowNames struct {
	numbered int                 // rows named 1, 2, 3, … up to it
	names    map[string]struct{} // the other names
}

// nameRows names the rows of an artifact's bytes. Of several rows with one name, any
// holds it.
func nameRows(path string, data []byte, by naming) *rowNames {
	in := &rowNames{}
	add := func(row) { in.numbered++ }
	if by.cases || by.keyed {
		in.names = map[string]struct{}{}
		add = func(r row) {
			name, ok := r.caseID()
			if by.keyed {
				name, ok = r.column(by.key)
			}
			if ok {
				in.names[name] = struct{}{}
			}
		}
	}
	if !readRows(path, data, add) {
		in.numbered, in.names = 0, nil
	}
	return in
}

// hold says whether a row has the name.
func (in *rowNames) hold(name string) bool {
	if _, ok := in.names[name]; ok {
		return true
	}
	n, err := strconv.Atoi(name)
	return err == nil && isRowNumber(name) && n <= in.numbered
}

// isRowNumber says whether name is [1-9][0-9]*.
func isRowNumber(name string) bool {
	if name == "" || name[0] == '0' {
		return false
	}
	for _, c := range []byte(name) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// artifacts looks inputs up in the files under one root, reading each file once. It
// is not safe for concurrent use.
type artifacts struct {
	root  fs.FS
	files map[string]artifactFile // by path
	known map[artifactKey]artifactNames
	work  int // bytes read, and bytes whose rows were named, once for each naming
}

type artifactFile struct {
	data        []byte
	fingerprint string
	err         error // why it cannot be read
}

type artifactKey struct {
	path, fingerprint string
	naming
}

type artifactNames struct {
	*rowNames
	err error // why they cannot be known
}

func newArtifacts(root fs.FS) *artifacts {
	return &artifacts{root: root, files: map[string]artifactFile{}, known: map[artifactKey]artifactNames{}}
}

// names gives what the rows of the file that ref declares are called. The error says in
// plain words why that cannot be known: the file cannot be read or has other bytes.
func (a *artifacts) names(ref *ArtifactRef, by naming) (*rowNames, error) {
	key := artifactKey{ref.Path, ref.Fingerprint, by}
	got, ok := a.known[key]
	if !ok {
		got = a.look(ref, by)
		a.known[key] = got
	}
	return got.rowNames, got.err
}

func (a *artifacts) look(ref *ArtifactRef, by naming) artifactNames {
	file, ok := a.files[ref.Path]
	if a.work >= maxArtifactWork {
		return artifactNames{err: errTooMuchWork}
	}
	if !ok {
		file.data, file.err = ReadArtifact(a.root, ref.Path)
		file.fingerprint = Fingerprint(file.data)
		a.files[ref.Path] = file
		a.work += len(file.data)
	}
	if err := file.declared(ref); err != nil {
		return artifactNames{err: err}
	}
	a.work += len(file.data)
	return artifactNames{rowNames: nameRows(ref.Path, file.data, by)}
}

// declared says why a file is not the one that ref declares; nil where it is.
func (f artifactFile) declared(ref *ArtifactRef) error {
	if f.err == nil && f.fingerprint != ref.Fingerprint {
		return fmt.Errorf("%s has the fingerprint %s, not %s as declared", quoteName(ref.Path), f.fingerprint, ref.Fingerprint)
	}
	return f.err
}

// readDeclared reads the file that ref declares, if it has the declared fingerprint.
func readDeclared(root fs.FS, ref *ArtifactRef) ([]byte, error) {
	data, err := ReadArtifact(root, ref.Path)
	return data, artifactFile{data, Fingerprint(data), err}.declared(ref)
}
