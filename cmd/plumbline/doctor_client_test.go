package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// checkClient is what doctor finds of the client's configuration that counts in dir, and its
// exit code.
func checkClient(t *testing.T, dir string, env ...string) (diagnosis, int) {
	t.Helper()
	cmd := exec.Command("plumbline", "doctor", "--format", "json")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.Output()
	var told struct{ Checks []diagnosis }
	if err := json.Unmarshal(out, &told); err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	for _, check := range told.Checks {
		if check.Check == "client" {
			return check, exitCode(err)
		}
	}
	t.Fatalf("nothing is told of the client's configuration:\n%s", out)
	return diagnosis{}, 0
}

// What the README gives clients to read is well, with the token in the variable that it
// names. Without one doctor says so, and does not send the token into the file.
func TestDoctorReadsTheReadme(t *testing.T) {
	blocks := readmeFences(t)
	for _, c := range readmeClients {
		found := 0
		for _, block := range blocks[c.section] {
			if !strings.Contains(block.text, `"`+c.key+`"`) {
				continue
			}
			found++
			dir := t.TempDir()
			place(t, dir, clientName, []byte(block.text))
			if told, code := checkClient(t, dir, "PLUMBLINE_TOKEN=plb_token"); told.Grade != gradeOK || code != exitPass {
				t.Errorf("%s: exit code %d, %+v for\n%s", c.section, code, told, block.text)
			}
			if !strings.Contains(block.text, "PLUMBLINE_TOKEN") {
				continue
			}
			told, code := checkClient(t, dir, "PLUMBLINE_TOKEN=")
			if code != exitFail || !strings.HasSuffix(told.Found, "PLUMBLINE_TOKEN} has no value here: set the variable") {
				t.Errorf("%s, without a token: exit code %d, %+v", c.section, code, told)
			}
		}
		if found == 0 {
			t.Errorf("%s has no configuration", c.section)
		}
	}
}
