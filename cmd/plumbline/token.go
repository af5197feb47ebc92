package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/server/auth"
	"github.com/plumbline-mcp/plumbline/tools"
)

const tokenHelp = `A server that a team shares knows by a bearer token who calls: under which name, in
which role, and about which contracts. The tokens file keeps only the SHA-256 of each.
A running server sees every change at the next call.`

func newTokenCmd(p *process) *cobra.Command {
	return newGroup("token", "Add, list and revoke the tokens of a team's server", tokenHelp,
		newTokenAddCmd(p),
		newTokenListCmd(p),
		newTokenRevokeCmd(p),
	)
}

// addTokens gives a command the flag --tokens, without which it does not run.
func addTokens(cmd *cobra.Command) *string {
	path := cmd.Flags().String("tokens", "", "the tokens file, as `FILE`")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if *path == "" {
			return usagef("--tokens FILE is missing: name the tokens file of the server")
		}
		return nil
	}
	return path
}

const tokenAddHelp = `Make a token and print it, alone and this once: nothing can show it again. The
tokens file, and its directory, are made where they are missing, for their owner alone.

--contracts takes the ids that the token is good for; all other contracts are unknown
to it. * and ? stand for characters other than /, ** for whole segments between them:
payments/* is payments/refunds, but not payments/eu/refunds; payments/** is both, and
payments itself.`

const tokenAddExample = `  plumbline token add --tokens tokens.json --name ci --expires 2027-01-31
  plumbline token add --tokens tokens.json --name ann --role judge \
    --contracts 'payments/**'`

func newTokenAddCmd(p *process) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "add",
		Short:   "Make a token and print it once",
		Long:    tokenAddHelp,
		Example: tokenAddExample,
		Args:    atMost(0, "no arguments"),
	}
	path := addTokens(cmd)
	f := cmd.Flags()
	name := f.String("name", "", "the `NAME` that stands in what is recorded with the token")
	role := f.String("role", string(tools.Builder), "the `ROLE` it gives: "+agentready.Choice(tools.Roles))
	contracts := f.StringArray("contracts", nil, "good for contracts whose ids match `GLOB`; may be repeated (default all)")
	expires := f.String("expires", "", "good until the end of that `DATE` in UTC, such as 2027-01-31, or until a time of RFC 3339")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *name == "" {
			return usagef("--name NAME is missing: say whose token it is to be")
		}
		acts, err := tools.ParseRole(*role)
		if err != nil {
			return usagef("--role: %v", err)
		}
		until, err := parseExpiry(*expires)
		if err != nil {
			return err
		}
		return p.addToken(cmd.Context(), *path, auth.Grant{Name: *name, Role: acts, Contracts: *contracts, Expires: until})
	}
	return cmd
}

// parseExpiry reads --expires: zero where it was not given, for a date its last second
// in UTC.
func parseExpiry(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	if day, err := time.Parse(time.DateOnly, s); err == nil {
		return day.AddDate(0, 0, 1).Add(-time.Second), nil
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return t, usagef("--expires %q: use a date such as 2027-01-31, or a time such as 2027-01-31T18:00:00Z", s)
	}
	return t, nil
}

func (p *process) addToken(ctx context.Context, path string, grant auth.Grant) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return usagef("--tokens %s: its directory cannot be made: %v", path, plain(err))
	}
	var added auth.Entry
	token, err := interruptible(ctx, func() (token string, err error) {
		token, added, err = auth.Add(path, grant)
		return token, err
	})
	if err != nil {
		return tokenError(err)
	}
	if _, err := fmt.Fprintln(p.stdout, token); err != nil {
		return usagef("the token could not be written out: take it back with `plumbline token revoke --tokens %s %s`: %v", path, added.ID(), plain(err))
	}
	p.complain("made the token %s: keep it, it is not shown again", describe(added))
	return nil
}

