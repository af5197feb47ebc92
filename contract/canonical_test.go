package contract_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract"
)

const (
	randomValues = 20_000
	randomLevels = 4
)

func randomTexts(seed uint64) []string {
	source := newJSONSource(seed)
	texts := make([]string, randomValues)
	for i := range texts {
		texts[i] = source.value(randomLevels)
	}
	return texts
}

// TestCanonicalAgainstNode compares with an independent implementation: values are
// read and scalars written by JSON.parse and JSON.stringify of Node.js.
func TestCanonicalAgainstNode(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("node is not installed: %v (CI must compare canonical JSON with it)", err)
		}
		t.Log("not compared: node is not installed")
		return
	}
	texts := randomTexts(1)
	cmd := exec.Command(node, "testdata/canonical.js")
	cmd.Stdin = strings.NewReader(strings.Join(texts, "\n") + "\n")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(want) != len(texts) {
		t.Fatalf("node gave %d lines for %d values", len(want), len(texts))
	}
	for i, text := range texts {
		got, err := contract.Canonical([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if string(got) != want[i] {
			t.Fatalf("%s\n got %s\nnode %s", text, got, want[i])
		}
	}
}

func TestCanonicalIsAFixedPoint(t *testing.T) {
	for _, text := range randomTexts(2) {
		once, err := contract.Canonical([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		twice, err := contract.Canonical(once)
		if err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("%s\nonce  %s\ntwice %s (%v)", text, once, twice, err)
		}
	}
}

// FuzzDecode holds the decoder to encoding/json: what it accepts means the same there,
// its canonical form is a fixed point, and values lie where they say they do.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,-0,1e21,"\ud83d\ude00"],"":null}`, "\ufeff[true]", `"\ud800"`, `{"a":1,"\u0061":2}`,
		`1e999`, `5e-999`, "\"\xff\"", `[[[[[[`, `{"a" 1}`, `nul`, `01`, `1.`, `-`, `"\x"`, "\"\x00\"", `[1,]`, `{}x`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := contract.Decode(text)
		if err != nil {
			var place *contract.SyntaxError
			if place, _ = err.(*contract.SyntaxError); place == nil || place.Line < 1 || place.Column < 1 || place.Hint == "" && place.Message == "" {
				t.Fatalf("refused without place or message: %#v", err)
			}
			return
		}
		once := v.Canonical()
		if twice, err := contract.Canonical(once); err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("canonical form %q becomes %q (%v)", once, twice, err)
		}
		var standard, again any
		if err := json.Unmarshal(bytes.TrimPrefix(text, []byte("\ufeff")), &standard); err != nil {
			t.Fatalf("accepted, but encoding/json says %v", err)
		}
		if err := json.Unmarshal(once, &again); err != nil || !reflect.DeepEqual(standard, again) {
			t.Fatalf("the canonical form %q means something else (%v)", once, err)
		}
		checkPlaces(t, v)
	})
}

// checkPlaces reads each value again from its own bytes.
func checkPlaces(t *testing.T, v *contract.Value) {
	t.Helper()
	alone, err := contract.Decode(v.Raw())
	if err != nil || !alone.Same(v) {
		t.Fatalf("the bytes %q of %q are not the value (%v)", v.Raw(), v.Pointer(), err)
	}
	for _, item := range v.Items {
		checkPlaces(t, item)
	}
	for _, m := range v.Members {
		if v.Get(m.Name) != m.Value {
			t.Fatalf("the member %q is not found by its name", m.Name)
		}
		checkPlaces(t, m.Value)
	}
}

func TestPlacesOfRandomValues(t *testing.T) {
	for _, text := range randomTexts(3)[:2_000] {
		v, err := contract.Decode([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		checkPlaces(t, v)
	}
}
