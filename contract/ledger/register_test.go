package ledger

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/plumbline-mcp/plumbline/contract"
)

func testExactBytes(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	plain := contractText(t, 1, contractOptions{id: "odd"})
	odd := append([]byte("\ufeff \n\t"), bytes.Replace(plain, []byte(`"authority": "plan.md"`), []byte("\"authority\" :\r\n\"caf\\u00e9 – ☂ 😀 \\/\""), 1)...)
	odd = append(odd, " \r\n\n"...)
	r, err := l.Register(context.Background(), olga, bytes.Clone(odd), fixtureFiles())
	if err != nil || r.Receipt == nil {
		t.Fatalf("not registered: %v %+v", err, r.Report.Errors())
	}
	again := openLedger(t, reopened(t, l)) // nothing parsed yet
	for _, l := range []*Ledger{l, again} {
		got, err := l.Contract(context.Background(), "odd", 0)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Contract.Text, odd) {
			t.Errorf("registered %q, read %q", odd, got.Contract.Text)
		}
		if got.Who != "olga" || got.Newest != 1 || got.Receipt != *r.Receipt {
			t.Errorf("got %+v", got)
		}
	}
	c := register(t, l, contractText(t, 1, contractOptions{})).Contract
	round := append([]byte(" \t"), bytes.Replace(roundText(t, c, "fail", defect), []byte(`,`), []byte(",\r\n "), 3)...)
	recordRound(t, l, "r", bytes.Clone(round))
	events, err := l.Events(context.Background(), fixtureID, 1, 10)
	if err != nil || len(events) != 1 || !bytes.Equal(events[0].Body, round) {
		t.Errorf("recorded %q, read %+v, %v", round, events, err)
	}
}

// testOddOwner: whatever a contract may hold, every database can keep.
func testOddOwner(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	text, err := contract.Stamp(bytes.Replace(contractText(t, 1, contractOptions{}), []byte(`"payments"`), []byte(`"pay\u0000ments \ud83d\ude00"`), 1), 1)
	if err != nil {
		t.Fatal(err)
	}
	if c := register(t, l, text).Contract; c.Owner != "pay\x00ments 😀" {
		t.Errorf("got the owner %q", c.Owner)
	}
	register(t, l, grown(t))
	verify(t, l, fixtureID, "")
	if s := status(t, l); len(s.Facts) != 1 || s.Facts[0].Name != "owner_changed" {
		t.Errorf("got %+v", s.Facts)
	}
}

func testRegistering(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	ctx := context.Background()
	first := contractText(t, 1, contractOptions{})
	r := register(t, l, first)
	if r.Receipt.Seq != 1 || r.Receipt.ContractID != fixtureID || len(r.Receipt.Hash) != 64 || r.Already || r.Review.Answer != "" {
		t.Errorf("the first registration gave %+v, %+v", r.Receipt, r.Review)
	}
	if len(r.Next) != 1 || r.Next[0].Actor != contract.ActorBuilder {
		t.Errorf("the builder is next, got %+v", r.Next)
	}
	again := register(t, l, first)
	if !again.Already || *again.Receipt != *r.Receipt {
		t.Errorf("registered twice: %+v", again.Receipt)
	}
	for name, test := range map[string]struct {
		text []byte
		code contract.Code
	}{
		"skips":     {contractText(t, 3, contractOptions{cases: []string{"a"}}), contract.RevisionSequence},
		"unchanged": {contractText(t, 2, contractOptions{authority: "other.md"}), contract.CriteriaUnchanged},
		"not first": {contractText(t, 2, contractOptions{id: "fresh"}), contract.RevisionSequence},
		"broken":    {[]byte(`{"aac": `), contract.InvalidJSON},
		"no schema": {[]byte(`{"aac": "0.1.0"}`), contract.SchemaProblem},
	} {
		r, err := l.Register(ctx, olga, test.text, fixtureFiles())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if r.Receipt != nil || r.Report.Valid() || !r.Report.Has(test.code) {
			t.Errorf("%s: got %+v, want %s", name, r.Report.Errors(), test.code)
		}
	}
	if v := verify(t, l, fixtureID, r.Receipt.Hash); v.Events != 1 || v.KeptAt != 1 {
		t.Errorf("invalid revisions left something behind: %+v", v)
	}
	if _, err := l.Contract(ctx, "fresh", 0); err == nil {
		t.Error("an invalid revision made a contract")
	}
	if second := register(t, l, grown(t)); second.Receipt.Seq != 2 || second.Review.Answer != "grow" {
		t.Errorf("the second revision gave %+v, %+v", second.Receipt, second.Review)
	}
	if old := register(t, l, first); !old.Already || *old.Receipt != *r.Receipt {
		t.Errorf("an older revision is registered still: %+v", old)
	}
}

