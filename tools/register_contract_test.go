package tools_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/tools"
)

// An owner sees what stood in each case and what stands there now; where there is no room
// for all, the changes at the end are counted.
func TestRegisterContractTellsBothSides(t *testing.T) {
	const cases, id = 180, "shop/many"
	revision := func(number int64, input int, expect string) string {
		list := make([]string, cases)
		for i := range list {
			list[i] = fmt.Sprintf(`{"id": "case-%d", "input": %d, "expect": %q}`, i, input+i, expect)
		}
		text := contractOf(t, id, 1, "CASES")
		return stamped(t, strings.Replace(text, `"CASES"`, strings.Join(list, ","), 1), number)
	}
	olga := newOffice(t).as("olga", tools.Owner)
	olga.ask("register_contract", args{"contract": revision(1, 501, strings.Repeat("paid ", 40)), "record": true})
	got := olga.ask("register_contract", args{"contract": revision(2, 601, strings.Repeat("refused ", 25)), "record": true})
	if !got.Recorded || len(got.Changes) < 20 || len(got.Changes)+got.Omitted["changes"] != cases || got.Omitted["changes"] == 0 {
		t.Fatalf("%d changes are shown and %d omitted, want %d", len(got.Changes), got.Omitted["changes"], cases)
	}
	for i, c := range got.Changes {
		if c.Kind != contract.OtherChange || c.What != fmt.Sprintf(`case changed: "case-%d"`, i) ||
			!strings.Contains(c.From, fmt.Sprintf("input %d", 501+i)) || !strings.Contains(c.From, `expect "paid paid`) ||
			!strings.Contains(c.To, fmt.Sprintf("input %d", 601+i)) || !strings.Contains(c.To, `expect "refused refused`) {
			t.Errorf("change %d is told as %+v", i, c)
		}
	}
}
