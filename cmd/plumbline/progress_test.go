package main

import (
	"bytes"
	"testing"
	"time"
)

func TestProgressShowsLongScansAndCleansUp(t *testing.T) {
	start := time.Unix(0, 0)
	var out bytes.Buffer
	p := &progress{out: &out, file: "a.yaml", next: start.Add(progressAfter)}
	p.show(1, 9, start)
	if out.Len() > 0 {
		t.Errorf("a short scan shows %q", out.String())
	}
	late := start.Add(2 * progressAfter)
	p.show(2, 9, late)
	p.show(3, 9, late)
	p.show(4, 9, late.Add(progressEvery))
	p.end()
	p.show(5, 9, late.Add(time.Hour)) // of a scan that was left behind
	p.end()
	want := clearLine + "scanning a.yaml: 2 of 9" + clearLine + "scanning a.yaml: 4 of 9" + clearLine
	if out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

func TestProgressStaysOffLogs(t *testing.T) {
	var out bytes.Buffer
	p := (&process{stderr: &out}).newProgress("a.yaml")
	p.show(1, 9, time.Now().Add(time.Hour))
	p.end()
	if out.Len() > 0 {
		t.Errorf("a log gets %q", out.String())
	}
}

func TestProgressThatShowedNothingClearsNothing(t *testing.T) {
	var out bytes.Buffer
	(&progress{out: &out, next: time.Now()}).end()
	if out.Len() > 0 {
		t.Errorf("the line of a scan without progress gets %q", out.String())
	}
}
