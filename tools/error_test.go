package tools_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-mcp/plumbline/tools"
)

// Codes lists every constant of type Code, and each once.
func TestCodesAreAll(t *testing.T) {
	declared, listed := codesInSource(t)
	slices.Sort(declared)
	slices.Sort(listed)
	if diff := cmp.Diff(declared, listed); diff != "" {
		t.Errorf("declared and not listed, or the other way (-declared +listed):\n%s", diff)
	}
	if len(listed) != len(tools.Codes()) {
		t.Errorf("%d codes are listed, %d given", len(listed), len(tools.Codes()))
	}
}

// codesInSource gives the names of the constants of type Code, and those that Codes names.
func codesInSource(t *testing.T) (declared, listed []string) {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".go") || strings.HasSuffix(entry.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), entry.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				declared = append(declared, codeConstants(d)...)
			case *ast.FuncDecl:
				if d.Name.Name == "Codes" {
					listed = identifiersIn(d.Body)
				}
			}
		}
	}
	return declared, listed
}

// codeConstants gives the names of `A Code = …` and of `A = Code(…)`.
func codeConstants(d *ast.GenDecl) (names []string) {
	for _, spec := range d.Specs {
		v, ok := spec.(*ast.ValueSpec)
		if !ok || d.Tok != token.CONST || len(v.Values) != 1 {
			continue
		}
		of := v.Type
		if call, ok := v.Values[0].(*ast.CallExpr); ok {
			of = call.Fun
		}
		if name, ok := of.(*ast.Ident); ok && name.Name == "Code" {
			names = append(names, v.Names[0].Name)
		}
	}
	return names
}

// identifiersIn gives the names in a composite literal of a function's body.
func identifiersIn(body *ast.BlockStmt) (names []string) {
	ast.Inspect(body, func(n ast.Node) bool {
		if list, ok := n.(*ast.CompositeLit); ok {
			for _, e := range list.Elts {
				names = append(names, e.(*ast.Ident).Name)
			}
		}
		return true
	})
	return names
}