func testConflict(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	register(t, l, contractText(t, 1, contractOptions{}))
	for name, text := range map[string][]byte{
		"other criteria":     contractText(t, 1, contractOptions{run: "true"}),
		"other authority":    contractText(t, 1, contractOptions{authority: "other.md"}),
		"a byte at the end":  append(contractText(t, 1, contractOptions{}), ' '),
		"a byte order mark":  append([]byte("\ufeff"), contractText(t, 1, contractOptions{})...),
		"an older, reworded": nil,
	} {
		if text == nil {
			register(t, l, grown(t))
			text = contractText(t, 1, contractOptions{run: "false"})
		}
		_, err := l.Register(context.Background(), olga, text, fixtureFiles())
		if err == nil {
			t.Fatalf("%s: no conflict", name)
		}
		wantCode(t, err, RevisionConflict)
	}
}

// testAnswers: after an extension, what does not answer it is warned of.
func testAnswers(t *testing.T, b testBackend) {
	for name, test := range map[string]struct {
		options  contractOptions
		extended bool
		answer   string
		warning  contract.Code
	}{
		"grows":      {contractOptions{cases: []string{"under", "over", "yen"}}, true, "grow", ""},
		"no answer":  {contractOptions{run: "go test ./..."}, true, "none", contract.NotAnAnswer},
		"not asked":  {contractOptions{run: "go test ./..."}, false, "none", ""},
		"only fewer": {contractOptions{cases: []string{"under"}}, true, "none", contract.NotAnAnswer},
	} {
		l := openLedger(t, b.newDSN(t))
		c := register(t, l, contractText(t, 1, contractOptions{})).Contract
		if test.extended {
			recordRound(t, l, "1", roundText(t, c, "fail", extension))
			recordRound(t, l, "2", roundText(t, c, "fail", defect)) // does not answer it
		}
		r := register(t, l, contractText(t, 2, test.options))
		if r.Review.Answer != test.answer || r.Report.Has(contract.NotAnAnswer) != (test.warning != "") {
			t.Errorf("%s: got %q, %+v", name, r.Review.Answer, r.Report.Warnings())
		}
		again := register(t, l, contractText(t, 2, test.options))
		if !again.Already || again.Review.Answer != test.answer || again.Report.Has(contract.NotAnAnswer) != (test.warning != "") {
			t.Errorf("%s: again it got %q, %+v", name, again.Review.Answer, again.Report.Warnings())
		}
	}
	l := openLedger(t, b.newDSN(t))
	text := contractText(t, 1, contractOptions{})
	register(t, l, text)
	narrow, err := contract.Stamp(bytes.Replace(text, []byte("The listed refund cases"), []byte("The listed euro cases"), 1), 2)
	if err != nil {
		t.Fatal(err)
	}
	if r := register(t, l, narrow); r.Review.Answer != "narrow" || !r.Report.Has(contract.NarrowWithoutAuthority) {
		t.Errorf("a narrowing without authority gave %q, %+v", r.Review.Answer, r.Report.Warnings())
	}
}

func testRequireRegistered(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	ctx := context.Background()
	c := parse(t, contractText(t, 1, contractOptions{}))
	wantCode(t, l.RequireRegistered(ctx, c), NotRegistered)
	register(t, l, c.Text)
	if err := l.RequireRegistered(ctx, c); err != nil {
		t.Error(err)
	}
	wantCode(t, l.RequireRegistered(ctx, parse(t, append(bytes.Clone(c.Text), '\n'))), NotRegistered)
	wantCode(t, l.RequireRegistered(ctx, parse(t, grown(t))), NotRegistered)
}

