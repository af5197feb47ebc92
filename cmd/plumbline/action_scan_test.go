package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pb33f/go-yaml"
)

// TestActionForm holds the action to what keeps it safe to call: no input stands in a
// script, each is used and told about, and what it runs of others does not change.
func TestActionForm(t *testing.T) {
	a := readAction(t)
	if a.Name == "" || a.Description == "" || a.Runs.Using != "composite" {
		t.Errorf("the action is %q, %q, by %q", a.Name, a.Description, a.Runs.Using)
	}
	used, scripts := map[string]bool{}, map[string]string{}
	for _, step := range a.Runs.Steps {
		scripts[step.ID] = step.Run
		if strings.Contains(step.Run, "${{") {
			t.Errorf("the step %q has an expression in its script, which a value could make another script: give it as a variable", step.Name)
		}
		if step.Uses != "" && !wholeVersion.MatchString(step.Uses) {
			t.Errorf("the step %q uses %s, which may change: name a whole version", step.Name, step.Uses)
		}
		for variable, value := range step.Env {
			if m := expression.FindStringSubmatch(value); m != nil {
				used[m[1]] = true
			}
			if !strings.Contains(step.Run, `"$`+variable) {
				t.Errorf("the step %q does not use the variable %s, or not in quotes", step.Name, variable)
			}
		}
	}
	for name, input := range a.Inputs {
		if !used["inputs."+name] || input.Description == "" {
			t.Errorf("the input %s is used: %v, and described as %q", name, used["inputs."+name], input.Description)
		}
	}
	for name, output := range a.Outputs {
		from := regexp.MustCompile(`steps\.(\w+)\.outputs\.([\w-]+)`).FindAllStringSubmatch(output.Value, -1)
		if from == nil || output.Description == "" {
			t.Errorf("the output %s is described as %q, and comes from no step", name, output.Description)
		}
		for _, m := range from {
			if !strings.Contains(scripts[m[1]], `"`+m[2]+"=") {
				t.Errorf("the output %s comes from %s, which the step does not write", name, m[0])
			}
		}
	}
}

// wholeVersion ends what names another action by a version or a commit that stays.
var wholeVersion = regexp.MustCompile(`@(v\d+\.\d+\.\d+|[0-9a-f]{40})$`)

// verdicts are what the action answers by the exit code.
var verdicts = map[int]string{exitPass: "PASS", exitFail: "FAIL", exitUsage: "ERROR"}

