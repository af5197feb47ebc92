package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// browsers are the names of the browsers that the tests can drive.
var browsers = []string{"chromium", "google-chrome"}

// needBrowser gives the path of a browser: a build without one, or without the packages
// that drive it, would not have seen the page.
func needBrowser(t testing.TB) string {
	t.Helper()
	_, err := os.Stat(filepath.Join(npm, "playwright-core"))
	for _, name := range browsers {
		if path, lookErr := exec.LookPath(name); err == nil && lookErr == nil {
			return path
		}
	}
	if os.Getenv("CI") != "" {
		t.Fatal("no browser can be driven: install chromium and run `npm ci` in testdata/npm")
	}
	t.Skip("install chromium and run `npm ci` in testdata/npm to look at the page in a browser")
	return ""
}

// step is something done in the page; check holds what it gave to what it must give.
type step struct {
	Call  string                      `json:"call"`
	With  []any                       `json:"with"`
	check func(json.RawMessage) error `json:"-"`
}

// visit is a page opened once.
type visit struct {
	name    string
	Page    string `json:"page"` // URL
	Width   int    `json:"width"`
	Scheme  string `json:"scheme"`
	Scripts bool   `json:"scripts"`
	Steps   []step `json:"steps"`
}

// seen is what came of a visit.
type seen struct {
	Answers                    []json.RawMessage
	Console, Dialogs, Requests []string
}

