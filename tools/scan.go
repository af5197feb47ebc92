package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/plumbline-mcp/plumbline/scan"
	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// scanArguments are the arguments that both scan tools take. Numbers are float64
// since JSON Schema takes 75.0 for an integer; the schema keeps fractions out.
type scanArguments struct {
	Path     string   `json:"path"`
	Document string   `json:"document"`
	Name     string   `json:"name"`
	MinScore *float64 `json:"min_score"`
	FailOn   string   `json:"fail_on"`
	Only     string   `json:"only"`
	Limit    *float64 `json:"limit"`
	Cursor   string   `json:"cursor"`
}

// scanner runs both scan tools; they differ in these.
type scanner struct {
	deps Deps
	kind surface.Kind
}

// source is the document of one call.
type source struct {
	argument string // the argument it came by
	name     string
	data     []byte
	files    fs.FS
	path     string
}

// run scans the one document that was given. tools is the raw value of an
// argument `tools`, empty for a tool without one.
func (s scanner) run(ctx context.Context, args scanArguments, tools json.RawMessage) (*scanAnswer, error) {
	src, err := s.source(args, tools)
	if err != nil {
		return nil, err
	}
	if args.Name != "" {
		src.name = args.Name
	}
	policy, err := src.policy()
	if err != nil {
		return nil, err
	}
	export, err := s.export(ctx, src, policy)
	if err != nil {
		return nil, err
	}
	return s.answer(export, policy, args)
}

// source finds the one document. Arguments that hosts fill in with an empty value
// count as absent.
func (s scanner) source(args scanArguments, tools json.RawMessage) (source, error) {
	var given []source
	if args.Path != "" {
		given = append(given, source{argument: "path"})
	}
	if args.Document != "" {
		given = append(given, source{argument: "document", name: "document", data: []byte(args.Document)})
	}
	if len(tools) > 0 && (string(tools) != "[]" || len(given) == 0) {
		given = append(given, source{argument: "tools", name: "tools", data: tools})
	}
	if len(given) != 1 {
		return source{}, s.oneSource(given)
	}
	if given[0].argument != "path" {
		return given[0], nil
	}
	file, err := s.deps.Roots.Read(args.Path)
	if err != nil {
		return source{}, err
	}
	return source{"path", file.Name, file.Data, file.Files, file.Path}, nil
}

func (s scanner) oneSource(given []source) error {
	choice := "`path` or `document`"
	if s.kind == surface.MCP {
		choice = "`path`, `tools` or `document`"
	}
	e := &Error{Code: BadArgument, Message: "no document was given", Hint: "give exactly one of " + choice}
	if len(given) > 0 {
		names := make([]string, len(given))
		for i, g := range given {
			names[i] = "`" + g.argument + "`"
		}
		e.Message = "more than one document was given: " + strings.Join(names, " and ")
	}
	return e
}

// policy is the policy file that lies nearest to a document read by its path, inside its
// root; nil for none. No argument can waive anything.
func (src source) policy() (*scan.Policy, error) {
	if src.files == nil {
		return nil, nil
	}
	policy, err := scan.FindPolicy(src.files, src.path)
	var broken *scan.PolicyError
	if errors.As(err, &broken) { // whose messages repeat the file
		return nil, &Error{Code: UnreadableFile, Path: "/path",
			Message: fmt.Sprintf("the policy file %s of the document cannot be read: the first of %s is in line %d",
				clip(broken.File, maxLabel), agentready.Count(len(broken.Problems), "problem"), broken.Problems[0].Line),
			Hint: "have its owner correct it; `plumbline scan` on the document tells each"}
	}
	return policy, err
}

// export reads and judges the document.
func (s scanner) export(ctx context.Context, src source, policy *scan.Policy) (*agentready.Export, error) {
	doc, err := scan.Read(ctx, scan.Input{Name: src.name, Data: src.data, Kind: s.kind, Files: src.files, Path: src.path})
	if err != nil {
		return nil, readFailure(err, src.argument)
	}
	if err := scan.Nothing(doc); err != nil {
		return nil, readFailure(err, src.argument)
	}
	export, err := scan.Scan(ctx, doc, scan.Options{
		Now:      time.Now(),
		Policy:   policy,
		Progress: func(done, total int) { ReportProgress(ctx, done, total) },
	})
	if err != nil {
		return nil, err
	}
	scan.ReportWaivers(export)
	return export, nil
}

