package contract_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/plumbline-mcp/plumbline/contract"
)

// input is how a criterion takes its inputs from a file.
type input func(ref *contract.ArtifactRef) contract.Criterion

func asCases(ref *contract.ArtifactRef) contract.Criterion {
	return contract.Criterion{Class: "a", Kind: contract.Enumerable, CaseFile: ref}
}

func asRows(ref *contract.ArtifactRef) contract.Criterion {
	return contract.Criterion{Class: "a", Kind: contract.Bounded, Domain: ref}
}

func keyedByK(ref *contract.ArtifactRef) contract.Criterion {
	ref.Key, ref.Keyed = "k", true
	return asRows(ref)
}

// inputsOf gives a function that says whether the criterion of a file with that text
// holds a name.
func inputsOf(t testing.TB, as input, path, text string) (holds func(name string) bool) {
	t.Helper()
	label := contract.Fingerprint([]byte(text))
	c := &contract.Contract{Criteria: []contract.Criterion{as(&contract.ArtifactRef{Path: path, Fingerprint: label})}}
	standard := contract.NewStandard(c, fstest.MapFS{path: {Data: []byte(text)}})
	return func(name string) bool {
		t.Helper()
		judged := standard.Judge(&contract.Finding{
			Class: "a", Weight: contract.Blocking, Located: true, Location: path + "@" + label + "#" + name,
		})
		if judged.Unverified != nil {
			t.Fatal(judged.Unverified)
		}
		return judged.Disposition == contract.DispositionAgainst
	}
}

