package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/scan/report"
)

// checkout is the root of this repository.
const checkout = "../.."

// build builds the real binary, as a user does, with further flags for the build.
func build(t *testing.T, flags ...string) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "plumbline")
	args := append([]string{"build", "-buildvcs=false", "-o", binary}, flags...)
	out, err := exec.Command("go", append(args, ".")...).CombinedOutput()
	if err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return binary
}

func TestBuiltBinaryExitCodes(t *testing.T) {
	binary := build(t)
	published := func(name string) string { return filepath.Join("../../testdata/published", name) }
	gate := []string{"--min-score", "75", "--fail-on", "critical"}
	tests := []struct {
		name string
		args []string
		code int
	}{
		{"refund", []string{"scan", "openapi", published("refund-bare.yaml")}, exitFail},
		{"refund fixed", []string{"scan", "openapi", published("refund-fixed.yaml")}, exitPass},
		{"send_email", []string{"scan", "mcp", published("send-email-bare.json")}, exitFail},
		{"send_email fixed", []string{"scan", "mcp", published("send-email-fixed.json")}, exitPass},
		{"no such file", []string{"scan", "mcp", "gone.json"}, exitUsage},
	}
	for _, test := range tests {
		for _, format := range report.Formats {
			t.Run(test.name+" as "+format.Name, func(t *testing.T) {
				args := append(append(test.args, gate...), "--format", format.Name)
				if got := exitCode(exec.Command(binary, args...).Run()); got != test.code {
					t.Errorf("exit code %d, want %d", got, test.code)
				}
			})
		}
	}
	t.Run("result lost", func(t *testing.T) {
		cmd := exec.Command("sh", "-c", `"$0" scan testdata/tools/good.json >/dev/full`, binary)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if got := exitCode(cmd.Run()); got != exitUsage {
			t.Errorf("exit code %d, want %d: it must not look like a pass", got, exitUsage)
		}
		if !strings.Contains(stderr.String(), "cannot write the result") {
			t.Errorf("stderr: %s", stderr.String())
		}
	})
}

// No input is known that makes the program panic, so one command is replaced by one
// that does; all else is the real binary.
func TestBuiltBinaryInternalError(t *testing.T) {
	original, err := filepath.Abs("version.go")
	if err != nil {
		t.Fatal(err)
	}
	broken, err := filepath.Abs("testdata/broken_version.go")
	if err != nil {
		t.Fatal(err)
	}
	overlay := filepath.Join(t.TempDir(), "overlay.json")
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{original: broken}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(overlay, replace, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(build(t, "-overlay", overlay), "version")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if got := exitCode(cmd.Run()); got != exitInternal {
		t.Errorf("exit code %d, want %d", got, exitInternal)
	}
	if got := stderr.String(); !strings.HasPrefix(got, "plumbline: internal error: ") || strings.Count(got, "\n") != 1 {
		t.Errorf("stderr: %s", got)
	}
}

func exitCode(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	return -1
}
