package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// claudeSettings are the settings of Claude Code, as far as the README gives any.
type claudeSettings struct {
	Hooks map[string][]struct {
		Hooks []struct {
			Type, Command string
			Timeout       int // in seconds
		}
	}
}

// TestReadmeHook runs the command of the README's settings as Claude Code does that read
// them: in a shell, in the project, with what it tells a hook on stdin. The builder of the
// contract that is named there is held.
func TestReadmeHook(t *testing.T) {
	onPath(t)
	project := newProject(t)
	command := readmeHook(t)
	_, id, _ := strings.Cut(command, "--id ")
	contract, err := newInitialContract(id, "true", "", "lead")
	if err != nil {
		t.Fatal(err)
	}
	place(t, project, contractName, contract)
	register := exec.Command("plumbline", "contract", "register", contractName)
	register.Dir = project
	if out, err := register.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	event, err := json.Marshal(map[string]any{
		"session_id": "one", "transcript_path": filepath.Join(project, "transcript.jsonl"), "cwd": project,
		"permission_mode": "default", "hook_event_name": "Stop", "stop_hook_active": false,
	})
	if err != nil {
		t.Fatal(err)
	}
	hook := exec.Command("sh", "-c", command)
	hook.Dir, hook.Stdin = project, bytes.NewReader(event)
	hook.Env = append(os.Environ(), "CLAUDE_PROJECT_DIR="+project)
	out, err := hook.CombinedOutput()
	if code := exitCode(err); code != hookHolds || !strings.HasPrefix(string(out), "NOT DONE "+id+", revision 1") {
		t.Errorf("%s: exit code %d, want %d and what is not done:\n%s", command, code, hookHolds, out)
	}
}

// readmeHook is the command of the one hook in the README's settings.
func readmeHook(t *testing.T) string {
	t.Helper()
	var settings claudeSettings
	found := 0
	for _, block := range readmeFences(t)["Where a builder would stop (Claude Code)"] {
		if block.language != "json" {
			continue
		}
		strict := json.NewDecoder(strings.NewReader(block.text))
		strict.DisallowUnknownFields()
		if err := strict.Decode(&settings); err != nil {
			t.Fatalf("%v:\n%s", err, block.text)
		}
		found++
	}
	stop := settings.Hooks["Stop"]
	if found != 1 || len(settings.Hooks) != 1 || len(stop) != 1 || len(stop[0].Hooks) != 1 {
		t.Fatalf("%d blocks, with the hooks %+v", found, settings.Hooks)
	}
	hook := stop[0].Hooks[0]
	if hook.Type != "command" || float64(hook.Timeout) <= hookTime.Seconds() {
		t.Errorf("the hook has the type %q, and %d s, while it itself takes up to %v", hook.Type, hook.Timeout, hookTime)
	}
	return hook.Command
}
