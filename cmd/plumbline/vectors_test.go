package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// vector is one test vector of contracts, rounds, chains or done reports.
type vector struct {
	Name, About                  string
	Contract, Round, Chain, Done json.RawMessage
	Text                         *string // the raw document, where it is not JSON
	Files                        map[string]string
	Errors, Warnings             []string
	Dispositions                 []string
}

func loadVectors[T any](t *testing.T, name string) []T {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../../testdata/vectors", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var vectors []T
	if err := json.Unmarshal(data, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors) == 0 {
		t.Fatalf("%s holds no vector", name)
	}
	return vectors
}

// command runs the program in this process, with stdin.
func command(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(context.Background(), args, nil, bytes.NewBufferString(stdin), &out, &errs)
	return code, out.String(), errs.String()
}

// place writes a file under a directory and gives its path.
func place(t *testing.T, dir, name string, text []byte) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// vectorAnswer is what the answers of all checking commands have in common.
type vectorAnswer struct {
	Valid            *bool
	Errors, Warnings []struct{ Code, Path, Message, Fix string }
	Findings         []struct{ Disposition string }
}

// groups are the lists of vectors and the command that each is put to.
var groups = []struct {
	name string
	args func(v vector, write func(name string, text []byte) string) []string
}{
	{"contracts", func(v vector, write func(string, []byte) string) []string {
		text := []byte(v.Contract)
		if v.Text != nil {
			text = []byte(*v.Text)
		}
		return []string{"contract", "validate", write("contract.json", text)}
	}},
	{"rounds", func(v vector, write func(string, []byte) string) []string {
		return []string{"round", "check", "--contract", write("contract.json", v.Contract), write("round.json", v.Round)}
	}},
	{"chains", func(v vector, write func(string, []byte) string) []string {
		return []string{"chain", "check", write("chain.json", v.Chain)}
	}},
	{"done", func(v vector, write func(string, []byte) string) []string {
		return []string{"done", "check", "--contract", write("contract.json", v.Contract), write("done.json", v.Done)}
	}},
}

func TestVectorsThroughCommands(t *testing.T) {
	for _, group := range groups {
		for _, v := range loadVectors[vector](t, group.name) {
			t.Run(group.name+"/"+v.Name, func(t *testing.T) {
				root := t.TempDir()
				for name, text := range v.Files {
					place(t, root, name, []byte(text))
				}
				documents := t.TempDir()
				args := group.args(v, func(name string, text []byte) string { return place(t, documents, name, text) })
				want := exitPass
				if len(v.Errors) > 0 {
					want = exitFail
				}
				for _, format := range []string{"json", "text"} {
					code, stdout, stderr := command(t, "", append(args, "--root", root, "--format", format)...)
					if code != want || stderr != "" {
						t.Errorf("%s as %s: exit code %d, want %d; stderr: %s", v.About, format, code, want, stderr)
					}
					if format == "json" {
						checkAnswer(t, v, stdout)
					}
				}
			})
		}
	}
}

// checkAnswer compares a JSON answer with what the vector says.
func checkAnswer(t *testing.T, v vector, stdout string) {
	t.Helper()
	var answer vectorAnswer
	if err := json.Unmarshal([]byte(stdout), &answer); err != nil {
		t.Fatalf("%v in %s", err, stdout)
	}
	if answer.Valid == nil || *answer.Valid != (len(v.Errors) == 0) {
		t.Errorf("valid is wrong in %s", stdout)
	}
	for what, pair := range map[string]struct {
		want []string
		got  []struct{ Code, Path, Message, Fix string }
	}{"errors": {v.Errors, answer.Errors}, "warnings": {v.Warnings, answer.Warnings}} {
		codes := []string{}
		for _, p := range pair.got {
			codes = append(codes, p.Code)
			if p.Message == "" || p.Fix == "" {
				t.Errorf("%s does not say what is wrong and what to do", p.Code)
			}
		}
		slices.Sort(codes)
		if diff := cmp.Diff(append([]string{}, pair.want...), slices.Compact(codes)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	if v.Dispositions == nil {
		return
	}
	dispositions := []string{}
	for _, f := range answer.Findings {
		dispositions = append(dispositions, f.Disposition)
	}
	if diff := cmp.Diff(v.Dispositions, dispositions); diff != "" {
		t.Errorf("dispositions (-want +got):\n%s", diff)
	}
}

func TestCanonicalVectorsThroughCommands(t *testing.T) {
	type vector struct{ Text, Canonical, Fingerprint string }
	for _, v := range loadVectors[vector](t, "canonical") {
		code, stdout, _ := command(t, v.Text, "contract", "canonical", "-")
		if code != exitPass || stdout != v.Canonical {
			t.Errorf("%s: exit code %d, canonical form %s, want %s", v.Text, code, stdout, v.Canonical)
		}
		code, stdout, _ = command(t, v.Text, "contract", "canonical", "-", "--format", "json")
		var answer canonicalAnswer
		if err := json.Unmarshal([]byte(stdout), &answer); err != nil || code != exitPass {
			t.Fatalf("exit code %d, error %v in %s", code, err, stdout)
		}
		if answer.Canonical != v.Canonical || answer.Fingerprint != v.Fingerprint || answer.SHA256[:12] != v.Fingerprint[len("sha256:"):] {
			t.Errorf("%s: %s", v.Text, stdout)
		}
	}
}
