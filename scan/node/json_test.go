package node_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/pb33f/go-yaml"

	"github.com/plumbline-mcp/plumbline/scan/node"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// outline writes a tree on one line: every node as value@line:column.
func outline(n *yaml.Node) string {
	at := fmt.Sprintf("@%d:%d", n.Line, n.Column)
	if n.Kind == yaml.ScalarNode {
		return n.Value + at
	}
	var parts []string
	for _, c := range n.Content {
		parts = append(parts, outline(c))
	}
	if n.Kind == yaml.SequenceNode {
		return "[" + strings.Join(parts, " ") + "]" + at
	}
	return "{" + strings.Join(parts, " ") + "}" + at
}

func TestDecodeJSONPositions(t *testing.T) {
	for name, tc := range map[string]struct {
		text string
		want []string
	}{
		"minified":              {`{"a":[1,"b",{"c":null}]}`, []string{"{a@1:2 [1@1:7 b@1:9 {c@1:14 null@1:18}@1:13]@1:6}@1:1"}},
		"several lines":         {"{\n  \"a\" : 1 ,\r\n\t\"b\": true\n}", []string{"{a@2:3 1@2:9 b@3:2 true@3:7}@1:1"}},
		"characters, not bytes": {`{"é😀":"ü","x":1}`, []string{"{é😀@1:2 ü@1:7 x@1:11 1@1:15}@1:1"}},
		"escapes are counted":   {`["\u00e9\/\ud83d\ude00",1]`, []string{"[é/😀@1:2 1@1:25]@1:1"}},
		"byte order mark":       {"\ufeff[1]", []string{"[1@1:2]@1:1"}},
		"duplicate keys":        {`{"a":1,"a":2}`, []string{"{a@1:2 1@1:6 a@1:8 2@1:12}@1:1"}},
		"number spelling":       {`[1.0,-0,1e400,12345678901234567890]`, []string{"[1.0@1:2 -0@1:6 1e400@1:9 12345678901234567890@1:15]@1:1"}},
		"lone surrogate":        {`["\ud800"]`, []string{"[\ufffd@1:2]@1:1"}},
		"brackets in strings":   {`{"]":"}{"}`, []string{"{]@1:2 }{@1:6}@1:1"}},
		"JSON lines":            {"{\"a\":1}\n\n[2]\n", []string{"{a@1:2 1@1:6}@1:1", "[2@3:2]@3:1"}},
		"run together":          {`{}{}[]`, []string{"{}@1:1", "{}@1:3", "[]@1:5"}},
		"nothing":               {" \n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			values, err := node.DecodeJSON(context.Background(), []byte(tc.text))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, v := range values {
				got = append(got, outline(v))
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestDecodeJSONTags(t *testing.T) {
	values, err := node.DecodeJSON(context.Background(), []byte(`[{},[],"1",1,1.5,1e3,true,null]`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, n := range values[0].Content {
		got = append(got, n.ShortTag())
	}
	want := []string{"!!map", "!!seq", "!!str", "!!int", "!!float", "!!float", "!!bool", "!!null"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestDecodeJSONErrors(t *testing.T) {
	for name, tc := range map[string]struct {
		text         string
		line, column int
		part, hint   string
	}{
		"cut off":           {"{\"a\":\n [1, 2", 2, 7, "unexpected end", "cut off"},
		"cut off in string": {`{"a":"b`, 1, 8, "unexpected end", "cut off"},
		"cut off later":     {"{}\n{\"a\"", 2, 5, "unexpected end", "cut off"},
		"trailing comma":    {`{"a":1,}`, 1, 8, "object key", "double quotes"},
		"comma in array":    {"[\n1,\n]", 3, 1, "'}'|']'", "value is expected"},
		"missing comma":     {"{\"a\":1\n\"b\":2}", 2, 1, "after object key:value pair", "missing"},
		"comment":           {"[1, // one\n2]", 1, 5, "'/'", "no comments"},
		"single quotes":     {`{'a':1}`, 1, 2, `'\''`, "double quotes"},
		"raw line break":    {"{\"a\":\"b\nc\"}", 1, 8, "in string literal", `\n`},
		"bad escape":        {`["é\d"]`, 1, 5, "string escape", `\\`},
		"trailing garbage":  {"{\"tools\":[]}\n garbage", 2, 2, "'g'", "value is expected"},
		"stray bracket":     {`{"a":1}]`, 1, 8, "']'", "value is expected"},
		"NaN":               {`[NaN]`, 1, 2, "'N'", "value is expected"},
		"not UTF-8":         {"{\"é\": \"\xff\"}", 1, 8, "byte 0xff", "UTF-8"},
		"UTF-16":            {"\xff\xfe[\x00]\x00", 1, 1, "byte 0xff", "UTF-8"},
		"too deep":          {strings.Repeat("[", 10_000), 1, node.MaxJSONDepth + 1, "nested deeper than 1000", "split it"},
		"too deep objects":  {strings.Repeat(`{"a":`, 10_000), 1, 5*node.MaxJSONDepth + 1, "nested deeper than 1000", "split it"},
		"too many values":   {"[" + strings.Repeat("0,", node.MaxJSONValues) + "0]", 1, 2 * node.MaxJSONValues, "more than 1000000 keys and values", "split it"},
	} {
		t.Run(name, func(t *testing.T) {
			values, err := node.DecodeJSON(context.Background(), []byte(tc.text))
			var re *surface.ReadError
			if !errors.As(err, &re) || values != nil {
				t.Fatalf("got %v, %v; want a ReadError", values, err)
			}
			if re.Line != tc.line || re.Column != tc.column {
				t.Errorf("at %d:%d, want %d:%d (%v)", re.Line, re.Column, tc.line, tc.column, err)
			}
			if !strings.Contains(re.Hint, tc.hint) {
				t.Errorf("hint %q lacks %q", re.Hint, tc.hint)
			}
			found := false
			for part := range strings.SplitSeq(tc.part, "|") {
				found = found || strings.Contains(re.Message, part)
			}
			if !found {
				t.Errorf("message %q lacks %q", re.Message, tc.part)
			}
		})
	}
}

func TestDecodeJSONRefusesLargeDocuments(t *testing.T) {
	_, err := node.DecodeJSON(context.Background(), bytes.Repeat([]byte(" "), node.MaxJSONBytes+1))
	var re *surface.ReadError
	if !errors.As(err, &re) || !strings.Contains(re.Message, "67108865 bytes") {
		t.Errorf("got %v, want a ReadError that tells the size", err)
	}
}

func TestDecodeJSONStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := node.DecodeJSON(ctx, []byte(`[1]`)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's error", err)
	}
}

// FuzzDecodeJSON holds the decoder against encoding/json: both accept the same
// values, and at every place that a node names, its own text stands.
func FuzzDecodeJSON(f *testing.F) {
	for _, s := range []string{
		`{"a":[1,"b\n\u00e9",{"c":null}],"a":-1.5e3}`, "\ufeff[true,false]", "{}\n[]", `["\ud800","é"]`,
		`{"a":1,}`, `[1 2]`, "[\xff]", `{"a"}`, `"x"`, `[[[[`, "\r\n[\r\n1\r\n]", "1\"a\"", `[,]`, ``,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		values, err := node.DecodeJSON(context.Background(), data)
		text := bytes.TrimPrefix(data, []byte("\ufeff"))
		if valid := json.Valid(text) && utf8.Valid(text); valid && (err != nil || len(values) != 1) {
			t.Fatalf("valid JSON gives %d values, %v", len(values), err)
		}
		if err != nil {
			var re *surface.ReadError
			if !errors.As(err, &re) || re.Line < 1 || re.Column < 1 || re.Hint == "" {
				t.Fatalf("%#v is no ReadError with a place and a hint", err)
			}
			return
		}
		var lines [][]rune
		for line := range bytes.SplitSeq(text, []byte("\n")) {
			lines = append(lines, []rune(string(line)))
		}
		for _, v := range values {
			checkPlaces(t, lines, v)
		}
	})
}

// checkPlaces decodes what stands at each node's place and compares.
func checkPlaces(t *testing.T, lines [][]rune, n *yaml.Node) {
	t.Helper()
	line := lines[n.Line-1][n.Column-1:]
	// A character takes at most two escapes of six characters each.
	rest := string(line[:min(len(line), 12*len(n.Value)+16)])
	switch n.Kind {
	case yaml.MappingNode:
		if rest[0] != '{' {
			t.Fatalf("no object at %d:%d but %.20q", n.Line, n.Column, rest)
		}
	case yaml.SequenceNode:
		if rest[0] != '[' {
			t.Fatalf("no array at %d:%d but %.20q", n.Line, n.Column, rest)
		}
	default:
		dec := json.NewDecoder(strings.NewReader(rest))
		dec.UseNumber()
		var v any
		if err := dec.Decode(&v); err != nil {
			t.Fatalf("nothing to decode at %d:%d but %.20q: %v", n.Line, n.Column, rest, err)
		}
		if text := fmt.Sprint(v); n.Tag != "!!null" && text != n.Value {
			t.Fatalf("%q at %d:%d, want %q", text, n.Line, n.Column, n.Value)
		}
	}
	for _, c := range n.Content {
		checkPlaces(t, lines, c)
	}
}

func BenchmarkDecodeJSON(b *testing.B) {
	var list bytes.Buffer
	for i := range 30_000 {
		fmt.Fprintf(&list, `{"name":"tool_%d","description":"Returns the record with the given number, or an error where there is none.","inputSchema":{"type":"object","properties":{"id":{"type":"integer","minimum":1}}}}`, i)
		list.WriteByte('\n')
	}
	b.SetBytes(int64(list.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := node.DecodeJSON(context.Background(), list.Bytes()); err != nil {
			b.Fatal(err)
		}
	}
}