// actionScans are what workflows give the action, and what must come of it.
var actionScans = []struct {
	name    string
	with    map[string]string
	code    int
	log     string // what the log holds
	written []string
	usage   bool // nothing is scanned, whatever the files are
}{
	{name: "good", with: map[string]string{"files": "good.yaml\n"}},
	{name: "bad", with: map[string]string{"files": "bad.yaml"}, code: exitFail, log: "::error"},
	{name: "one of two is bad", with: map[string]string{"files": "good.yaml\n  bad.yaml  \n\n"}, code: exitFail, log: "file=bad.yaml"},
	{name: "spaces in names", with: map[string]string{"files": "my tools/a b.json"}},
	{name: "a glob", with: map[string]string{"files": "my tools/*.json"}, code: exitFail, log: "bad.json"},
	{name: "a type", with: map[string]string{"files": "my tools/a b.json", "type": "mcp"}},
	{name: "the wrong type", with: map[string]string{"files": "my tools/a b.json", "type": "openapi"}, code: exitUsage},
	{name: "no type", with: map[string]string{"files": "good.yaml", "type": "swagger"}, code: exitUsage, usage: true, log: "::error::The input type"},
	{name: "a name like a type", with: map[string]string{"files": "openapi"}},
	{name: "a name like a flag", with: map[string]string{"files": "-good.yaml"}},
	{name: "no file", with: map[string]string{"files": "gone.yaml"}, code: exitUsage, log: "::error title=Not scanned::gone.yaml"},
	{name: "no document", with: map[string]string{"files": "split/paths.yaml"}, code: exitUsage, log: "::error title=Not scanned::split/paths.yaml"},
	{name: "nothing", with: map[string]string{"files": "\n\n"}, code: exitUsage, usage: true, log: "no files to scan"},
	{name: "a higher score", with: map[string]string{"files": "my tools/a b.json", "min-score": "100"}, code: exitFail},
	{name: "no score", with: map[string]string{"files": "good.yaml", "min-score": "high"}, code: exitUsage, usage: true},
	{name: "lower demands", with: map[string]string{"files": "bad.yaml", "min-score": "0", "fail-on": "none"}},
	{name: "a policy", with: map[string]string{"files": "bad.yaml", "policy": "lenient.yaml"}},
	{name: "a baseline", with: map[string]string{"files": "bad.yaml", "baseline": "before/agentready.json"}},
	{name: "the locked tools", with: map[string]string{"files": "my tools/a b.json", "type": "mcp", "lock": "lock.json"}},
	{name: "other tools", with: map[string]string{"files": "my tools/bad.json", "type": "mcp", "lock": "lock.json"}, code: exitFail, log: "AR103"},
	{name: "costly tools", with: map[string]string{"files": "my tools/a b.json", "max-tokens": "1"}, code: exitFail},
	{name: "without a root", with: map[string]string{"files": "split/openapi.yaml", "min-score": "0"}, code: exitUsage},
	{name: "a root", with: map[string]string{"files": "split/openapi.yaml", "root": "split", "min-score": "0"}},
	{name: "further formats", with: map[string]string{"files": "good.yaml", "formats": "sarif=out.sarif\njson=a b.json\n"}, written: []string{"a b.json", "out.sarif"}},
	{name: "a format in the place of another", with: map[string]string{"files": "good.yaml", "formats": "text"}, code: exitUsage, usage: true, log: "only one --format can go to stdout"},
}

