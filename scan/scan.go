// Package scan judges what a document offers to agents: it classifies every tool,
// applies the AgentReady rules and Plumbline's own, and scores the result.
//
// Data flows one way: [Read] turns bytes into a surface, [Scan] turns the surface
// into an export, and [agentready.Policy] decides on the export.
package scan

import (
	"cmp"
	"context"
	"io/fs"
	"runtime"
	"slices"
	"time"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/scan/mcplist"
	"github.com/plumbline-mcp/plumbline/scan/openapi"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// Input is one document to read.
type Input struct {
	// Name is the source name of the export: a file's base name, "stdin".
	Name string
	Data []byte
	// Kind says what the document is; empty to find out from its root.
	Kind surface.Kind
	// Files, where not nil, allows `$ref`s to other files inside it; Path is where
	// the document lies in it.
	Files fs.FS
	Path  string
}

// largeDocument is the size in bytes from which a document's tree is worth collecting
// at once.
const largeDocument = 4 << 20

// Read reads a document into the model. Errors are *[surface.ReadError]s, or the
// context's.
func Read(ctx context.Context, in Input) (*surface.Document, error) {
	if len(in.Data) > largeDocument {
		// The tree of a large document takes ten times its size and is of no use once
		// it is read; collecting it now keeps what follows from growing the heap.
		defer runtime.GC()
	}
	kind := in.Kind
	if kind == "" {
		kind = detect(in.Data)
	}
	if kind == surface.MCP {
		return mcplist.Read(ctx, in.Name, in.Data)
	}
	return openapi.Read(ctx, in.Name, in.Data, openapi.Options{Files: in.Files, Path: in.Path})
}

// Options are what a scan needs beside the document.
type Options struct {
	// Now is written as generated_at.
	Now time.Time
	// Progress, where not nil, is told after each tool how many of how many are done.
	Progress func(done, total int)
	// Policy, where not nil, changes and turns off rules, and waives findings.
	Policy *Policy
	// Drift, where not nil, is what changed since a lock: see [Lock.Compare].
	Drift *Drift
}

// Scan classifies and judges every tool of doc. The same document and options give
// the same export. It fails only when ctx is cancelled.
func Scan(ctx context.Context, doc *surface.Document, opts Options) (*agentready.Export, error) {
	shared := newDocument(doc)
	shared.drift = opts.Drift
	use := opts.Policy.use()
	waivers := newWaivers(use, opts.Now)
	tools, gate := make([]agentready.Tool, len(doc.Tools)), gateScore{}
	for i, t := range doc.Tools {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		tools[i] = judge(shared.subject(t), opts.Policy)
		waivers.apply(&tools[i])
		gate.add(&tools[i], t.Name.Value != "")
		if opts.Progress != nil {
			opts.Progress(i+1, len(doc.Tools))
		}
	}
	waivers.settle()
	e := export(doc, tools, opts.Now)
	e.Notes = append(e.Notes, opts.Drift.gone()...)
	e.GateScore, e.Policy = gate.document(), use
	return e, nil
}

// judge applies every rule to one tool, as severe as the policy has it.
func judge(s *subject, policy *Policy) agentready.Tool {
	findings := []agentready.Rule{}
	for _, r := range rules {
		r.Severity = policy.severity(r.RuleInfo)
		if !r.appliesTo(s.doc.Kind) || r.Severity == agentready.Off {
			continue
		}
		if places := r.fires(s); len(places) > 0 {
			findings = append(findings, s.finding(r.RuleInfo, places))
		}
	}
	slices.SortStableFunc(findings, func(a, b agentready.Rule) int {
		return cmp.Or(
			cmp.Compare(b.Severity.Rank(), a.Severity.Rank()),
			cmp.Compare(a.RuleCode, b.RuleCode),
			cmp.Compare(a.FindingCode, b.FindingCode),
		)
	})
	return exportTool(s, findings)
}

func (d *document) finding(r RuleInfo, places []surface.Text) agentready.Rule {
	evidence, more := d.evidence(places)
	return agentready.Rule{
		RuleCode:       r.Code,
		FindingCode:    r.Finding,
		Severity:       r.Severity,
		Category:       r.Category,
		Recommendation: r.Recommendation,
		Explanation:    r.Explanation,
		Evidence:       evidence,
		MoreEvidence:   more,
	}
}
