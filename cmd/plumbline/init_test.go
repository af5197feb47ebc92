package main

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/scan"
	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

func TestFindSuites(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"nothing", map[string]string{"README": ""}, nil},
		{"go", map[string]string{"go.mod": "module x"}, []string{"go test ./..."}},
		{"cargo", map[string]string{"Cargo.toml": ""}, []string{"cargo test"}},
		{"npm", map[string]string{"package.json": `{"scripts": {"test": "node --test"}}`}, []string{"npm test"}},
		{"npm without a test", map[string]string{"package.json": `{"scripts": {"build": "tsc"}}`}, nil},
		{"npm as begun", map[string]string{"package.json": `{"scripts": {"test": "echo \"Error: no test specified\" && exit 1"}}`}, nil},
		{"npm broken", map[string]string{"package.json": `{"scripts": `}, nil},
		{"npm by other names", map[string]string{"package.json": `{"Scripts": {"TEST": "x"}, "scripts": {"Test": "x"}}`}, nil},
		{"npm with no command", map[string]string{"package.json": `{"scripts": {"test": false}}`}, nil},
		{"npm with a list", map[string]string{"package.json": `{"scripts": {"test": ["x"]}}`}, nil},
		{"npm with a blank", map[string]string{"package.json": `{"scripts": {"test": "   "}}`}, nil},
		{"npm with a mark", map[string]string{"package.json": "\ufeff" + `{"scripts": {"test": "x"}}`}, []string{"npm test"}},
		{"python", map[string]string{"pyproject.toml": ""}, []string{"python -m pytest"}},
		{"python by tox", map[string]string{"tox.ini": "", "pytest.ini": ""}, []string{"python -m pytest"}},
		{"setup.cfg of something else", map[string]string{"setup.cfg": "[metadata]"}, nil},
		{"elixir", map[string]string{"mix.exs": ""}, []string{"mix test"}},
		{"rspec", map[string]string{"Gemfile": `gem "rspec"`}, []string{"bundle exec rspec"}},
		{"gems without tests", map[string]string{"Gemfile": `gem "rails"`}, nil},
		{"rake", map[string]string{"Rakefile": "Rake::TestTask.new"}, []string{"bundle exec rake"}},
		{"composer", map[string]string{"composer.json": `{"scripts": {"test": ["phpunit"]}}`}, []string{"composer test"}},
		{"composer with no command", map[string]string{"composer.json": `{"scripts": {"test": [" "]}}`}, nil},
		{"composer with an empty list", map[string]string{"composer.json": `{"scripts": {"test": []}}`}, nil},
		{"maven", map[string]string{"pom.xml": ""}, []string{"mvn test"}},
		{"gradle with its wrapper", map[string]string{"build.gradle.kts": "", "gradlew": ""}, []string{"./gradlew test", "gradle test"}},
		{"dotnet", map[string]string{"Shop.csproj": "", "Shop.sln": ""}, []string{"dotnet test"}},
		{"f#", map[string]string{"Shop.fsproj": ""}, []string{"dotnet test"}},
		{"make", map[string]string{"Makefile": "all: test\n\ntest: build\n\tsh run\n"}, []string{"make test"}},
		{"make without a test", map[string]string{"Makefile": "all:\n\ttest -f x\n"}, nil},
		{"make's variable", map[string]string{"Makefile": "test := 1\ntest:=2\ntests:\n"}, nil},
		{"several", map[string]string{"Makefile": "test:\n", "go.mod": "", "package.json": `{"scripts": {"test": "x"}}`}, []string{"go test ./...", "npm test", "make test"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range tt.files {
				place(t, dir, name, []byte(text))
			}
			var got []string
			for _, s := range findSuites(dir) {
				got = append(got, s.command)
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("found %q, want %q", got, tt.want)
			}
		})
	}
}

// Whatever a directory is called, its contract is one, and has no warning.
func TestInitialContractOfAnyDirectory(t *testing.T) {
	for _, name := range []string{"shop", "..", "/", "", "my shop", "ταβέρνα", "-.a_b-", strings.Repeat("a", 300), strings.Repeat("a", 127) + ".b", "\u202eabc", "a\nb"} {
		text, err := newInitialContract(name, `go test ./... && echo "<ok>"`, "", "lead")
		if err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		if c, report := contract.ParseContract(text); !report.Valid() || len(report.Warnings()) > 0 || c.Criteria[0].Checks[0].Run != `go test ./... && echo "<ok>"` {
			t.Errorf("%q: %s", name, text)
		}
	}
}

