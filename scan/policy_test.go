package scan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/pb33f/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

const wholePolicy = `# ours
min_score: 60
fail_on: high
rules:
  AR009: low
  unknown_action_type: high
  missing_enum: off
waivers:
  - rule: AR007
    tool: "get*"
    reason: read by us alone
  - rule: missing_human_confirmation_flow
    tool: refund_order
    reason: >
      a person presses
      the button
    expires: 2026-12-31
    definition: sha256:0123456789ab
`

func TestReadPolicy(t *testing.T) {
	got, err := ReadPolicy([]byte(wholePolicy + "max_tokens: 9000\n"))
	if err != nil {
		t.Fatal(err)
	}
	score, failOn, tokens := 60, agentready.High, 9000
	want := &Policy{
		MinScore: &score, FailOn: &failOn, MaxTokens: &tokens,
		Rules: map[string]agentready.Severity{
			"AR009_UNCLEAR_AGENT_INSTRUCTIONS": agentready.Low, "unknown_action_type": agentready.High, "missing_enum": agentready.Off,
		},
		Waivers: []agentready.Waiver{
			{Rule: "AR007_OVERBROAD_TOOL_SCOPE", Tool: "get*", Reason: "read by us alone", Line: 9},
			{Rule: "missing_human_confirmation_flow", Tool: "refund_order", Reason: "a person presses the button", Expires: "2026-12-31", Definition: "sha256:0123456789ab", Line: 12},
		},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	for _, text := range []string{"", "\n# nothing\n", "waivers:\nrules:\n", "{}", "\ufeffmin_score: 75.0", "max_tokens: 0", "max_tokens: 1e9"} {
		if _, err := ReadPolicy([]byte(text)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Every mistake is told, with its line and what to do.
func TestReadPolicyTellsAllMistakes(t *testing.T) {
	waiver := func(more string) string { return "waivers:\n  - rule: AR007\n    tool: x\n    reason: y\n" + more }
	tests := []struct {
		name, text string
		want       []string
	}{
		{"bad YAML", "min_score: [1", []string{"not valid YAML"}},
		{"bad UTF-8", "min_score: \xff", []string{"line 1, column 12: not UTF-8"}},
		{"too deep", strings.Repeat("[", 20_000), []string{"not valid YAML"}},
		{"two documents", "min_score: 1\n---\nmin_score: 2\n", []string{"line 2, column 1: a second YAML document"}},
		{"no mapping", "- min_score\n", []string{"line 1, column 1: a policy file must be a mapping"}},
		{"unknown key", "min_scor: 80\n", []string{`line 1, column 1: unknown key "min_scor" in a policy file: did you mean min_score?`}},
		{"a key twice", "fail_on: low\nmin_score: 1\nfail_on: low\n", []string{`line 3, column 1: the key "fail_on" stands in line 1 already`}},
		{"scores", "min_score: 101\n", []string{"line 1, column 12: min_score must be a whole number"}},
		{"a score in words", "min_score: high\n", []string{"min_score must be a whole number"}},
		{"half a score", "min_score: 70.5\n", []string{"min_score must be a whole number"}},
		{"tokens", "fail_on: low\nmax_tokens: many\n", []string{"line 2, column 13: max_tokens must be a whole number from 0 to 9007199254740991"}},
		{"less than no tokens", "max_tokens: -1\n", []string{"max_tokens must be a whole number"}},
		{"half a token", "max_tokens: 1.5\n", []string{"max_tokens must be a whole number"}},
		{"tokens beyond reason", "max_tokens: 1e300\n", []string{"max_tokens must be a whole number"}},
		{"tokens without end", "max_tokens: .inf\n", []string{"max_tokens must be a whole number"}},
		{"no number of tokens", "max_tokens: .nan\n", []string{"max_tokens must be a whole number"}},
		{"severity", "fail_on: severe\n", []string{"line 1, column 10: fail_on must be critical, high, medium, low or none"}},
		{"wrong rule", "rules:\n  AR07: off\n", []string{`line 2, column 3: there is no rule "AR07": did you mean AR007?`}},
		{"rule twice", "rules:\n  AR007: off\n  AR007_OVERBROAD_TOOL_SCOPE: low\n", []string{"line 3, column 3: AR007_OVERBROAD_TOOL_SCOPE has a severity in line 2"}},
		{"rule severity", "rules:\n  AR007: none\n", []string{"line 2, column 10: the severity of AR007 must be off, low, medium, high or critical"}},
		{"rules as a list", "rules: [AR007]\n", []string{"line 1, column 8: `rules` must be a mapping"}},
		{"waivers as a mapping", "waivers: {rule: AR007}\n", []string{"`waivers` must be a list"}},
		{"a waiver as a text", "waivers: [AR007]\n", []string{"a waiver must be a mapping"}},
		{"no reason", "waivers:\n  - rule: AR007\n    tool: x\n", []string{"line 2, column 5: the waiver has no reason (add `reason: …`)"}},
		{"blank reason", "waivers:\n  - {rule: AR007, tool: x, reason: ' '}\n", []string{"the reason of a waiver must be a text"}},
		{"nothing of a waiver", "waivers:\n  - {}\n", []string{"has no rule", "has no tool", "has no reason"}},
		{"wrong rule of a waiver", "waivers:\n  - {rule: overbroad_permision, tool: x, reason: y}\n", []string{"did you mean overbroad_permission?"}},
		{"bad glob", "waivers:\n  - {rule: AR007, tool: 'x[', reason: y}\n", []string{`line 2, column 25: the tool of a waiver: "x[" is not a valid glob`}},
		{"too many braces", "waivers:\n  - {rule: AR007, tool: '{a,b}{a,b}{a,b}{a,b}{a,b}', reason: y}\n", []string{"more than 4 {}"}},
		{"bad day", waiver("    expires: 2026-02-30\n"), []string{`line 5, column 14: expires: "2026-02-30" is no day`}},
		{"day in words", waiver("    expires: tomorrow\n"), []string{`"tomorrow" is no day: write it as 2026-12-31`}},
		{"bad fingerprint", waiver("    definition: 0123\n"), []string{"line 5, column 17: definition must be sha256:"}},
		{"unknown key of a waiver", waiver("    until: 2026-01-01\n"), []string{`unknown key "until" in a waiver: did you mean`}},
		{"duplicate", waiver("  - rule: AR007_OVERBROAD_TOOL_SCOPE\n    tool: x\n    reason: z\n"), []string{"line 5, column 5: the waiver in line 2 is for the same rule and tool"}},
		{"critical without a last day", "waivers:\n  - {rule: AR002, tool: x, reason: y}\n", []string{"line 2, column 5: the waiver of AR002_MISSING_CONFIRMATION_BOUNDARY has no expires"}},
		{"two in one line", "waivers: [{rule: AR007, tool: x, reason: y}, {rule: AR002, tool: x, reason: y}]\n", []string{"line 1, column 46: the waiver of AR002"}},
		{"an alias", "waivers:\n  - &a {rule: AR007, tool: x, reason: y}\n  -   *a\n", []string{"line 3, column 7: the waiver in line 2"}},
		{"made critical", "rules:\n  overbroad_permission: critical\n" + waiver(""), []string{"has no expires, which critical findings need"}},
		{"several", "min_score: x\nfail_on: y\nwaivers:\n  - {rule: AR1, tool: x}\n", []string{"line 1", "line 2", "line 4", "line 4"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ReadPolicy([]byte(tt.text))
			var broken *PolicyError
			if !errors.As(err, &broken) {
				t.Fatalf("error is %v", err)
			}
			if len(broken.Problems) != len(tt.want) {
				t.Fatalf("%d problems, want %d: %v", len(broken.Problems), len(tt.want), broken.Problems)
			}
			for i, want := range tt.want {
				if got := broken.Problems[i].Error(); !strings.Contains(got, want) {
					t.Errorf("problem %d is %q, want %q", i, got, want)
				}
			}
		})
	}
}

// YAML 1.1 reads some numbers otherwise than YAML 1.2: only those are taken that all read
// alike.
func TestPolicyTakesDecimalNumbersAlone(t *testing.T) {
	for number, fits := range map[string]bool{
		"0": true, "60": true, "60.0": true, "6e1": true, "6.0E+1": true, "+60": true,
		"060": false, "00": false, "-060": false, "060.0": false, "0060": false, "08": false,
		"0x3C": false, "0o74": false, "0b1": false, "1_0": false, "1_0.0": false, "1:0": false,
		"!!int 060": false, "!!float 060": false, "'60'": false, ".6e2": false,
	} {
		for _, key := range []string{"min_score", "max_tokens"} {
			_, err := ReadPolicy([]byte("fail_on: low\n" + key + ": " + number + "\n"))
			if (err == nil) != fits {
				t.Errorf("%s: %s: %v, fits: %v", key, number, err, fits)
			}
			if err != nil && !strings.HasPrefix(err.Error(), fmt.Sprintf("line 2, column %d: %s must be a whole number", len(key)+3, key)) {
				t.Errorf("%s: %s: error is %v", key, number, err)
			}
		}
	}
	policy, err := ReadPolicy([]byte("min_score: 060"))
	if err == nil {
		t.Fatalf("060 is %d", *policy.MinScore)
	}
	if want := "in decimal, without a leading zero"; !strings.Contains(err.Error(), want) {
		t.Errorf("error is %v, want %s", err, want)
	}
}

// Each brace that opens alternatives multiplies the work of matching: none may hide behind
// a backslash that is itself escaped.
func TestGlobBoundsItsBraces(t *testing.T) {
	for glob, fits := range map[string]bool{
		strings.Repeat("{a,b}", maxBraces):                     true,
		strings.Repeat("{a,b}", maxBraces+1):                   false,
		strings.Repeat(`\{a\}`, maxBraces+1):                   true,
		strings.Repeat(`\\{a,b}`, maxBraces):                   true,
		strings.Repeat(`\\{a,b}`, maxBraces+1):                 false,
		strings.Repeat(`\\\{a`, maxBraces+1):                   true,
		strings.Repeat(`\\\\{a,b}`, maxBraces+1):               false,
		strings.Repeat(`\{{a,b}`, maxBraces+1):                 false,
		strings.Repeat(`{\\\},`, 25) + strings.Repeat("}", 25): false,
	} {
		if err := CheckGlob(glob); (err == nil) != fits {
			t.Errorf("%s: %v, fits: %v", glob, err, fits)
		}
	}
	if glob := strings.Repeat(`\{a\}`, maxBraces+1); !MatchesTool(glob, strings.Repeat("{a}", maxBraces+1)) {
		t.Errorf("%s does not match the braces that it escapes", glob)
	}
}

// A small file can name a part with many problems many times: reading stops at a limit.
func TestPolicyProblemsAreBounded(t *testing.T) {
	keys := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "key%d: 1\n", i)
		}
		return b.String()
	}
	part := "- &a {" + strings.ReplaceAll(keys(20_000), "\n", ",\n   ") + "}\n"
	for name, tt := range map[string]struct {
		text string
		cut  bool
		want int
	}{
		"as many as fit": {keys(maxPolicyProblems), false, maxPolicyProblems},
		"one more":       {keys(maxPolicyProblems + 1), true, maxPolicyProblems},
		"many times":     {"waivers:\n" + part + strings.Repeat("- *a\n", 100_000), true, maxPolicyProblems},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ReadPolicy([]byte(tt.text))
			var broken *PolicyError
			if !errors.As(err, &broken) || len(broken.Problems) != tt.want || broken.Cut != tt.cut {
				t.Errorf("want %d problems, cut: %v; error is %.200v", tt.want, tt.cut, err)
			}
		})
	}
}

