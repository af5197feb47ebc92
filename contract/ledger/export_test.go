package ledger

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract"
)

// exported is a contract's export.
func exported(t *testing.T, l *Ledger, id string) []byte {
	t.Helper()
	var text bytes.Buffer
	if err := l.Export(context.Background(), id, AnyLength, &text); err != nil {
		t.Fatal(err)
	}
	return text.Bytes()
}

func testExport(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	receipts := fullChain(t, l)
	text := exported(t, l, fixtureID)
	checked := contract.CheckChain(text, fixtureFiles())
	if !checked.Report.Valid() || len(checked.Rounds) != 3 || len(checked.Chain.Revisions()) != 2 {
		t.Errorf("the export is no valid chain file: %+v", checked.Report.Errors())
	}
	v, err := VerifyExport(bytes.NewReader(text), fixtureFiles(), receipts[4].Hash)
	if err != nil {
		t.Fatal(err)
	}
	if !v.OK() || v.Events != 7 || v.Head != receipts[6] || v.KeptAt != 5 || v.ContractID != fixtureID {
		t.Errorf("got %+v", v)
	}
	for name, text := range map[string]string{
		"not JSON":     "x",
		"a chain file": `{"aac":"0.1.0","revisions":[],"rounds":[]}`,
		"no list":      `{"ledger":{"events":{}}}`,
		"no object":    `[]`,
		"cut":          string(text[:len(text)-3]),
		"and more":     string(text) + "{}",
		"events twice": `{"ledger":{"events":[],"events":[]}}`,
		"not UTF-8":    strings.Replace(string(text), "olga", "\xff", 1),
	} {
		_, err := VerifyExport(strings.NewReader(text), nil, "")
		if err == nil {
			t.Fatalf("%s was verified", name)
		}
		wantCode(t, err, UnreadableDocument)
	}
	for text, want := range map[string][2]int{
		"x": {1, 1}, "{\n \"a\": 1,\n \"ledger\": {\"events\": [\n  {\"a\": 1,\n   \"a\": 2}]}}": {5, 4}, "\ufeff{\"ledger\": {\"events\": []}}\n\n {}": {3, 2},
	} {
		_, err := VerifyExport(strings.NewReader(text), nil, "")
		var told *contract.SyntaxError
		if !errors.As(err, &told) || told.Line != want[0] || told.Column != want[1] {
			t.Errorf("%s: %+v at %+v, want line and column %v", text, err, told, want)
		}
	}
	broken, err := VerifyExport(strings.NewReader(strings.Replace(string(text), `"seq":2`, `"seq":"2"`, 1)), nil, "")
	if err != nil || broken.OK() || broken.Faults[0] != (Fault{2, "its member `seq` is missing or is not what an export writes"}) {
		t.Errorf("an event with a broken member: %+v, %v", broken, err)
	}
	if v, err := VerifyExport(strings.NewReader(`{"ledger":{"events":[]}}`), nil, ""); err != nil || v.OK() {
		t.Errorf("no events verify: %+v, %v", v, err)
	}
}

// testExportWithFiles: without the artifacts, rounds that need them are not judged
// anew, and the answer says so.
func testExportWithFiles(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	c := register(t, l, contractText(t, 1, contractOptions{})).Contract
	outside := map[string]any{"class": "row-total", "severity": "blocking", "location": rowsLabel() + "#9", "message": "no such row",
		"remedy": map[string]any{"type": "delegate", "to": "payments"}} // valid only since the file has no row 9
	recordRound(t, l, "r", roundText(t, c, "fail", outside))
	text := exported(t, l, fixtureID)
	with, err := VerifyExport(bytes.NewReader(text), fixtureFiles(), "")
	if err != nil || !with.OK() || containsText(with.Blind, "not judged anew") {
		t.Errorf("got %+v, %v", with, err)
	}
	without, err := VerifyExport(bytes.NewReader(text), nil, "")
	if err != nil || !without.OK() || !containsText(without.Blind, "not judged anew") {
		t.Errorf("got %+v, %v", without, err)
	}
}

