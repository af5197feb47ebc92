package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/plumbline-mcp/plumbline/scan"
	"github.com/plumbline-mcp/plumbline/scan/report"
)

// How a scan ends does not depend on how it is shown: with each format, on stdout and in
// a file, and with all of them at once.
func TestEveryFormatEndsAlike(t *testing.T) {
	const good, bad = "testdata/tools/good.json", "testdata/tools/bad.json"
	tests := []struct {
		name  string
		files []string
		code  int
	}{
		{"a pass", []string{good}, exitPass},
		{"a fail", []string{bad}, exitFail},
		{"both", []string{good, bad}, exitFail},
		{"a file that is not there", []string{"gone.json"}, exitUsage},
		{"a pass and a file that is not there", []string{good, "gone.json"}, exitUsage},
		{"a policy that waives what fails", []string{"--policy", "testdata/tools/waived.yaml", bad}, exitPass},
		{"no policy", []string{"--policy", "main.go", good}, exitUsage},
		{"no baseline", []string{"--baseline", good, good}, exitUsage},
		{"a fail and no document", []string{bad, "main.go"}, exitUsage},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			all := append([]string{"scan"}, test.files...)
			for _, f := range report.Formats {
				file := filepath.Join(t.TempDir(), f.Name)
				for _, to := range []string{f.Name, f.Name + "=" + file} {
					args := append([]string{"scan", "--format", to}, test.files...)
					if code, _, stderr := command(t, "", args...); code != test.code {
						t.Errorf("%s: exit code %d, want %d: %s", to, code, test.code, stderr)
					}
				}
				all = append(all, "--format", f.Name+"="+file)
			}
			if code, _, stderr := command(t, "", all...); code != test.code {
				t.Errorf("all at once: exit code %d, want %d: %s", code, test.code, stderr)
			}
		})
	}
}

// What is written is SARIF, whatever was scanned, and lists the whole catalogue.
func TestScansAreValidSARIF(t *testing.T) {
	needNPM(t)
	text, err := os.ReadFile("../../testdata/npm/node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json")
	if err != nil {
		t.Fatal(err)
	}
	schema, err := jsonschema.CompileString("sarif.json", string(text))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../../testdata/published/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no published documents: %v", err)
	}
	files = append(files, "../../testdata/accounts.yaml", "../../testdata/mcp-mail.json", "testdata/tools/bad.json", "main.go")
	_, stdout, _ := command(t, "", append([]string{"scan", "--format", "sarif"}, files...)...)
	var value any
	if err := json.Unmarshal([]byte(stdout), &value); err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("%#v", err)
	}
	var log struct {
		Runs []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
		}
	}
	if err := json.Unmarshal([]byte(stdout), &log); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, r := range log.Runs[0].Tool.Driver.Rules {
		ids = append(ids, r.ID)
	}
	for _, r := range scan.Rules() {
		if id := r.Code[:len("AR000")] + "/" + r.Finding; !slices.Contains(ids, id) {
			t.Errorf("the rule %s is not listed", id)
		}
	}
}
