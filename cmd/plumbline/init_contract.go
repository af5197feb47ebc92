package main

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/plumbline-mcp/plumbline/contract"
)

// contractName is what the contract of `init` is called.
const contractName = "contract.json"

// initialBudget is how many extension rounds the contract of `init` allows.
const initialBudget = 2

// The wire form of the contract of `init`, in the order of its members.
type (
	initialContract struct {
		AAC      string             `json:"aac"`
		Contract initialHead        `json:"contract"`
		Budget   map[string]int     `json:"budget"`
		Criteria []initialCriterion `json:"criteria"`
	}
	initialHead struct {
		ID          string `json:"id"`
		Revision    int    `json:"revision"`
		Fingerprint string `json:"fingerprint"`
		Owner       string `json:"owner"`
		Title       string `json:"title"`
	}
	initialCriterion struct {
		ID        string         `json:"id"`
		Class     string         `json:"class"`
		Kind      contract.Kind  `json:"kind"`
		Statement string         `json:"statement"`
		Cases     []initialCase  `json:"cases,omitempty"`
		Checks    []initialCheck `json:"checks"`
	}
	initialCheck struct {
		Type contract.CheckType `json:"type"`
		Run  string             `json:"run,omitempty"`
		Text string             `json:"text,omitempty"`
	}
	initialCase struct {
		ID     string `json:"id"`
		Run    string `json:"run"`
		Expect string `json:"expect"`
	}
)

// newInitialContract gives the text of a stamped contract around a test command, and around
// a goal where there is one.
func newInitialContract(dir, test, goal, owner string) ([]byte, error) {
	for _, given := range [][2]string{{"test", test}, {"goal", goal}, {"owner", owner}} {
		if !utf8.ValidString(given[1]) { // it would be written as something else
			return nil, usagef("--%s: it is not UTF-8, which a contract is: give it in UTF-8; nothing was written", given[0])
		}
	}
	first := initialContract{
		AAC:      "0.1.0",
		Contract: initialHead{ID: contractID(dir), Owner: owner, Title: goal},
		Budget:   map[string]int{"extensions": initialBudget},
		Criteria: []initialCriterion{{
			ID: "tests", Class: "tests", Kind: contract.Enumerable,
			Statement: "The listed test command ends with exit code 0.",
			Cases:     []initialCase{{"suite", test, "exit code 0"}},
			Checks:    []initialCheck{{Type: contract.Command, Run: test}},
		}},
	}
	if goal == "" {
		first.Contract.Title = "The tests pass"
	} else {
		first.Criteria = append(first.Criteria, initialCriterion{
			ID: "goal", Class: "goal", Kind: contract.Judgment, Statement: goal,
			Checks: []initialCheck{{Type: contract.Condition, Text: "who reads the change beside this goal finds it reached"}},
		})
	}
	draft, err := encodeJSON(first)
	if err != nil {
		return nil, err
	}
	text, err := contract.Stamp(draft, 1)
	if err != nil {
		return nil, &exitError{code: exitInternal, message: err.Error()}
	}
	return text, initialProblem(text)
}

// initialFlags are the flags that members of the contract come from.
var initialFlags = []struct{ path, flag string }{
	{"/contract/owner", "owner"},
	{"/contract/title", "goal"},
	{"/criteria/0", "test"},
	{"/criteria/1", "goal"},
}

// initialProblem refuses what no contract may say, by the flag that it was given with.
func initialProblem(text []byte) error {
	_, report := contract.ParseContract(text)
	problems := append(report.Errors(), report.Warnings()...)
	if len(problems) == 0 {
		return nil
	}
	first := problems[0]
	for _, f := range initialFlags {
		if strings.HasPrefix(first.Path, f.path) {
			return usagef("--%s: %s: %s", f.flag, first.Message, first.Fix)
		}
	}
	return usagef("no contract can be made of these flags: %s: %s", first.Message, first.Fix)
}

var (
	notInID  = regexp.MustCompile(`[^A-Za-z0-9._-]+`)
	idMargin = "._-"
)

// maxID is how long the id may be that a directory's name becomes: as long as a contract
// allows.
const maxID = 128

// contractID makes the id of a contract of a directory's name.
func contractID(name string) string {
	id := strings.Trim(notInID.ReplaceAllString(name, "-"), idMargin)
	if id = strings.TrimRight(id[:min(len(id), maxID)], idMargin); id == "" {
		return "my-change"
	}
	return id
}
