package tools

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	ids := []string{"listInvoices", "getInvoice", "refundOrder", "REFUNDORDERS"}
	for name, want := range map[string]string{
		"refundorder":   "refundOrder REFUNDORDERS",
		"refund_orders": "REFUNDORDERS refundOrder",
		"listInvoice":   "listInvoices getInvoice",
		"Invoice":       "getInvoice listInvoices",
		"get-invoice":   "getInvoice",
		"deleteUser":    "",
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

// A name that is like no argument of a tool gets no suggestion; one that is like an
// argument does.
func TestNoArgumentIsNearEveryName(t *testing.T) {
	for _, tool := range All(Deps{}) {
		var schema struct{ Properties map[string]any }
		if err := json.Unmarshal(tool.Definition.RawInputSchema, &schema); err != nil {
			t.Fatal(err)
		}
		names := slices.Sorted(maps.Keys(schema.Properties))
		for _, name := range []string{"file", "bogus", "nope", "x", "verbose"} {
			if got := Nearest(name, names, 1); len(got) != 0 {
				t.Errorf("%s: %q is taken for %q", tool.Definition.Name, name, got)
			}
		}
		for _, name := range names {
			if got := Nearest(name[:1]+name, names, 1); len(got) != 1 || got[0] != name {
				t.Errorf("%s: %q is taken for %q", tool.Definition.Name, name[:1]+name, got)
			}
		}
	}
}
