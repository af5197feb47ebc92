package tools_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/tools"
)

const mailList = `{"tools": [{"name": "send_email", "description": "Send an email.",
"inputSchema": {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]}}]}`

// project is a root that holds files.
func project(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

const mailPolicy = `min_score: 50
fail_on: high
rules: {AR003: medium, AR005: medium, AR007: medium}
waivers:
  - {rule: AR002, tool: 'send_*', reason: The client asks., expires: 9999-12-31}
  - {rule: AR002, tool: 'drop_*', reason: old, expires: 2001-01-01}
`

// A document read by its path falls under the policy file inside the root, and no
// argument takes its place: it can only be stricter, or say that it is not.
func TestScanUnderAPolicyFile(t *testing.T) {
	root := project(t, map[string]string{".plumbline.yaml": mailPolicy, "api/mail.json": mailList})
	a := newAgent(t, root)
	got := a.scan("scan_mcp_tools", args{"path": "api/mail.json"})
	if got.Verdict != "PASS" || got.PolicySource != "file" || got.Loosened {
		t.Errorf("%s by %s, loosened %v: %v", got.Verdict, got.PolicySource, got.Loosened, got.Reasons)
	}
	if got.GateScore <= got.Score {
		t.Errorf("gate_score %d, score %d: want more without the waived finding", got.GateScore, got.Score)
	}
	if len(got.Notes) != 1 || !strings.Contains(got.Notes[0], "line 6: the waiver of AR002_MISSING_CONFIRMATION_BOUNDARY for drop_* expired after 2001-01-01") {
		t.Errorf("notes are %q", got.Notes)
	}
	waived := 0
	for _, row := range got.ByRule {
		waived += row.Waived
	}
	one := a.scan("scan_mcp_tools", args{"path": "api/mail.json", "only": "send_email"})
	if waived != 1 || one.Tools[0].Findings[0].Waived != "The client asks." {
		t.Errorf("%d waived, and of the finding: %+v", waived, one.Tools[0].Findings[0])
	}
	for _, tt := range []struct {
		given    args
		source   string
		loosened bool
	}{
		{args{"min_score": 40}, "arguments", true},
		{args{"min_score": 60}, "arguments", false},
		{args{"fail_on": "critical"}, "arguments", true},
		{args{"fail_on": "medium"}, "arguments", false},
		{args{"min_score": 50, "fail_on": "high"}, "file", false},
	} {
		tt.given["path"] = "api/mail.json"
		if got := a.scan("scan_mcp_tools", tt.given); got.PolicySource != tt.source || got.Loosened != tt.loosened {
			t.Errorf("%v: %s, loosened %v", tt.given, got.PolicySource, got.Loosened)
		}
	}
	if got := a.scan("scan_mcp_tools", args{"document": mailList}); got.Verdict != "FAIL" || got.PolicySource != "default" {
		t.Errorf("the same list without its place is a %s by %s", got.Verdict, got.PolicySource)
	}
}

// What lies above the root, or above a repository in it, counts for nothing.
func TestScanFindsNoPolicyAboveTheRoot(t *testing.T) {
	root := project(t, map[string]string{
		".plumbline.yaml": mailPolicy, "inner/mail.json": mailList, "inner/repo/.git/HEAD": "", "inner/repo/mail.json": mailList,
	})
	a := newAgent(t, filepath.Join(root, "inner"))
	if got := a.scan("scan_mcp_tools", args{"path": "mail.json"}); got.PolicySource != "default" {
		t.Errorf("above the root there is a policy: %s", got.PolicySource)
	}
	if err := os.Symlink(filepath.Join(root, ".plumbline.yaml"), filepath.Join(root, "inner", ".plumbline.yaml")); err != nil {
		t.Fatal(err)
	}
	if got := a.refusal("scan_mcp_tools", args{"path": "mail.json"}); got.Code != tools.UnreadableFile {
		t.Errorf("a link out of the root is answered with %+v", got)
	}
	if got := newAgent(t, root).scan("scan_mcp_tools", args{"path": "inner/repo/mail.json"}); got.PolicySource != "default" {
		t.Errorf("above the repository there is a policy: %s", got.PolicySource)
	}
}

// A policy that cannot be read is no policy to pass by, and nothing of it is repeated.
func TestScanUnderABrokenPolicyFile(t *testing.T) {
	root := project(t, map[string]string{".plumbline.yaml": "min_score: 1\nsecret_word: 2\nfail_on: 3\n", "mail.json": mailList})
	got := newAgent(t, root).refusal("scan_mcp_tools", args{"path": "mail.json", "min_score": 0, "fail_on": "none"})
	if !strings.Contains(got.Message, "the policy file .plumbline.yaml of the document cannot be read: the first of 2 problems is in line 2") || strings.Contains(got.Message, "secret_word") {
		t.Errorf("the answer is %+v", got)
	}
}

// The cost of a surface is a threshold of the policy file that no argument loosens.
func TestScanUnderAPolicyFileWithMostTokens(t *testing.T) {
	for tokens, want := range map[int]string{1: "FAIL", 1_000_000: "PASS", 0: "PASS"} {
		root := project(t, map[string]string{
			".plumbline.yaml": fmt.Sprintf("min_score: 0\nfail_on: none\nmax_tokens: %d\n", tokens), "mail.json": mailList,
		})
		got := newAgent(t, root).scan("scan_mcp_tools", args{"path": "mail.json"})
		if got.Verdict != want || got.PolicySource != "file" || got.Loosened {
			t.Errorf("at most %d tokens: %s by %s, loosened %v: %q", tokens, got.Verdict, got.PolicySource, got.Loosened, got.Reasons)
		}
		if want == "FAIL" && (len(got.Reasons) != 1 || !strings.Contains(got.Reasons[0], "at most 1 are allowed")) {
			t.Errorf("reasons are %q", got.Reasons)
		}
	}
}
