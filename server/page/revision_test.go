package page_test

import (
	"fmt"
	"html"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/tools"
)

// A reader sees what a case is given and what is to come of it, and in a diff what became
// of both; what a stranger wrote into them is text.
func TestCasesInFull(t *testing.T) {
	b := newBook(t)
	criteria := func(input int, expect string) []any {
		return []any{
			map[string]any{"id": "limit", "class": "limit", "kind": "enumerable", "statement": "The listed refunds end as stated.",
				"cases":  []any{"under", map[string]any{"id": "at-limit", "input": input, "expect": expect}},
				"checks": []any{map[string]any{"type": "command", "run": "go test ./refund", "timeout_s": 30}}},
			map[string]any{"id": "one-path", "class": "one-path", "kind": "structural", "statement": "Money moves through one function.",
				"construction": []any{"Move is the single caller", map[string]any{"statement": "the client is unexported", "kind": "enumerable", "cases": []any{"client.go"}}},
				"checks":       []any{map[string]any{"type": "command", "run": "go vet ./..."}, map[string]any{"type": "condition", "text": "Move is the only caller"}}},
		}
	}
	d := draft{id: "shop/refunds", owner: "olga", budget: 1}
	b.registerCriteria(1, d, criteria(501, "paid"))
	b.registerCriteria(2, d, criteria(601, "refused"+hostile))
	holds := func(address string, texts ...string) {
		t.Helper()
		page := b.read(as(tools.Builder), address)
		for _, text := range texts {
			if !strings.Contains(html.UnescapeString(page), text) {
				t.Errorf("%s does not show %s:\n%s", address, text, page)
			}
		}
		if strings.Contains(page, "<script>") {
			t.Errorf("%s holds what a stranger wrote as it is:\n%s", address, page)
		}
	}
	holds("/contracts/shop%2Frefunds/revisions/1",
		`<code>at-limit</code> <code>expect "paid", input 501</code>`,
		`<li><code>under</code></li>`,
		`<code>the client is unexported</code> <code>cases ["client.go"], kind "enumerable"</code>`,
		`command: go test ./refund; timeout_s 30`)
	changed := []string{`case changed: "at-limit"`, `expect "paid", input 501`, fmt.Sprintf(`expect "refused%s", input 601`, strings.ReplaceAll(hostile, `"`, `\"`))}
	holds("/contracts/shop%2Frefunds/revisions/2", changed...)
	holds("/contracts/shop%2Frefunds/diff", changed...)
}
