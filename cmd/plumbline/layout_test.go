package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// layout is which of our packages each may import, and no other:
// who imports whom decides what can be understood alone. "*" stands for all.
var layout = map[string][]string{
	"cmd/plumbline": {"*"},

	"server":      {"server/auth", "server/page", "tools", "scan", "scan/agentready", "contract", "contract/ledger"},
	"server/auth": {"tools", "contract", "contract/ledger", "contract/localfile"},
	"server/page": {"scan/agentready", "tools", "contract", "contract/ledger"},
	"tools":       {"scan", "scan/agentready", "scan/surface", "contract", "contract/ledger"},

	"scan":                    {"scan/agentready", "scan/mcplist", "scan/node", "scan/openapi", "scan/surface", "scan/words"},
	"scan/openapi":            {"scan/node", "scan/schema", "scan/surface"},
	"scan/mcplist":            {"scan/node", "scan/schema", "scan/surface"},
	"scan/schema":             {"scan/node", "scan/surface"},
	"scan/node":               {"scan/surface"},
	"scan/report":             {"scan/agentready"},
	"scan/report/browsertest": {},
	"scan/agentready":         {},
	"scan/surface":            {},
	"scan/words":              {},

	"contract":               {"scan/words"},
	"contract/runner":        {"contract"},
	"contract/ledger":        {"contract", "contract/localfile"},
	"contract/ledger/pgtest": {},
	"contract/localfile":     {},
}

// onlyImporters are libraries that one package alone may import, so that it can be
// replaced there.
var onlyImporters = map[string]string{
	"github.com/pb33f/libopenapi": "scan/openapi",
}

const module = "github.com/plumbline-mcp/plumbline/"

func TestLayout(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, module+"...").Output()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		name := strings.TrimPrefix(fields[0], module)
		found[name] = true
		may, known := layout[name]
		if !known {
			t.Errorf("%s has no place in the layout: name it there with what it may import", name)
		}
		for _, imported := range fields[1:] {
			ours, isOurs := strings.CutPrefix(imported, module)
			if isOurs && !slices.Contains(may, ours) && !slices.Contains(may, "*") {
				t.Errorf("%s imports %s, which the layout does not allow", name, ours)
			}
			for library, only := range onlyImporters {
				if strings.HasPrefix(imported, library) && name != only {
					t.Errorf("%s imports %s, which %s alone may", name, imported, only)
				}
			}
		}
	}
	for name := range layout {
		if !found[name] {
			t.Errorf("the layout names %s, which there is not", name)
		}
	}
}