// TestExportTampered changes each member of each event of an export, and the lists.
func TestExportTampered(t *testing.T) {
	l := openLedger(t, sqliteTests.newDSN(t))
	fullChain(t, l)
	text := exported(t, l, fixtureID)
	check := func(name string, change func(file map[string]any)) {
		t.Helper()
		var file map[string]any
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()
		if err := decoder.Decode(&file); err != nil {
			t.Fatal(err)
		}
		change(file)
		v, err := VerifyExport(bytes.NewReader(marshal(t, file)), fixtureFiles(), "")
		if err == nil && v.OK() {
			t.Errorf("%s: not found", name)
		}
	}
	events := func(file map[string]any) []any { return file["ledger"].(map[string]any)["events"].([]any) }
	for i := range 7 {
		for _, member := range []string{"contract", "seq", "kind", "who", "role", "submission", "at", "body_sha256", "prev", "hash", "body"} {
			check(fmt.Sprint(member, " of ", i), func(file map[string]any) {
				e := events(file)[i].(map[string]any)
				if _, isText := e[member].(string); isText {
					e[member] = e[member].(string) + "x"
				} else {
					e[member] = 99
				}
			})
		}
	}
	check("a revision", func(file map[string]any) { file["revisions"].([]any)[0].(map[string]any)["x"] = 1 })
	check("a round", func(file map[string]any) { file["rounds"].([]any)[2].(map[string]any)["verdict"] = "fail" })
	check("a round's revision", func(file map[string]any) { file["rounds"].([]any)[2].(map[string]any)["revision"] = 1 })
	check("a round less", func(file map[string]any) { file["rounds"] = file["rounds"].([]any)[:2] })
	check("no rounds", func(file map[string]any) { delete(file, "rounds") })
	check("an event less", func(file map[string]any) { file["ledger"].(map[string]any)["events"] = events(file)[1:] })
}

// TestExportLimit: what is too large for an answer is refused before anything is written.
func TestExportLimit(t *testing.T) {
	l := openLedger(t, sqliteTests.newDSN(t))
	c := register(t, l, contractText(t, 1, contractOptions{})).Contract
	recordRound(t, l, "r", roundText(t, c, "fail", defect))
	bodies := int64(0)
	events, err := l.Events(context.Background(), fixtureID, 0, 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		bodies += int64(len(e.Body))
	}
	for name, export := range map[string]func(context.Context, string, int64, io.Writer) error{"whole": l.Export, "builder": l.ExportForBuilder} {
		var out bytes.Buffer
		err := export(context.Background(), fixtureID, bodies-1, &out)
		if wantCode(t, err, TooLarge); out.Len() > 0 {
			t.Errorf("%s: %d bytes were written", name, out.Len())
		}
		if err := export(context.Background(), fixtureID, bodies, &out); err != nil || out.Len() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// broken takes nothing.
type broken struct{}

var errBroken = errors.New("no space left")

func (broken) Write([]byte) (int, error) { return 0, errBroken }

func TestExportToWhatFails(t *testing.T) {
	l := openLedger(t, sqliteTests.newDSN(t))
	fullChain(t, l)
	if err := l.Export(context.Background(), fixtureID, AnyLength, broken{}); !errors.Is(err, errBroken) {
		t.Errorf("got %v", err)
	}
}

// TestLongExport: a chain is exported and verified in far less memory than it has.
func TestLongExport(t *testing.T) {
	l := openLedger(t, sqliteTests.newDSN(t))
	c := register(t, l, contractText(t, 1, contractOptions{})).Contract
	long := map[string]any{"class": "row-total", "severity": "advisory", "location": "a", "message": strings.Repeat("long ", maxBodyBytes/6)}
	const rounds = 30
	for i := range rounds {
		recordRound(t, l, fmt.Sprint(i), roundText(t, c, "pass", long))
	}
	file, writer := io.Pipe()
	go func() { writer.CloseWithError(l.Export(context.Background(), fixtureID, AnyLength, writer)) }()
	peak := &peakReader{r: file}
	before := liveHeap()
	v, err := VerifyExport(peak, fixtureFiles(), "")
	if err != nil || !v.OK() || v.Events != rounds+1 {
		t.Fatalf("got %+v, %v", v, err)
	}
	if used := peak.heap - min(before, peak.heap); peak.size < rounds*maxBodyBytes || used > uint64(peak.size)/2 {
		t.Errorf("%d MB were exported with %d MB of memory", peak.size>>20, used>>20)
	}
}

// peakReader looks at what lives on the heap while it is read.
type peakReader struct {
	r    io.Reader
	size int
	heap uint64
	next int
}

func (p *peakReader) Read(b []byte) (int, error) {
	n, err := p.r.Read(b)
	if p.size += n; p.size > p.next {
		p.next = p.size + 4<<20
		p.heap = max(p.heap, liveHeap())
	}
	return n, err
}

// liveHeap is how many bytes are in use, garbage aside.
func liveHeap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
