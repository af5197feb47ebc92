package openapi

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"strings"

	"github.com/plumbline-mcp/plumbline/scan/node"
)

// files opens the other files a document refers to, inside one file system.
type files struct {
	ctx   context.Context
	fsys  fs.FS
	at    map[*node.Tree]string // where each tree lies in fsys
	trees map[string]opened
	left  int64 // bytes that may still be read
}

type opened struct {
	tree *node.Tree
	err  error
}

func newFiles(ctx context.Context, root *node.Tree, opts Options) *files {
	where := path.Clean(strings.TrimPrefix(opts.Path, "./"))
	return &files{
		ctx:   ctx,
		fsys:  opts.Files,
		at:    map[*node.Tree]string{root: where},
		trees: map[string]opened{where: {tree: root}},
		left:  maxFileBytes,
	}
}

// open is the tree of the file that ref names, relative to that of from.
func (f *files) open(from *node.Tree, ref string) (*node.Tree, error) {
	name := ref
	if plain, err := url.PathUnescape(ref); err == nil {
		name = plain
	}
	absolute := path.IsAbs(name)
	name = path.Join(path.Dir(f.at[from]), name)
	if f.fsys == nil {
		if known := f.trees[name]; known.tree != nil && name != "." && !absolute {
			return known.tree, nil // the document names itself
		}
		return nil, node.ErrNotAllowed
	}
	if absolute || !fs.ValidPath(name) {
		return nil, errOutside
	}
	o, ok := f.trees[name]
	if !ok {
		o.tree, o.err = f.read(name)
		f.trees[name] = o
		if o.tree != nil {
			f.at[o.tree] = name
		}
	}
	return o.tree, o.err
}

func (f *files) read(name string) (*node.Tree, error) {
	if err := f.ctx.Err(); err != nil {
		return nil, err
	}
	if len(f.trees) > maxFiles {
		return nil, fmt.Errorf("the document refers to more than %d files; bundle them", maxFiles)
	}
	info, err := fs.Stat(f.fsys, name)
	if err != nil {
		return nil, reason(err)
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	if f.left -= info.Size(); f.left < 0 {
		return nil, fmt.Errorf("the files referred to have more than %d bytes together; leave out what is not needed", maxFileBytes)
	}
	data, err := fs.ReadFile(f.fsys, name)
	if err != nil {
		return nil, reason(err)
	}
	tree, _, err := parse(name, name, data)
	if err != nil {
		return nil, err
	}
	return tree, nil
}

// reason is an error of the file system without the path, which may say more of
// the machine than the document's author should know.
func reason(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("there is no such file under the root; correct the path or add the file")
	case errors.Is(err, fs.ErrPermission):
		return errors.New("reading it is not permitted")
	}
	for pathErr := (*fs.PathError)(nil); errors.As(err, &pathErr); {
		err = pathErr.Err
	}
	if strings.Contains(err.Error(), "escapes") { // os.Root has no error value for it
		return errOutside
	}
	return fmt.Errorf("%w; correct the path", err)
}

var errOutside = errors.New("it is outside the root; move it below the root, or give a --root that holds both")
