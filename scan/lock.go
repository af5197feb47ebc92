package scan

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/scan/mcplist"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// lockVersion is the version of the lock's form.
const lockVersion = "1"

// Lock is a tool list as somebody has read and accepted it.
type Lock struct {
	Version string       `json:"plumbline_lock"`
	Source  string       `json:"source_name"`
	Tools   []LockedTool `json:"tools"`
}

// LockedTool is one tool of a lock.
type LockedTool struct {
	Name string `json:"name"` // its id: the name, made unique where two tools share one
	// Fingerprint is over the definition and what it refers to elsewhere in the list.
	Fingerprint string `json:"fingerprint"`
	Definition  any    `json:"definition"`
}

// NewLock locks the tools of a list. Errors are *[surface.ReadError]s, or the context's.
func NewLock(ctx context.Context, in Input) (*Lock, error) {
	tools, doc, err := mcplist.Definitions(ctx, in.Name, in.Data)
	if err != nil {
		return nil, err
	}
	if err := Nothing(doc); err != nil {
		return nil, err
	}
	if doc.Partial {
		return nil, &surface.ReadError{Message: "the list is partial, and what it leaves out could change unseen", Hint: "give all pages of the list"}
	}
	lock := &Lock{Version: lockVersion, Source: in.Name}
	for _, t := range tools {
		lock.Tools = append(lock.Tools, LockedTool{t.ID, t.Fingerprint, t.Value})
	}
	return lock, nil
}

// ReadLock reads a lock that [Lock.Write] wrote. Errors say what is wrong with it.
func ReadLock(data []byte) (*Lock, error) {
	var lock Lock
	switch err := agentready.Decode(data, &lock); {
	case err != nil:
		return nil, fmt.Errorf("not a lock of MCP tools: %w", err)
	case lock.Version != "" && lock.Version != lockVersion:
		return nil, fmt.Errorf("a lock of version %q, and this program reads version %s", surface.Clip(lock.Version, maxLockText), lockVersion)
	case lock.Version == "" || len(lock.Tools) == 0:
		return nil, errors.New("not a lock of MCP tools")
	}
	return &lock, nil
}

// Write writes the lock as JSON that people and version control can compare.
func (l *Lock) Write(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(l)
}

// Compare says what of a list differs from the lock. Errors are *[surface.ReadError]s, or
// the context's.
func (l *Lock) Compare(ctx context.Context, in Input) (*Drift, error) {
	tools, _, err := mcplist.Definitions(ctx, in.Name, in.Data)
	if err != nil {
		return nil, err
	}
	gone := map[string]LockedTool{} // what no tool of the list is called
	for _, t := range l.Tools {
		gone[t.Name] = t
	}
	known := maps.Clone(gone)
	for _, t := range tools {
		delete(gone, t.ID)
	}
	lost := map[string]string{} // the names of those that are gone, by the rest
	for _, name := range slices.Sorted(maps.Keys(gone)) {
		lost[nameless(gone[name].Definition)] = name
	}
	d := &Drift{byTool: map[string]*ToolDrift{}}
	for _, t := range tools {
		was, ok := known[t.ID]
		what := Changed
		if old, found := lost[nameless(t.Value)]; !ok && found {
			was, ok, what = gone[old], true, Renamed
			delete(lost, nameless(t.Value))
			delete(gone, old)
		}
		if drift := compare(t, was, ok, what); drift != nil {
			d.Tools = append(d.Tools, *drift)
			d.byTool[t.ID] = drift
		}
	}
	for _, t := range l.Tools {
		if _, removed := gone[t.Name]; removed {
			d.Tools = append(d.Tools, ToolDrift{Tool: shownName(t.Name), What: Removed})
		}
	}
	return d, nil
}

// compare says how a tool differs from what the lock has of it, if that knows it; nil
// where it does not differ.
func compare(t mcplist.Definition, was LockedTool, known bool, what DriftKind) *ToolDrift {
	if !known {
		return &ToolDrift{Tool: shownName(t.ID), What: Added}
	}
	drift := &ToolDrift{Tool: shownName(t.ID), What: what}
	drift.compare("", was.Definition, t.Value)
	if len(drift.Changes) == 0 && was.Fingerprint != t.Fingerprint {
		drift.add(Change{Old: was.Fingerprint, New: t.Fingerprint}) // what it refers to
	}
	if len(drift.Changes) == 0 {
		return nil
	}
	return drift
}

// nameless is a definition without its name, as text.
func nameless(definition any) string {
	rest := definition
	if object, ok := definition.(map[string]any); ok {
		without := maps.Clone(object)
		delete(without, "name")
		rest = without
	}
	return asJSON(rest)
}
