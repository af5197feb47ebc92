// Package auth tells who a request comes from by its bearer token (design: Roles).
//
// Tokens stand in a file that `plumbline token` writes and a server reads: of each
// only the SHA-256, with the name, the role and the contracts that it is good for. A
// token itself is shown once, when it is made, and kept nowhere.
package auth

import (
	"errors"

	"github.com/plumbline-mcp/plumbline/tools"
)

// Identity is who a token belongs to.
type Identity struct {
	// ID is the token's own: it tells two tokens of one name apart, says nothing about
	// the token's text, and stays the same for as long as the token is good.
	ID     string
	Caller tools.Caller
}

// ErrInvalid is the one answer to every token that is not good: unknown, revoked,
// expired, or not a token at all. It does not say which.
var ErrInvalid = errors.New("the token is not valid: ask who runs the server for one that is")
