// Package browsertest looks at pages in a real browser, for tests (design: testing of
// views). The browser is driven by testdata/npm/browser.mjs.
package browsertest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Step is something done in a page: a method of Playwright's page, or one of the script's
// own, with its arguments. Check holds what it gave to what it must give.
type Step struct {
	Call  string                      `json:"call"`
	With  []any                       `json:"with"`
	Check func(json.RawMessage) error `json:"-"`
}

// Visit is a page opened once.
type Visit struct {
	Name    string `json:"-"`
	Page    string `json:"page"`   // URL
	Width   int    `json:"width"`  // of the window, in pixels
	Scheme  string `json:"scheme"` // light or dark
	Scripts bool   `json:"scripts"`
	Steps   []Step `json:"steps"`
	// Login is what the browser gives a server that asks for it; nil for nothing.
	Login *Login `json:"login,omitempty"`
	// Own is what the URLs begin with that the page may fetch; empty for none.
	Own string `json:"-"`
}

// Login is a name with a password.
type Login struct {
	Username string `json:"username"`
	Password string `json:"password"`
}

// Seen is what came of a visit: what each step gave, and what should not have been.
type Seen struct {
	Answers                    []json.RawMessage
	Console, Dialogs, Requests []string
}

// browsers are the names of the browsers that the tests can drive.
var browsers = []string{"chromium", "google-chrome"}

// need gives the path of a browser, and that of the script: a build without one, or
// without the packages that drive it, would not have seen the page.
func need(t testing.TB) (browser, script string) {
	t.Helper()
	// A test runs in the directory of its package, somewhere below that of the module.
	npm := filepath.Join("testdata", "npm")
	for range 10 {
		if _, err := os.Stat(filepath.Join(npm, "node_modules", "playwright-core")); err == nil {
			break
		}
		npm = filepath.Join("..", npm)
	}
	_, err := os.Stat(filepath.Join(npm, "node_modules", "playwright-core"))
	for _, name := range browsers {
		if path, lookErr := exec.LookPath(name); err == nil && lookErr == nil {
			return path, filepath.Join(npm, "browser.mjs")
		}
	}
	if os.Getenv("CI") != "" {
		t.Fatal("no browser can be driven: install chromium and run `npm ci` in testdata/npm")
	}
	t.Skip("install chromium and run `npm ci` in testdata/npm to look at the page in a browser")
	return "", ""
}

// Open opens the pages in one browser, one after the other, and checks nothing.
func Open(t testing.TB, visits []Visit) []Seen {
	t.Helper()
	browser, script := need(t)
	input, err := json.Marshal(map[string]any{"browser": browser, "visits": visits})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", script)
	cmd.Stdin = bytes.NewReader(input)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v\n%s", err, stderr.String())
	}
	var all []Seen
	if err := json.Unmarshal(out, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// Look opens the pages, each a subtest, and wants that every step gives what it must,
// and that nothing stands on the console, asks in a dialog or is fetched from elsewhere.
func Look(t *testing.T, visits []Visit) {
	t.Helper()
	all := Open(t, visits)
	for i, v := range visits {
		t.Run(v.Name, func(t *testing.T) {
			for n, s := range v.Steps {
				if err := s.Check(all[i].Answers[n]); err != nil {
					t.Errorf("step %d, %s %v: %v", n, s.Call, s.With, err)
				}
			}
			foreign := slices.DeleteFunc(all[i].Requests, func(url string) bool { return v.Own != "" && strings.HasPrefix(url, v.Own) })
			for what, not := range map[string][]string{"the console": all[i].Console, "dialogs": all[i].Dialogs, "requests": foreign} {
				if len(not) > 0 {
					t.Errorf("%s: %q", what, not)
				}
			}
		})
	}
}

// Do is a step that gives nothing to check.
func Do(call string, with ...any) Step {
	return Step{call, with, func(json.RawMessage) error { return nil }}
}

// Gives is an expression in the page with the value that it must have.
func Gives(expression string, want any) Step {
	return Step{"evaluate", []any{expression}, func(got json.RawMessage) error {
		if text, err := json.Marshal(want); err != nil || !bytes.Equal(text, got) {
			return fmt.Errorf("%s is %s, want %s", expression, got, text)
		}
		return nil
	}}
}

// Tabs wants that the key Tab reaches all that can be used, and that each shows it.
var Tabs = Step{"tabs", nil, Gives("what Tab does not reach, or does not show", []string{}).Check}

// Fits wants no sideways scroll, and nothing that stands out beyond the window's edge.
var Fits = Gives(`[...document.querySelectorAll("body *")].filter(e => e.checkVisibility() && !e.closest(".skip, .unseen")
	&& e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 200))
	.concat(document.documentElement.scrollWidth > innerWidth ? ["scrolls sideways"] : [])`, []string{})

// Clean wants that axe finds nothing serious, and can tell every contrast.
var Clean = Step{"axe", nil, func(got json.RawMessage) error {
	var found []struct {
		ID, Impact string
		Nodes      []string
	}
	if err := json.Unmarshal(got, &found); err != nil {
		return err
	}
	for _, f := range found {
		if f.Impact == "serious" || f.Impact == "critical" {
			return fmt.Errorf("axe: %s (%s): %s", f.ID, f.Impact, strings.Join(f.Nodes, "\n"))
		}
	}
	return nil
}}
