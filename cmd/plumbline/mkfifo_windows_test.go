package main

import "github.com/rogpeppe/go-internal/testscript"

// mkfifo says that files are no pipes here.
func mkfifo(ts *testscript.TestScript, _ bool, _ []string) {
	ts.Fatalf("Windows has no pipes among its files: give the script the condition [unix]")
}
