package page_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-mcp/plumbline/server/page"
	"github.com/plumbline-mcp/plumbline/tools"
)

var update = flag.Bool("update", false, "write the goldens of the pages")

// volatile is what differs from run to run: times, and hashes of what has one.
var volatile = []struct {
	pattern *regexp.Regexp
	mask    string
}{
	{regexp.MustCompile(`<time datetime="[^"]+">[^<]+</time>`), `<time datetime="ISO">TIME</time>`},
	{regexp.MustCompile(`\b[0-9a-f]{64}\b`), "HASH"},
}

func masked(text string) string {
	for _, v := range volatile {
		text = v.pattern.ReplaceAllString(text, v.mask)
	}
	return text
}

// wantGolden holds a page to the file that has it.
func wantGolden(t *testing.T, name, text string) {
	t.Helper()
	file, text := filepath.Join("testdata", name+".html"), masked(text)
	if *update {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (go test ./server/page -update writes it)", err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(text, "\n")); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func TestPages(t *testing.T) {
	b := shop(t, "", "")
	for name, shown := range map[string]struct {
		role    tools.Role
		address string
	}{
		"list":             {tools.Owner, page.Home},
		"contract":         {tools.Judge, of},
		"contract_builder": {tools.Builder, of},
		"revision":         {tools.Builder, of + "/revisions/2"},
		"diff":             {tools.Builder, of + "/diff?from=2&to=1"},
	} {
		t.Run(name, func(t *testing.T) { wantGolden(t, name, b.read(as(shown.role), shown.address)) })
	}
	t.Run("failed", func(t *testing.T) {
		wantGolden(t, "failed", string(page.Failed("Not Found", "There is no <such> thing.", "Look elsewhere.")))
	})
}