// visitAll opens the pages in one browser, one after the other.
func visitAll(t testing.TB, visits []visit) []seen {
	t.Helper()
	input, err := json.Marshal(map[string]any{"browser": needBrowser(t), "visits": visits})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", filepath.Join(npm, "..", "browser.mjs"))
	cmd.Stdin = bytes.NewReader(input)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v\n%s", err, stderr.String())
	}
	var all []seen
	if err := json.Unmarshal(out, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// page writes the report of the items and gives its URL.
func page(t testing.TB, items ...Item) string {
	t.Helper()
	var b bytes.Buffer
	if err := writeHTML(&b, items, Options{Rules: catalogue, Version: "1.2.3"}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return "file://" + file
}

// do is a step that gives nothing to check.
func do(call string, with ...any) step {
	return step{call, with, func(json.RawMessage) error { return nil }}
}

// gives is an expression in the page with the value that it must have.
func gives(expression string, want any) step {
	return step{"evaluate", []any{expression}, func(got json.RawMessage) error {
		if text, err := json.Marshal(want); err != nil || !bytes.Equal(text, got) {
			return fmt.Errorf("%s is %s, want %s", expression, got, text)
		}
		return nil
	}}
}

// filtered is what the filter says that it shows, once it has run.
func filtered(want string) step {
	return gives("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(document.getElementById('shown').value))))", want)
}

// clean wants that axe finds nothing serious, and can tell every contrast.
var clean = step{"axe", nil, func(got json.RawMessage) error {
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

// open opens all that can be, and has the browser lay out what is not in the window too.
var open = do("evaluate", `for (const d of document.querySelectorAll("details")) d.open = true;
	document.styleSheets[0].insertRule(".tool { content-visibility: visible }", document.styleSheets[0].cssRules.length)`)

// fits wants no sideways scroll, and nothing that stands out beyond the window's edge.
var fits = gives(`[...document.querySelectorAll("body *")].filter(e => e.checkVisibility() && !e.closest(".skip, .unseen")
	&& e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 200))
	.concat(document.documentElement.scrollWidth > innerWidth ? ["scrolls sideways"] : [])`, []string{})

// filtering finds what is asked for among many tools, and says how much that is.
func filtering() []step {
	const all, none = "1200 operations, 7200 findings", "0 of 1200 operations, 0 of 7200 findings"
	reset := do("click", "button[type=reset]")
	return []step{
		filtered(all), gives("document.getElementById('shown').ariaLive", "polite"),
		do("fill", "#text", " MOVEPARCEL77"), filtered("11 of 1200 operations, 66 of 7200 findings"),
		do("click", "#open"), gives("document.querySelectorAll('.tool[open]:not([hidden])').length", 11),
		do("click", "#close"), gives("document.querySelectorAll('.tool[open]:not([hidden])').length", 0),
		do("fill", "#text", "moveParcel77 finding_number_4"), filtered("11 of 1200 operations, 11 of 7200 findings"),
		do("fill", "#text", "moveParcel1200"), filtered(none), gives("document.querySelector('.none').checkVisibility()", true),
		reset, filtered(all), gives("document.querySelectorAll('.tool[hidden], li[hidden]').length", 0),
		do("selectOption", "#rule", map[string]any{"label": "AR003 finding_number_3 (1200)"}), filtered("1200 operations, 1200 of 7200 findings"),
		do("uncheck", "[value=critical]"), filtered(none),
		reset, do("check", "[name=failing]"), filtered("1200 operations, 2400 of 7200 findings"),
		reset, do("uncheck", "[value=critical]"), do("uncheck", "[value=medium]"), filtered("1200 operations, 2400 of 7200 findings"),
		do("click", ".rules summary"), do("click", ".rules button"), filtered("1200 operations, 1200 of 7200 findings"),
	}
}

// keys are a session without a mouse.
func keys() []step {
	return []step{
		{"tabs", nil, gives("", []string{}).check},
		do("focus", ".skip"), gives("document.activeElement.getBoundingClientRect().left >= 0", true),
		do("press", "Enter"), gives("document.activeElement.id", "results"),
		do("focus", "[value=high]"), do("press", "Space"), filtered("3 of 5 operations, 4 of 6 findings"),
		do("focus", "button[type=reset]"), do("press", "Enter"), filtered("5 operations, 6 findings"),
		do("focus", "#text"), do("press", "m", "a", "r", "k", "Enter"), filtered("1 of 5 operations, 1 of 6 findings"),
		do("focus", ".tool:not([hidden]) > summary"), do("press", "Enter"), gives("document.querySelector('.tool:not([hidden])').open", false),
		do("press", "Space"), gives("document.querySelector('.tool:not([hidden])').open", true),
		do("focus", ".tool:not([hidden]) a"), do("press", "Enter"), gives("document.querySelector('.rules tr:target details').open", true),
	}
}

// readable says that what the page is about can be seen, in closed parts of it too.
var readable = gives("[...document.querySelectorAll('.findings > li, .tool h4, .rules details > p:not(:has(button))')].filter(e => !e.checkVisibility()).length", 0)

// noControls says that nothing is offered that does not work.
var noControls = gives("[...document.querySelectorAll('input, select, button')].filter(e => e.checkVisibility()).length", 0)

// nothingMade says that no document's text became a script, a picture or a link.
var nothingMade = gives(`[document.scripts.length, document.querySelectorAll("img, iframe, object, embed, link").length,
	document.querySelectorAll("a:not([href^='#'])").length]`, []int{1, 0, 0})

// Real documents, many tools and a hostile document, seen in a real browser.
func TestHTMLInBrowser(t *testing.T) {
	small, real, hostilePage := page(t, failing()), page(t, append(scanned(t), failing())...), page(t, hostileItem(), hostileItem())
	look := []step{open, fits, clean, nothingMade}
	visits := []visit{
		{"real documents, narrow", real, 320, "light", true, look},
		{"real documents, dark", real, 1280, "dark", true, look},
		{"a hostile document", hostilePage, 1280, "light", true, look},
		{"a hostile document, narrow and dark", hostilePage, 320, "dark", true, look},
		{"filter", page(t, many()), 1280, "light", true, filtering()},
		{"keys", small, 1280, "light", true, keys()},
		{"without scripts", small, 320, "light", false, []step{noControls, open, readable, fits}},
		{"printed", real, 700, "dark", true, []step{do("emulateMedia", map[string]any{"media": "print"}), noControls, readable, fits}},
	}
	all := visitAll(t, visits)
	for i, v := range visits {
		t.Run(v.name, func(t *testing.T) {
			for n, s := range v.Steps {
				if err := s.check(all[i].Answers[n]); err != nil {
					t.Errorf("step %d, %s %v: %v", n, s.Call, s.With, err)
				}
			}
			for what, not := range map[string][]string{"the console": all[i].Console, "dialogs": all[i].Dialogs, "requests": all[i].Requests} {
				if len(not) > 0 {
					t.Errorf("%s: %q", what, not)
				}
			}
		})
	}
}

// BenchmarkFilterInBrowser types into the filter of a page with many tools, and reports
// the time from a key to the frame that shows what it did: the median and the longest.
func BenchmarkFilterInBrowser(b *testing.B) {
	const typing = `(async () => {
		const field = document.getElementById("text"), times = [];
		for (const text of ["m", "mo", "mov", "move", "moveparcel7", "moveparcel77", "moveparcel", "number_4", ""]) {
			const begin = performance.now();
			field.value = text;
			field.dispatchEvent(new Event("input", { bubbles: true }));
			await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
			times.push(performance.now() - begin);
		}
		return times.sort((a, b) => a - b);
	})()`
	url := page(b, many())
	for b.Loop() {
		all := visitAll(b, []visit{{"", url, 1280, "light", true, []step{do("evaluate", typing)}}})
		var times []float64
		if err := json.Unmarshal(all[0].Answers[0], &times); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(times[len(times)/2], "ms/key")
		b.ReportMetric(times[len(times)-1], "ms/longest-key")
	}
}
