package main

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pb33f/go-yaml"
)

const actionFile = ".github/actions/plumbline/action.yml"

// githubAction is the action, with every member that it may have.
type githubAction struct {
	Name, Description string
	Inputs            map[string]struct {
		Description, Default string
		Required             bool
	}
	Outputs map[string]struct{ Description, Value string }
	Runs    struct {
		Using string
		Steps []actionStep
	}
}

type actionStep struct {
	Name, ID, Shell, Run, Uses string
	Env                        map[string]string
}

func readAction(t *testing.T) (a githubAction) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(checkout, actionFile))
	if err != nil {
		t.Fatal(err)
	}
	strict := yaml.NewDecoder(bytes.NewReader(text))
	strict.KnownFields(true)
	if err := strict.Decode(&a); err != nil {
		t.Fatalf("%s: %v", actionFile, err)
	}
	return a
}

// step is the step of that name.
func (a githubAction) step(t *testing.T, name string) actionStep {
	t.Helper()
	at := slices.IndexFunc(a.Runs.Steps, func(s actionStep) bool { return s.Name == name })
	if at < 0 {
		t.Fatalf("the action has no step %q", name)
	}
	return a.Runs.Steps[at]
}

// The action's steps.
const (
	installStep = "Install plumbline"
	scanStep    = "Scan"
)

// expression is what a job fills in before it runs a step.
var expression = regexp.MustCompile(`\$\{\{ *([^ }]+(?: \|\| [^ }]+)*) *\}\}`)

// job is a job that runs steps of the action in its workspace.
type job struct {
	action          githubAction
	workspace, temp string
	path            string
	outputs         map[string]string // steps.ID.outputs.NAME, by that
}

func newJob(t *testing.T) *job {
	return &job{action: readAction(t), workspace: t.TempDir(), temp: t.TempDir(), path: os.Getenv("PATH"), outputs: map[string]string{}}
}

// verdict is the action's output of that name, from what the steps gave so far.
func (r *job) verdict() string {
	from := expression.FindStringSubmatch(r.action.Outputs["verdict"].Value)
	for _, name := range strings.Split(from[1], " || ") {
		if value := r.outputs[name]; value != "" {
			return value
		}
	}
	return ""
}

// ran is what came of a step.
type ran struct {
	code         int
	log, summary string
}

// run runs a step as a job does: the expressions of its variables filled in, its script
// from a file, by the command that stands for `shell: bash`.
func (r *job) run(t *testing.T, name string, with map[string]string) ran {
	t.Helper()
	step, files := r.action.step(t, name), t.TempDir()
	if step.Shell != "bash" {
		t.Fatalf("the step %q has the shell %q", name, step.Shell)
	}
	file := func(name string) string { return filepath.Join(files, name) }
	env := slices.DeleteFunc(os.Environ(), func(e string) bool { return strings.HasPrefix(e, "PATH=") })
	env = append(env, "PATH="+r.path, "GOFLAGS=-buildvcs=false")
	for variable, value := range step.Env {
		env = append(env, variable+"="+r.fill(t, value, with))
	}
	for _, variable := range []string{"GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT", "GITHUB_PATH"} {
		env = append(env, variable+"="+file(variable))
	}
	if err := os.WriteFile(file("script.sh"), []byte(step.Run), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", file("script.sh"))
	cmd.Dir, cmd.Env = r.workspace, env
	log, err := cmd.CombinedOutput()
	read := func(name string) string {
		text, err := os.ReadFile(file(name))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		return string(text)
	}
	for dir := range strings.Lines(read("GITHUB_PATH")) {
		r.path = strings.TrimSpace(dir) + string(os.PathListSeparator) + r.path
	}
	maps.DeleteFunc(r.outputs, func(name, _ string) bool { return strings.HasPrefix(name, "steps."+step.ID+".") })
	for line := range strings.Lines(read("GITHUB_OUTPUT")) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		r.outputs["steps."+step.ID+".outputs."+name] = value
	}
	return ran{exitCode(err), string(log), read("GITHUB_STEP_SUMMARY")}
}

// fill fills expressions in, from the inputs that a workflow gives.
func (r *job) fill(t *testing.T, text string, with map[string]string) string {
	t.Helper()
	return expression.ReplaceAllStringFunc(text, func(found string) string {
		name := expression.FindStringSubmatch(found)[1]
		if input, of := strings.CutPrefix(name, "inputs."); of {
			declared, known := r.action.Inputs[input]
			if value, given := with[input]; given && known {
				return value
			} else if known {
				return declared.Default
			}
		}
		path, err := filepath.Abs(filepath.Join(checkout, filepath.Dir(actionFile)))
		if err != nil {
			t.Fatal(err)
		}
		value := map[string]string{"github.action_path": path, "runner.temp": r.temp}[name]
		if value == "" {
			t.Fatalf("%s has no value", found)
		}
		return value
	})
}

// preparedJob is a job with a binary installed by the action's own step, and documents.
// Where none is given, the action builds one.
func preparedJob(t *testing.T, binary string) *job {
	t.Helper()
	r := newJob(t)
	if got := r.run(t, installStep, map[string]string{"binary": binary}); got.code != 0 {
		t.Fatalf("exit code %d\n%s", got.code, got.log)
	}
	published := func(name string) string {
		text, err := os.ReadFile(filepath.Join(checkout, "testdata/published", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for name, text := range map[string]string{
		"good.yaml":          published("refund-fixed.yaml"),
		"bad.yaml":           published("refund-bare.yaml"),
		"my tools/a b.json":  published("send-email-fixed.json"),
		"my tools/bad.json":  published("send-email-bare.json"),
		"openapi":            published("refund-fixed.yaml"),
		"-good.yaml":         published("refund-fixed.yaml"),
		"lenient.yaml":       "min_score: 0\nfail_on: none\n",
		"split/openapi.yaml": "openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths:\n  /notes: {$ref: 'paths.yaml#/notes'}\n",
		"split/paths.yaml":   "notes: {get: {operationId: listNotes, responses: {'200': {description: All notes.}}}}\n",
	} {
		path := filepath.Join(r.workspace, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, prepare := range [][]string{
		{"scan", "bad.yaml", "--fail-on", "none", "--min-score", "0", "--out", "before"},
		{"lock", "mcp", "my tools/a b.json", "--out", "lock.json"},
	} {
		cmd := exec.Command(filepath.Join(r.temp, "plumbline-bin/plumbline"), prepare...)
		cmd.Dir = r.workspace
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s", prepare, err, out)
		}
	}
	return r
}

// ourBinary is the path of this program, by the name plumbline.
func ourBinary(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("plumbline")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// files are the paths of all files in the workspace.
func (r *job) files(t *testing.T) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(r.workspace, func(path string, _ os.DirEntry, err error) error {
		paths = append(paths, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}
