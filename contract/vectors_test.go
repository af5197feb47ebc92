package contract_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-mcp/plumbline/contract"
)

// loadVectors reads a list of test vectors.
func loadVectors[T any](t *testing.T, name string) []T {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "testdata", "vectors", name))
	if err != nil {
		t.Fatal(err)
	}
	var vectors []T
	if err := json.Unmarshal(data, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors) == 0 {
		t.Fatalf("%s holds no vector", name)
	}
	return vectors
}

// codes gives the set of codes of problems, as vectors list them.
func codes(problems []contract.Problem) []string {
	set := []string{}
	for _, p := range problems {
		set = append(set, string(p.Code))
	}
	slices.Sort(set)
	return slices.Compact(set)
}

func TestCanonicalVectors(t *testing.T) {
	type vector struct{ Text, Canonical, Fingerprint string }
	for _, v := range loadVectors[vector](t, "canonical.json") {
		got, err := contract.Canonical([]byte(v.Text))
		if err != nil {
			t.Errorf("%s: %v", v.Text, err)
			continue
		}
		if string(got) != v.Canonical {
			t.Errorf("%s: canonical form %s, want %s", v.Text, got, v.Canonical)
		}
		if label := contract.Fingerprint(got); label != v.Fingerprint {
			t.Errorf("%s: fingerprint %s, want %s", v.Text, label, v.Fingerprint)
		}
	}
}

func TestContractVectors(t *testing.T) {
	type vector struct {
		Name, About      string
		Contract         json.RawMessage
		Text             *string
		Errors, Warnings []string
	}
	for _, v := range loadVectors[vector](t, "contracts.json") {
		t.Run(v.Name, func(t *testing.T) {
			text := []byte(v.Contract)
			if v.Text != nil {
				text = []byte(*v.Text)
			}
			_, report := contract.ParseContract(text)
			if diff := cmp.Diff(v.Errors, codes(report.Errors())); diff != "" {
				t.Errorf("%s: errors (-want +got):\n%s\n%+v", v.About, diff, report.Errors())
			}
			if diff := cmp.Diff(v.Warnings, codes(report.Warnings())); diff != "" {
				t.Errorf("%s: warnings (-want +got):\n%s\n%+v", v.About, diff, report.Warnings())
			}
			if valid := len(v.Errors) == 0; report.Valid() != valid {
				t.Errorf("valid is %v, want %v", report.Valid(), valid)
			}
		})
	}
}