// readFailure turns a reader's error into one about the argument.
func readFailure(err error, argument string) error {
	var re *surface.ReadError
	if !errors.As(err, &re) {
		return err
	}
	where := *re
	where.Hint = ""
	hint := re.Hint
	if hint == "" {
		hint = "correct the document and scan it again"
	}
	return &Error{Code: UnreadableDocument, Message: where.Error(), Hint: hint, Path: "/" + argument}
}

// answer makes the answer to one call from the scan's result.
func (s scanner) answer(e *agentready.Export, file *scan.Policy, args scanArguments) (*scanAnswer, error) {
	set := file.Gate()
	policy := args.over(set)
	verdict := policy.Decide(e)
	a := &scanAnswer{
		Verdict: verdict.Verdict, Reasons: verdict.Reasons, Name: clip(e.SourceName, maxLabel),
		Score: e.Score, GateScore: e.GateScore, Status: e.Status, RiskCounts: e.RiskCounts, ToolCount: len(e.Tools),
		PolicySource: policySource(file, policy != set), Loosened: policy.LooserThan(set), Notes: clipAll(e.Notes),
	}
	if args.Only != "" {
		return a, s.showOne(a, e, args.Only)
	}
	a.ByRule = ruleRows(e.ByRule())
	return a, showPage(a, e, args)
}

// policySource says where the thresholds come from.
func policySource(file *scan.Policy, changed bool) string {
	switch {
	case changed:
		return "arguments"
	case file != nil:
		return "file"
	}
	return "default"
}

// over is a policy with the arguments over it.
func (args scanArguments) over(policy agentready.Policy) agentready.Policy {
	if args.MinScore != nil {
		policy.MinScore = int(*args.MinScore)
	}
	if args.FailOn != "" {
		policy.FailOn = agentready.Severity(args.FailOn)
	}
	return policy
}

// showPage lists the tools from the cursor on.
func showPage(a *scanAnswer, e *agentready.Export, args scanArguments) error {
	list := listHash(e)
	start, err := decodeCursor(args.Cursor, list, len(e.Tools))
	if err != nil {
		return err
	}
	limit := defaultListed
	if args.Limit != nil {
		limit = int(*args.Limit)
	}
	end := min(start+limit, len(e.Tools))
	a.Tools = toolRows(e.WorstFirst()[start:end])
	a.NextCursor = nextCursor(list, end, len(e.Tools))
	a.fit()
	a.NextCursor = nextCursor(list, start+len(a.Tools), len(e.Tools))
	return nil
}

// nextCursor is empty after the last tool.
func nextCursor(list string, shown, total int) string {
	if shown >= total {
		return ""
	}
	return encodeCursor(list, shown)
}

// showOne shows the tool with the id, as written or as an answer cut it, in full.
func (s scanner) showOne(a *scanAnswer, e *agentready.Export, id string) error {
	ids := make([]string, len(e.Tools))
	for i, t := range e.Tools {
		ids[i] = t.ID
		if t.ID != id && clip(t.ID, maxLabel) != id {
			continue
		}
		a.Tools = toolRows(e.Tools[i : i+1])
		a.Tools[0].Findings = findingRows(t.DetectedRules)
		a.fit()
		return nil
	}
	near := Nearest(id, ids, maxNearest)
	for i := range near {
		near[i] = "`" + clip(near[i], maxLabel) + "`"
	}
	told := &Error{Code: BadArgument, Path: "/only", Message: fmt.Sprintf("there is no %s with the id `%s`", agentready.Noun(string(s.kind)), clip(id, maxLabel)),
		Hint: "leave `only` out to see the ids"}
	if len(near) > 0 {
		told.Hint = "the nearest: " + strings.Join(near, ", ")
	}
	return told
}
