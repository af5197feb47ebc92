package auth

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-mcp/plumbline/tools"
)

func names(entries []Entry) string {
	var all []string
	for _, e := range entries {
		all = append(all, e.Name)
	}
	return strings.Join(all, " ")
}

func list(t *testing.T, path string) []Entry {
	t.Helper()
	entries, err := List(path)
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

func TestAdd(t *testing.T) {
	path, end := newFile(t), time.Date(2999, 1, 31, 18, 0, 0, 0, time.FixedZone("", 7200))
	before := time.Now().Truncate(time.Second)
	token, added, err := Add(path, Grant{Name: "ci", Role: tools.Judge, Contracts: []string{"a/*"}, Expires: end})
	if err != nil {
		t.Fatal(err)
	}
	if created := added.Created; created.Before(before) || created.After(time.Now()) {
		t.Errorf("it was created at %s", created)
	}
	utc := end.UTC()
	want := Entry{SHA256: digestOf(token), Name: "ci", Role: tools.Judge, Contracts: []string{"a/*"}, Created: added.Created, Expires: &utc}
	if diff := cmp.Diff([]Entry{want, want}, append(list(t, path), added)); diff != "" {
		t.Errorf("kept and answered (-want +got):\n%s", diff)
	}
	data, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(data), token[len(prefix):]) {
		t.Errorf("the file holds the token: %v, %s", err, data)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the file's mode is %v, %v", info.Mode(), err)
	}
}

func TestGrantsRefused(t *testing.T) {
	path := newFile(t)
	good := Grant{Name: "ci", Role: tools.Judge}
	add(t, path, good)
	for name, change := range map[string]func(*Grant){
		"no name":        func(g *Grant) { g.Name = "" },
		"long name":      func(g *Grant) { g.Name = strings.Repeat("n", 129) },
		"hidden name":    func(g *Grant) { g.Name = "a\u200bb" },
		"control name":   func(g *Grant) { g.Name = "a\nb" },
		"no role":        func(g *Grant) { g.Role = "" },
		"unknown role":   func(g *Grant) { g.Role = "Owner" },
		"no contracts":   func(g *Grant) { g.Contracts = []string{} },
		"empty glob":     func(g *Grant) { g.Contracts = []string{"a", ""} },
		"broken glob":    func(g *Grant) { g.Contracts = []string{"{a"} },
		"past":           func(g *Grant) { g.Expires = time.Now().Add(-time.Second) },
		"beyond years":   func(g *Grant) { g.Expires = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC) },
		"long ago":       func(g *Grant) { g.Expires = time.Unix(0, 0) },
		"no UTF-8 in it": func(g *Grant) { g.Name = "a\xff" },
	} {
		g := good
		change(&g)
		if token, _, err := Add(path, g); err == nil || token != "" {
			t.Errorf("%s: the token %q is made", name, token)
		}
	}
	if got := names(list(t, path)); got != "ci" {
		t.Errorf("kept are %s, want the good one", got)
	}
}

func TestRevoke(t *testing.T) {
	path := newFile(t)
	for _, name := range []string{"a", "b", "a", "c"} {
		add(t, path, Grant{Name: name, Role: tools.Builder})
	}
	ids := list(t, path)
	for _, tt := range []struct{ which, gone, left string }{
		{"x", "", "a b a c"}, {"", "", "a b a c"}, {ids[1].ID()[:7], "", "a b a c"}, {ids[3].SHA256, "", "a b a c"},
		{ids[1].ID(), "b", "a a c"}, {"a", "a a", "c"}, {"a", "", "c"}, {"c", "c", ""},
	} {
		gone, err := Revoke(path, tt.which)
		if err != nil || names(gone) != tt.gone || names(list(t, path)) != tt.left {
			t.Errorf("revoking %q gives %q, %v, and leaves %q; want %q and %q", tt.which, names(gone), err, names(list(t, path)), tt.gone, tt.left)
		}
	}
}

