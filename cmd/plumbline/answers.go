package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/plumbline-mcp/plumbline/tools"
)

// labelled is an answer that says which revision of which contract it is about.
type labelled interface{ CheckID(id string) error }

// decodeAnswer reads what a service answered.
func decodeAnswer(text []byte, answer any) error {
	if err := json.Unmarshal(text, answer); err != nil {
		return unreadable(err)
	}
	return nil
}

// decodeAbout reads what a service answered about a contract. A server, or what stands
// before it, may answer about another.
func decodeAbout(text []byte, id string, answer labelled) error {
	if err := decodeAnswer(text, answer); err != nil {
		return err
	}
	return mistaken(answer.CheckID(id))
}

func unreadable(err error) error {
	return usagef("the answer cannot be read: %v: use a server and a command of the same version", err)
}

// mistaken words why an answer is not one to what was asked; nil for nil.
func mistaken(err error) error {
	if err == nil {
		return nil
	}
	return usagef("the answer is not taken: %v: check --server, and what stands between", err)
}

// checkMembers says which member an answer of a tool lacks that each has.
func checkMembers(text []byte, tool tools.Tool) error {
	var schema struct {
		Required   []string
		Properties map[string]json.RawMessage
	}
	if err := decodeAnswer(tool.Definition.RawOutputSchema, &schema); err != nil {
		return err
	}
	var members map[string]json.RawMessage
	if err := decodeAnswer(text, &members); err != nil {
		return err
	}
	for _, name := range schema.Required {
		mayBeNull := bytes.Contains(schema.Properties[name], []byte(`"null"`))
		if value, is := members[name]; !is || string(value) == "null" && !mayBeNull {
			return unreadable(fmt.Errorf("it lacks %q", name))
		}
	}
	return nil
}

// checkChain says why a chain is not one of a contract.
func checkChain(text []byte, id string) error {
	var chain struct {
		Revisions []struct{ Contract struct{ ID string } }
		Ledger    struct{ Events []struct{ Contract string } }
	}
	if err := decodeAnswer(text, &chain); err != nil {
		return err
	}
	if len(chain.Revisions) == 0 {
		return mistaken(errors.New("it holds no revision of a contract"))
	}
	var ids []string
	for _, r := range chain.Revisions {
		ids = append(ids, r.Contract.ID)
	}
	for _, e := range chain.Ledger.Events {
		ids = append(ids, e.Contract)
	}
	for _, other := range ids {
		if other != id {
			return mistaken(fmt.Errorf("it holds a part of the chain of %q, not of %q alone", clip(other), id))
		}
	}
	return nil
}
