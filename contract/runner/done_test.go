package runner_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/runner"
)

func TestReportOfEveryCheckIsDone(t *testing.T) {
	r, _ := newRunner(t)
	c := parse(t, criterion("a", run("true"), `{"type": "preview", "run": "echo shown", "expect": "shown"}`), judgment, criterion("b", run("true")))
	text, checked := done(t, r, c, nil, nil)
	if !checked.IsDone() {
		t.Errorf("problems: %+v", checked.Report.Errors())
	}
	var report runner.Report
	if err := json.Unmarshal(text, &report); err != nil {
		t.Fatal(err)
	}
	if report.Contract.SHA256 != c.SHA256() || report.Contract.Revision != 1 || report.Subject != nil || len(report.Results) != 3 {
		t.Errorf("report: %s", text)
	}
}

func TestReportOfWhatFailed(t *testing.T) {
	declared := `{"type": "command", "run": "true", "files": [{"artifact": "rows.csv", "fingerprint": "sha256:0123456789ab"}]}`
	slow := `{"type": "command", "run": "sleep 600", "timeout_s": 0.2}`
	unmet := `{"type": "command", "run": "echo x", "expect": "y"}`
	for check, want := range map[string]string{
		run("exit 1"): "AAC704", slow: "AAC704", unmet: "AAC704", declared: "AAC705",
	} {
		r, dir := newRunner(t)
		write(t, dir, "rows.csv", "not what was declared")
		_, checked := done(t, r, parse(t, criterion("a", check)), nil, nil)
		if codes(checked.Report) != want || !checked.Complete() {
			t.Errorf("%s: got %s, want %s", check, codes(checked.Report), want)
		}
	}
}

func TestContractWithNothingToRunIsDone(t *testing.T) {
	r, _ := newRunner(t)
	if text, checked := done(t, r, parse(t, judgment), nil, nil); !checked.IsDone() {
		t.Errorf("problems %+v of %s", checked.Report.Errors(), text)
	}
}

func TestOnlyRunsTheNamedCriteria(t *testing.T) {
	r, dir := newRunner(t)
	c := parse(t, criterion("a", run("echo a >>log")), criterion("b", run("echo b >>log")), criterion("c", run("echo c >>log")), judgment)
	_, checked := done(t, r, c, []string{"c", "a"}, nil)
	if codes(checked.Report) != "AAC701" {
		t.Errorf("got %s, want the one check that was not run", codes(checked.Report))
	}
	wantLog(t, dir, "a\nc\n")
	for _, name := range []string{"d", "tone", ""} {
		_, err := runner.NewPlan(c, []string{name}, nil)
		if err == nil || !strings.Contains(err.Error(), "use one of a, b, c") {
			t.Errorf("%q: error %v", name, err)
		}
	}
}

// wantLog compares what commands wrote of themselves.
func wantLog(t *testing.T, dir, want string) {
	t.Helper()
	got, err := os.ReadFile(filepath.Join(dir, "log"))
	if err != nil || string(got) != want {
		t.Errorf("commands wrote %q, want %q (error %v)", got, want, err)
	}
}