func TestPolicyMadeLessThanCriticalNeedsNoLastDay(t *testing.T) {
	text := "rules:\n  AR002: high\nwaivers:\n  - {rule: AR002, tool: x, reason: y}\n"
	if _, err := ReadPolicy([]byte(text)); err != nil {
		t.Error(err)
	}
}

// The schema takes what the reader takes, and names every rule.
func TestPolicySchema(t *testing.T) {
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat = true
	if err := compiler.AddResource("policy.json", bytes.NewReader(PolicySchema())); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("policy.json")
	if err != nil {
		t.Fatal(err)
	}
	var every strings.Builder
	every.WriteString("rules:\n")
	for _, r := range Rules() {
		fmt.Fprintf(&every, "  %s: low\n", r.Finding)
	}
	tests := []struct {
		text string
		ok   bool
	}{
		{strings.Replace(wholePolicy, "2026-12-31", `"2026-12-31"`, 1), true},
		{every.String(), true},
		{"waivers:\n", true},
		{"min_scor: 80\n", false},
		{"min_score: 101\n", false},
		{"fail_on: severe\n", false},
		{"max_tokens: 9000\n", true},
		{"max_tokens: 0\n", true},
		{"max_tokens: -1\n", false},
		{"max_tokens: 1.5\n", false},
		{"max_tokens: 9007199254740992\n", false},
		{"max_tokens: many\n", false},
		{"rules: {AR07: off}\n", false},
		{"rules: {AR007: none}\n", false},
		{"waivers: [{rule: AR007, tool: x}]\n", false},
		{"waivers: [{rule: AR007, tool: x, reason: ' '}]\n", false},
		{"waivers: [{rule: AR007, tool: x, reason: y, expires: '2026-02-30'}]\n", false},
	}
	for _, tt := range tests {
		if _, err := ReadPolicy([]byte(tt.text)); (err == nil) != tt.ok {
			t.Errorf("the reader says %v of\n%s", err, tt.text)
		}
		if err := schema.Validate(jsonOf(t, tt.text)); (err == nil) != tt.ok {
			t.Errorf("the schema says %v of\n%s", err, tt.text)
		}
	}
}

