package openapi

import (
	"slices"
	"strings"

	"github.com/plumbline-mcp/plumbline/scan/node"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// medium is one media type of a body, and its schema where it has one.
type medium struct {
	name   string
	schema node.Target
}

// media are the media types of a request body or a response, JSON first.
func (r *reader) media(body node.Target) []medium {
	content, ok := r.object(member(body, "content"), "content")
	if !ok {
		return nil
	}
	var list []medium
	for k, v := range content.Tree.Members(content.Node) {
		place := node.Target{Tree: content.Tree, Node: v, Pointer: node.Join(content.Pointer, k.Value)}
		if !r.spend(costPart, place) {
			break
		}
		at, ok := r.object(place, "the media type "+k.Value)
		if !ok {
			continue
		}
		m := medium{name: strings.ToLower(k.Value), schema: member(at, "schema")}
		if m.schema.Node == nil {
			m.schema = member(at, "itemSchema") // OpenAPI 3.2: of each item of a stream
		}
		list = append(list, m)
	}
	slices.SortStableFunc(list, func(a, b medium) int { return rank(a.name) - rank(b.name) })
	return list
}

func rank(mediaType string) int {
	if strings.Contains(mediaType, "json") {
		return 0
	}
	return 1
}

// responses reads the documented answers.
func (r *reader) responses(tool *surface.Tool, at node.Target) {
	list, ok := r.object(member(at, "responses"), "responses")
	if !ok {
		return
	}
	for k, v := range list.Tree.Members(list.Node) {
		if strings.HasPrefix(k.Value, "x-") {
			continue
		}
		pointer := node.Join(list.Pointer, k.Value)
		place := node.Target{Tree: list.Tree, Node: v, Pointer: pointer}
		if !r.spend(costAnswer, place) {
			break
		}
		answer := surface.Response{Status: status(k.Value), Pos: list.Tree.Pos(k, pointer)}
		if target, ok := r.object(place, "the response "+k.Value); ok {
			r.response(&answer, target)
		}
		tool.Responses = append(tool.Responses, answer)
	}
}

// status writes ranges as the specification does: 4XX.
func status(key string) string {
	if len(key) == 3 && strings.HasSuffix(strings.ToUpper(key), "XX") {
		return strings.ToUpper(key)
	}
	return key
}

func (r *reader) response(answer *surface.Response, at node.Target) {
	answer.Description = at.Tree.Text(at.Node, at.Pointer, "description")
	for k := range at.Tree.Members(at.Tree.Get(at.Node, "headers")) {
		if !r.spend(costPart, at) {
			break
		}
		answer.Headers = append(answer.Headers, k.Value)
	}
	schema := member(at, "schema")
	if !r.version.swagger {
		schema.Node = nil
		for _, m := range r.media(at) {
			if m.schema.Node != nil {
				schema = m.schema
				break
			}
		}
	}
	if schema.Node == nil {
		return
	}
	result := r.schemas.Response(schema)
	r.incomplete(result.Problems...)
	answer.HasSchema = true
	answer.IsArray, answer.HasArray, answer.IsObject = result.IsArray, result.HasArray, result.IsObject
	if r.spend(len(result.Fields), schema) {
		answer.Fields, answer.Texts = result.Fields, result.Texts
	}
}
