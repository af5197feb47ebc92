package contract_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract"
)

// fingerprintOf gives the right fingerprint of a fixture, valid or not.
func fingerprintOf(t *testing.T, f fixture) string {
	t.Helper()
	text, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	c, _ := contract.ParseContract(text)
	return c.CriteriaFingerprint()
}

// mutate calls check once for each single change below the value: each scalar changed,
// each member renamed, removed and added, each item removed, doubled and moved.
func mutate(node any, replace func(any), check func(what string)) {
	try := func(what string, value any) {
		replace(value)
		check(what)
		replace(node)
	}
	try("replaced by null", nil)
	switch v := node.(type) {
	case string:
		try("a string longer", v+" ")
		try("a string as a list", []any{v})
	case float64:
		try("a number higher", v+1)
		try("a number as a string", fmt.Sprint(v))
	case []any:
		try("an item more", append(append([]any{}, v...), v[0]))
		try("an item less", v[1:])
		if len(v) > 1 {
			try("items moved", append(append([]any{}, v[1:]...), v[0]))
		}
		for i := range v {
			mutate(v[i], func(value any) { v[i] = value }, check)
		}
	case map[string]any:
		try("a member more", with(v, "another", 1))
		for name, member := range v {
			try("a member less: "+name, with(v, name, nil))
			try("a member renamed: "+name, with(with(v, name, nil), name+"_", member))
			mutate(member, func(value any) { v[name] = value }, check)
		}
	}
}

func with(object map[string]any, name string, value any) map[string]any {
	changed := map[string]any{}
	for n, v := range object {
		changed[n] = v
	}
	set(changed, name, value)
	return changed
}

func TestAnyChangeOfACriterionChangesTheFingerprint(t *testing.T) {
	f := newFixture(t)
	right := fingerprintOf(t, f)
	criteria := f["criteria"].([]any)
	count := 0
	for i := range criteria {
		mutate(criteria[i], func(value any) { criteria[i] = value }, func(what string) {
			count++
			if fingerprintOf(t, f) == right {
				t.Errorf("criterion %d, %s: the fingerprint stays %s", i, what, right)
			}
		})
	}
	if fingerprintOf(t, f) != right || count < 200 {
		t.Errorf("%d changes tried, the fixture is left with %s instead of %s", count, fingerprintOf(t, f), right)
	}
}

func TestWhatDoesNotChangeTheFingerprint(t *testing.T) {
	right := fingerprintOf(t, newFixture(t))
	source := newJSONSource(4)
	for range 200 {
		v, err := contract.Decode([]byte(baseFixture))
		if err != nil {
			t.Fatal(err)
		}
		text := shuffled(source, v)
		c, _ := contract.ParseContract([]byte(text))
		if got := c.CriteriaFingerprint(); got != right {
			t.Fatalf("fingerprint %s, want %s, of\n%s", got, right, text)
		}
	}
	f := newFixture(t)
	f.object("contract")["owner"], f.object("budget")["extensions"], f["more"] = "somebody else", 9, true
	if got := fingerprintOf(t, f); got != right {
		t.Errorf("fingerprint %s of a contract changed outside its criteria, want %s", got, right)
	}
}

// shuffled writes the value with its members in another order, other white space and
// other escapes.
func shuffled(s jsonSource, v *contract.Value) string {
	if text, ok := v.Text(); ok {
		return quoteRandomly(s, text)
	}
	out := ""
	for _, item := range v.Items {
		out += "," + s.space() + shuffled(s, item)
	}
	for _, i := range s.Perm(len(v.Members)) {
		m := v.Members[i]
		out += "," + s.space() + quoteRandomly(s, m.Name) + ":" + s.space() + shuffled(s, m.Value)
	}
	switch v.Type() {
	case contract.Array:
		return "[" + out[min(1, len(out)):] + "]"
	case contract.Object:
		return "{" + out[min(1, len(out)):] + "}"
	default:
		return string(v.Raw())
	}
}

// TestCollidingFingerprints: two contracts whose criteria differ and whose 48-bit
// fingerprints do not. Everything else tells them apart.
func TestCollidingFingerprints(t *testing.T) {
	var pair [2]*contract.Contract
	for i, name := range []string{"collision-tests.json", "collision-true.json"} {
		text, err := os.ReadFile(filepath.Join("..", "testdata", "contracts", name))
		if err != nil {
			t.Fatal(err)
		}
		c, report := contract.ParseContract(text)
		if !report.Valid() {
			t.Fatalf("%s: %+v", name, report.Errors())
		}
		pair[i] = c
	}
	a, b := pair[0], pair[1]
	if a.Fingerprint != b.Fingerprint {
		t.Fatalf("%s and %s do not collide", a.Fingerprint, b.Fingerprint)
	}
	if a.SHA256() == b.SHA256() || a.Value.Same(b.Value) {
		t.Error("the two have one digest")
	}
	for _, role := range []contract.Role{contract.Builder, contract.Judge} {
		if contract.Brief(a, role) == contract.Brief(b, role) {
			t.Errorf("the two have one brief for the %s", role)
		}
	}
	if len(contract.Changes(a, b)) == 0 {
		t.Error("no change from one to the other")
	}
}
