package contract_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract"
)

// emptyCriteria is the fingerprint of an empty list.
const emptyCriteria = `"sha256:4f53cda18c2b"`

func TestStamp(t *testing.T) {
	for _, c := range []struct {
		name, text string
		revision   int64
		want       string
	}{
		{"both stand there", "{\"contract\": {\"revision\":  7 ,\"fingerprint\":\"\"},\r\n\t\"criteria\":[ ]}", 0,
			"{\"contract\": {\"revision\":  7 ,\"fingerprint\":" + emptyCriteria + "},\r\n\t\"criteria\":[ ]}"},
		{"the revision is given", `{"contract":{"fingerprint":"x","revision":1},"criteria":[]}`, 2,
			`{"contract":{"fingerprint":` + emptyCriteria + `,"revision":2},"criteria":[]}`},
		{"neither stands there", "{\"criteria\":[],\"contract\":{\n    \"id\": \"a\"\n  }}", 0,
			"{\"criteria\":[],\"contract\":{\n    \"id\": \"a\",\n    \"revision\": 1,\n    \"fingerprint\": " + emptyCriteria + "\n  }}"},
		{"values of other types", `{"contract":{"revision":{"a":[1]},"fingerprint":null},"criteria":[]}`, 0,
			`{"contract":{"revision":1,"fingerprint":` + emptyCriteria + `},"criteria":[]}`},
		{"a byte order mark stays", "\ufeff" + `{"contract":{"revision":1,"fingerprint":""},"criteria":[]}`, 3,
			"\ufeff" + `{"contract":{"revision":3,"fingerprint":` + emptyCriteria + `},"criteria":[]}`},
		{"names in other letter case are others", `{"contract":{"Revision":5,"fingerprint":"","revision":2},"criteria":[]}`, 0,
			`{"contract":{"Revision":5,"fingerprint":` + emptyCriteria + `,"revision":2},"criteria":[]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			given := []byte(c.text)
			got, err := contract.Stamp(given, c.revision)
			if err != nil || string(got) != c.want {
				t.Fatalf("got %q, error %v\nwant %q", got, err, c.want)
			}
			if string(given) != c.text {
				t.Error("the text that was given is changed")
			}
			again, err := contract.Stamp(got, 0)
			if err != nil || !bytes.Equal(again, got) {
				t.Errorf("stamped again it is %q, error %v", again, err)
			}
		})
	}
}

func TestStampAddsMembersToAnEmptyObject(t *testing.T) {
	got, err := contract.Stamp([]byte(`{"contract":{},"criteria":[]}`), 0)
	if err != nil {
		t.Fatal(err)
	}
	v, err := contract.Decode(got)
	if err != nil {
		t.Fatalf("%s: %v", got, err)
	}
	if n, _ := v.Get("contract").Get("revision").Int(); n != 1 {
		t.Errorf("revision %d in %s, want 1", n, got)
	}
}

func TestStampRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{`, "line 1, column 2"},
		{`[]`, "`contract` is missing"},
		{`{"contract":[],"criteria":[]}`, "`contract` is an array"},
		{`{"contract":{},"criteria":{}}`, "`criteria` is an object"},
		{`{"contract":{}}`, "`criteria` is missing"},
	} {
		if got, err := contract.Stamp([]byte(c.text), 0); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %q, error %v; want one with %q", c.text, got, err, c.want)
		}
	}
	if _, err := contract.Stamp([]byte(`{"contract":{},"criteria":[]}`), contract.MaxSafeInteger+1); err == nil {
		t.Error("a revision that a double cannot count to is accepted")
	}
}

func TestInit(t *testing.T) {
	text, err := contract.Init("team/checkout", `Ann "the owner"`)
	if err != nil {
		t.Fatal(err)
	}
	c, report := contract.ParseContract(text)
	if !report.Valid() || len(report.Warnings()) > 0 {
		t.Errorf("the starting contract has problems: %+v %+v", report.Errors(), report.Warnings())
	}
	if c.ID != "team/checkout" || c.Owner != `Ann "the owner"` || c.Revision != 1 {
		t.Errorf("it is revision %d of %s, owner %s", c.Revision, c.ID, c.Owner)
	}
	if notes := strings.Count(string(text), `"note"`); notes < 5 {
		t.Errorf("it is explained by %d notes only", notes)
	}
	golden(t, "init.json", text)
	for _, wrong := range [][2]string{{"a b", "x"}, {"", "x"}, {"a", " "}, {"a", "x\u202e"}, {"a", "\xff"}} {
		if got, err := contract.Init(wrong[0], wrong[1]); err == nil {
			t.Errorf("id %q, owner %q: accepted:\n%s", wrong[0], wrong[1], got)
		}
	}
}

func TestFixturesOnDiskAreStamped(t *testing.T) {
	for _, name := range []string{"hostile.json", "every-kind.json"} {
		text, err := os.ReadFile(filepath.Join("..", "testdata", "contracts", name))
		if err != nil {
			t.Fatal(err)
		}
		if _, report := contract.ParseContract(text); !report.Valid() {
			t.Errorf("%s: %+v", name, report.Errors())
		}
	}
}
