package report

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

func TestEscape(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain text", "Löscht alle Konten — 100 % 口座 🙂", "Löscht alle Konten — 100 % 口座 🙂"},
		{"line breaks", "a\r\nb\tc", `a\r\nb\tc`},
		{"terminal escape", "\x1b[2J\x07\u009b31m", `\x1b[2J\x07\x9b31m`},
		{"direction", "a\u202eb\u2066c", `a\u202eb\u2066c`},
		{"zero width", "a\u200bb\ufeffc", `a\u200bb\ufeffc`},
		{"tags", "a\U000e0041", `a\U000e0041`},
		{"line separator", "a\u2028b", `a\u2028b`},
		{"fillers", "a\u3164\u115f", `a\u3164\u115f`},
		{"variation selector", "a\ufe0f\U000e0100", `a\ufe0f\U000e0100`},
		{"no-break space", "a\u00a0b", "a b"},
		{"command of a build service", "::error ::x", `:\:error :\:x`},
		{"command after a no-break space", "a\u00a0::x", `a :\:x`},
		{"names", "std::string, 10:30", "std::string, 10:30"},
		{"older commands", "x ##[error]y ##vso[z] ###", `x #\#[error]y #\#vso[z] #\#\#`},
		{"invalid UTF-8", "a\xffb", "a\ufffdb"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := Escape(test.in); got != test.want {
				t.Errorf("Escape(%q) = %q, want %q", test.in, got, test.want)
			}
		})
	}
}

// hostile is what a document may hold in each text that it has.
const hostile = "\x1b]0;owned\x07\x1b[2J\r\nPASS all good\n::error file=x::owned\n##[error]y ::set-output name=x::y" +
	" ![i](http://x/y.png) <script>alert(1)</script> \u202egnp\u200b\u2028\U000e0041\u009b31m `code` ``two`` ::stop" +
	" a|b \\| | --- | @someone #123 GH-1 www.x.test a@x.test </code></summary></details> <!-- --> &lt; ]]> {0} [l](javascript:x)" +
	" \\[m](n) %0A::error::owned,title=x ~~s~~ **b** _i_ $m$ \\"

func hostileItem() Item {
	place := agentready.Location{Pointer: "/" + hostile, File: hostile, Line: 3, Column: 4}
	t := agentready.Tool{
		ID: hostile, Name: hostile, Method: hostile, Path: hostile, ActionType: hostile, Severity: agentready.Critical,
		Incomplete: []string{hostile}, Location: place,
		DetectedRules: []agentready.Rule{{
			RuleCode: hostile, FindingCode: hostile, Severity: agentready.Severity(hostile), Category: hostile,
			Recommendation: hostile, Explanation: hostile,
			Evidence: []agentready.Evidence{{Location: place, Text: hostile}, {Location: agentready.Location{Pointer: hostile}}},
		}},
	}
	i := item(t)
	i.File, i.Export.Notes, i.Export.Status = hostile, []string{hostile}, hostile
	i.Export.SourceType, i.Export.SourceName = hostile, hostile
	return i
}

func TestHostileDocumentCannotForgeTerminalText(t *testing.T) {
	i := hostileItem()
	for _, width := range []int{1, 40, 80, 1000} {
		text := shown(t, "text", Options{Width: width}, i) + i.Line() + "\n"
		for _, r := range text {
			if r != '\n' && !unicode.IsPrint(r) {
				t.Fatalf("width %d: %U comes through", width, r)
			}
		}
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "::") || strings.Contains(line, "##") {
				t.Errorf("width %d: a build service would obey %q", width, line)
			}
			if strings.HasPrefix(line, "PASS") {
				t.Errorf("width %d: a verdict is forged: %q", width, line)
			}
		}
	}
}

// No format but JSON, which escapes it, holds what a terminal or a reader would obey
// before it looks at the markup.
func TestHostileDocumentForgesNoLine(t *testing.T) {
	for _, f := range Formats {
		if f.Name == "json" || f.Name == "html" {
			continue // which have tests of their own
		}
		text := shown(t, f.Name, Options{All: true, Rules: catalogue, Unread: []string{hostile}}, hostileItem(), hostileItem())
		for _, r := range text {
			if r != '\n' && agentready.Unseen(r) && r != '\ufe0f' {
				t.Fatalf("%s: %U comes through", f.Name, r)
			}
		}
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			if f.Name != "github" && strings.HasPrefix(line, "::") || strings.HasPrefix(line, "PASS") || strings.Contains(line, "##[") {
				t.Errorf("%s: a line is forged: %q", f.Name, line)
			}
		}
	}
}

