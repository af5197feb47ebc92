package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Role is what a caller is to the work: it decides which tools there are for it.
type Role string

// The three roles.
const (
	Builder Role = "builder"
	Judge   Role = "judge"
	Owner   Role = "owner"
)

// Roles are all roles.
var Roles = []Role{Builder, Judge, Owner}

// ParseRole reads a role. The error names the allowed ones.
func ParseRole(s string) (Role, error) {
	if slices.Contains(Roles, Role(s)) {
		return Role(s), nil
	}
	names := make([]string, len(Roles))
	for i, r := range Roles {
		names[i] = string(r)
	}
	return "", fmt.Errorf("unknown role %q: use %s", s, strings.Join(names, ", "))
}

// Caller is who makes a call: the server puts it into the context of every request.
type Caller struct {
	Name string
	Role Role
	// Contracts are globs for the ids of the contracts that the caller may use; all
	// others are unknown to it. nil is all. In a glob, * and ? stand for characters
	// other than /, ** for any number of whole segments between them, [a-c] and {a,b}
	// for a choice; payments/** is also payments itself.
	Contracts []string
}

// MayUse says whether a contract of that id is one of the caller's. A glob that is
// none matches nothing.
func (c Caller) MayUse(id string) bool {
	return c.Contracts == nil || slices.ContainsFunc(c.Contracts, func(glob string) bool {
		matches, err := doublestar.Match(glob, id)
		return err == nil && matches
	})
}

// prefixes are what the ids begin with that the caller may use.
func (c Caller) prefixes() []string {
	prefixes := make([]string, len(c.Contracts))
	for i, glob := range c.Contracts {
		prefixes[i] = beginning(glob)
	}
	return prefixes
}

// beginning is what every id begins with that a glob matches: its text up to the first
// character that stands for others, but for a slash there, which ** can be without.
func beginning(glob string) string {
	if at := strings.IndexAny(glob, `*?[{\`); at >= 0 {
		glob = glob[:at]
	}
	return strings.TrimSuffix(glob, "/")
}

type callerKey struct{}

// WithCaller gives a context in which c is the caller.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerFrom finds the caller; false where the context has none.
func CallerFrom(ctx context.Context) (Caller, bool) {
	c, ok := ctx.Value(callerKey{}).(Caller)
	return c, ok
}
