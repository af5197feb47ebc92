package auth

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"log/slog"
	"sync"
	"time"

	"github.com/plumbline-mcp/plumbline/contract/localfile"
	"github.com/plumbline-mcp/plumbline/tools"
)

// Tokens are the tokens of a file as it is now: each call sees what was added or
// revoked before. While the file cannot be used, also when it is gone, those of the
// last good one stay in force. It is safe for concurrent use.
type Tokens struct {
	path string
	log  *slog.Logger
	now  func() time.Time

	mu     sync.Mutex
	good   []known
	seen   localfile.Seen // the file, good or not
	broken bool           // whether it cannot be used, which is logged once
}

// known is a token as it is compared.
type known struct {
	digest [sha256.Size]byte
	Entry
}

// Open reads the tokens file. The error says what is wrong with it and what to do, and
// repeats nothing of its contents. log, nil for none, gets a line when the file breaks
// and when it is good again.
func Open(path string, log *slog.Logger) (*Tokens, error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	t := &Tokens{path: path, log: log, now: time.Now}
	if err := t.load(); err != nil {
		return nil, err
	}
	return t, nil
}

// Identify gives who a token belongs to. The error is [ErrInvalid] whatever is wrong
// with it.
func (t *Tokens) Identify(token string) (Identity, error) {
	if len(token) != tokenLength {
		return Identity{}, ErrInvalid
	}
	digest := sha256.Sum256([]byte(token))
	var found *Entry
	tokens := t.current()
	for i := range tokens { // all of them: the time must not tell which it was
		if subtle.ConstantTimeCompare(digest[:], tokens[i].digest[:]) == 1 {
			found = &tokens[i].Entry
		}
	}
	if found == nil || found.Expired(t.now()) {
		return Identity{}, ErrInvalid
	}
	return Identity{ID: found.ID(), Caller: tools.Caller{Name: found.Name, Role: found.Role, Contracts: found.Contracts}}, nil
}

// current gives the tokens in force, which nobody changes.
func (t *Tokens) current() []known {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.seen.Unchanged(t.path) {
		return t.good
	}
	err := t.load()
	switch {
	case err != nil && !t.broken:
		t.log.Error("the tokens file cannot be used; the tokens of the last good one stay in force", "error", err)
	case err == nil && t.broken:
		t.log.Info("the tokens file can be used again", "tokens", len(t.good))
	}
	t.broken = err != nil
	return t.good
}

// load reads the file and, where it is good, puts its tokens in force.
func (t *Tokens) load() error {
	at := t.now()
	f, info, err := readFile(t.path)
	t.seen.Note(info, at)
	if err != nil {
		return err
	}
	good := make([]known, len(f.Tokens))
	for i, e := range f.Tokens {
		good[i].Entry = e
		if _, err := hex.Decode(good[i].digest[:], []byte(e.SHA256)); err != nil {
			return err
		}
	}
	t.good = good
	return nil
}