func TestRows(t *testing.T) {
	const bom = "\ufeff"
	tests := []struct {
		name, path string
		as         input
		text       string
		in, out    []string // names that are held, and that are not
	}{
		{"json cases", "a.json", asCases, `["a", {"id": "b"}, {"id": 1.50}, 100, {"k": "c"}, null, true, {"id": null}, ["d"]]`,
			[]string{"a", "b", "1.5", "100"}, []string{"1.50", "c", "d", "null", "true", "", "id"}},
		{"json rows", "a.json", asRows, `[null, [], {}]`, []string{"1", "3"}, []string{"0", "4", "01", "", "1.0"}},
		{"json keys", "a.json", keyedByK, `[{"k": "x"}, {"k": 1e2}, {"K": "y"}, "k", {"k": ["z"]}, {"k": "x"}]`,
			[]string{"x", "100"}, []string{"y", "z", "k", "1", "1e2"}},
		{"json in capitals", "A.JSON", asRows, `["a", "b"]`, []string{"1", "2"}, []string{"3"}},
		{"json with a byte order mark", "a.json", asRows, bom + `[1]`, []string{"1"}, []string{"2"}},
		{"json that is an object", "a.json", asRows, `{"a": 1}`, nil, []string{"1"}},
		{"json cut short", "a.json", asRows, `[1, 2`, nil, []string{"1"}},
		{"json with a member twice", "a.json", asCases, `[{"id": "a", "id": "b"}]`, nil, []string{"a", "b"}},

		{"lines", "a.jsonl", asCases, "\"a\"\n\n \t\r\n{\"id\": \"b\"}\r\n7", []string{"a", "b", "7"}, []string{""}},
		{"lines, numbered", "a.ndjson", asRows, "1\n\n[\n", nil, []string{"1", "2"}},
		{"lines, blank ones are no rows", "a.ndjson", asRows, "\n1\n\n2", []string{"1", "2"}, []string{"3"}},

		{"csv cases by id", "a.csv", asCases, "n,id\n1,a\n2,\" b\"\"c\"\n3\n", []string{"a", ` b"c`}, []string{"1", "n", "id", `b"c`, "3"}},
		{"csv cases without id", "a.csv", asCases, "n,m\n1,a\n\n2,b\n", []string{"1", "2"}, []string{"a", "n", ""}},
		{"csv cases, id by exact name", "a.csv", asCases, "n, id\n1,a\n", []string{"1"}, []string{"a"}},
		{"csv rows", "a.csv", asRows, "n\r\n1\r\n\r\n\"2\r\n2\"\r\n", []string{"1", "2"}, []string{"3"}},
		{"csv keys", "a.csv", keyedByK, "k,k\nx,y\n z ,w\n", []string{"x", " z "}, []string{"y", "w", "z", "k"}},
		{"csv, line ends in quotes", "a.csv", keyedByK, "l,k\r\n1,\"a\r\nb\"\r\n\"\r\n\",\"c\nd\"\r\n3,\"\"\"e\r\r\n\"\r\n4,f\r\n",
			[]string{"a\r\nb", "c\nd", "\"e\r\r\n", "f"}, []string{"a\nb", "c\r\nd", "f\r"}},
		{"csv, short row", "a.csv", keyedByK, "a,k\n1\n2,x\n", []string{"x"}, []string{"", "1"}},
		{"csv, empty value", "a.csv", keyedByK, "a,k\n1,\n", []string{""}, []string{"1"}},
		{"csv, no such column", "a.csv", keyedByK, "a,b\n1,2\n", nil, []string{"", "1", "2"}},
		{"csv with a byte order mark", "a.csv", keyedByK, bom + "\"k\",l\nx,y\n", []string{"x"}, []string{"y"}},
		{"csv with an open quote", "a.csv", asRows, "n\n1\n\"2\n", nil, []string{"1"}},
		{"csv, header alone", "a.csv", asRows, "n,m\n", nil, []string{"1"}},

		{"tsv cases", "a.tsv", asCases, "n\tid\n1\ta\"b\n\n2\t\"c\"\n", []string{`a"b`, `"c"`}, []string{"c", "1"}},
		{"tsv cases without id", "a.tsv", asCases, "n,id\tm\r\n1\ta\r\n", []string{"1"}, []string{"a", "a\r"}},
		{"tsv keys", "a.tsv", keyedByK, "k\tk\n x \ty\n", []string{" x "}, []string{"x", "y"}},

		{"plain cases", "a.txt", asCases, "  a b \r\n\n\t\nc", []string{"a b", "c"}, []string{"", "a", "  a b "}},
		{"plain rows", "cases", asRows, "a\n \nb\n", []string{"1", "2"}, []string{"3"}},
		{"plain has no members", "a.txt", keyedByK, "k\nx\n", nil, []string{"k", "x", "1"}},
		{"plain with a byte order mark", "a.md", asCases, bom + "a\n", []string{"a"}, []string{bom + "a"}},
		{"empty", "a.csv", asRows, "", nil, []string{"1"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			holds := inputsOf(t, tt.as, tt.path, tt.text)
			for _, name := range tt.in {
				if !holds(name) {
					t.Errorf("%q is not held", name)
				}
			}
			for _, name := range tt.out {
				if holds(name) {
					t.Errorf("%q is held", name)
				}
			}
		})
	}
}

