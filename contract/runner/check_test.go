package runner_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/runner"
)

// one runs one check and gives its outcome.
func one(t *testing.T, r *runner.Runner, check contract.Check) runner.Outcome {
	t.Helper()
	outcomes, err := r.Run(t.Context(), []contract.Check{check})
	if err != nil || len(outcomes) != 1 {
		t.Fatalf("%d outcomes, error %v", len(outcomes), err)
	}
	return outcomes[0]
}

func TestOutcomes(t *testing.T) {
	tests := []struct {
		name, run, expect string
		code              int
		passed            bool
		tail, problem     string
	}{
		{"passes", "echo fine", "", 0, true, "fine\n", ""},
		{"fails", "echo bad; exit 3", "", 3, false, "bad\n", ""},
		{"both streams, in order", "echo a; echo b >&2; echo c", "", 0, true, "a\nb\nc\n", ""},
		{"expected text", "printf 'x=%s' 41", "x=41", 0, true, "x=41", ""},
		{"expected text missing", "echo x=41", "x=42", 0, false, "x=41\n", `its output does not contain "x=42"`},
		{"expected text, but fails", "echo x=41; exit 1", "x=41", 1, false, "x=41\n", ""},
		{"is killed by a signal", "kill -9 $$", "", 137, false, "", ""},
		{"no such command", "definitely-not-a-command 2>/dev/null", "", 127, false, "", ""},
		{"stdin is empty", "cat; echo end", "", 0, true, "end\n", ""},
		{"cannot be a command", "echo \x00", "", 127, false, "", "it could not be started: invalid argument"},
		{"leaves a process behind", "sleep 600 & echo started", "", 0, true, "started\n", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r, _ := newRunner(t)
			got := one(t, r, contract.Check{Type: contract.Command, Run: test.run, Expect: test.expect})
			if got.ExitCode != test.code || got.Passed != test.passed || got.OutputTail != test.tail || got.Problem != test.problem || got.TimedOut {
				t.Errorf("got %+v", got)
			}
			if sum := sha256.Sum256([]byte(test.tail)); got.OutputSHA256 != hex.EncodeToString(sum[:]) || got.OutputBytes != int64(len(test.tail)) {
				t.Errorf("digest %s of %d bytes is not that of the output", got.OutputSHA256, got.OutputBytes)
			}
			if _, err := time.Parse(time.RFC3339, got.StartedAt); err != nil || got.DurationMS < 0 {
				t.Errorf("began at %q and took %d ms", got.StartedAt, got.DurationMS)
			}
		})
	}
}

// maxTail is how many bytes of an output are kept.
const maxTail = 16 << 10

func TestLongOutputIsHashedWholeAndKeptAtItsEnd(t *testing.T) {
	r, dir := newRunner(t)
	// 300,000 two-byte characters and one broken byte, so that the cut meets a character.
	text := strings.Repeat("é", 150_000) + "\xff" + strings.Repeat("ü", 150_000) + "!"
	write(t, dir, "long", text)
	got := one(t, r, contract.Check{Type: contract.Preview, Run: "cat long", Expect: "\xc3\xa9\xff\xc3\xbc"})
	if sum := sha256.Sum256([]byte(text)); got.OutputSHA256 != hex.EncodeToString(sum[:]) || got.OutputBytes != int64(len(text)) {
		t.Errorf("digest %s of %d bytes is not that of the whole output", got.OutputSHA256, got.OutputBytes)
	}
	if !strings.HasSuffix(text, got.OutputTail) || len(got.OutputTail) < maxTail-utf8.UTFMax || len(got.OutputTail) > maxTail {
		t.Errorf("the tail has %d bytes", len(got.OutputTail))
	}
	if !got.Passed {
		t.Errorf("what is expected stands in the middle, yet: %s", got.Problem)
	}
}

func TestBrokenOutputBecomesValidText(t *testing.T) {
	r, dir := newRunner(t)
	write(t, dir, "binary", strings.Repeat("a\xff", maxTail))
	got := one(t, r, contract.Check{Type: contract.Command, Run: "cat binary"})
	if !utf8.ValidString(got.OutputTail) || len(got.OutputTail) > maxTail || !strings.Contains(got.OutputTail, "a\uFFFDa") {
		t.Errorf("the tail has %d bytes: %.20q", len(got.OutputTail), got.OutputTail)
	}
}

func TestPrivateVariablesAreNotPassedOn(t *testing.T) {
	r, dir := newRunner(t, "PLUMBLINE_TOKEN=secret", "plumbline_ledger=secret", "OTHER=public")
	got := one(t, r, contract.Check{Type: contract.Command, Run: "env; pwd"})
	if strings.Contains(got.OutputTail, "secret") || !strings.Contains(got.OutputTail, "OTHER=public") {
		t.Errorf("environment: %s", got.OutputTail)
	}
	if !strings.Contains(got.OutputTail, "PWD="+dir+"\n") {
		t.Errorf("it does not run in %s: %s", dir, got.OutputTail)
	}
}

func TestTimeoutCountsWhereTheCommandEndsWell(t *testing.T) {
	r, _ := newRunner(t)
	check := contract.Check{Type: contract.Command, Run: "trap 'exit 0' TERM; echo ready; sleep 600 & wait", Timeout: 0.2}
	got := one(t, r, check)
	for got.OutputTail != "ready\n" { // its time was over before it could end well
		check.Timeout *= 2
		got = one(t, r, check)
	}
	if got.ExitCode != 0 || !got.TimedOut || got.Passed {
		t.Errorf("got %+v", got)
	}
}

func TestFilesAreVerifiedBeforeTheRun(t *testing.T) {
	r, dir := newRunner(t)
	write(t, dir, "rows.csv", "a\n")
	was := contract.Fingerprint([]byte("a\n"))
	check := contract.Check{Type: contract.Command, Run: "echo b >rows.csv", Files: []contract.ArtifactRef{{Path: "rows.csv", Fingerprint: was}}}
	got := one(t, r, check)
	if len(got.Files) != 1 || got.Files[0] != (runner.File{Artifact: "rows.csv", Fingerprint: was}) || got.Problem != "" {
		t.Errorf("before it was changed: %+v", got)
	}
	got = one(t, r, check)
	if len(got.Files) != 1 || got.Files[0].Fingerprint == was || !strings.Contains(got.Problem, "not "+was+" as declared") {
		t.Errorf("after it was changed: %+v", got)
	}
	check.Files[0].Path = "gone.csv"
	if got = one(t, r, check); len(got.Files) != 0 || !strings.Contains(got.Problem, `"gone.csv"`) {
		t.Errorf("missing: %+v", got)
	}
	if err := os.Symlink("/etc/hostname", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	check.Files[0].Path = "link"
	if got = one(t, r, check); len(got.Files) != 0 || !strings.Contains(got.Problem, "out of the root") {
		t.Errorf("a link out of the root: %+v", got)
	}
}
