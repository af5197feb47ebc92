package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"
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