// jsonOf is YAML as a JSON decoder gives it.
func jsonOf(t *testing.T, text string) any {
	t.Helper()
	var value any
	if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	encoded, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(encoded, &value); err != nil {
		t.Fatal(err)
	}
	return value
}

func TestFindPolicy(t *testing.T) {
	policy := func(score int) *fstest.MapFile {
		return &fstest.MapFile{Data: fmt.Appendf(nil, "min_score: %d\n", score)}
	}
	files := fstest.MapFS{
		".plumbline.yaml":        policy(1),
		"a/.plumbline.yaml":      policy(2),
		"a/repo/.git/HEAD":       {},
		"a/repo/api/x.yaml":      {},
		"a/tree/.git":            {Data: []byte("gitdir: elsewhere")},
		"a/tree/.plumbline.yaml": policy(3),
		"broken/.plumbline.yaml": {Data: []byte("min_score: x")},
		"dir/.plumbline.yaml/x":  {},
		"link/.plumbline.yaml":   {Data: []byte("nowhere.yaml"), Mode: fs.ModeSymlink},
	}
	tests := []struct{ document, file, err string }{
		{"x.yaml", ".plumbline.yaml", ""},
		{"b/c/d/x.yaml", ".plumbline.yaml", ""},
		{"a/x.yaml", "a/.plumbline.yaml", ""},
		{"a/b/c/x.yaml", "a/.plumbline.yaml", ""},
		{"a/repo/api/x.yaml", "", ""},
		{"a/repo/x.yaml", "", ""},
		{"a/tree/b/x.yaml", "a/tree/.plumbline.yaml", ""},
		{"broken/x.yaml", "", "broken/.plumbline.yaml: line 1, column 12: min_score"},
		{"dir/x.yaml", "", "dir/.plumbline.yaml: it is not a regular file"},
		{"link/below/x.yaml", "", "link/.plumbline.yaml: it is a link that leads nowhere"},
	}
	for _, tt := range tests {
		got, err := FindPolicy(files, tt.document)
		switch {
		case tt.err != "":
			if err == nil || !strings.HasPrefix(err.Error(), tt.err) {
				t.Errorf("%s: error is %v, want %s", tt.document, err, tt.err)
			}
		case err != nil, got == nil && tt.file != "", got != nil && got.File != tt.file:
			t.Errorf("%s: %+v, %v, want %q", tt.document, got, err, tt.file)
		}
	}
}

func TestFindRule(t *testing.T) {
	for _, r := range Rules() {
		for in, want := range map[string]string{r.Code: r.Code, agentready.ShortCode(r.Code): r.Code, r.Finding: r.Finding} {
			if got, _ := FindRule(in); got != want {
				t.Errorf("%s is %q, want %q", in, got, want)
			}
		}
	}
}
