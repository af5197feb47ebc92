package tools_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/tools"
)

func TestMayUse(t *testing.T) {
	tests := []struct {
		globs []string
		yes   []string
		no    []string
	}{
		{nil, []string{"a", "a/b", ""}, nil},
		{[]string{}, nil, []string{"a", "a/b", ""}},
		{[]string{"**"}, []string{"a", "a/b/c"}, nil},
		{[]string{"*"}, []string{"a", "a.b-c_d"}, []string{"a/b"}},
		{[]string{"payments/*"}, []string{"payments/refunds"}, []string{"payments", "payments/eu/refunds", "payments2/x", "x/payments/y", "Payments/refunds"}},
		{[]string{"payments/**"}, []string{"payments", "payments/refunds", "payments/eu/refunds"}, []string{"payments2", "x/payments"}},
		{[]string{"**/refunds"}, []string{"refunds", "a/refunds", "a/b/refunds"}, []string{"refunds/a", "a-refunds"}},
		{[]string{"pay"}, []string{"pay"}, []string{"payments", "pay/x", "PAY"}},
		{[]string{"v?.[0-2]"}, []string{"v1.0"}, []string{"v1.3", "v/.0", "v10.0"}},
		{[]string{"{shop,bank}/*", "solo"}, []string{"shop/a", "bank/b", "solo"}, []string{"shop", "mill/a", "solo/a"}},
		{[]string{"[", "b"}, []string{"b"}, []string{"[", "a"}},
	}
	for _, tt := range tests {
		caller := tools.Caller{Contracts: tt.globs}
		for want, ids := range map[bool][]string{true: tt.yes, false: tt.no} {
			for _, id := range ids {
				if caller.MayUse(id) != want {
					t.Errorf("%q and %q: want %t", tt.globs, id, want)
				}
			}
		}
	}
}

// globs writes all patterns of up to n pieces.
func globs(n int) []string {
	pieces := []string{"a", "b", "/", "*", "**", "/**", "?", "{a,b}", "{,b}", "[ab]", `\a`}
	all := []string{""}
	for from := 0; n > 0; n-- {
		shorter := all[from:]
		from = len(all)
		for _, glob := range shorter {
			for _, piece := range pieces {
				all = append(all, glob+piece)
			}
		}
	}
	return append(all, "a/**/b", "a/**/b/*", "**/b", "a/{b,**}", "[", "ab", "a/b/a", `a\/b`)
}

// However a glob is written, the list of contracts is of those that the caller may use.
func TestListsByGlob(t *testing.T) {
	dsn := "sqlite:" + filepath.Join(t.TempDir(), "ledger.db")
	store := tools.NewStore(func(ctx context.Context) (*ledger.Ledger, error) { return ledger.Open(ctx, dsn) })
	t.Cleanup(func() { store.Close() })
	owner := tools.WithCaller(t.Context(), tools.Caller{Name: "olga", Role: tools.Owner})
	whole, err := store.Ledger(owner)
	if err != nil {
		t.Fatal(err)
	}
	ids := []string{"a", "a/a", "a/a/b", "a/b", "a/b/a", "aa", "ab", "ab/b", "b", "b/a", "ba"}
	for _, id := range ids {
		if _, err := whole.Register(owner, ledger.Caller{Name: "olga", Role: "owner"}, []byte(contractOf(t, id, 1, "over")), nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, glob := range globs(3) {
		caller := tools.Caller{Name: "bob", Role: tools.Builder, Contracts: []string{glob, "b/*"}}
		scoped, err := store.Ledger(tools.WithCaller(t.Context(), caller))
		if err != nil {
			t.Fatal(err)
		}
		page, _, err := scoped.Contracts(t.Context(), ledger.Query{})
		if err != nil {
			t.Fatal(err)
		}
		got := []string{}
		for _, s := range page {
			got = append(got, s.ContractID)
		}
		if want := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !caller.MayUse(id) }); !slices.Equal(got, want) {
			t.Errorf("%q lists %q, want %q", glob, got, want)
		}
	}
}