func TestHostileDocumentGivesNoCommandsToGitHub(t *testing.T) {
	form := regexp.MustCompile(`^::(error|warning|notice) (file=[^,:]+,)?(line=\d+,col=\d+,)?title=[^,:]+::[^\n]+\n$`)
	text := shown(t, "github", Options{All: true, Unread: []string{hostile}}, hostileItem())
	lines := slices.Collect(strings.Lines(text))
	if want := len(annotations([]Item{hostileItem()}, Options{Unread: []string{hostile}})); len(lines) != want || want < 5 {
		t.Errorf("%d lines of %d annotations", len(lines), want)
	}
	for _, line := range lines {
		if !form.MatchString(line) {
			t.Errorf("no workflow command of ours: %q", line)
		}
		if strings.Contains(line, "%0A") {
			t.Errorf("a line break comes through: %q", line)
		}
	}
}

// GitHub's own grammar makes nothing of a hostile document but code, and what stands
// beside that names nobody and links to nothing.
func TestHostileDocumentStaysInsideMarkdown(t *testing.T) {
	allowed := map[string]bool{}
	for _, tag := range strings.Fields("h2 h3 p ul li table thead tbody tr th td details summary strong code") {
		allowed[tag] = true
	}
	items := map[string][]Item{"one": {hostileItem()}, "several": {hostileItem(), hostileItem()}}
	for name, items := range items {
		t.Run(name, func(t *testing.T) {
			page := node(t, "markdown.mjs", shown(t, "markdown", Options{All: true, Unread: []string{hostile}}, items...))
			for _, tag := range regexp.MustCompile(`</?([a-zA-Z][a-zA-Z0-9]*)[^>]*>`).FindAllStringSubmatch(page, -1) {
				attributes := tag[0] != "<"+tag[1]+">" && tag[0] != "</"+tag[1]+">" && !strings.Contains(tag[0], ` align="`)
				if !allowed[tag[1]] || attributes {
					t.Errorf("the comment holds %s", tag[0])
				}
			}
			beside := regexp.MustCompile(`(?s)<code>.*?</code>`).ReplaceAllString(page, "")
			for _, made := range []string{"@someone", "#123", "http://", "www.", "a@x"} {
				if strings.Contains(beside, made) {
					t.Errorf("%q stands outside of code", made)
				}
			}
		})
	}
}

// What stands in code spans is the text, escaped for a terminal and no more; prose
// shows the characters that it was given.
func TestMarkdownKeepsTheText(t *testing.T) {
	type test struct{ markdown, want string }
	tests := []test{{code(""), "(empty)"}, {code("   "), "(empty)"}, {code("a|b"), `<code>a\x7cb</code>`}}
	text := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace
	for _, s := range []string{"a", "`", "``a`", "a `b` ``c``", "`a", "a`", "<b>", `a\`, "**b**", "@x #1", "&lt;"} {
		tests = append(tests, test{"x " + code(s) + " y", "x <code>" + text(s) + "</code> y"})
	}
	for _, s := range []string{"Use `x`, *y* or _z_ [a](b) <c>", "& | ~d~ $e$ @f #1 http://g www.h.test", `\ "q" &lt;`} {
		tests = append(tests, test{prose(s), text(s)})
	}
	var all strings.Builder
	for _, test := range tests {
		all.WriteString(test.markdown + "\n\n")
	}
	page := strings.ReplaceAll(node(t, "markdown.mjs", all.String()), nothing, "")
	lines := strings.Split(strings.TrimSpace(page), "\n")
	for i, test := range tests {
		if got := lines[i]; got != "<p>"+test.want+"</p>" {
			t.Errorf("%s becomes %s, want %s", test.markdown, got, test.want)
		}
	}
}

// node runs one of the scripts beside the npm packages on a text.
func node(t *testing.T, script, text string) string {
	t.Helper()
	if _, err := os.Stat(npm); err != nil {
		missing(t, err)
	}
	cmd := exec.Command("node", filepath.Join(npm, "..", script))
	cmd.Stdin = strings.NewReader(text)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", script, err, stderr.String())
	}
	return string(out)
}

func TestHostileDocumentStaysInsideJSON(t *testing.T) {
	text := shown(t, "json", Options{}, hostileItem())
	if strings.ContainsRune(text, 0x1b) {
		t.Error("a terminal escape comes through")
	}
	var e agentready.Export
	if err := json.Unmarshal([]byte(text), &e); err != nil {
		t.Fatal(err)
	}
	if e.Tools[0].ID != hostile {
		t.Errorf("the id is %q, want it unchanged", e.Tools[0].ID)
	}
}