// TestActionScan runs the action's steps on real documents.
func TestActionScan(t *testing.T) {
	r := preparedJob(t, ourBinary(t))
	for _, tt := range actionScans {
		t.Run(tt.name, func(t *testing.T) {
			got := r.run(t, scanStep, tt.with)
			if got.code != tt.code || r.verdict() != verdicts[tt.code] || !strings.Contains(got.log, tt.log) {
				t.Errorf("exit code %d, %q, want %d and %q in\n%s", got.code, r.verdict(), tt.code, tt.log, got.log)
			}
			if strings.Contains(got.summary, "Plumbline") == tt.usage {
				t.Errorf("the job's summary is %q", got.summary)
			}
			for _, name := range tt.written {
				if err := os.Remove(filepath.Join(r.workspace, name)); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// hostile are values that a script would run, or that would be flags, if an input were
// more to it than one value.
var hostile = []string{
	"; touch pwned", "$(touch pwned)", "`touch pwned`", "x\" ; touch pwned ; \"", "' ; touch pwned ; '", "x & touch pwned", "x | tee pwned",
	"x > pwned", "${IFS}touch${IFS}pwned", "a[$(touch pwned)]", "x\nEOF\ntouch pwned\n", "--\ntouch\npwned", "--out=pwned", "x --out pwned",
}

// TestActionHostile gives each input values that nobody should.
func TestActionHostile(t *testing.T) {
	r := preparedJob(t, ourBinary(t))
	before := r.files(t)
	for name := range r.action.Inputs {
		for _, value := range hostile {
			with := map[string]string{"files": "good.yaml", "type": "mcp", name: value}
			step := scanStep
			if name == "binary" {
				step = installStep
			}
			if got := r.run(t, step, with); got.code == 0 {
				t.Errorf("%s: %q is taken:\n%s", name, value, got.log)
			}
			if diff := cmp.Diff(before, r.files(t)); diff != "" {
				t.Fatalf("%s: %q does more than name something:\n%s", name, value, diff)
			}
		}
	}
}

// TestActionInstall has the action build its binary, then install one that is there
// already, whatever it is called.
func TestActionInstall(t *testing.T) {
	r := preparedJob(t, "")
	built := filepath.Join(r.temp, "plumbline-bin/plumbline")
	given := filepath.Join(r.temp, "plumbline_linux_amd64")
	if err := os.Rename(built, given); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(given, 0o600); err != nil { // as it comes out of a download
		t.Fatal(err)
	}
	r.path = os.Getenv("PATH")
	if got := r.run(t, installStep, map[string]string{"binary": given}); got.code != 0 {
		t.Fatalf("exit code %d\n%s", got.code, got.log)
	}
	if got := r.run(t, scanStep, map[string]string{"files": "good.yaml"}); got.code != 0 {
		t.Errorf("exit code %d\n%s", got.code, got.log)
	}
	r = newJob(t)
	if got := r.run(t, installStep, map[string]string{"binary": "gone"}); got.code == 0 || r.verdict() != "ERROR" {
		t.Errorf("of a binary that is not there: exit code %d, %q\n%s", got.code, r.verdict(), got.log)
	}
	r = newJob(t)
	r.path = t.TempDir()
	for _, tool := range []string{"bash", "mkdir"} {
		path, err := exec.LookPath(tool)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(path, filepath.Join(r.path, tool)); err != nil {
			t.Fatal(err)
		}
	}
	if got := r.run(t, installStep, nil); got.code != exitUsage || r.verdict() != "ERROR" || !strings.Contains(got.log, "actions/setup-go") {
		t.Errorf("without Go: exit code %d, %q\n%s", got.code, r.verdict(), got.log)
	}
}

// TestReadmeAction runs the action as the README's workflow does.
func TestReadmeAction(t *testing.T) {
	blocks := readmeFences(t)["GitHub Action"]
	if len(blocks) != 1 || blocks[0].language != "yaml" {
		t.Fatalf("the section has %d blocks", len(blocks))
	}
	var workflow struct {
		Jobs map[string]struct {
			Steps []struct {
				ID, Uses, Run string
				With          map[string]string
			}
		}
	}
	if err := yaml.Unmarshal([]byte(blocks[0].text), &workflow); err != nil {
		t.Fatal(err)
	}
	r, checkouts, ran := preparedJob(t, ourBinary(t)), map[string]bool{}, map[string]bool{}
	if err := os.Rename(filepath.Join(r.workspace, "good.yaml"), filepath.Join(r.workspace, "openapi.yaml")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(r.workspace, "my tools"), filepath.Join(r.workspace, "mcp")); err != nil {
		t.Fatal(err)
	}
	for _, step := range workflow.Jobs["plumbline"].Steps {
		dir, ours := strings.CutSuffix(step.Uses, "/"+filepath.Dir(actionFile))
		switch {
		case ours:
			if !checkouts[strings.TrimPrefix(dir, "./")] {
				t.Errorf("nothing is checked out into %s", dir)
			}
			scanAsDocumented(t, r, step.With)
			ran[step.ID] = true
		case step.Uses != "":
			checkouts[step.With["path"]] = true
			if !wholeVersion.MatchString(step.Uses) {
				t.Errorf("%s may change: name a whole version", step.Uses)
			}
		}
		for _, m := range expression.FindAllStringSubmatch(step.Run, -1) {
			id, output, _ := strings.Cut(strings.TrimPrefix(m[1], "steps."), ".outputs.")
			if _, declared := r.action.Outputs[output]; !ran[id] || !declared {
				t.Errorf("%s is no output of the action", m[0])
			}
		}
	}
}

// scanAsDocumented runs the action with the README's inputs, on one document that passes
// and some of which one fails.
func scanAsDocumented(t *testing.T, r *job, with map[string]string) {
	t.Helper()
	for input := range with {
		if _, declared := r.action.Inputs[input]; !declared {
			t.Errorf("the action has no input %q", input)
		}
	}
	got := r.run(t, scanStep, with)
	if got.code != exitFail || !strings.Contains(got.log, "mcp/bad.json") {
		t.Errorf("exit code %d, want %d for one of the documents\n%s", got.code, exitFail, got.log)
	}
	if _, err := os.Stat(filepath.Join(r.workspace, "plumbline.sarif")); err != nil {
		t.Error(err)
	}
}