// Those who name the file through a link, or another way, share its lock.
func TestAddAtOnce(t *testing.T) {
	path := newFile(t)
	add(t, path, Grant{Name: "first", Role: tools.Builder})
	dir := filepath.Dir(path)
	link, around := filepath.Join(dir, "link.json"), filepath.Join(dir, "sub")
	for from, to := range map[string]string{link: "tokens.json", around: "."} {
		if err := os.Symlink(to, from); err != nil {
			t.Fatal(err)
		}
	}
	paths := []string{path, link, filepath.Join(around, "tokens.json"), filepath.Join(around, "link.json")}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			if _, _, err := Add(paths[i%len(paths)], Grant{Name: fmt.Sprintf("n%d", i), Role: tools.Judge}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := list(t, path); len(got) != 9 {
		t.Errorf("kept are %s, want 9", names(got))
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 3 { // the file and two links; no lock is left
		t.Errorf("the directory holds %v, %v", files, err)
	}
}

// A file by hand is held to the rules; the errors repeat nothing of it.
func TestFilesRefused(t *testing.T) {
	good := func(change func(token map[string]any)) map[string]any {
		token := map[string]any{"sha256": strings.Repeat("0123456789abcdef", 4), "name": "ci", "role": "judge", "contracts": []string{"**"},
			"created": "2026-01-02T03:04:05Z", "expires": "2999-01-02T03:04:05Z"}
		if change != nil {
			change(token)
		}
		return map[string]any{"version": 1, "tokens": []any{token}}
	}
	with := func(name string, value any) map[string]any {
		return good(func(token map[string]any) { token[name] = value })
	}
	twice := good(nil)
	twice["tokens"] = append(twice["tokens"].([]any), twice["tokens"].([]any)[0])
	newer := good(nil)
	newer["version"] = 2
	tests := map[string]struct {
		file any
		want string // in the error; empty for none
	}{
		"good":             {good(nil), ""},
		"without an end":   {good(func(token map[string]any) { delete(token, "expires") }), ""},
		"no tokens":        {map[string]any{"version": 1, "tokens": []any{}}, ""},
		"newer":            {newer, "update plumbline"},
		"no version":       {map[string]any{"tokens": []any{}}, "is not what"},
		"no list":          {map[string]any{"version": 1}, "is not what"},
		"an array":         {[]any{}, "is not what"},
		"twice":            {twice, "token 2 stands in it twice"},
		"misspelt":         {with("expire", "2020-01-02T03:04:05Z"), "is not what"},
		"no name":          {with("name", ""), "token 1 has no valid name"},
		"other role":       {with("role", "root"), "token 1 has no valid role"},
		"no contracts":     {with("contracts", []string{}), "token 1 has no valid contracts"},
		"null contracts":   {with("contracts", nil), "token 1 has no valid contracts"},
		"broken contracts": {with("contracts", []string{"["}), "token 1 has no valid contracts"},
		"no time":          {good(func(token map[string]any) { delete(token, "created") }), "token 1 has no valid created"},
		"broken time":      {with("expires", "never-secret"), "is not what"},
		"upper digest":     {with("sha256", strings.Repeat("A", 64)), "token 1 has no valid sha256"},
		"short digest":     {with("sha256", "01234567"), "token 1 has no valid sha256"},
		"a token in it":    {with("sha256", newToken()), "token 1 has no valid sha256"},
	}
	for name, tt := range tests {
		path := newFile(t)
		text, err := json.Marshal(tt.file)
		if err == nil {
			err = os.WriteFile(path, text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		_, err = Open(path, nil)
		said := fmt.Sprint(err)
		if (err == nil) != (tt.want == "") || !strings.Contains(said, tt.want) && err != nil || strings.Contains(said, "secret") || strings.Contains(said, prefix) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
}

func TestUnreadableFiles(t *testing.T) {
	big := newFile(t)
	if err := os.WriteFile(big, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(big, maxFileSize+1); err != nil {
		t.Fatal(err)
	}
	trailing := newFile(t)
	if err := os.WriteFile(trailing, []byte(`{"version":1,"tokens":[]}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		big: "more than", trailing: "is not what", newFile(t): "there is no tokens file", t.TempDir(): "no regular file", "": "there is no tokens file",
	} {
		if _, err := Open(path, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gives %v, want %q", path, err, want)
		}
	}
}

// A member under another spelling, or twice, is refused: readers of JSON differ on what it
// means, and who reads the file must see whose a token is.
func TestExactMembers(t *testing.T) {
	path := newFile(t)
	add(t, path, Grant{Name: "ci", Role: tools.Builder})
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{
		`"role": "builder"`: `"Role": "builder"`,
		`"name": "ci"`:      `"name": "ann", "name": "ci"`,
		`"contracts": [`:    `"contracts": ["x"], "CONTRACTS": [`,
		`"version": 1`:      `"version": 1, "version": 1`,
		`"tokens": [`:       `"Tokens": [`,
		`"sha256"`:          `"\u0073ha256": "", "sha256"`,
	} {
		broken := strings.Replace(string(good), from, to, 1)
		if broken == string(good) {
			t.Fatalf("the file has no %s", from)
		}
		if err := os.WriteFile(path, []byte(broken), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path, nil); err == nil || !strings.Contains(err.Error(), "a member twice, or under a name") {
			t.Errorf("with %s the file gives %v", to, err)
		}
	}
}
