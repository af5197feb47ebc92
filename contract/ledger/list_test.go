package ledger

import (
	"slices"
	"strings"
	"testing"
)

// listed walks all pages of a list.
func listed(t *testing.T, l *Ledger, q Query) []string {
	t.Helper()
	ids := []string{}
	for more := true; more; {
		var page []Summary
		var err error
		if page, more, err = l.Contracts(t.Context(), q); err != nil {
			t.Fatal(err)
		}
		for _, s := range page {
			q.After = s.ContractID
			ids = append(ids, s.ContractID)
		}
	}
	return ids
}

// Ids that begin alike, and with what patterns and collations take for something else.
var likeIDs = []string{"A", "Shop", "Shop.b", "a", "a-b", "a.b", "a/1", "a/2", "a/B", "aB", "a_b", "ab", "ab/1", "abc", "axb", "b", "shop/x", "z", "zz/9"}

// A list by prefix is what a filter makes of the list of all, in one order everywhere.
func testPrefixes(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	for _, id := range likeIDs {
		register(t, l, contractText(t, 1, contractOptions{id: id}))
	}
	prefixes := append([]string{"", "a_", "a%", "%", "_", "a/", "s", "SHOP", "zz", "zzz", "~", "é", "a\x00", "a\xff", `a\`, "'", "*"}, likeIDs...)
	for _, prefix := range prefixes {
		want := beginning(likeIDs, prefix)
		for limit := 1; limit <= 4; limit++ {
			if got := listed(t, l, Query{Prefix: prefix, Limit: limit}); !slices.Equal(got, want) {
				t.Errorf("pages of %d with %q: got %q, want %q", limit, prefix, got, want)
			}
		}
		if got := listed(t, l, Query{Prefix: prefix, After: "a/1"}); !slices.Equal(got, slices.DeleteFunc(want, func(id string) bool { return id <= "a/1" })) {
			t.Errorf("with %q after a/1: got %q", prefix, got)
		}
	}
}

// beginning picks the ids with a prefix.
func beginning(ids []string, prefix string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !strings.HasPrefix(id, prefix) })
}

// A list within a scope reads what its prefixes name and nothing else.
func testScopePrefixes(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	for _, id := range likeIDs {
		register(t, l, contractText(t, 1, contractOptions{id: id}))
	}
	for _, tt := range []struct {
		scope []string
		asked string
		reads []string
	}{
		{[]string{"a/"}, "", []string{"a/1", "a/2", "a/B"}},
		{[]string{"zz", "a/", "a/2", "zz"}, "", []string{"a/1", "a/2", "a/B", "zz/9"}},
		{[]string{"a", "ab", "abc"}, "abc", []string{"abc"}},
		{[]string{"ab", "abc", "ax"}, "a", []string{"ab", "ab/1", "abc", "axb"}},
		{[]string{"a", "z"}, "b", nil},
		{[]string{"", "a"}, "z", []string{"z", "zz/9"}},
		{[]string{"nothing"}, "", nil},
	} {
		var asked []string
		scoped := l.Scoped(func(string) bool { return true }).Scoped(func(id string) bool { asked = append(asked, id); return id != "a/2" }, tt.scope...)
		want := slices.DeleteFunc(slices.Clone(tt.reads), func(id string) bool { return id == "a/2" })
		if got := listed(t, scoped, Query{Prefix: tt.asked}); !slices.Equal(got, want) || !slices.Equal(asked, tt.reads) {
			t.Errorf("the prefixes %q and %q list %q and read %q, want %q and %q", tt.scope, tt.asked, got, asked, want, tt.reads)
		}
		for limit := 1; limit <= 2; limit++ {
			if got := listed(t, scoped, Query{Prefix: tt.asked, Limit: limit}); !slices.Equal(got, want) {
				t.Errorf("pages of %d of the prefixes %q and %q: got %q, want %q", limit, tt.scope, tt.asked, got, want)
			}
		}
	}
}
