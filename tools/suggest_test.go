package tools

import (
	"fmt"
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	ids := []string{"listInvoices", "getInvoice", "refundOrder", "REFUNDORDERS"}
	for name, want := range map[string]string{
		"refundorder":   "refundOrder REFUNDORDERS getInvoice",
		"refund_orders": "REFUNDORDERS refundOrder getInvoice",
		"listInvoice":   "listInvoices getInvoice refundOrder",
	} {
		if got := strings.Join(Nearest(name, ids, 3), " "); got != want {
			t.Errorf("Nearest(%q) = %s, want %s", name, got, want)
		}
	}
}

// manyLongIDs are ids of one length that differ in few letters from a name that a
// person misspelt, which is the costly case.
func manyLongIDs(n int) (ids []string) {
	for i := range n {
		ids = append(ids, fmt.Sprintf("%s%06d", strings.Repeat("resource", 24), i))
	}
	return ids
}

func TestNearestAmongMany(t *testing.T) {
	ids := append(manyLongIDs(20_000), "refundOrder")
	for name, want := range map[string]string{
		"refundOdrer":                         "refundOrder",
		strings.Replace(ids[777], "r", "", 1): ids[777],
	} {
		if got := Nearest(name, ids, 1); len(got) != 1 || got[0] != want {
			t.Errorf("Nearest(%q) = %q, want %q", name, got, want)
		}
	}
}

// However many candidates there are, only so many are compared letter by letter.
func TestShortlistIsBounded(t *testing.T) {
	ids := manyLongIDs(20_000)
	if got := shortlist(ids[0], ids, 3); len(got) > maxCompared || len(got) < 3 {
		t.Errorf("%d of %d candidates are compared, want 3 to %d", len(got), len(ids), maxCompared)
	}
	if got := shortlist("x", []string{"y", "a long name"}, 3); len(got) != 2 {
		t.Errorf("%d of 2 candidates are compared, want both", len(got))
	}
}

func BenchmarkNearest(b *testing.B) {
	ids := manyLongIDs(20_000)
	for b.Loop() {
		Nearest(ids[500]+"x", ids, maxNearest)
	}
}
