package scan

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
)

// hang is how long a scan of a small document may take before it counts as hanging.
const hang = 2 * time.Minute

// Small documents whose judgement could cost more than their size: many operations
// over one large schema, long texts full of what a rule looks for.
func TestSmallDocumentsCostLittle(t *testing.T) {
	fields := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, ",\n"+format, i)
		}
		return b.String()[1:]
	}
	shared := func(operations int, properties string) string {
		var paths strings.Builder
		for i := range operations {
			fmt.Fprintf(&paths, `,"/o%d":{"post":{"requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/s"}}}}}}`, i)
		}
		return `{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{` + paths.String()[1:] +
			`},"components":{"schemas":{"s":{"type":"object","properties":{` + properties + `}}}}}`
	}
	described := func(name, text string) string {
		return fmt.Sprintf(`{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{"/o":{"get":{"description":%q,`+
			`"parameters":[{"name":%q,"in":"query","description":%q,"schema":{"type":"string"}}]}}}}`, text, name, text)
	}
	everywhere := func(text string) string { // of every operation of a path that many share
		var paths strings.Builder
		for i := range 2000 {
			fmt.Fprintf(&paths, `,"/o%d":{"$ref":"#/x-shared"}`, i)
		}
		return fmt.Sprintf(`{"openapi":"3.1.0","info":{"title":"t","version":"1"},"x-shared":{"delete":{"description":%q,`+
			`"responses":{"400":{"description":%q}},"requestBody":{"content":{"a/b":{"schema":{"properties":{"a":{"type":"string","description":%q}}}}}}}},"paths":{`,
			text, text, text) + paths.String()[1:] + `}}`
	}
	tests := map[string]string{
		"a shared long text": everywhere(strings.Repeat("do not use this tool unless approved. ", 20_000)),
		"many states":        shared(50, fields(1900, `"f%d_state":{"type":"string"}`)),
		"many amounts":       shared(300, fields(1900, `"f%d_amount":{"type":"integer"}`)),
		"hidden names":       shared(1, fields(1900, `"f%d\u200b":{"type":"string"}`)),
		"hidden everywhere":  shared(200, fields(1900, `"f%d\u200b":{"type":"string"}`)),
		"denied lists":       described("status", strings.Repeat("not one of a, b ", 6000)),
		"denied standards":   described("country", strings.Repeat("no ISO ", 12000)),
		"denied maxima":      described("limit", strings.Repeat("no max 100 ", 9000)),
		"many maxima":        described("limit", strings.Repeat("page size up to 9 bananas ", 4000)),
		"code spans":         described("status", codeSpans(1000)),
		"open brackets":      described("status", strings.Repeat("[(<", 30000)),
		"negations":          described("status", strings.Repeat("no dry run nor ", 6000)),
	}
	for name, document := range tests {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), hang)
			defer cancel()
			doc, err := Read(ctx, Input{Name: "small.json", Data: []byte(document)})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Scan(ctx, doc, Options{Now: noon}); err != nil {
				t.Errorf("a document of %d bytes is not scanned within %s: %v", len(document), hang, err)
			}
		})
	}
}

// codeSpans are runs of backticks of n lengths, none of which has a second.
func codeSpans(n int) string {
	var b strings.Builder
	b.WriteString("<!")
	for i := range n {
		b.WriteString(strings.Repeat("`", i+1) + " ")
	}
	b.WriteString("--")
	return b.String()
}
