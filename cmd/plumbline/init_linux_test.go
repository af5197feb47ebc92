package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
)

// One question for all files: only a yes writes, and what is written was shown before.
func TestInitAsksOnATerminal(t *testing.T) {
	for answer, writes := range map[string]bool{"y\n": true, "n\n": false, "\n": false, "\x04": false} {
		t.Run(fmt.Sprintf("%q", answer), func(t *testing.T) {
			t.Chdir(t.TempDir())
			person, program := openTerminal(t)
			if _, err := person.WriteString(answer); err != nil {
				t.Fatal(err)
			}
			var stdout bytes.Buffer
			code := run(context.Background(), []string{"init", "--test", "make check"}, os.Environ(), program, &stdout, program)
			want := map[bool]int{true: exitPass, false: exitUsage}[writes]
			if code != want || (stdout.Len() > 0) != writes {
				t.Errorf("exit code %d, want %d; stdout: %s", code, want, stdout.String())
			}
			for _, name := range []string{".mcp.json", "contract.json", ".plumbline.yaml"} {
				if isThere(name) != writes {
					t.Errorf("%s is there: %v, want %v", name, !writes, writes)
				}
			}
			program.Close() // so that reading comes to an end, which is an error here
			shown, _ := io.ReadAll(person)
			for _, part := range []string{`"args": ["serve"]`, `"run": "make check"`, "min_score: 75", "Write them? [y/N] "} {
				if strings.Count(string(shown), part) == 0 {
					t.Errorf("the terminal did not show %q but %q", part, shown)
				}
			}
		})
	}
}

// What changed while the question stood is not written over.
func TestInitLeavesWhatChangedMeanwhile(t *testing.T) {
	for _, before := range []string{"", "{}\n"} {
		t.Run(fmt.Sprintf("%q", before), func(t *testing.T) {
			t.Chdir(t.TempDir())
			if before != "" {
				place(t, ".", ".mcp.json", []byte(before))
			}
			person, program := openTerminal(t)
			changed := make(chan error, 1)
			go func() {
				shown, buffer := "", make([]byte, 4096)
				for !strings.Contains(shown, "Write them?") {
					n, err := person.Read(buffer)
					if err != nil {
						changed <- err
						return
					}
					shown += string(buffer[:n])
				}
				err := os.WriteFile(".mcp.json", []byte(`{"mine": 1}`), 0o600)
				if err == nil {
					_, err = person.WriteString("y\n")
				}
				changed <- err
			}()
			code := run(context.Background(), []string{"init", "--test", "true"}, os.Environ(), program, io.Discard, program)
			if err := <-changed; err != nil {
				t.Fatal(err)
			}
			if text, err := os.ReadFile(".mcp.json"); err != nil || string(text) != `{"mine": 1}` || code != exitUsage {
				t.Errorf("exit code %d; the file holds %s, %v", code, text, err)
			}
		})
	}
}
