package openapi

import (
	"slices"
	"strings"

	"github.com/pb33f/go-yaml"

	"github.com/plumbline-mcp/plumbline/scan/node"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// paramKey names a parameter by the node it is described at.
type paramKey struct{ *yaml.Node }

// param is a parameter as it was read once.
type param struct {
	name, in string
	fields   []*surface.Field
	body     node.Target // the schema of a Swagger 2.0 body
	notes    []surface.Note
}

// input reads parameters and body.
func (r *reader) input(tool *surface.Tool, at node.Target, items []node.Target) {
	tool.Input.Pos = tool.Pos
	for _, p := range r.parameters(at, items) {
		tool.Input.Declared = true
		r.incomplete(p.notes...)
		if p.in == "body" {
			r.addBody(tool, p.body, "body")
			continue
		}
		if !r.spend(len(p.fields), at) {
			break
		}
		tool.Fields = append(tool.Fields, p.fields...)
		tool.Input.Properties++
		tool.Input.HasRequired = tool.Input.HasRequired || len(p.fields) > 0 && p.fields[0].Required
	}
	if !r.version.swagger {
		r.requestBody(tool, at)
	}
}

// parameters are those of the operation and, where they are not overridden there,
// those of the path item: path first, bodies last.
func (r *reader) parameters(at node.Target, items []node.Target) []param {
	lists := make([][]param, 0, len(items)+1)
	for _, holder := range append([]node.Target{at}, items...) {
		lists = append(lists, r.parameterList(member(holder, "parameters")))
	}
	slices.Reverse(lists)
	all := withoutOverridden(slices.Concat(lists...))
	slices.SortStableFunc(all, func(a, b param) int { return last(a) - last(b) })
	return all
}

// withoutOverridden leaves of the parameters of one name and place only the last.
func withoutOverridden(all []param) []param {
	type place struct{ name, in string }
	final := map[place]int{}
	for i, p := range all {
		final[place{p.name, p.in}] = i
	}
	var kept []param
	for i, p := range all {
		if p.name == "" || final[place{p.name, p.in}] == i {
			kept = append(kept, p)
		}
	}
	return kept
}

func last(p param) int {
	if p.in == "body" {
		return 1
	}
	return 0
}

func (r *reader) parameterList(at node.Target) []param {
	if node.IsNull(at.Node) {
		return nil
	}
	at, ok := r.follow(at)
	if !ok {
		return nil
	}
	if !node.IsSeq(at.Node) {
		r.incomplete(noteAt(at, "parameters is %s, not an array, and was not read; correct it", node.TypeName(at.Node)))
		return nil
	}
	var list []param
	for i, item := range at.Node.Content {
		place := node.Target{Tree: at.Tree, Node: item, Pointer: node.JoinIndex(at.Pointer, i)}
		if !r.spend(costPart, place) {
			break
		}
		target, ok := r.follow(place)
		if !ok {
			continue
		}
		if !node.IsMap(target.Node) {
			r.incomplete(noteAt(place, "a parameter is %s, not an object, and was not read; correct it", node.TypeName(target.Node)))
			continue
		}
		list = append(list, r.parameter(target))
	}
	return list
}

// places are the values of a parameter's `in`.
var places = []string{"path", "query", "header", "cookie", "body", "formData", "querystring"}

// parameter reads a parameter object, once.
func (r *reader) parameter(at node.Target) param {
	if p, ok := r.params[paramKey{at.Node}]; ok {
		return p
	}
	var p param
	p.name, _ = node.String(at.Tree.Get(at.Node, "name"))
	p.in, _ = node.String(at.Tree.Get(at.Node, "in"))
	switch {
	case !slices.Contains(places, p.in):
		p.notes = append(p.notes, noteAt(at, "parameter %q has no valid `in` (path, query, header, cookie) and was not read; add it", surface.Clip(p.name, maxID)))
	case p.in == "body":
		p.body = member(at, "schema")
		if p.body.Node == nil {
			p.notes = append(p.notes, noteAt(at, "the body parameter %q has no schema; add one", surface.Clip(p.name, maxID)))
		}
	case p.name == "":
		p.notes = append(p.notes, noteAt(at, "a parameter has no name and was not read; give it one"))
	default:
		r.parameterFields(&p, at)
	}
	r.params[paramKey{at.Node}] = p
	return p
}

// parameterFields makes the parameter's own field and those inside it.
func (r *reader) parameterFields(p *param, at node.Target) {
	in := p.in
	if in == "querystring" { // OpenAPI 3.2: the whole query as one value
		in = "query"
	}
	holder := r.parameterSchema(at)
	facts, problems := &surface.Schema{}, []surface.Note(nil)
	if holder.Node != nil {
		facts, problems = r.schemas.Facts(holder)
	}
	if d := at.Tree.Text(at.Node, at.Pointer, "description"); d.Value != "" && d != facts.Description {
		own := *facts
		own.Description = d
		facts = &own
	}
	required, _ := node.Bool(at.Tree.Get(at.Node, "required"))
	p.fields = []*surface.Field{{Name: p.name, Path: p.name, In: in, Depth: 1, Required: required || in == "path",
		Pos: at.Tree.Pos(at.Node, at.Pointer), Schema: facts}}
	p.notes = append(p.notes, problems...)
	if holder.Node == nil {
		return
	}
	inside := r.schemas.Children(holder, in, p.name)
	p.fields = append(p.fields, inside.Fields...)
	for _, n := range inside.Problems {
		if !slices.Contains(p.notes, n) {
			p.notes = append(p.notes, n)
		}
	}
}

// parameterSchema is where a parameter's schema stands: in 2.0 the parameter
// itself, later its schema, or that of its only media type.
func (r *reader) parameterSchema(at node.Target) node.Target {
	if r.version.swagger {
		return at
	}
	if s := member(at, "schema"); s.Node != nil {
		return s
	}
	content := member(at, "content")
	for k, v := range at.Tree.Members(content.Node) {
		media := node.Target{Tree: at.Tree, Node: v, Pointer: node.Join(content.Pointer, k.Value)}
		return member(media, "schema")
	}
	return node.Target{Tree: at.Tree}
}

// requestBody reads the body of OpenAPI 3: the fields of all its media types, JSON
// first, each path once.
func (r *reader) requestBody(tool *surface.Tool, at node.Target) {
	key, _ := at.Tree.Lookup(at.Node, "requestBody")
	body, ok := r.object(member(at, "requestBody"), "requestBody")
	if !ok {
		return
	}
	tool.Input.Declared = true
	tool.Input.Pos = at.Tree.Pos(key, at.Pointer+"/requestBody")
	if description := body.Tree.Text(body.Node, body.Pointer, "description"); description.Value != "" {
		tool.Input.Texts = append(tool.Input.Texts, description)
	}
	for _, media := range r.media(body) {
		if media.schema.Node == nil {
			continue
		}
		in := "body"
		if isForm(media.name) {
			in = "formData"
		}
		r.addBody(tool, media.schema, in)
	}
}

func isForm(mediaType string) bool {
	return strings.HasPrefix(mediaType, "multipart/") || strings.HasPrefix(mediaType, "application/x-www-form-urlencoded")
}

// addBody adds the fields of one way to write the body, that of the schema at at.
func (r *reader) addBody(tool *surface.Tool, at node.Target, in string) {
	body := r.schemas.Request(at, in)
	r.incomplete(body.Problems...)
	if !r.spend(len(body.Fields), at) {
		return
	}
	input := &tool.Input
	input.Texts = append(input.Texts, body.Texts...)
	had := map[string]bool{}
	for _, f := range tool.Fields {
		if f.In == "body" || f.In == "formData" {
			had[f.Path] = true
		}
	}
	if len(had) == 0 {
		input.Properties += body.Properties
		input.Closed = body.Closed
		tool.Fields = append(tool.Fields, body.Fields...)
	}
	for _, f := range body.Fields {
		if len(had) > 0 && !had[f.Path] {
			tool.Fields = append(tool.Fields, f)
			if f.Depth == 1 {
				input.Properties++
			}
		}
	}
	input.HasRequired = input.HasRequired || body.HasRequired
}
