package auth

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/contract/localfile"
	"github.com/plumbline-mcp/plumbline/tools"
)

const (
	prefix      = "plb_"                            // of every token, so that scanners for secrets know one
	randomBytes = 32                                // of a token
	tokenLength = len(prefix) + (randomBytes*8+5)/6 // characters, all ASCII

	idLength = 8 // hex digits of a token's SHA-256 that are its id

	fileVersion = 1
	maxFileSize = 8 << 20 // bytes, some 20,000 tokens
)

// everything is the glob that matches every contract's id.
const everything = "**"

// file is the tokens file: JSON, mode 0600.
//
//	{
//	  "version": 1,
//	  "tokens": [
//	    {
//	      "sha256": "64 lower-case hex digits",
//	      "name": "ci",
//	      "role": "builder",
//	      "contracts": ["payments/**"],
//	      "created": "2026-11-30T10:00:00Z",
//	      "expires": "2027-01-31T23:59:59Z"
//	    }
//	  ]
//	}
//
// All members are required but for expires. Others are refused: one that was misspelt
// must not make a token good for more than was meant.
type file struct {
	Version int     `json:"version"`
	Tokens  []Entry `json:"tokens"`
}

// Entry is what is kept of a token.
type Entry struct {
	SHA256    string     `json:"sha256"` // of the token's text
	Name      string     `json:"name"`   // by the ledger's rules for callers; of several tokens, if need be
	Role      tools.Role `json:"role"`
	Contracts []string   `json:"contracts"` // as [tools.Caller] has them; at least one
	Created   time.Time  `json:"created"`
	Expires   *time.Time `json:"expires,omitempty"` // the last moment at which it is good; nil for no end
}

// ID names a token to people: the first digits of its SHA-256.
func (e Entry) ID() string { return e.SHA256[:idLength] }

// Expired says whether the token has come to its end.
func (e Entry) Expired(now time.Time) bool { return e.Expires != nil && now.After(*e.Expires) }

// newToken makes a token of random bytes.
func newToken() string {
	random := make([]byte, randomBytes)
	rand.Read(random) // never fails: it ends the program instead
	return prefix + base64.RawURLEncoding.EncodeToString(random)
}

// digestOf is what the file keeps of a token.
func digestOf(token string) string {
	digest := sha256.Sum256([]byte(token))
	return hex.EncodeToString(digest[:])
}

// readFile reads the tokens file, and how it was when it was read: nil where it could not
// be, also where another attempt might. Errors say what to do, and nothing of what the file
// holds.
func readFile(path string) (*file, os.FileInfo, error) {
	data, info, err := readPrivate(path)
	if err != nil {
		return nil, info, err
	}
	parsed, err := parse(data)
	if err != nil {
		return nil, info, fmt.Errorf("the tokens file %s cannot be used: %w", path, err)
	}
	return parsed, info, nil
}

// readPrivate reads a file that is kept from others.
func readPrivate(path string) ([]byte, os.FileInfo, error) {
	f, info, err := localfile.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, fmt.Errorf("there is no tokens file %s (`plumbline token add` makes it)", path)
	case err != nil:
		return nil, nil, fmt.Errorf("the tokens file cannot be read: %w: give the path of a file that can", err)
	}
	defer f.Close()
	if err := localfile.CheckSecret(path, info); err != nil {
		return nil, info, fmt.Errorf("the tokens file %w, and replace the tokens if others may have written to it", err)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxFileSize+1))
	if err != nil {
		return nil, nil, fmt.Errorf("the tokens file cannot be read: %w", err)
	}
	if len(data) > maxFileSize {
		return nil, info, fmt.Errorf("the tokens file %s has more than %d bytes: revoke tokens that nobody uses", path, maxFileSize)
	}
	return data, info, nil
}

// parse reads the file's text and holds it to the rules.
func parse(data []byte) (*file, error) {
	var f file
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(&f)
	if _, more := decoder.Token(); err == nil && more != io.EOF {
		err = errors.New("more follows")
	}
	if f.Version > fileVersion {
		return nil, fmt.Errorf("it has version %d, this program knows version %d: update plumbline", f.Version, fileVersion)
	}
	if err != nil || f.Version < 1 || f.Tokens == nil {
		// The decoder's own words may repeat what the file holds.
		return nil, fmt.Errorf("it is not what `plumbline token` writes, up to byte %d: restore it from a copy, or make a new one", decoder.InputOffset())
	}
	// Names of members that package json takes for others, and one member twice.
	if exact, err := contract.Decode(data); err != nil || !namesKnown(exact) {
		return nil, errors.New("it has a member twice, or under a name that `plumbline token` does not write: mend it, or restore it from a copy")
	}
	seen := map[string]bool{}
	for i, e := range f.Tokens {
		if problem := e.problem(); problem != "" {
			return nil, fmt.Errorf("token %d has no valid %s: mend it, or take the token out", i+1, problem)
		}
		if seen[e.ID()] {
			return nil, fmt.Errorf("token %d stands in it twice: take one out", i+1)
		}
		seen[e.ID()] = true
	}
	return &f, nil
}

// The members of the file and of a token, by their exact names: package json takes other
// letters for them as well.
var (
	fileMembers  = []string{"version", "tokens"}
	entryMembers = []string{"sha256", "name", "role", "contracts", "created", "expires"}
)

func namesKnown(v *contract.Value) bool {
	known := func(v *contract.Value, names []string) bool {
		return !slices.ContainsFunc(v.Members, func(m contract.Member) bool { return !slices.Contains(names, m.Name) })
	}
	tokens := v.Get("tokens")
	return known(v, fileMembers) && tokens != nil && !slices.ContainsFunc(tokens.Items, func(e *contract.Value) bool { return !known(e, entryMembers) })
}

// problem names the member that is not as it must be; empty for none.
func (e Entry) problem() string {
	digest, err := hex.DecodeString(e.SHA256)
	if err != nil || hex.EncodeToString(digest) != e.SHA256 || len(digest) != sha256.Size {
		return "sha256"
	}
	if ledger.CheckName(e.Name) != nil {
		return "name"
	}
	if _, err := tools.ParseRole(string(e.Role)); err != nil {
		return "role"
	}
	if checkContracts(e.Contracts) != nil {
		return "contracts"
	}
	if e.Created.IsZero() {
		return "created"
	}
	return ""
}

// checkContracts refuses globs that match nothing because they are none.
func checkContracts(globs []string) error {
	if len(globs) == 0 {
		return fmt.Errorf("no contracts: use %s for all", everything)
	}
	for _, glob := range globs {
		if glob == "" || !doublestar.ValidatePattern(glob) {
			return fmt.Errorf("%q is no pattern for ids of contracts: use such as payments/** or %s", glob, everything)
		}
	}
	return nil
}
