package contract_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract"
)

// Whatever a file holds, how its lines end and whether it begins with a byte order
// mark changes no name; and rows are numbered without a gap.
func FuzzArtifactRows(f *testing.F) {
	for _, text := range []string{rowsCSV, `["a", {"id": "x"}]`, "\"a\"\n{\"id\": 1}\n", "k\tid\nx\ty\n", " a \n\nx\n", "\"k\n1\",x\n", "k\n\"x\n"} {
		f.Add([]byte(text), "x")
	}
	f.Fuzz(func(t *testing.T, data []byte, name string) {
		if len(data) > 1<<10 || bytes.ContainsRune(data, '\r') || bytes.HasPrefix(data, []byte("\ufeff")) {
			return
		}
		variants := [][]byte{bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n")), append([]byte("\ufeff"), data...)}
		for _, path := range []string{"a.json", "a.jsonl", "a.csv", "a.tsv", "a.txt"} {
			for _, as := range []input{asCases, keyedByK, asRows} {
				held := inputsOf(t, as, path, string(data))(name)
				for _, variant := range variants {
					if inputsOf(t, as, path, string(variant))(name) != held {
						t.Errorf("%s: %q is held is %v, but not so in %q", path, name, held, variant)
					}
				}
			}
			rows, gap := inputsOf(t, asRows, path, string(data)), false
			for n := 1; n <= bytes.Count(data, []byte(","))+bytes.Count(data, []byte("\n"))+2; n++ {
				held := rows(fmt.Sprint(n))
				if held && gap {
					t.Errorf("%s: row %d is there, but not one before it", path, n)
				}
				gap = gap || !held
			}
			if !gap {
				t.Errorf("%s: %q holds more rows than it has lines or values", path, data)
			}
		}
		if got, _ := contract.ReadArtifact(files(map[string]string{"a": string(data)}), "a"); !bytes.Equal(got, data) {
			t.Errorf("read %q of %q", got, data)
		}
	})
}
