package auth

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/contract/localfile"
	"github.com/plumbline-mcp/plumbline/tools"
)

// Grant is what a new token is to be good for.
type Grant struct {
	Name      string // by the ledger's rules for callers
	Role      tools.Role
	Contracts []string  // as [tools.Caller] has them; nil for all
	Expires   time.Time // the last moment, in the future; zero for no end
}

// check refuses a grant that no token can have.
func (g Grant) check() error {
	if err := ledger.CheckName(g.Name); err != nil {
		return err
	}
	if _, err := tools.ParseRole(string(g.Role)); err != nil {
		return err
	}
	if g.Contracts != nil {
		if err := checkContracts(g.Contracts); err != nil {
			return err
		}
	}
	if !g.Expires.IsZero() && !g.Expires.After(time.Now()) {
		return fmt.Errorf("the expiry %s is past: give a later one", g.Expires.UTC().Format(time.RFC3339))
	}
	return nil
}

// entry is what is kept of a token with the grant.
func (g Grant) entry(token string) Entry {
	e := Entry{SHA256: digestOf(token), Name: g.Name, Role: g.Role, Contracts: g.Contracts, Created: time.Now().UTC().Truncate(time.Second)}
	if e.Contracts == nil {
		e.Contracts = []string{everything}
	}
	if !g.Expires.IsZero() {
		expires := g.Expires.UTC()
		e.Expires = &expires
	}
	return e
}

// Add makes a token and writes what is kept of it into the tokens file, which is made
// where it is missing. The token itself is nowhere but in the answer.
func Add(path string, g Grant) (token string, added Entry, err error) {
	if err := g.check(); err != nil {
		return "", Entry{}, err
	}
	err = change(path, true, func(f *file) error {
		known := func(id string) bool {
			return slices.ContainsFunc(f.Tokens, func(e Entry) bool { return e.ID() == id })
		}
		for token == "" || known(added.ID()) {
			token = newToken()
			added = g.entry(token)
		}
		f.Tokens = append(f.Tokens, added)
		return nil
	})
	if err != nil {
		return "", Entry{}, err
	}
	return token, added, nil
}

// List reads what is kept of all tokens, in the order in which they were added.
func List(path string) ([]Entry, error) {
	f, _, err := readFile(path)
	if err != nil {
		return nil, err
	}
	return f.Tokens, nil
}

// Revoke takes the token of that id out of the file, or all tokens of that name, and
// gives them; none where there is no such token.
func Revoke(path, which string) ([]Entry, error) {
	revoked := []Entry{}
	err := change(path, false, func(f *file) error {
		kept := []Entry{}
		for _, e := range f.Tokens {
			if e.ID() == which || e.Name == which {
				revoked = append(revoked, e)
			} else {
				kept = append(kept, e)
			}
		}
		f.Tokens = kept
		if len(revoked) == 0 {
			return errNothing
		}
		return nil
	})
	if err != nil && !errors.Is(err, errNothing) {
		return nil, err
	}
	return revoked, nil
}

// errNothing ends a change that changes nothing.
var errNothing = errors.New("nothing to change")

// change lets do change the tokens while no other process does, and replaces the file
// whole or not at all. create says that a missing file is an empty one.
func change(path string, create bool, do func(*file) error) error {
	path, err := resolve(path)
	if err != nil {
		return err
	}
	if _, _, err := readOrMake(path, create); err != nil {
		return err // before a lock stands beside what is no tokens file
	}
	unlock, err := localfile.Lock(path)
	if err != nil {
		return fmt.Errorf("the tokens file cannot be locked: %w", err)
	}
	defer unlock()
	f, old, err := readOrMake(path, create)
	if err != nil {
		return err
	}
	if err := do(f); err != nil {
		return err
	}
	data, err := json.MarshalIndent(f, "", "  ")
	if err == nil {
		err = replace(path, append(data, '\n'), old)
	}
	if err != nil {
		return fmt.Errorf("the tokens file is as it was, because it cannot be written: %w", err)
	}
	return nil
}

// readOrMake reads the file; where create says so, one that is missing is empty, with
// no info.
func readOrMake(path string, create bool) (*file, os.FileInfo, error) {
	if _, err := os.Stat(path); create && errors.Is(err, fs.ErrNotExist) {
		return &file{Version: fileVersion, Tokens: []Entry{}}, nil, nil
	}
	return readFile(path)
}

// resolve gives the one path of a file that may be missing, so that whoever names it
// through a link waits for the same lock and replaces the file, not the link.
func resolve(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return real, explained(err)
	}
	if _, err := os.Lstat(path); err == nil {
		return "", fmt.Errorf("%s is a link to a file that is not there: make the file, or take the link away", path)
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	return filepath.Join(dir, filepath.Base(path)), explained(err)
}

func explained(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the place of the tokens file cannot be used: %w", err)
}

// replace writes beside the file, forces it to the disk, and renames then. old is the
// file that was there, nil for none: a server that could read that one can read this.
func replace(path string, data []byte, old os.FileInfo) error {
	dir := filepath.Dir(path)
	part, err := os.CreateTemp(dir, "."+filepath.Base(path)+".*") // of mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(part.Name()) // gone already where all went well
	_, err = part.Write(data)
	if err == nil {
		err = keepOwner(part, old)
	}
	if err == nil {
		err = part.Sync()
	}
	if closed := part.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(part.Name(), path)
	}
	if err != nil {
		return err
	}
	if d, err := os.Open(dir); err == nil { // the file is replaced, whatever a directory allows
		d.Sync()
		d.Close()
	}
	return nil
}