func TestReadArtifact(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, size int) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.Repeat("x", size)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link := func(target, name string) {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, "root", "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	write("outside", 1)
	write("root/plain", 1)
	write("root/sub/deep", 1)
	write("root/largest", contract.MaxArtifactBytes)
	write("root/larger", contract.MaxArtifactBytes+1)
	link("plain", "root/link")
	link("../sub/../plain", "root/sub/round")
	link("sub", "root/dir")
	link("../outside", "root/out")
	link("..", "root/up")
	link(filepath.Join(dir, "root", "plain"), "root/absolute")
	link("loop", "root/loop")
	link("plain", "root/link1")
	const most = 40 // links
	for i := 1; i <= most; i++ {
		link(fmt.Sprint("link", i), fmt.Sprint("root/link", i+1))
	}
	root, err := os.OpenRoot(filepath.Join(dir, "root"))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()

	tests := []struct {
		name string
		want error // nil for readable
		says string
	}{
		{name: "plain"}, {name: "sub/deep"}, {name: "largest"},
		{name: "link"}, {name: "sub/round"}, {name: "dir/deep"}, {name: "dir/round"},
		{name: "gone", want: fs.ErrNotExist}, {name: "plain/deep", want: fs.ErrNotExist, says: "plain/deep"},
		{name: "out", want: contract.ErrLinkLeavesRoot},
		{name: "up/root/plain", want: contract.ErrLinkLeavesRoot},
		{name: "absolute", want: contract.ErrLinkLeavesRoot},
		{name: "../outside", want: fs.ErrInvalid}, {name: "/plain", want: fs.ErrInvalid},
		{name: "larger", says: "more than 8388608 bytes"},
		{name: "sub", says: "not a regular file"},
		{name: fmt.Sprint("link", most)},
		{name: fmt.Sprint("link", most+1), says: "more than 40 links"},
		{name: "loop", says: "more than 40 links"},
	}
	for _, files := range map[string]fs.FS{"os.Root": root.FS(), "os.DirFS": os.DirFS(filepath.Join(dir, "root"))} {
		for _, tt := range tests {
			data, err := contract.ReadArtifact(files, tt.name)
			switch {
			case tt.want == nil && tt.says == "":
				if err != nil || len(data) == 0 {
					t.Errorf("%s: %d bytes, error %v", tt.name, len(data), err)
				}
			case err == nil:
				t.Errorf("%s was read", tt.name)
			case tt.want != nil && tt.says == "" && !errors.Is(err, tt.want):
				t.Errorf("%s: error %v, want %v", tt.name, err, tt.want)
			case !strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), dir):
				t.Errorf("%s: error %q, want one with %q", tt.name, err, tt.says)
			}
		}
	}
	pipe := fstest.MapFS{"pipe": {Mode: fs.ModeNamedPipe}}
	if _, err := contract.ReadArtifact(pipe, "pipe"); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a pipe: error %v", err)
	}
	if _, err := contract.ReadArtifact(nil, "plain"); !errors.Is(err, contract.ErrNoRoot) {
		t.Errorf("without a root: error %v", err)
	}
}

// A link out of the root is a fault of the contract, wherever it names the file.
func TestCheckLinks(t *testing.T) {
	out := &fstest.MapFile{Data: []byte("../rows.csv"), Mode: fs.ModeSymlink | 0o777}
	root := fstest.MapFS{"rows.csv": {Data: []byte(rowsCSV)}, "out/rows.csv": {Data: []byte("../../rows.csv"), Mode: fs.ModeSymlink | 0o777}, "in/rows.csv": out}
	for path, want := range map[string][]string{
		"rows.csv":      {},
		"in/rows.csv":   {},
		"gone/rows.csv": {},
		"out/rows.csv":  {"AAC404 /contract/criteria/1/domain/artifact", "AAC404 /contract/criteria/2/domain/artifact", "AAC404 /contract/criteria/3/cases/artifact"},
	} {
		c, report := parsed(t, stamp(t, parcels, `"rows.csv"`, fmt.Sprintf("%q", path)))
		result := contract.CheckRound(c, report, round(c, "pass"), root)
		if got := codePaths(result.Report.Errors()); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: errors %v, want %v", path, got, want)
		}
	}
	c, report := parsed(t, stamp(t, parcels, `"run": "prove rows"`, `"run": "prove rows", "files": [{"artifact": "out/rows.csv", "fingerprint": "sha256:000000000000"}]`,
		`"construction": [`, `"construction": [{"statement": "S.", "kind": "bounded", "domain": {"artifact": "out/rows.csv", "fingerprint": "sha256:000000000000"}}, `))
	want := []string{"AAC404 /contract/criteria/1/checks/0/files/0/artifact", "AAC404 /contract/criteria/4/construction/0/domain/artifact"}
	if got := codePaths(contract.CheckRound(c, report, round(c, "pass"), root).Report.Errors()); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("errors %v, want %v", got, want)
	}
}

