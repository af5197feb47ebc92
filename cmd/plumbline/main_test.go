package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unicode"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"plumbline": main, "fake-server": fakeServer})
}

func TestScripts(t *testing.T) {
	for _, told := range []os.Signal{syscall.SIGHUP, syscall.SIGINT} {
		// What is ignored here, as nohup has it, is ignored in all that is started, unless it
		// is caught.
		if signal.Ignored(told) {
			signal.Notify(make(chan os.Signal, 1), told)
		}
	}
	for _, dir := range []string{"testdata/script", "testdata/script/failures"} {
		testscript.Run(t, testscript.Params{
			Dir:                 dir,
			Setup:               setup,
			RequireExplicitExec: true,
			Cmds: map[string]func(*testscript.TestScript, bool, []string){
				"exits":    exits,
				"mkfifo":   mkfifo,
				"grow":     grow,
				"count":    count,
				"valid":    valid,
				"trust":    trust,
				"team":     team,
				"keep":     keep,
				"same":     same,
				"change":   change,
				"tamper":   tamper,
				"keephead": keephead,
			},
		})
	}
}

// setup gives scripts the repository's fixtures, a list of tools that passes and one
// that fails, and a fixed time.
func setup(env *testscript.Env) error {
	for name, path := range map[string]string{
		"TESTDATA": "../../testdata", "GOOD": "testdata/tools/good.json", "BAD": "testdata/tools/bad.json",
	} {
		absolute, err := filepath.Abs(path)
		if err != nil {
			return err
		}
		env.Setenv(name, absolute)
	}
	env.Setenv("SOURCE_DATE_EPOCH", "1767323045")
	return nil
}

// exits runs a command and checks its exit code: `exits CODE COMMAND ARGUMENT...`.
// Whatever the command is, its output must neither hold what a terminal would obey
// nor a stack trace.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARGUMENT...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	got := 0
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
	for _, name := range []string{"stdout", "stderr"} {
		for _, r := range ts.ReadFile(name) {
			if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
				ts.Fatalf("%s holds %U", name, r)
			}
		}
	}
	if strings.Contains(ts.ReadFile("stderr"), "goroutine ") {
		ts.Fatalf("stderr holds a stack trace")
	}
}

// grow makes a file of that many bytes, without contents: `grow FILE SIZE`.
func grow(ts *testscript.TestScript, _ bool, args []string) {
	size, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	f, err := os.Create(ts.MkAbs(args[0]))
	ts.Check(err)
	ts.Check(f.Truncate(size))
	ts.Check(f.Close())
}

// count checks how many lines stdout or stderr has: `count stderr LINES`.
func count(ts *testscript.TestScript, _ bool, args []string) {
	got := strings.Count(ts.ReadFile(args[0]), "\n")
	if want, err := strconv.Atoi(args[1]); err != nil || got != want {
		ts.Fatalf("%s has %d lines, want %s", args[0], got, args[1])
	}
}

// valid checks stdout, or a file, against the JSON Schema of exports: `valid FILE`.
func valid(ts *testscript.TestScript, _ bool, args []string) {
	schema, err := jsonschema.CompileString("agentready.json", string(agentready.Schema()))
	ts.Check(err)
	var export any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &export))
	ts.Check(schema.Validate(export))
}

// trust sets TRUST to what --trust takes for a file: `trust FILE`.
func trust(ts *testscript.TestScript, _ bool, args []string) {
	ts.Setenv("TRUST", "sha256:"+contract.SHA256([]byte(ts.ReadFile(args[0]))))
}
