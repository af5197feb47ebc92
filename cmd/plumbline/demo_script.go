package main

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/runner"
	"github.com/plumbline-mcp/plumbline/tools"
)

// demoFiles are what the cast brings along: the contract's revisions, not stamped yet,
// what the judge says, and an API.
//
//go:embed demo
var demoFiles embed.FS

// demoContract is the id in these files.
const demoContract = "checkout-refunds"

type arguments = map[string]any

func demoFile(name string) ([]byte, error) { return demoFiles.ReadFile("demo/" + name) }

// revision gives a contract to register.
func revision(file string) func(*demoStage) (any, error) {
	return func(*demoStage) (any, error) {
		text, err := demoFile(file)
		if err != nil {
			return nil, err
		}
		stamped, err := contract.Stamp(text, 0)
		return arguments{"contract": json.RawMessage(stamped), "record": true}, err
	}
}

func briefFor(role tools.Role) func(*demoStage) (any, error) {
	return func(*demoStage) (any, error) {
		return arguments{"role": role, "contract_id": demoContract}, nil
	}
}

func statusOf(*demoStage) (any, error) { return arguments{"contract_id": demoContract}, nil }

// doneOn gives a report on every check of the contract that the builder's brief holds.
func doneOn(commit string) func(*demoStage) (any, error) {
	return func(s *demoStage) (any, error) {
		text, err := s.replied(tools.Builder, "render_brief", "contract_text")
		if err != nil {
			return nil, err
		}
		c, report := contract.ParseContract([]byte(text))
		if !report.Valid() {
			return nil, fmt.Errorf("the contract of the brief is not valid: %v", report.Errors())
		}
		done := runner.Report{
			Done:     "0.1",
			Contract: runner.ReportedOn{ID: c.ID, Fingerprint: c.Fingerprint, Revision: c.Revision, SHA256: c.SHA256()},
			Subject:  &runner.Subject{Commit: commit},
		}
		for _, criterion := range c.Criteria {
			for i, check := range criterion.Checks {
				passed := runner.Outcome{Type: check.Type, Run: check.Run, Passed: true}
				done.Results = append(done.Results, runner.Result{Criterion: criterion.ID, Check: i, Outcome: passed})
			}
		}
		return arguments{"contract_id": demoContract, "report": done, "record": true, "submission": "done-" + commit}, nil
	}
}

// roundOn gives a round: what a file says, filled into the template of the judge's
// brief.
func roundOn(file, commit string) func(*demoStage) (any, error) {
	return func(s *demoStage) (any, error) {
		template, err := s.replied(tools.Judge, "render_brief", "state.round_template")
		if err != nil {
			return nil, err
		}
		text, err := demoFile(file)
		if err != nil {
			return nil, err
		}
		round := map[string]json.RawMessage{"subject": json.RawMessage(fmt.Sprintf(`{"commit": %q}`, commit))}
		for _, part := range []string{template, string(text)} {
			var members map[string]json.RawMessage
			if err := json.Unmarshal([]byte(part), &members); err != nil {
				return nil, err
			}
			maps.Copy(round, members)
		}
		return arguments{"contract_id": demoContract, "round": round, "record": true, "submission": "round-" + commit}, nil
	}
}

func scanOf(file string) func(*demoStage) (any, error) {
	return func(*demoStage) (any, error) {
		text, err := demoFile(file)
		return arguments{"name": file, "document": string(text)}, err
	}
}

// replied is what stands at a path of the last reply to one of the cast.
func (s *demoStage) replied(role tools.Role, tool, path string) (string, error) {
	text, err := lookUpOne(s.replies[string(role)+" "+tool].value, path)
	if err != nil {
		return "", fmt.Errorf("the answer to the %s's %s: %w", role, tool, err)
	}
	return text, nil
}

// sameStandard holds a brief's contract against what the owner registered last.
func sameStandard(s *demoStage, reply demoReply) (string, error) {
	registered, err := s.replied(tools.Owner, "register_contract", "sha256")
	if err != nil {
		return "", err
	}
	text, err := lookUpOne(reply.value, "contract_text")
	if err != nil {
		return "", err
	}
	if got := contract.SHA256([]byte(text)); got != registered {
		return "", fmt.Errorf("the contract's bytes have the sha256 %s, but %s is registered", got, registered)
	}
	return fmt.Sprintf("the %d bytes of the contract that came along have the sha256 that was registered", len(text)), nil
}

// sameAsBuilder holds the judge's contract against the builder's.
func sameAsBuilder(s *demoStage, reply demoReply) (string, error) {
	builders, err := s.replied(tools.Builder, "render_brief", "contract_text")
	if err != nil {
		return "", err
	}
	judges, err := lookUpOne(reply.value, "contract_text")
	if err != nil {
		return "", err
	}
	if judges != builders {
		return "", errors.New("the judge's contract is not the builder's, byte for byte")
	}
	return "the contract is the builder's, byte for byte", nil
}

// firstCriterion is the first quoted block of a brief's criteria.
func firstCriterion(_ *demoStage, reply demoReply) (string, error) {
	brief, err := lookUpOne(reply.value, "brief")
	if err != nil {
		return "", err
	}
	_, rest, found := strings.Cut(brief, "### Criterion 1\n")
	_, rest, opened := strings.Cut(rest, "> ```text\n")
	block, _, closed := strings.Cut(rest, "\n> ```")
	if !found || !opened || !closed {
		return "", errors.New("the brief has no block for its first criterion")
	}
	return "the brief says of criterion 1: " + strings.ReplaceAll(strings.TrimPrefix(block, "> "), "\n> ", "; "), nil
}

// hidesExtension looks for the judge's extension in all of an answer to the builder.
func hidesExtension(_ *demoStage, reply demoReply) (string, error) {
	text, err := demoFile("round-2.json")
	if err != nil {
		return "", err
	}
	var round any
	if err := json.Unmarshal(text, &round); err != nil {
		return "", err
	}
	texts := 0
	for _, path := range []string{"findings.*.class", "findings.*.location", "findings.*.message", "findings.*.remedy.options.*"} {
		parts, err := lookUp(round, path)
		if err != nil {
			return "", err
		}
		for _, part := range parts {
			if strings.Contains(reply.whole, part) {
				return "", fmt.Errorf("the builder was shown the extension's text %q", part)
			}
			texts++
		}
	}
	return fmt.Sprintf("of the extension's %d texts none is in this answer: nobody builds to what the contract does not say", texts), nil
}
