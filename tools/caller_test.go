package tools_test

import (
	"testing"

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