func TestResumeRunsWhatFailedOrIsMissing(t *testing.T) {
	r, dir := newRepository(t)
	c := parse(t, criterion("a", run("echo a >>log"), run("echo mended? >>log; test -f mended")), criterion("b", run("echo b >>log")))
	first, checked := done(t, r, c, []string{"a"}, nil)
	if codes(checked.Report) != "AAC701 AAC704" {
		t.Errorf("first: %s", codes(checked.Report))
	}
	write(t, dir, "mended", "")
	second, checked := done(t, r, c, nil, first)
	if !checked.IsDone() {
		t.Errorf("second: %+v", checked.Report.Errors())
	}
	wantLog(t, dir, "a\nmended?\nmended?\nb\n")
	var was, is runner.Report
	for text, report := range map[string]*runner.Report{string(first): &was, string(second): &is} {
		if err := json.Unmarshal([]byte(text), report); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(was.Results[0], is.Results[0]); diff != "" {
		t.Errorf("the kept result changed (-was +is):\n%s", diff)
	}
}

// A report lists a limited number of problems, behind which nothing may count as passed.
func TestResumeRunsAgainWhatFailsBehindManyOthers(t *testing.T) {
	r, dir := newRepository(t)
	c := parse(t, criterion("a", run("echo a >>log")), criterion("b", run("echo b >>log; false")))
	first, _ := done(t, r, c, nil, nil)
	var report runner.Report
	if err := json.Unmarshal(first, &report); err != nil {
		t.Fatal(err)
	}
	a, b := report.Results[0], report.Results[1]
	other := a
	other.Criterion, other.Passed = "another", false
	report.Results = append(slices.Repeat([]runner.Result{other}, 2_100), a, b)
	long, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	if text, checked := done(t, r, c, nil, long); codes(checked.Report) != "AAC704" {
		t.Errorf("got %q of %s, want the failing check to fail again", codes(checked.Report), text)
	}
	wantLog(t, dir, "a\nb\nb\n")
}

func TestResumeRunsAgainWhatIsNoPassOfTheCheck(t *testing.T) {
	for name, edit := range map[string]func(report *runner.Report){
		"not passed":       func(report *runner.Report) { report.Results[0].Passed = false },
		"an exit code":     func(report *runner.Report) { report.Results[0].ExitCode = 1 },
		"timed out":        func(report *runner.Report) { report.Results[0].TimedOut = true },
		"another type":     func(report *runner.Report) { report.Results[0].Type = contract.Preview },
		"another command":  func(report *runner.Report) { report.Results[0].Run = "true" },
		"no file":          func(report *runner.Report) { report.Results[0].Files = nil },
		"another file":     func(report *runner.Report) { report.Results[0].Files[0].Fingerprint = "sha256:0123456789ab" },
		"told twice":       func(report *runner.Report) { report.Results = append(report.Results, report.Results[0]) },
		"of another check": func(report *runner.Report) { report.Results[0].Check = 1 },
	} {
		r, dir := newRepository(t)
		write(t, dir, "rows.csv", "a\n")
		c := parse(t, criterion("a", fmt.Sprintf(`{"type": "command", "run": "echo a >>log", "files": [{"artifact": "rows.csv", "fingerprint": %q}]}`,
			contract.Fingerprint([]byte("a\n")))))
		first, _ := done(t, r, c, nil, nil)
		var report runner.Report
		if err := json.Unmarshal(first, &report); err != nil {
			t.Fatal(err)
		}
		edit(&report)
		edited, err := json.Marshal(report)
		if err != nil {
			t.Fatal(err)
		}
		if _, checked := done(t, r, c, nil, edited); !checked.IsDone() {
			t.Errorf("%s: %+v", name, checked.Report.Errors())
		}
		t.Run(name, func(t *testing.T) { wantLog(t, dir, "a\na\n") })
	}
}

func TestResumeRunsAgainWhereAFileChanged(t *testing.T) {
	r, dir := newRepository(t)
	write(t, dir, "rows.csv", "a\n")
	c := parse(t, criterion("a", fmt.Sprintf(`{"type": "command", "run": "echo a >>log", "files": [{"artifact": "rows.csv", "fingerprint": %q}]}`,
		contract.Fingerprint([]byte("a\n")))))
	first, _ := done(t, r, c, nil, nil)
	done(t, r, c, nil, first)
	wantLog(t, dir, "a\n")
	write(t, dir, "rows.csv", "b\n")
	if _, checked := done(t, r, c, nil, first); codes(checked.Report) != "AAC705" {
		t.Errorf("got %s, want AAC705", codes(checked.Report))
	}
	wantLog(t, dir, "a\na\n")
}

// A pass under another contract may be none under this one, which may be revised: every
// check is run again.
func TestResumeKeepsNothingOfAnotherContract(t *testing.T) {
	r, _ := newRepository(t)
	c := parse(t, criterion("a", run("true")))
	text, _ := done(t, r, c, nil, nil)
	other := parse(t, criterion("a", run("true")), judgment)
	// The same criteria, so the same fingerprint, in other bytes.
	renamed, report := contract.ParseContract([]byte(strings.Replace(string(c.Text), `"lead"`, `"chief"`, 1)))
	if !report.Valid() {
		t.Fatal(report.Errors())
	}
	tests := []struct {
		name   string
		c      *contract.Contract
		resume string
		kept   int
	}{
		{"the same", c, string(text), 1},
		{"other criteria", other, string(text), 0},
		{"the same fingerprint, other bytes", renamed, string(text), 0},
		{"no sha256", c, strings.Replace(string(text), `"sha256"`, `"SHA256"`, 1), 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			plan := begun(t, r, test.c, nil, []byte(test.resume))
			if len(plan.Kept) != test.kept || len(plan.Jobs) != 1-test.kept {
				t.Errorf("kept %d results and runs %d checks", len(plan.Kept), len(plan.Jobs))
			}
			why := "the report to resume is not about this contract, whose sha256 is " + test.c.SHA256() + ", so every check is run again"
			if test.kept == 0 && plan.Rerun != why {
				t.Errorf("it says %q, want %q", plan.Rerun, why)
			}
		})
	}
}