// testKeptArtifacts: rounds are judged by the bytes that were registered, wherever
// they are judged.
func testKeptArtifacts(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	files := fstest.MapFS{"data/rows.csv": {Data: []byte("id,amount\na,1\nb,2\n")}}
	r, err := l.Register(context.Background(), olga, contractText(t, 1, contractOptions{}), files)
	if err != nil {
		t.Fatal(err)
	}
	files["data/rows.csv"].Data = []byte("gone")
	other := openLedger(t, reopened(t, l))
	held, err := other.CheckRound(context.Background(), fixtureID, roundText(t, r.Contract, "fail", rowDefect("2")))
	if err != nil {
		t.Fatal(err)
	}
	if !held.Result.Report.Valid() || held.Result.Against() != 1 {
		t.Errorf("row 2 is in the file: %+v", held.Result.Report.Errors())
	}
	outside, err := other.CheckRound(context.Background(), fixtureID, roundText(t, r.Contract, "fail", rowDefect("3")))
	if err != nil {
		t.Fatal(err)
	}
	if outside.Result.Extensions() != 1 || !outside.Result.Report.Has(contract.ExtensionRemedy) {
		t.Errorf("row 3 is not in the file: %+v", outside.Result.Report.Errors())
	}
	verify(t, l, fixtureID, "")
}

func testMissingArtifacts(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	text := contractText(t, 1, contractOptions{})
	for name, files := range map[string]fstest.MapFS{
		"nowhere": nil,
		"missing": {},
		"changed": {"data/rows.csv": {Data: []byte("id,amount\n")}},
	} {
		_, err := l.Register(context.Background(), olga, text, files)
		if name == "nowhere" {
			_, err = l.Register(context.Background(), olga, text, nil)
		}
		if err == nil {
			t.Fatalf("%s: registered", name)
		}
		wantCode(t, err, UnreadableFile)
	}
	r, err := l.Register(context.Background(), olga, grown(t), nil)
	if err != nil || !r.Report.Has(contract.RevisionSequence) {
		t.Errorf("of a revision that skips, its files do not matter: %+v, %v", r, err)
	}
	if _, err := l.Status(context.Background(), fixtureID); err == nil {
		t.Error("a refused registration left a contract behind")
	}
	register(t, l, text)
	if r, err := l.Register(context.Background(), olga, text, nil); err != nil || !r.Already {
		t.Errorf("what is registered needs its files no more: %v", err)
	}
}

// openings counts the files that are opened.
type openings struct {
	fstest.MapFS
	count int
}

func (o *openings) Open(name string) (fs.File, error) {
	o.count++
	return o.MapFS.Open(name)
}

// TestArtifactSizes: the artifacts of one revision have a limit together, behind which
// no file is read.
func TestArtifactSizes(t *testing.T) {
	l := openLedger(t, sqliteTests.newDSN(t))
	data := make([]byte, contract.MaxArtifactBytes)
	files, criteria := fstest.MapFS{}, []any{}
	for i := range 2 * contract.MaxKeptBytes / len(data) {
		name := fmt.Sprint("rows", i, ".txt")
		files[name] = &fstest.MapFile{Data: data}
		criteria = append(criteria, map[string]any{"id": fmt.Sprint("c", i), "class": fmt.Sprint("c", i), "kind": "bounded", "statement": "A row is right.",
			"domain": map[string]any{"artifact": name, "fingerprint": contract.Fingerprint(data)}, "checks": []any{map[string]any{"type": "command", "run": "go test"}}})
	}
	text, err := contract.Stamp(marshal(t, map[string]any{"aac": "0.1.0", "contract": map[string]any{"id": "large", "owner": "olga"},
		"budget": map[string]any{"extensions": 1}, "criteria": criteria}), 1)
	if err != nil {
		t.Fatal(err)
	}
	root := &openings{MapFS: files}
	_, err = l.Register(context.Background(), olga, text, root)
	wantCode(t, err, TooLarge)
	if most := contract.MaxKeptBytes/len(data) + 1; root.count > most {
		t.Errorf("%d files were opened, more than the %d that show it", root.count, most)
	}
}

// testNoArtifacts: a contract without files needs no root, and an empty file is a
// file.
func testNoArtifacts(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	c, err := childContract()
	if err != nil {
		t.Fatal(err)
	}
	if r, err := l.Register(context.Background(), olga, c.Text, nil); err != nil || r.Receipt == nil {
		t.Fatalf("got %+v, %v", r, err)
	}
	verify(t, l, c.ID, "")
	text := bytes.Replace(contractText(t, 1, contractOptions{}), []byte(rowsLabel()[len("data/rows.csv@"):]), []byte(contract.Fingerprint(nil)), 1)
	if text, err = contract.Stamp(text, 1); err != nil {
		t.Fatal(err)
	}
	if r, err := l.Register(context.Background(), olga, text, fstest.MapFS{"data/rows.csv": {}}); err != nil || r.Receipt == nil {
		t.Fatalf("got %+v, %v", r, err)
	}
	verify(t, l, fixtureID, "")
}
