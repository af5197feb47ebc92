package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/server"
	"github.com/plumbline-mcp/plumbline/tools"
)

// local runs the server's own tools in this process, over a ledger.
type local struct {
	store  *tools.Store
	roots  *tools.Roots
	caller tools.Caller
}

func (f *serviceFlags) local() (*local, error) {
	caller, err := f.caller()
	if err != nil {
		return nil, err
	}
	var dirs []string
	if f.root != "" {
		dirs = append(dirs, f.root)
	}
	roots, err := tools.OpenRoots(dirs, tools.DefaultMaxFile)
	if err != nil {
		return nil, usagef("--root: %v", err)
	}
	return &local{store: tools.NewStore(f.open), roots: roots, caller: caller}, nil
}

func (l *local) close() {
	l.store.Close()
	l.roots.Close()
}

func (l *local) call(ctx context.Context, name string, args map[string]any) ([]byte, error) {
	tool := toolNamed(name, tools.Deps{Roots: l.roots, Ledger: l.store})
	if !tool.Allows(l.caller.Role) {
		return nil, notAllowed(fmt.Sprintf("the role %s", l.caller.Role), tool)
	}
	raw, err := json.Marshal(args)
	if err != nil {
		return nil, err
	}
	answer, err := tool.Run(tools.WithCaller(ctx, l.caller), raw)
	if err != nil {
		return nil, err
	}
	return tools.Encode(answer)
}

func (l *local) read(ctx context.Context, uri string) ([]byte, error) {
	text, err := server.ReadContract(tools.WithCaller(ctx, l.caller), l.store, uri)
	return text, unlessThere(err)
}

func (l *local) chain(ctx context.Context, id string, w io.Writer) error {
	return unlessThere(server.WriteChain(tools.WithCaller(ctx, l.caller), l.store, id, w))
}

// unlessThere is errNotThere for an unknown contract.
func unlessThere(err error) error {
	var unknown *ledger.Error
	if errors.As(err, &unknown) && unknown.Code == ledger.UnknownContract {
		return errNotThere
	}
	return err
}

// toolNamed makes the tool of that name, which there is.
func toolNamed(name string, deps tools.Deps) tools.Tool {
	for _, tool := range tools.All(deps) {
		if tool.Definition.Name == name {
			return tool
		}
	}
	panic("no tool " + name)
}

// notAllowed says that somebody's role may not use a tool, and which may.
func notAllowed(who string, tool tools.Tool) error {
	return usagef("%s may not use %s: act as %s", who, withCommands(tool.Definition.Name), agentready.Choice(tool.Roles))
}
