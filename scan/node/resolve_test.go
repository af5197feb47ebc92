package node_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/scan/node"
)

func TestFollow(t *testing.T) {
	tree := parse(t, `
one: {$ref: '#/two'}
two: {$ref: '#/three'}
three: {found: here}
self: {$ref: '#/self'}
ping: {$ref: '#/pong'}
pong: {$ref: '#/ping'}
gone: {$ref: '#/nothing'}
web: {$ref: 'https://example.com/api.yaml#/x'}
bare: {$ref: '//example.com/api.yaml'}
file: {$ref: './other.yaml#/x'}
named: {$ref: '#Pet'}
id: {$ref: 'https://example.com/schemas/pet'}
defs:
  pet: {$anchor: Pet, $id: 'https://example.com/schemas/pet', found: pet}
notref: {$ref: {found: map}}
number: {$ref: 12}
`)
	r := &node.Resolver{}
	start := func(key string) node.Target {
		return node.Target{Tree: tree, Node: tree.Get(tree.Root, key), Pointer: "/" + key}
	}
	for key, want := range map[string]string{"one": "/three", "three": "/three", "named": "/defs/pet",
		"id": "/defs/pet", "notref": "/notref", "number": "/number"} {
		got, err := r.Follow(start(key))
		if err != nil || got.Pointer != want {
			t.Errorf("Follow(%s) = %s, %v, want %s", key, got.Pointer, err, want)
		}
	}
	for key, want := range map[string]node.Reason{"self": node.Circular, "ping": node.Circular,
		"gone": node.Missing, "web": node.Remote, "bare": node.Remote, "file": node.NotAllowed} {
		got, err := r.Follow(start(key))
		var refErr *node.RefError
		if !errors.As(err, &refErr) || refErr.Reason != want {
			t.Errorf("Follow(%s) error = %v, want reason %d", key, err, want)
		}
		if got.Pointer != "/"+key {
			t.Errorf("Follow(%s) went to %s in spite of its error", key, got.Pointer)
		}
	}
}

func TestFollowGivesUpOnALongChain(t *testing.T) {
	var b strings.Builder
	for i := range node.MaxHops + 2 {
		fmt.Fprintf(&b, "n%d: {$ref: '#/n%d'}\n", i, i+1)
	}
	fmt.Fprintf(&b, "n%d: {}\n", node.MaxHops+2)
	tree := parse(t, b.String())
	r := &node.Resolver{}
	_, err := r.Follow(node.Target{Tree: tree, Node: tree.Get(tree.Root, "n0")})
	var refErr *node.RefError
	if !errors.As(err, &refErr) || refErr.Reason != node.TooFar {
		t.Errorf("error = %v, want a chain too long", err)
	}
	if _, err := r.Follow(node.Target{Tree: tree, Node: tree.Get(tree.Root, "n2")}); err != nil {
		t.Errorf("a chain of %d was refused: %v", node.MaxHops, err)
	}
}

func TestFilesAreOpenedRelativeToTheReferringOne(t *testing.T) {
	other := parse(t, "x: {found: there}\n")
	other.File = "other.yaml"
	tree := parse(t, "file: {$ref: './other.yaml#/x'}\nbad: {$ref: 'broken.yaml'}\n")
	r := &node.Resolver{Open: func(from *node.Tree, path string) (*node.Tree, error) {
		if from == tree && path == "./other.yaml" {
			return other, nil
		}
		return nil, errors.New("no such file")
	}}
	got, err := r.Follow(node.Target{Tree: tree, Node: tree.Get(tree.Root, "file")})
	if err != nil || got.Tree != other || got.Pointer != "/x" {
		t.Errorf("Follow = %+v, %v", got, err)
	}
	if _, err = r.Follow(node.Target{Tree: tree, Node: tree.Get(tree.Root, "bad")}); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("error = %v, want the reason", err)
	}
}

func TestReasonsSayWhatToDo(t *testing.T) {
	for reason, want := range map[node.Reason]string{node.Missing: "add what it names", node.Remote: "bundle",
		node.NotAllowed: "--root DIR", node.Circular: "definition", node.TooFar: "shorten"} {
		if err := (&node.RefError{Ref: "#/x", Reason: reason}).Error(); !strings.Contains(err, want) || !strings.Contains(err, `"#/x"`) {
			t.Errorf("reason %d: %s", reason, err)
		}
	}
}
