package mcplist_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/plumbline-mcp/plumbline/scan/mcplist"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// FuzzRead holds the reader to this: what is read twice is the same; every cited
// place holds the cited text; an error is a ReadError; the tools of a list are the
// same in every shape of it.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		`[{"name":"a","name":"b","inputSchema":{"$ref":"#/$defs/x","$defs":{"x":{"properties":{"a~/b":{"$ref":"#"}}}}}}]`,
		`{"tools":null,"nextCursor":7}`, `[[],[{}],7]`, `{"error":{"message":"x"}}`, "{}\n{}", "[\r\n{\"name\":\"\\ud800\"}]",
		`{"tools":[{"name":"a","inputSchema":{"properties":{"a":{"$dynamicRef":"#x"}},"$anchor":"x","required":[1]},"security":[{"a":[{}]}]}]}`,
	} {
		f.Add([]byte(s))
	}
	files, err := filepath.Glob(filepath.Join(fixtures, "*.json*"))
	if err != nil || len(files) == 0 {
		f.Fatal("no fixtures", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, err := mcplist.Read(context.Background(), "x", data)
		again, errAgain := mcplist.Read(context.Background(), "x", data)
		if diff := cmp.Diff(doc, again); diff != "" || fmt.Sprint(err) != fmt.Sprint(errAgain) {
			t.Fatalf("read twice, not the same: %v, %v\n%s", err, errAgain, diff)
		}
		var re *surface.ReadError
		if err != nil && !errors.As(err, &re) {
			t.Fatalf("%#v is no ReadError", err)
		}
		if err == nil {
			checkPositions(t, data, doc)
			checkShapes(t, data)
		}
	})
}

// checkShapes reads a list of tools bare, as a list and as a response.
func checkShapes(t *testing.T, data []byte) {
	t.Helper()
	var list struct{ Tools []json.RawMessage }
	if json.Unmarshal(data, &list.Tools) != nil && json.Unmarshal(data, &list) != nil {
		return
	}
	for _, tool := range list.Tools {
		var object map[string]json.RawMessage
		if json.Unmarshal(tool, &object) != nil || object["name"] == nil || object["tools"] != nil {
			return // in a bare array it may be no tool
		}
	}
	var bare bytes.Buffer
	if list.Tools == nil {
		list.Tools = []json.RawMessage{}
	}
	enc := json.NewEncoder(&bare)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(list.Tools); err != nil {
		t.Fatal(err)
	}
	want, err := mcplist.Read(context.Background(), "x", bare.Bytes())
	if err != nil {
		t.Fatalf("not read as a bare array: %v", err)
	}
	for _, shape := range []string{`{"tools":%s}`, `{"jsonrpc":"2.0","id":1,"result":{"tools":%s}}`, `[{"result":{"tools":%s}}]`} {
		got, err := mcplist.Read(context.Background(), "x", fmt.Appendf(nil, shape, bytes.TrimSpace(bare.Bytes())))
		if err != nil {
			t.Fatalf("not read as %s: %v", shape, err)
		}
		// Notes cite pointers and references from the root, which differ; places do.
		if diff := cmp.Diff(want.Tools, got.Tools, cmpopts.IgnoreTypes(surface.Position{}, []surface.Note{}), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("as %s, not the same tools:\n%s", shape, diff)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	var list bytes.Buffer
	list.WriteString(`{"tools":[`)
	for i := 0; list.Len() < 5<<20; i++ {
		if i > 0 {
			list.WriteByte(',')
		}
		fmt.Fprintf(&list, `{"name":"update_record_%d","description":"Changes one record of the ledger. Use this when the user names a record and what to change; do not use it to add one.","inputSchema":{"type":"object","properties":{"id":{"type":"string","pattern":"^r[0-9]+$"},"amount":{"type":"integer","minimum":0,"maximum":100},"labels":{"type":"array","items":{"$ref":"#/$defs/label"}}},"required":["id"],"additionalProperties":false,"$defs":{"label":{"type":"object","properties":{"key":{"type":"string"},"value":{"type":"string"}}}}},"outputSchema":{"type":"object","properties":{"ok":{"type":"boolean"}}}}`, i)
	}
	list.WriteString(`]}`)
	b.SetBytes(int64(list.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := mcplist.Read(context.Background(), "list.json", list.Bytes()); err != nil {
			b.Fatal(err)
		}
	}
}
