package openapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/scan/openapi"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// repeat writes n texts by a format that takes its number, with commas between.
func repeat(n int, format string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// api is a document of the path items and the components given as JSON.
func api(paths, components string) string {
	return `{"openapi":"3.2.0","paths":{` + paths + `},"components":{` + components + `}}`
}

// What is small to send is small to read: each of these ends soon, takes little, and
// says what it left out.
func TestSmallDocumentsCostLittle(t *testing.T) {
	const many, shared = 30_000, 8_000
	const item = `"pathItems":{"shared":{"post":`
	paths := repeat(3_000, `"/p%d":{"$ref":"#/components/pathItems/shared"}`)
	for _, c := range []struct {
		name, text string
		whole      bool // nothing is left out
	}{
		{"methods of one path", api(`"/a":{"additionalOperations":{`+repeat(15_000, `"M%d":{}`)+`}}`, ""), true},
		{"parameters of one operation", api(`"/a":{"get":{"parameters":[`+repeat(many, `{"name":"p%d","in":"query"}`)+`]}}`, ""), true},
		{"one parameter again and again", api(`"/a":{"parameters":[`+repeat(many, `{"name":"p%[1]d","in":"query"}`)+`],"get":{"parameters":[`+
			repeat(many, `{"name":"p%d","in":"query"}`)+`]}}`, ""), true},
		{"parameters that are none", api(`"/a":{"get":{"parameters":[`+repeat(many, `%d`)+`]}}`, ""), false},
		{"responses that lead nowhere", api(`"/a":{"get":{"responses":{`+repeat(many, `"%d":{"$ref":"#/none"}`)+`}}}`, ""), false},
		{"paths that are none", api(repeat(many, `"/p%d":1`), ""), false},
		{"equal names", api(repeat(15_000, `"/p%d":{"get":{"operationId":"same"}}`), ""), false},
		{"shared responses", api(paths, item+`{"responses":{`+repeat(shared, `"%d":{}`)+`}}}}`), false},
		{"shared parameters", api(paths, item+`{"parameters":[`+repeat(shared, `{"name":"p%d","in":"query"}`)+`]}}}`), false},
		{"shared bad parameters", api(paths, item+`{"parameters":[`+repeat(shared, `%d`)+`]}}}`), false},
		{"shared media types", api(paths, item+`{"requestBody":{"content":{`+repeat(shared, `"a/%d":{}`)+`}}}}}`), false},
		{"shared headers", api(paths, item+`{"responses":{"200":{"headers":{`+repeat(shared, `"h%d":{}`)+`}}}}}}`), false},
		{"shared scopes", api(paths, item+`{"security":[{"k":[`+repeat(shared, `"s%d"`)+`]}]}}}`), false},
		{"shared alternatives", api(paths, item+`{"security":[`+repeat(shared, `{"k%d":[]}`)+`]}}}`), false},
		{"shared fields", api(paths, item+`{"requestBody":{"content":{"a/b":{"schema":{"properties":{`+repeat(1_900, `"f%d":{}`)+`}}}}}}}}`), false},
		{"a long shared name", api(paths, item+`{"operationId":"`+strings.Repeat("n", 1_000_000)+`"}}}`), false},
		{"a long shared description", api(paths, item+`{"description":"`+strings.Repeat("n", 1_000_000)+`"}}}`), false},
		{"a long shared reference", api(paths, item+`{"parameters":[{"$ref":"#/`+strings.Repeat("n", 1_000_000)+`"}]}}}`), false},
		{"a long shared parameter", api(paths, item+`{"parameters":[{"name":"`+strings.Repeat("n", 1_000_000)+`"}]}}}`), false},
		{"shared references", api(paths, item+`{"x":[`+repeat(shared, `{"$ref":"#/paths/~1p%d"}`)+`]}}}`), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc, err := read(t, "api.json", c.text, openapi.Options{})
			if err != nil {
				t.Fatal(err)
			}
			said := len(doc.Notes)
			for _, tool := range doc.Tools {
				said += len(tool.Incomplete)
				if len(tool.Incomplete) > surface.MaxReasons+1 {
					t.Fatalf("%d reasons for one operation", len(tool.Incomplete))
				}
			}
			if (said == 0) != c.whole || len(doc.Notes) > surface.MaxNotes+1 {
				t.Errorf("%d notes, %d reasons", len(doc.Notes), said-len(doc.Notes))
			}
			if held := size(doc); held > 300<<20 {
				t.Errorf("the reading holds %d MB", held>>20)
			}
		})
	}
}

// size estimates what the lists of a document take in bytes.
func size(doc *surface.Document) int {
	const pointer, name, note, response = 8, 16, 80, 250
	sum := len(doc.Notes) * note
	for _, tool := range doc.Tools {
		sum += len(tool.ID)
		for _, n := range tool.Incomplete {
			sum += len(n.Text) + len(n.Pos.Pointer)
		}
		sum += len(tool.Fields)*pointer + len(tool.Incomplete)*note + len(tool.Security.Scopes)*name
		for _, r := range tool.Responses {
			sum += response + len(r.Headers)*name
		}
	}
	return sum
}

func TestTheLastRemarkCountsTheRest(t *testing.T) {
	doc := mustRead(t, api(repeat(500, `"/p%d":1`), ""))
	if n := len(doc.Notes); n != surface.MaxNotes+1 || !strings.HasPrefix(doc.Notes[n-1].Text, "400 more") {
		t.Errorf("%d notes, the last %v", n, doc.Notes[n-1])
	}
	reasons := mustRead(t, api(`"/a":{"get":{"parameters":[`+repeat(50, `%d`)+`]}}`, "")).Tools[0].Incomplete
	if n := len(reasons); n != surface.MaxReasons+1 || !strings.HasPrefix(reasons[n-1].Text, "30 more") {
		t.Errorf("%d reasons, the last %v", n, reasons[n-1])
	}
}

func TestTooManyOperationsAreRefused(t *testing.T) {
	_, err := read(t, "api.json", api(repeat(20_001, `"/p%d":{"get":{}}`), ""), openapi.Options{})
	if err == nil || !strings.Contains(err.Error(), "more than 20000 operations") {
		t.Errorf("got %v", err)
	}
}

func TestKeysThatAreTooLongAreRefused(t *testing.T) {
	key := strings.Repeat("k", 9_000)
	for name, text := range map[string]string{
		"api.json": api(`"/`+key+`":{"get":{}}`, ""),
		"api.yaml": "openapi: 3.0.0\npaths:\n  ? /" + key + "\n  : {get: {}}\n",
		"alias":    "openapi: 3.0.0\nx: &k " + key + "k\npaths:\n  *k : {get: {}}\n",
		"in.json":  api(`"/a":{"get":{}}`, `"schemas":{"a":{"properties":{"`+key+`":{}}}}`),
	} {
		if _, err := read(t, name, text, openapi.Options{}); err == nil || !strings.Contains(err.Error(), "a key has 900") || len(err.Error()) > 200 {
			t.Errorf("%s: got %.300v", name, err)
		}
	}
}