func TestResumeRefusesWhatIsNoReport(t *testing.T) {
	r, _ := newRunner(t)
	c := parse(t, criterion("a", run("true")))
	text, _ := done(t, r, c, nil, nil)
	for name, resume := range map[string]string{
		"no JSON": "{", "no object": "[]",
		"malformed": strings.Replace(string(text), `"passed": true`, `"passed": "yes"`, 1),
	} {
		if _, err := runner.NewPlan(c, nil, []byte(resume)); err == nil || !strings.Contains(err.Error(), "not a done report") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// git runs git in a directory.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	args = append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"}, args...)
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func TestSubjectIsTheCommitAndWhetherTheTreeIsDirty(t *testing.T) {
	r, dir := newRunner(t)
	want := func(when string, subject *runner.Subject) {
		t.Helper()
		if diff := cmp.Diff(subject, r.Subject(t.Context())); diff != "" {
			t.Errorf("%s (-want +got):\n%s", when, diff)
		}
	}
	want("without a repository", nil)
	git(t, dir, "init", "--quiet")
	want("without a commit", nil)
	write(t, dir, "file", "a")
	git(t, dir, "add", "file")
	git(t, dir, "commit", "--quiet", "-m", "one")
	commit := git(t, dir, "rev-parse", "HEAD")
	want("clean", &runner.Subject{Commit: commit, Dirty: false})
	write(t, dir, "new", "b")
	want("with a new file", &runner.Subject{Commit: commit, Dirty: true})
}

// What passed stands only where it is certain that the tree is the same: at one commit,
// without changes, then and now.
func TestResumeRunsAllAgainUnlessTheTreeIsTheSame(t *testing.T) {
	for name, test := range map[string]struct {
		before, between func(t *testing.T, dir string)
		edit            [2]string // of the earlier report
		why             string
	}{
		"the same":         {},
		"now dirty":        {between: func(t *testing.T, dir string) { write(t, dir, "kept", "changed") }, why: "the tree holds what is not committed"},
		"a new file":       {between: func(t *testing.T, dir string) { write(t, dir, "new", "") }, why: "the tree holds what is not committed"},
		"was dirty":        {before: func(t *testing.T, dir string) { write(t, dir, "new", "") }, between: func(t *testing.T, dir string) { remove(t, dir, "new") }, why: "held what is not committed"},
		"another commit":   {between: func(t *testing.T, dir string) { git(t, dir, "commit", "--quiet", "--allow-empty", "-m", "two") }, why: "and the tree is at the commit "},
		"no commit now":    {between: func(t *testing.T, dir string) { remove(t, dir, ".git") }, why: "the tree is at no commit"},
		"no word of dirty": {edit: [2]string{`"dirty"`, `"clean"`}, why: "held what is not committed"},
		"no subject":       {edit: [2]string{`"subject"`, `"about"`}, why: "is about no commit"},
	} {
		t.Run(name, func(t *testing.T) {
			r, dir := newRepository(t)
			c := parse(t, criterion("a", run("echo a >>log")))
			if test.before != nil {
				test.before(t, dir)
			}
			first, _ := done(t, r, c, nil, nil)
			if test.between != nil {
				test.between(t, dir)
			}
			first = []byte(strings.Replace(string(first), test.edit[0], test.edit[1], 1))
			plan := begun(t, r, c, nil, first)
			again := test.why != ""
			if (len(plan.Jobs) == 1) != again || (len(plan.Kept) == 0) != again {
				t.Errorf("kept %d results and runs %d checks", len(plan.Kept), len(plan.Jobs))
			}
			if !strings.Contains(plan.Rerun, test.why) || strings.Contains(plan.Rerun, "every check is run again") != again {
				t.Errorf("it says %q, want %q", plan.Rerun, test.why)
			}
		})
	}
}

// A report of a tree that a check changed must not say that the tree was clean.
func TestReportIsOfADirtyTreeWhereACheckMadeItSo(t *testing.T) {
	for command, want := range map[string]bool{
		"echo a >>log": false,
		"touch new":    true,
		"git -c user.name=a -c user.email=a@example.com -c commit.gpgsign=false commit --quiet --allow-empty -m two": true,
	} {
		r, _ := newRepository(t)
		text, checked := done(t, r, parse(t, criterion("a", run(command))), nil, nil)
		if !checked.IsDone() || checked.Done.Dirty != want {
			t.Errorf("%s: dirty %v, want %v, in %s", command, checked.Done.Dirty, want, text)
		}
	}
}

func TestInterruptedRunReportsWhatWasDone(t *testing.T) {
	r, _ := newRunner(t)
	c := parse(t, criterion("a", run("true"), run("true")))
	plan := begun(t, r, c, nil, nil)
	ctx, cancel := context.WithCancel(t.Context())
	r.Show = func(e runner.Event) {
		if e.Outcome != nil {
			cancel()
		}
	}
	report, err := r.Done(ctx, plan)
	if err != context.Canceled || len(report.Results) != 1 {
		t.Errorf("report %+v, error %v", report, err)
	}
}

func TestLargestReportCanBeReadAgain(t *testing.T) {
	r, _ := newRunner(t)
	// As many checks as a contract has room for, each with more output than is kept.
	checks := make([]string, 1500)
	for i := range checks {
		checks[i] = `{"type":"command","run":":"}`
	}
	c := parse(t, criterion("a", checks...))
	plan := begun(t, r, c, nil, nil)
	report := &runner.Report{Done: "0.1", Contract: runner.ReportedOn{ID: c.ID, Fingerprint: c.Fingerprint, Revision: 1, SHA256: c.SHA256()}}
	for _, job := range plan.Jobs {
		report.Results = append(report.Results, runner.Result{Criterion: job.Criterion, Check: job.Index, Outcome: runner.Outcome{
			Type: job.Check.Type, Run: job.Check.Run, Passed: true, OutputTail: strings.Repeat("é\x01", maxTail/3),
			OutputSHA256: strings.Repeat("0", 64), StartedAt: "2026-01-02T03:04:05.678Z",
		}})
	}
	text, err := report.Text()
	if err != nil || len(text) > 1<<20 {
		t.Fatalf("%d bytes, error %v", len(text), err)
	}
	if checked := contract.CheckDone(c, &contract.Report{}, text); !checked.IsDone() {
		t.Errorf("problems: %+v", checked.Report.Errors()[0])
	}
	if len(report.Results[0].OutputTail) < maxTail/2 {
		t.Error("writing the report changed it")
	}
}

func TestRoundReproducesFindings(t *testing.T) {
	round, report := contract.ParseRound([]byte(`{"agc": "0.1.0", "verdict": "fail", "findings": [
		{"class": "c", "severity": "advisory", "message": "no check"},
		{"class": "c", "severity": "blocking", "location": "one", "message": "stays", "check": {"type": "command", "run": "echo seen; exit 1"}, "remedy": {"type": "patch"}},
		{"class": "c", "severity": "blocking", "location": "two", "message": "is read", "check": {"type": "condition", "text": "read it"}, "remedy": {"type": "patch"}},
		{"class": "d", "severity": "blocking", "location": "three", "message": "is gone", "check": {"type": "command", "run": "true"}, "remedy": {"type": "patch"}}]}`))
	if !report.Valid() {
		t.Fatal(report.Errors())
	}
	r, _ := newRunner(t)
	got, err := r.Round(t.Context(), round)
	if err != nil || len(got) != 2 {
		t.Fatalf("%+v, error %v", got, err)
	}
	if stays := got[0]; stays.Finding != 1 || !stays.StillFails || stays.Location != "one" || stays.OutputTail != "seen\n" {
		t.Errorf("got %+v", stays)
	}
	if gone := got[1]; gone.Finding != 3 || gone.StillFails || gone.Class != "d" {
		t.Errorf("got %+v", gone)
	}
}
