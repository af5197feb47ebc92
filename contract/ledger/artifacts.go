package ledger

import (
	"bytes"
	"cmp"
	"context"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/plumbline-mcp/plumbline/contract"
)

// keepArtifacts stores the files that a revision was registered with.
func keepArtifacts(ctx context.Context, q querier, c *contract.Contract, files map[string][]byte) error {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		body := files[name]
		if body == nil {
			body = []byte{} // an empty file is no NULL
		}
		_, err := q.ExecContext(ctx, `INSERT INTO artifacts (contract, revision, path, sha256, body) VALUES ($1, $2, $3, $4, $5)`,
			c.ID, c.Revision, name, contract.SHA256(body), body)
		if err != nil {
			return err
		}
	}
	return nil
}

// keptFiles are the artifacts of one revision as a file system, each read when it is
// opened. It lives as long as the transaction that it reads by.
type keptFiles struct {
	ctx      context.Context
	q        querier
	id       string
	revision int64
	names    []string // of all files, once listed
	listed   bool
	// failed is what the database said at the first trouble. To a reader it is a file's,
	// so who asks for a judgment of the files looks here first: what cannot be read is not
	// damaged.
	failed error
}

func newKeptFiles(ctx context.Context, q querier, id string, revision int64) *keptFiles {
	return &keptFiles{ctx: ctx, q: q, id: id, revision: revision}
}

// Open opens a file, or a directory that holds one (which cannot be listed).
func (k *keptFiles) Open(name string) (fs.File, error) {
	info, err := k.find("open", name)
	if err != nil {
		return nil, err
	}
	file := &keptFile{info: info, Reader: bytes.NewReader(nil)}
	if info.dir {
		return file, nil
	}
	var body []byte
	err = k.q.QueryRowContext(k.ctx, `SELECT body FROM artifacts WHERE contract = $1 AND revision = $2 AND path = $3`, k.id, k.revision, name).Scan(&body)
	if k.fail(err) != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	file.info.size = int64(len(body))
	file.Reader.Reset(body)
	return file, nil
}

// Stat tells a file from a directory. Sizes are known of open files only.
func (k *keptFiles) Stat(name string) (fs.FileInfo, error) {
	info, err := k.find("stat", name)
	if err != nil {
		return nil, err
	}
	return info, nil
}

func (k *keptFiles) find(op, name string) (keptInfo, error) {
	if !fs.ValidPath(name) {
		return keptInfo{}, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	if err := k.list(); err != nil {
		return keptInfo{}, &fs.PathError{Op: op, Path: name, Err: err}
	}
	isDir := name == "." || slices.ContainsFunc(k.names, func(file string) bool { return strings.HasPrefix(file, name+"/") })
	if !isDir && !slices.Contains(k.names, name) {
		return keptInfo{}, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	return keptInfo{name: path.Base(name), dir: isDir}, nil
}

// fail keeps the first error, and gives the one that it is given.
func (k *keptFiles) fail(err error) error {
	k.failed = cmp.Or(k.failed, err)
	return err
}

// list reads the names once. Its error is also the files'.
func (k *keptFiles) list() error {
	if k.listed {
		return nil
	}
	rows, err := k.q.QueryContext(k.ctx, `SELECT path FROM artifacts WHERE contract = $1 AND revision = $2 ORDER BY path`, k.id, k.revision)
	if err != nil {
		return k.fail(err)
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return k.fail(err)
		}
		names = append(names, name)
	}
	if err := rows.Err(); err != nil {
		return k.fail(err)
	}
	k.names, k.listed = names, true
	return nil
}

type keptFile struct {
	*bytes.Reader
	info keptInfo
}

func (f *keptFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *keptFile) Close() error               { return nil }

type keptInfo struct {
	name string
	size int64
	dir  bool
}

func (i keptInfo) Name() string     { return i.name }
func (i keptInfo) Size() int64      { return i.size }
func (keptInfo) ModTime() time.Time { return time.Time{} }
func (i keptInfo) IsDir() bool      { return i.dir }
func (keptInfo) Sys() any           { return nil }
func (i keptInfo) Mode() fs.FileMode {
	if i.dir {
		return fs.ModeDir | 0o555
	}
	return 0o444
}
