package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pb33f/go-yaml"
)

// preCommitHook is a hook that pre-commit runs on the files of a commit whose paths match.
type preCommitHook struct {
	ID, Name, Description, Entry, Language, Files string
	Serial                                        bool   `yaml:"require_serial"`
	Minimum                                       string `yaml:"minimum_pre_commit_version"`
}

func readHooks(t *testing.T) map[string]preCommitHook {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(checkout, ".pre-commit-hooks.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var hooks []preCommitHook
	strict := yaml.NewDecoder(bytes.NewReader(text))
	strict.KnownFields(true)
	if err := strict.Decode(&hooks); err != nil {
		t.Fatal(err)
	}
	byID := map[string]preCommitHook{}
	for _, hook := range hooks {
		byID[hook.ID] = hook
	}
	return byID
}

// hookFiles are paths that commits hold, and which hook takes each.
var hookFiles = map[string]string{
	"openapi.yaml":                "plumbline-scan-openapi",
	"api/openapi.yml":             "plumbline-scan-openapi",
	"api/payments.openapi.json":   "plumbline-scan-openapi",
	"payments-openapi.yaml":       "plumbline-scan-openapi",
	"openapi-v2.yaml":             "plumbline-scan-openapi",
	"docs/swagger.json":           "plumbline-scan-openapi",
	"tools.json":                  "plumbline-scan-mcp",
	"mcp/tools.json":              "plumbline-scan-mcp",
	"mcp/mail.tools.json":         "plumbline-scan-mcp",
	"mcp-tools.json":              "plumbline-scan-mcp",
	".mcp.json":                   "",
	"tools.lock.json":             "",
	".config/dotnet-tools.json":   "",
	"openapi.md":                  "",
	"openapi/README.md":           "",
	"openapi/client.json":         "",
	"myopenapi.yaml":              "",
	"openapitools.json":           "",
	".openapi-generator/FILES":    "",
	"openapi.yaml.bak":            "",
	"agentready.json":             "",
	"internal/openapi_test.go":    "",
	"node_modules/tools/index.js": "",
}

// TestHooksMatch sorts paths by the hooks that take them.
func TestHooksMatch(t *testing.T) {
	hooks := readHooks(t)
	for path, want := range hookFiles {
		got := ""
		for _, hook := range hooks {
			if regexp.MustCompile(hook.Files).MatchString(path) {
				got += hook.ID
			}
		}
		if got != want {
			t.Errorf("%s is taken by %q, want %q", path, got, want)
		}
	}
}

// hook runs a hook as pre-commit does: its entry, the arguments that a project adds, then
// paths from the root of the repository.
func hook(t *testing.T, h preCommitHook, dir string, args, paths []string) (code int, log string) {
	t.Helper()
	entry := strings.Fields(h.Entry)
	cmd := exec.Command(entry[0], slices.Concat(entry[1:], args, paths)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return exitCode(err), string(out)
}

// TestHooksRun runs each hook on a document that passes, one that fails, both, and one that
// is none.
func TestHooksRun(t *testing.T) {
	hooks, dir := readHooks(t), t.TempDir()
	for name, from := range map[string]string{
		"good.openapi.yaml": "refund-fixed.yaml", "bad.openapi.yaml": "refund-bare.yaml",
		"good.tools.json": "send-email-fixed.json", "bad.tools.json": "send-email-bare.json",
	} {
		text, err := os.ReadFile(filepath.Join(checkout, "testdata/published", from))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, none := range []string{"none.openapi.yaml", "none.tools.json"} {
		if err := os.WriteFile(filepath.Join(dir, none), []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for id, ending := range map[string]string{"plumbline-scan-openapi": ".openapi.yaml", "plumbline-scan-mcp": ".tools.json"} {
		h, known := hooks[id]
		if !known || h.Name == "" || h.Description == "" || !h.Serial || h.Language != "golang" {
			t.Errorf("the hook %s is %+v", id, h)
		}
		for files, want := range map[string]int{"good": exitPass, "bad": exitFail, "good bad": exitFail, "good none": exitUsage} {
			var paths []string
			for name := range strings.FieldsSeq(files) {
				paths = append(paths, name+ending)
			}
			code, log := hook(t, h, dir, nil, paths)
			if code != want || !strings.Contains(log, paths[len(paths)-1]) {
				t.Errorf("%s on %q: exit code %d, want %d\n%s", id, paths, code, want, log)
			}
		}
		delete(hooks, id)
	}
	if len(hooks) > 0 {
		t.Errorf("hooks that nothing runs here: %v", hooks)
	}
}

// TestHooksInstall finds the program of each entry among those that `go install ./...`
// installs, which is how pre-commit builds a hook in Go.
func TestHooksInstall(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{if eq .Name "main"}}{{.ImportPath}}{{end}}`, module+"...").Output()
	if err != nil {
		t.Fatal(err)
	}
	var programs []string
	for program := range strings.FieldsSeq(string(out)) {
		programs = append(programs, program[strings.LastIndex(program, "/")+1:])
	}
	for id, h := range readHooks(t) {
		if command := strings.Fields(h.Entry)[0]; !slices.Contains(programs, command) {
			t.Errorf("%s runs %s, and a clone installs %q", id, command, programs)
		}
	}
}

// TestReadmeHooks runs the hooks that the README's configuration names, with its arguments.
func TestReadmeHooks(t *testing.T) {
	blocks := readmeFences(t)["pre-commit"]
	if len(blocks) != 1 || blocks[0].language != "yaml" {
		t.Fatalf("the section has %d blocks", len(blocks))
	}
	var config struct {
		Repos []struct {
			Repo, Rev string
			Hooks     []struct {
				ID   string
				Args []string
			}
		}
	}
	strict := yaml.NewDecoder(strings.NewReader(blocks[0].text))
	strict.KnownFields(true)
	if err := strict.Decode(&config); err != nil {
		t.Fatal(err)
	}
	hooks, dir := readHooks(t), newProject(t)
	var named []string
	for _, repo := range config.Repos {
		if repo.Repo == "" || repo.Rev == "" {
			t.Errorf("pre-commit asks for a repository and a revision: %+v", repo)
		}
		for _, use := range repo.Hooks {
			named = append(named, use.ID)
			h, known := hooks[use.ID]
			if !known {
				t.Fatalf("there is no hook %s", use.ID)
			}
			if code, log := hook(t, h, dir, use.Args, []string{"gone.json"}); code != exitUsage || !strings.Contains(log, "gone.json") {
				t.Errorf("%s with %q on no file: exit code %d, want %d\n%s", use.ID, use.Args, code, exitUsage, log)
			}
		}
	}
	if diff := cmp.Diff([]string{"plumbline-scan-openapi", "plumbline-scan-mcp"}, named); diff != "" {
		t.Errorf("hooks (-want +got):\n%s", diff)
	}
}
