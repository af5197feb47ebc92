package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func said(line string) func(time.Time) string { return func(time.Time) string { return line } }

func TestProgressWritesOverItsLineAndCleansUp(t *testing.T) {
	var out bytes.Buffer
	p := &progress{out: &out, width: 10, stop: make(chan struct{})}
	p.draw(time.Now()) // before anything is told
	p.tell(said("one"))
	p.draw(time.Now())
	p.tell(said("two, and more than fits"))
	p.draw(time.Now())
	p.clear()
	p.clear()
	p.draw(time.Now())
	p.end()
	p.tell(said("of a run that was left behind"))
	p.draw(time.Now())
	p.end()
	want := clearLine + "one" + clearLine + "two, and m" + clearLine + clearLine + "two, and m" + clearLine
	if out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

func TestProgressThatShowedNothingClearsNothing(t *testing.T) {
	var out bytes.Buffer
	p := &progress{out: &out, width: 10, stop: make(chan struct{})}
	p.tell(said("one"))
	p.clear()
	p.end()
	if out.Len() > 0 {
		t.Errorf("the line of a run without progress gets %q", out.String())
	}
}

func TestProgressStaysOffLogs(t *testing.T) {
	var out bytes.Buffer
	p := (&process{stderr: &out}).newProgress()
	p.tell(said("one"))
	p.clear()
	p.end()
	if p != nil || out.Len() > 0 {
		t.Errorf("a log gets %v and %q", p, out.String())
	}
}

func TestProgressLines(t *testing.T) {
	start := time.Unix(0, 0)
	one, some := &progress{}, &progress{}
	check := &progress{}
	check.check(1, 4, start)
	tests := []struct {
		name string
		tell func()
		by   *progress
		want string
	}{
		{"one file, read", func() { scanProgress{one, 1}.file(0, "a.yaml", 0, 0) }, one, "[--------------------] reading a.yaml"},
		{"one file, judged", func() { scanProgress{one, 1}.file(0, "a.yaml", 3, 6) }, one, "[##########----------] 3 of 6 tools in a.yaml"},
		{"the last", func() { scanProgress{some, 2}.file(1, "b.yaml", 6, 6) }, some, "[####################] file 2 of 2: 6 of 6 tools in b.yaml"},
		{"the next", func() { scanProgress{some, 4}.file(2, "c.yaml", 0, 0) }, some, "[##########----------] file 3 of 4: reading c.yaml"},
		{"a long name", func() { scanProgress{one, 1}.file(0, strings.Repeat("a", 99)+"/b.yaml", 0, 0) }, one, "[--------------------] reading …" + strings.Repeat("a", 32) + "/b.yaml"},
		{"a stranger's name", func() { scanProgress{one, 1}.file(0, "a\x1b[2J\n", 0, 0) }, one, `[--------------------] reading a\x1b[2J\n`},
		{"a check", func() {}, check, "[#####---------------] check 2 of 4, for 1m1s"},
	}
	for _, tt := range tests {
		tt.tell()
		if got := tt.by.line(start.Add(61 * time.Second)); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// A large document is read for long before its tools are judged.
func TestProgressTellsHowLongAFileIsRead(t *testing.T) {
	p := &progress{}
	scanProgress{p, 1}.file(0, "a.yaml", 0, 0)
	const want = "[--------------------] reading for 1m30s: a.yaml"
	if got := p.line(time.Now().Add(90 * time.Second)); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestColumns(t *testing.T) {
	for _, tt := range []struct {
		line string
		n    int
		want string
	}{{"abc", 3, "abc"}, {"abcd", 3, "abc"}, {"é…–x", 3, "é…–"}, {"日本語", 5, "日本"}, {"a日", 2, "a"}, {"", 0, ""}, {"a", 0, ""}} {
		if got := columns(tt.line, tt.n); got != tt.want {
			t.Errorf("%d columns of %q: %q, want %q", tt.n, tt.line, got, tt.want)
		}
	}
}