// Bytes that no contract can hold are refused: written, they would be another command.
func TestInitRefusesOtherThanUTF8(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, flag := range []string{"test", "goal", "owner"} {
		code, stdout, stderr := call("init", "--yes", "--test", "make check", "--"+flag, "caf\xe9")
		if code != exitUsage || stdout != "" || !strings.Contains(stderr, "--"+flag+": it is not UTF-8") || isThere(clientName) {
			t.Errorf("--%s: exit code %d\n%s%s", flag, code, stdout, stderr)
		}
	}
}

// What the policy file has in comments is right too: somebody takes the # away.
func TestPolicyOfInit(t *testing.T) {
	policy, err := scan.ReadPolicy([]byte(policyText))
	if err != nil || policy.Gate() != agentready.Recommended || len(policy.Rules)+len(policy.Waivers) > 0 {
		t.Errorf("%+v, %v", policy, err)
	}
	whole := regexp.MustCompile(`(?m)^#(max_tokens:|rules:|waivers:|  )`).ReplaceAllString(policyText, "$1")
	if policy, err := scan.ReadPolicy([]byte(whole)); err != nil || policy.Gate().MaxTokens != 4000 || len(policy.Rules) != 1 || len(policy.Waivers) != 1 {
		t.Errorf("%+v, %v in\n%s", policy, err, whole)
	}
}

// Adding a server to any configuration changes nothing else.
func TestAddToClient(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "{}", `{"mcpServers": { "plumbline": { "command": "plumbline", "args": ["serve"] } }}`},
		{"no list", "{\r\n\t\"a\": 1\r\n}\r\n", "{\r\n\t\"a\": 1,\r\n\t\"mcpServers\": { \"plumbline\": { \"command\": \"plumbline\", \"args\": [\"serve\"] } }\r\n}\r\n"},
		{"a mark", "\ufeff{\"mcpServers\": {}}", "\ufeff{\"mcpServers\": {\"plumbline\": { \"command\": \"plumbline\", \"args\": [\"serve\"] }}}"},
		{"there", `{"mcpServers": {"plumbline": null}}`, ""},
		{"there in the other form", `{"servers": {"plumbline": {}}}`, ""},
		{"there in the second list", `{"mcpServers": {"a": {}}, "servers": {"plumbline": {}}}`, ""},
		{"both lists", `{"servers": {}, "mcpServers": {"a": {}}}`, `{"servers": {}, "mcpServers": {"a": {},"plumbline": { "command": "plumbline", "args": ["serve"] }}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			with, added, err := addToClient([]byte(tt.text))
			if err != nil || (added != "") != (tt.want != "") || string(with) != tt.want {
				t.Errorf("got %q, %q, %v", with, added, err)
			}
		})
	}
	for _, text := range []string{"", "[]", "{", `{"mcpServers": []}`, `{"mcpServers": null}`, `{"mcpServers": {}, "servers": []}`, `{"mcpServers": {}, "mcpServers": {}}`, "// note\n{}"} {
		if with, _, err := addToClient([]byte(text)); err == nil {
			t.Errorf("%q became %q", text, with)
		}
	}
}

// What several write at a time is what one of them wrote: the others are told, also where
// the file was there before.
func TestInitWritesOverNobody(t *testing.T) {
	const writers = 8
	for _, old := range []string{"", "{}"} {
		t.Chdir(t.TempDir())
		if old != "" {
			place(t, ".", clientName, []byte(old))
		}
		done := make(chan string, writers)
		for i := range writers {
			f := proposal{name: clientName, text: fmt.Appendf(nil, "writer %d", i)}
			if old != "" {
				f.old = []byte(old)
			}
			go func() {
				err := f.write(t.Context())
				switch {
				case err == nil:
					done <- string(f.text)
				case !strings.Contains(err.Error(), "changed in the meantime"):
					t.Error(err)
					fallthrough
				default:
					done <- ""
				}
			}()
		}
		var wrote []string
		for range writers {
			if text := <-done; text != "" {
				wrote = append(wrote, text)
			}
		}
		text, err := os.ReadFile(clientName)
		if err != nil || !reflect.DeepEqual(wrote, []string{string(text)}) {
			t.Errorf("after %q: %q succeeded, and the file holds %q, %v", old, wrote, text, err)
		}
		if left, err := filepath.Glob(".*"); err != nil || len(left) != 1 {
			t.Errorf("left are %q, %v", left, err)
		}
	}
}
