package server

import (
	"context"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/tools"
)

// completion completes contract ids where an argument is one.
type completion struct {
	store  *tools.Store
	around *middleware
}

// CompletePromptArgument completes the argument of a prompt that the caller may use.
func (c completion) CompletePromptArgument(ctx context.Context, name string, argument mcp.CompleteArgument, _ mcp.CompleteContext) (*mcp.Completion, error) {
	caller, _ := tools.CallerFrom(ctx)
	row, known := promptNamed(name)
	if !known || !slices.Contains(row.roles, caller.Role) || row.argument != argumentContract || argument.Name != argumentContract {
		return c.none(ctx)
	}
	return c.ids(ctx, argument.Value)
}

// CompleteResourceArgument completes the id in a resource's URI; the client encodes it.
func (c completion) CompleteResourceArgument(ctx context.Context, uri string, argument mcp.CompleteArgument, _ mcp.CompleteContext) (*mcp.Completion, error) {
	if _, known := tools.CallerFrom(ctx); !known || !strings.HasPrefix(uri, contractsURI) || argument.Name != "id" {
		return c.none(ctx)
	}
	return c.ids(ctx, argument.Value)
}

// none completes nothing.
func (c completion) none(ctx context.Context) (*mcp.Completion, error) {
	return watch(ctx, c.around, &called{tool: methodComplete}, func(context.Context) (*mcp.Completion, error) {
		return &mcp.Completion{Values: []string{}}, nil
	})
}

// ids gives the first ids that begin with a prefix.
func (c completion) ids(ctx context.Context, prefix string) (*mcp.Completion, error) {
	return watch(ctx, c.around, &called{tool: methodComplete}, func(ctx context.Context) (*mcp.Completion, error) {
		return c.find(ctx, prefix)
	})
}

func (c completion) find(ctx context.Context, prefix string) (*mcp.Completion, error) {
	l, err := c.store.Ledger(ctx)
	if err != nil {
		return nil, plain(err)
	}
	page, more, err := l.Contracts(ctx, ledger.Query{Limit: ledger.MaxPageSize, Prefix: prefix})
	if err != nil {
		return nil, plain(err)
	}
	values := make([]string, len(page))
	for i, s := range page {
		values[i] = s.ContractID
	}
	return &mcp.Completion{Values: values, HasMore: more}, nil
}