func TestReadArtifacts(t *testing.T) {
	c, _ := parsed(t, stamp(t, parcels, `"run": "prove rows"`, `"run": "prove rows", "files": [{"artifact": "gone", "fingerprint": "sha256:000000000000"}]`))
	kept, err := contract.ReadArtifacts(c, files(map[string]string{"rows.csv": rowsCSV, "more.csv": "x"}))
	if err != nil || len(kept) != 1 || string(kept["rows.csv"]) != rowsCSV {
		t.Errorf("kept %q, error %v", kept, err)
	}
	for name, root := range map[string]fs.FS{"nowhere": nil, "gone": fstest.MapFS{}, "changed": files(map[string]string{"rows.csv": rowsCSV + "\n"})} {
		if kept, err := contract.ReadArtifacts(c, root); err == nil || !strings.Contains(err.Error(), `"rows.csv"`) {
			t.Errorf("%s: kept %q, error %v", name, kept, err)
		}
	}
}

// TestFilesAreNotLookedThroughForever: a contract that names one large file by many
// keys has no more inputs looked up than a limit on the work allows; the others are
// not verified, which is told.
func TestFilesAreNotLookedThroughForever(t *testing.T) {
	large := "k0,k1\n" + strings.Repeat("x", contract.MaxArtifactBytes-64) + ",y\n"
	label := contract.Fingerprint([]byte(large))
	criteria := make([]string, 20)
	for i := range criteria {
		criteria[i] = fmt.Sprintf(`{"id": "c%d", "class": "k", "kind": "bounded", "statement": "S.", "domain": {"artifact": "f.csv", "fingerprint": %q, "key": "k%d"}, "checks": [{"type": "command", "run": "x"}]}`, i, label, i)
	}
	text, err := contract.Stamp(fmt.Appendf(nil, `{"aac": "0.1.0", "contract": {"id": "a", "owner": "b"}, "budget": {"extensions": 2}, "criteria": [%s]}`, strings.Join(criteria, ",")), 1)
	if err != nil {
		t.Fatal(err)
	}
	c, report := parsed(t, text)
	root := files(map[string]string{"f.csv": large})
	result := contract.CheckRound(c, report, round(c, "fail", finding("k", "blocking", "f.csv@"+label+"#y", command, patch)), root)
	wantCodes(t, result.Report, nil, nil)
	if judged := result.Findings[0]; judged.Criterion == nil || judged.Criterion.ID != "c1" {
		t.Errorf("the row of the second key is %+v", judged)
	}
	result = contract.CheckRound(c, report, round(c, "fail", finding("k", "blocking", "f.csv@"+label+"#nowhere", command, patch)), root)
	wantCodes(t, result.Report, nil, []string{"AAC606_INPUT_NOT_VERIFIED"})
	if warnings := result.Report.Warnings(); !strings.Contains(warnings[len(warnings)-1].Message, "bytes to look through") {
		t.Errorf("the warnings are %+v", warnings)
	}
	if kept, err := contract.ReadArtifacts(c, root); err != nil || len(kept) != 1 {
		t.Errorf("%d files are kept, error %v", len(kept), err)
	}
}

// Rows may be many; a record that is wide beyond use makes no table.
func TestRowsOfLargeFiles(t *testing.T) {
	const wide = 100_001 // separators
	many := fmt.Sprint(contract.MaxValues + 1)
	tests := []struct{ name, path, text, row string }{
		{"json", "a.json", "[" + strings.Repeat("1,", contract.MaxValues) + "1]", many},
		{"csv", "a.csv", "n" + strings.Repeat("\n1", contract.MaxValues+1), many},
		{"commas in quotes", "a.csv", "n\n\"" + strings.Repeat(",", wide) + "\"", "1"},
		{"commas of many records", "a.csv", "n,m" + strings.Repeat("\n1,2", wide), "1"},
		{"a record of commas", "a.csv", "n\n" + strings.Repeat(",", wide), ""},
		{"a record of commas over lines", "a.csv", "n\n" + strings.Repeat(",\"\n\"", wide), ""},
		{"a line of tabs", "a.tsv", "n\n" + strings.Repeat("\t", wide), ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			holds := inputsOf(t, asRows, test.path, test.text)
			if test.row == "" && holds("1") {
				t.Error("it holds rows")
			}
			if test.row != "" && !holds(test.row) {
				t.Errorf("it lacks the row %s", test.row)
			}
		})
	}
}
