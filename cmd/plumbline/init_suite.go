package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// suite is a sign of a test command in a directory.
type suite struct {
	file    string                 // its name, or a glob over names
	holds   func(text []byte) bool // what the file must say; nil for anything
	command string
}

// suites are tried in order: the tools of a language before those that call them.
var suites = []suite{
	{"go.mod", nil, "go test ./..."},
	{"Cargo.toml", nil, "cargo test"},
	{"package.json", hasTestScript, "npm test"},
	{"deno.json", nil, "deno test"},
	{"pyproject.toml", nil, "python -m pytest"},
	{"pytest.ini", nil, "python -m pytest"},
	{"tox.ini", nil, "python -m pytest"},
	{"setup.cfg", says(`(?m)^\[tool:pytest\]`), "python -m pytest"},
	{"mix.exs", nil, "mix test"},
	{"Gemfile", says(`rspec`), "bundle exec rspec"},
	{"Rakefile", says(`TestTask|RSpec|:(test|spec)\b`), "bundle exec rake"},
	{"composer.json", hasTestScripts, "composer test"},
	{"mvnw", nil, "./mvnw test"},
	{"pom.xml", nil, "mvn test"},
	{"gradlew", nil, "./gradlew test"},
	{"build.gradle", nil, "gradle test"},
	{"build.gradle.kts", nil, "gradle test"},
	{"*.sln", nil, "dotnet test"},
	{"*.slnx", nil, "dotnet test"},
	{"*.[cf]sproj", nil, "dotnet test"},
	{"Package.swift", nil, "swift test"},
	{"GNUmakefile", hasTestTarget, "make test"},
	{"makefile", hasTestTarget, "make test"},
	{"Makefile", hasTestTarget, "make test"},
}

// says is for files that a pattern must match in.
func says(pattern string) func([]byte) bool { return regexp.MustCompile(pattern).Match }

// hasTestTarget finds the target test of a makefile, not a variable of that name.
var hasTestTarget = says(`(?m)^test[ \t]*::?([^=:]|$)`)

// noTests is in the script that npm writes where there are no tests yet.
const noTests = "no test specified"

// hasTestScript says whether a package has a script test that tests something.
func hasTestScript(text []byte) bool { return tests(testScript(text)) }

// hasTestScripts says the same of a package for Composer, which takes a list too.
func hasTestScripts(text []byte) bool {
	if list, ok := testScript(text).([]any); ok {
		return slices.ContainsFunc(list, tests)
	}
	return hasTestScript(text)
}

// testScript is what a package names as its script test, if it is by exactly that name; nil
// for nothing.
func testScript(text []byte) any {
	var manifest map[string]any
	if json.Unmarshal(text, &manifest) != nil {
		return nil
	}
	scripts, _ := manifest["scripts"].(map[string]any)
	return scripts["test"]
}

// tests says whether a script does something other than to tell that there are no tests.
func tests(script any) bool {
	command, ok := script.(string)
	return ok && strings.TrimSpace(command) != "" && !strings.Contains(command, noTests)
}

// foundSuite is a test command and the file that speaks for it.
type foundSuite struct{ file, command string }

// findSuites gives the test commands that the files in a directory speak for, each once.
// A file that cannot be read speaks for none.
func findSuites(dir string) []foundSuite {
	var found []foundSuite
	known := map[string]bool{}
	for _, s := range suites {
		names, _ := fs.Glob(os.DirFS(dir), s.file) // the patterns of the table are good
		for _, name := range names {
			if !known[s.command] && s.speaks(filepath.Join(dir, name)) {
				known[s.command] = true
				found = append(found, foundSuite{name, s.command})
			}
		}
	}
	return found
}

// speaks says whether a file of the suite's name says what it must.
func (s suite) speaks(name string) bool {
	f, err := openRegular(name, maxObject)
	if err != nil {
		return false
	}
	defer f.Close()
	if s.holds == nil {
		return true
	}
	text, err := readBounded(f, maxObject)
	return err == nil && s.holds(bytes.TrimPrefix(text, []byte(byteOrderMark)))
}
