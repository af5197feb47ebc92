package runner_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/runner"
)

// newRunner makes a runner in a directory of its own, which it gives.
func newRunner(t *testing.T, env ...string) (*runner.Runner, string) {
	t.Helper()
	dir := t.TempDir()
	return &runner.Runner{Dir: dir, Files: os.DirFS(dir), Env: append(os.Environ(), env...)}, dir
}

// write writes a file of the directory.
func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// newRepository makes a runner in a repository with one commit, in which the names that
// tests write are ignored.
func newRepository(t *testing.T) (*runner.Runner, string) {
	t.Helper()
	r, dir := newRunner(t)
	git(t, dir, "init", "--quiet")
	write(t, dir, ".gitignore", "log\nmended\nrows.csv\n")
	write(t, dir, "kept", "")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "--quiet", "-m", "one")
	return r, dir
}

// remove removes a file or a directory.
func remove(t *testing.T, dir, name string) {
	t.Helper()
	if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
}

// criterion is an enumerable criterion with the checks, given as JSON objects.
func criterion(id string, checks ...string) string {
	return fmt.Sprintf(`{"id": %q, "class": %q, "kind": "enumerable", "statement": "The listed cases end as stated.",
		"cases": ["one"], "checks": [%s]}`, id, id, strings.Join(checks, ","))
}

// judgment is a criterion without anything to run.
const judgment = `{"id": "tone", "class": "tone", "kind": "judgment", "statement": "The tone is plain.",
	"checks": [{"type": "condition", "text": "a reader calls it plain"}]}`

// run is a command check as JSON.
func run(command string) string {
	text, _ := json.Marshal(map[string]string{"type": "command", "run": command})
	return string(text)
}

// parse makes a valid contract of criteria.
func parse(t *testing.T, criteria ...string) *contract.Contract {
	t.Helper()
	text, err := contract.Stamp([]byte(fmt.Sprintf(
		`{"aac": "0.1.0", "contract": {"id": "work", "owner": "lead"}, "budget": {"extensions": 2}, "criteria": [%s]}`,
		strings.Join(criteria, ","))), 1)
	if err != nil {
		t.Fatal(err)
	}
	c, report := contract.ParseContract(text)
	if !report.Valid() {
		t.Fatalf("the fixture is not valid: %+v", report.Errors())
	}
	return c
}

// begun plans checks and begins.
func begun(t *testing.T, r *runner.Runner, c *contract.Contract, only []string, resume []byte) *runner.Plan {
	t.Helper()
	plan, err := runner.NewPlan(c, only, resume)
	if err != nil {
		t.Fatal(err)
	}
	r.Begin(t.Context(), plan)
	return plan
}

// done runs what is planned and gives the report and what its own check says of it.
func done(t *testing.T, r *runner.Runner, c *contract.Contract, only []string, resume []byte) ([]byte, *contract.DoneResult) {
	t.Helper()
	plan := begun(t, r, c, only, resume)
	report, err := r.Done(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	text, err := report.Text()
	if err != nil {
		t.Fatal(err)
	}
	return text, contract.CheckDone(c, &contract.Report{}, text)
}

// codes lists the codes of a report's errors.
func codes(report *contract.Report) string {
	var list []string
	for _, p := range report.Errors() {
		list = append(list, string(p.Code[:len("AAC000")]))
	}
	return strings.Join(list, " ")
}