// describe names a token to a person.
func describe(e auth.Entry) string { return fmt.Sprintf("%s of %s, %s", e.ID(), e.Name, e.Role) }

// tokenError words an error about the tokens file for the terminal.
func tokenError(err error) error {
	var ended *exitError
	var named *ledger.Error
	switch {
	case errors.As(err, &ended): // interrupted, or a mistake of this program
		return err
	case errors.As(err, &named):
		return usagef("--name: %s", named.Message)
	}
	return usagef("%v", err)
}

// listedToken is a token in the answer of `token list`.
type listedToken struct {
	ID        string     `json:"id"`
	Name      string     `json:"name"`
	Role      tools.Role `json:"role"`
	Contracts []string   `json:"contracts"`
	Created   time.Time  `json:"created"`
	Expires   *time.Time `json:"expires"` // null for no end
	Expired   bool       `json:"expired"`
}

func newTokenListCmd(p *process) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the tokens: whose they are and what they are good for",
		Args:  atMost(0, "no arguments"),
	}
	path := addTokens(cmd)
	view := addView(cmd)
	cmd.RunE = func(*cobra.Command, []string) error {
		entries, err := auth.List(*path)
		if err != nil {
			return tokenError(err)
		}
		list, now := make([]listedToken, len(entries)), time.Now()
		for i, e := range entries {
			list[i] = listedToken{e.ID(), e.Name, e.Role, e.Contracts, e.Created, e.Expires, e.Expired(now)}
		}
		if *view == viewJSON {
			return p.writeJSON(map[string][]listedToken{"tokens": list})
		}
		return p.printTokens(list)
	}
	return cmd
}

func (p *process) printTokens(list []listedToken) error {
	page := p.newPage(p.stdout)
	for _, t := range list {
		page.line("%s %s, %s", t.ID, t.Name, t.Role)
		page.text("contracts %s", strings.Join(t.Contracts, ", "))
		switch {
		case t.Expires == nil:
			page.text("does not expire")
		case t.Expired:
			page.text("expired %s", stamp(*t.Expires))
		default:
			page.text("expires %s", stamp(*t.Expires))
		}
	}
	if len(list) == 0 {
		page.line("no tokens: `plumbline token add` makes one")
	}
	return page.print(p.stdout)
}

const tokenRevokeHelp = `Take a token out of the tokens file, by its id, or all tokens of a name. A running
server refuses them from the next call on. ` + "`plumbline token list`" + ` shows ids and names.`

func newTokenRevokeCmd(p *process) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "revoke ID|NAME",
		Short: "Revoke a token by its id, or all of a name",
		Long:  tokenRevokeHelp,
		Args:  atMost(1, "one token's id, or a name"),
	}
	path := addTokens(cmd)
	name := cmd.Flags().String("name", "", "revoke all tokens of `NAME`, as the argument does")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		which := append(args, *name)[0]
		switch {
		case which == "":
			return usagef("%s takes one token's id, or a name: `plumbline token list` shows them", cmd.CommandPath())
		case len(args) > 0 && *name != "":
			return usagef("%s and --name are both given: use one of them", args[0])
		}
		revoked, err := interruptible(cmd.Context(), func() ([]auth.Entry, error) { return auth.Revoke(*path, which) })
		if err != nil {
			return tokenError(err)
		}
		if len(revoked) == 0 {
			return unknownToken(*path, which)
		}
		page := p.newPage(p.stdout)
		for _, e := range revoked {
			page.line("revoked %s", describe(e))
		}
		return page.print(p.stdout)
	}
	return cmd
}

// unknownToken is the error for a token that is not in the file.
func unknownToken(path, which string) error {
	entries, err := auth.List(path)
	if err != nil {
		return tokenError(err)
	}
	var known []string
	for _, e := range entries {
		known = append(known, e.Name, e.ID())
	}
	return unknown("token", which, known, "plumbline token list --tokens "+path)
}
