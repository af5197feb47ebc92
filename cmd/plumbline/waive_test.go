package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/plumbline-mcp/plumbline/scan"
	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

// Waivers that are added at once are all there afterwards, and nothing else is.
func TestWaiversAddedAtOnce(t *testing.T) {
	const tools = 12
	dir := t.TempDir()
	var list []string
	for i := range tools {
		list = append(list, fmt.Sprintf(`{"name": "send_email_%d", "description": "Send an email.", "inputSchema": {"type": "object", "properties": {"to": {"type": "string"}}}}`, i))
	}
	file := place(t, dir, "mail.json", []byte(`{"tools": [`+strings.Join(list, ",")+`]}`))
	var all sync.WaitGroup
	for i := range tools {
		all.Go(func() {
			code, _, stderr := call("waive", file, "--rule", "AR002", "--tool", fmt.Sprintf("send_email_%d", i), "--reason", "A person sends.", "--expires", "9999-12-31")
			if code != 0 {
				t.Errorf("code %d: %s", code, stderr)
			}
		})
	}
	all.Wait()
	text, err := os.ReadFile(filepath.Join(dir, scan.PolicyName))
	if err != nil {
		t.Fatal(err)
	}
	policy, err := scan.ReadPolicy(text)
	if err != nil || len(policy.Waivers) != tools {
		t.Errorf("%v: %d waivers were added, and these are there:\n%s", err, tools, text)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 2 {
		t.Errorf("there are more files than before: %v", left)
	}
}

// What has the name of the lock and is none stays as it is.
func TestWaiveLeavesWhatIsNoLock(t *testing.T) {
	dir := t.TempDir()
	file := place(t, dir, "mail.json", []byte(`{"tools": [{"name": "send_email", "description": "Send an email."}]}`))
	kept := place(t, dir, scan.PolicyName+".lock", []byte("mine\n"))
	code, _, stderr := call("waive", file, "--rule", "AR002", "--tool", "send_email", "--reason", "A person sends.", "--expires", "9999-12-31")
	if text, err := os.ReadFile(kept); code != exitUsage || err != nil || string(text) != "mine\n" || !strings.Contains(stderr, "is in the way") {
		t.Errorf("code %d, %v, %q: %s", code, err, text, stderr)
	}
}

// Whatever the id of a tool is, it alone is waived: no other that it would mean as a glob.
func TestWaiveMeansAnyIDLiterally(t *testing.T) {
	ids := []string{"GET /u/{id}", `GET /u/\{id}`, "/{a}/{b}/{c}/{d}/{e}/{f}", "{a,b}{a,b}{a,b}{a,b}{a,b}", "x*", "x**", "**", "[a-z]", "x[", "x]", "}{", "{", "}", `x\`, `\*`, "é?", "# x", "- x", "'\""}
	alphabet, random := []rune(`{}[]()*?\/,-^!ab é`), rand.New(rand.NewPCG(1, 2))
	for range 60 {
		id := make([]rune, 1+random.IntN(8))
		for i := range id {
			id[i] = alphabet[random.IntN(len(alphabet))]
		}
		ids = append(ids, "x"+string(id))
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	var list []map[string]string
	for _, id := range append(ids, "GET /u/id", "a", "b", "xa", "xab", "aaaaa", "é!") {
		list = append(list, map[string]string{"name": id})
	}
	text, err := json.Marshal(map[string]any{"tools": list})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file, policy := place(t, dir, "any.json", text), filepath.Join(dir, "any.yaml")
	for _, id := range ids {
		if err := os.RemoveAll(policy); err != nil {
			t.Fatal(err)
		}
		if code, _, stderr := call("waive", file, "--policy", policy, "--rule", "AR009", "--tool="+id, "--reason", "Known."); code != 0 {
			t.Errorf("%q: code %d: %s", id, code, stderr)
			continue
		}
		if got := waivedIn(t, file, policy); !slices.Equal(got, []string{id}) {
			t.Errorf("%q: waived are %q", id, got)
		}
	}
}

// waivedIn are the tools of a file with a finding that a policy waives.
func waivedIn(t *testing.T, file, policy string) []string {
	t.Helper()
	_, stdout, stderr := call("scan", file, "--policy", policy, "--format", "json")
	export, err := agentready.Read([]byte(stdout))
	if err != nil {
		t.Fatalf("%v: %s", err, stderr)
	}
	var ids []string
	for _, tool := range export.Tools {
		if slices.ContainsFunc(tool.DetectedRules, func(r agentready.Rule) bool { return r.Waived }) {
			ids = append(ids, tool.ID)
		}
	}
	return ids
}
