package main

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/plumbline-mcp/plumbline/scan/report"
)

// unreadScans are scans in which something cannot be read, and what that is called.
var unreadScans = []struct {
	name    string
	args    []string
	unread  []string
	results bool // of another document
}{
	{name: "one bad file", args: []string{"main.go"}, unread: []string{"main.go"}},
	{name: "all are bad", args: []string{"main.go", "gone.yaml", "testdata"}, unread: []string{"main.go", "gone.yaml", "testdata"}},
	{name: "a glob without a match", args: []string{"testdata/*.none"}, unread: []string{"testdata/*.none"}},
	{name: "a dead server", args: []string{"mcp", "--url", "http://127.0.0.1:1/mcp"}, unread: []string{"127.0.0.1:1/mcp"}},
	{name: "a server that ends", args: []string{"mcp", "--", "fake-server", "exit"}, unread: []string{"fake-server"}},
	{name: "beside a good file", args: []string{"testdata/tools/good.json", "gone.yaml"}, unread: []string{"gone.yaml"}, results: true},
}

// unreadIn says for each format what a scan's result names as not scanned, in its order.
// Where a format names nothing of that, stderr does.
var unreadIn = map[string]func(t *testing.T, text string, results bool) []string{
	"text": func(t *testing.T, text string, results bool) []string {
		if results == (text == "") {
			t.Errorf("text is %q", text)
		}
		return nil
	},
	"json": func(t *testing.T, text string, results bool) []string {
		if want := "[]\n"; results == (text == want) {
			t.Errorf("json is %q", text)
		}
		return nil
	},
	"markdown": func(t *testing.T, text string, _ bool) []string {
		if !strings.HasPrefix(text, "## ⚠️ ") {
			t.Errorf("the comment has no heading: %q", text)
		}
		return between(text, "- `", "`\n")
	},
	"html": func(t *testing.T, text string, results bool) []string {
		if strings.Contains(text, `<form id="filter"`) != results {
			t.Errorf("the page has a filter, or none, where there are results: %v", results)
		}
		return between(text, "<li><code>", "</code></li>")
	},
	"sarif": unreadInSARIF,
	"junit": unreadInJUnit,
	"github": func(_ *testing.T, text string, _ bool) []string {
		return between(text, "::error title=Not scanned::", "\n")
	},
}

// between are the parts of a text between two marks.
func between(text, begin, end string) (parts []string) {
	for _, rest := range strings.Split(text, begin)[1:] {
		part, _, _ := strings.Cut(rest, end)
		parts = append(parts, part)
	}
	return parts
}

func unreadInSARIF(t *testing.T, text string, results bool) (unread []string) {
	schema, err := jsonschema.Compile("../../testdata/npm/node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json")
	if err != nil {
		t.Fatal(err)
	}
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("not valid SARIF: %#v", err)
	}
	var log struct {
		Runs []struct {
			Invocations []struct {
				ExecutionSuccessful        bool
				ToolExecutionNotifications []struct {
					Level   string
					Message struct{ Text string }
				}
			}
			Results []any
		}
	}
	if err := json.Unmarshal([]byte(text), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	if run.Invocations[0].ExecutionSuccessful || len(run.Results) > 0 && !results {
		t.Errorf("the run is successful: %v, with %d results", run.Invocations[0].ExecutionSuccessful, len(run.Results))
	}
	for _, n := range run.Invocations[0].ToolExecutionNotifications {
		if n.Level == "error" {
			unread = append(unread, strings.TrimPrefix(n.Message.Text, "not scanned: "))
		}
	}
	return unread
}

func unreadInJUnit(t *testing.T, text string, _ bool) (unread []string) {
	var suites struct {
		Errors int `xml:"errors,attr"`
		Cases  []struct {
			Error *struct {
				Message string `xml:"message,attr"`
			} `xml:"error"`
		} `xml:"testsuite>testcase"`
	}
	if err := xml.Unmarshal([]byte(text), &suites); err != nil {
		t.Fatal(err)
	}
	for _, c := range suites.Cases {
		if c.Error != nil {
			unread = append(unread, c.Error.Message)
		}
	}
	if suites.Errors != len(unread) {
		t.Errorf("%d errors are counted, %d are there", suites.Errors, len(unread))
	}
	return unread
}

// What was not scanned is said in every result, also where nothing was: a file that an
// earlier run left must not pass for this one's.
func TestEveryFormatSaysWhatWasNotScanned(t *testing.T) {
	needNPM(t)
	for _, test := range unreadScans {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			t.Setenv(summaryVariable, filepath.Join(dir, "summary.md"))
			out := filepath.Join(dir, "out")
			for _, f := range report.Formats {
				file := place(t, dir, f.Name, []byte("of an earlier run"))
				code, stdout, stderr := call(append([]string{"scan", "--format", f.Name + "=" + file, "--format", "text=" + os.DevNull, "--out", out}, test.args...)...)
				if code != exitUsage || stdout != "" {
					t.Errorf("%s=FILE: exit code %d, stdout %q", f.Name, code, stdout)
				}
				for _, name := range test.unread {
					if !strings.Contains(stderr, "plumbline: "+name) {
						t.Errorf("stderr does not name %s:\n%s", name, stderr)
					}
				}
				written, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				checkUnread(t, f.Name, string(written), test.unread, test.results)
				code, stdout, _ = call(append([]string{"scan", "--format", f.Name}, test.args...)...)
				if code != exitUsage {
					t.Errorf("%s: exit code %d", f.Name, code)
				}
				if f.Name == jsonFormat && !test.results {
					if stdout != "" {
						t.Errorf("json shows %q, where there is no export", stdout)
					}
					continue
				}
				checkUnread(t, f.Name, stdout, test.unread, test.results)
			}
			summary, err := os.ReadFile(filepath.Join(dir, "summary.md"))
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range test.unread {
				if !strings.Contains(string(summary), "- `"+name) {
					t.Errorf("the job's summary does not name %s:\n%s", name, summary)
				}
			}
			if _, err := os.Stat(out); (err == nil) != test.results {
				t.Errorf("--out is written: %v, where there is something to export: %v", err == nil, test.results)
			}
		})
	}
}

// checkUnread holds a result to naming what was not scanned, all of it and nothing else.
func checkUnread(t *testing.T, format, text string, unread []string, results bool) {
	t.Helper()
	named := unreadIn[format](t, text, results)
	if format == textFormat || format == jsonFormat {
		return
	}
	if len(named) != len(unread) {
		t.Fatalf("%s names %q, want %q in\n%s", format, named, unread, text)
	}
	for i, name := range unread {
		if !strings.HasPrefix(named[i], name) {
			t.Errorf("%s names %q, want %q", format, named[i], name)
		}
	}
}
