package report

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/plumbline-mcp/plumbline/scan/report/browsertest"
)

var do, gives = browsertest.Do, browsertest.Gives

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

// filtered is what the filter says that it shows, once it has run.
func filtered(want string) browsertest.Step {
	return gives("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(document.getElementById('shown').value))))", want)
}

// open opens all that can be, and has the browser lay out what is not in the window too.
var open = do("evaluate", `for (const d of document.querySelectorAll("details")) d.open = true;
	document.styleSheets[0].insertRule(".tool { content-visibility: visible }", document.styleSheets[0].cssRules.length)`)

// filtering finds what is asked for among many tools, and says how much that is.
func filtering() []browsertest.Step {
	const all, none = "1200 operations, 7200 findings", "0 of 1200 operations, 0 of 7200 findings"
	reset := do("click", "button[type=reset]")
	return []browsertest.Step{
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
func keys() []browsertest.Step {
	return []browsertest.Step{
		browsertest.Tabs,
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
	look := []browsertest.Step{open, browsertest.Fits, browsertest.Clean, nothingMade}
	visits := []browsertest.Visit{
		{Name: "real documents, narrow", Page: real, Width: 320, Scheme: "light", Scripts: true, Steps: look},
		{Name: "real documents, dark", Page: real, Width: 1280, Scheme: "dark", Scripts: true, Steps: look},
		{Name: "a hostile document", Page: hostilePage, Width: 1280, Scheme: "light", Scripts: true, Steps: look},
		{Name: "a hostile document, narrow and dark", Page: hostilePage, Width: 320, Scheme: "dark", Scripts: true, Steps: look},
		{Name: "nothing scanned", Page: page(t), Width: 320, Scheme: "light", Scripts: true, Steps: []browsertest.Step{noControls, browsertest.Fits, browsertest.Clean}},
		{Name: "filter", Page: page(t, many()), Width: 1280, Scheme: "light", Scripts: true, Steps: filtering()},
		{Name: "keys", Page: small, Width: 1280, Scheme: "light", Scripts: true, Steps: keys()},
		{Name: "without scripts", Page: small, Width: 320, Scheme: "light", Steps: []browsertest.Step{noControls, open, readable, browsertest.Fits}},
		{Name: "printed", Page: real, Width: 700, Scheme: "dark", Scripts: true, Steps: []browsertest.Step{do("emulateMedia", map[string]any{"media": "print"}), noControls, readable, browsertest.Fits}},
	}
	browsertest.Look(t, visits)
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
		all := browsertest.Open(b, []browsertest.Visit{{Page: url, Width: 1280, Scheme: "light", Scripts: true, Steps: []browsertest.Step{do("evaluate", typing)}}})
		var times []float64
		if err := json.Unmarshal(all[0].Answers[0], &times); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(times[len(times)/2], "ms/key")
		b.ReportMetric(times[len(times)-1], "ms/longest-key")
	}
}
