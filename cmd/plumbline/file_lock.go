package main

import (
	"context"

	"github.com/plumbline-mcp/plumbline/contract/localfile"
)

// alone runs a change of a file while no other process that asks for the same makes one.
func alone(ctx context.Context, path string, change func() error) error {
	unlock, err := interruptible(ctx, func() (func(), error) { return localfile.Lock(realPath(path)) })
	switch {
	case err != nil && ctx.Err() != nil:
		return errInterrupted
	case err != nil:
		return usagef("cannot write %s, because it cannot be locked: %v", path, plain(err))
	}
	defer unlock()
	return change()
}
