package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"sort"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/tools"
)

// arguments reads the arguments of one tool's calls.
type arguments struct {
	schema *jsonschema.Schema
	texts  map[string]string // tools.Tool.Texts
}

// read gives the arguments as the handler gets them: what hosts are known to send
// in place of the right JSON type is put right, and the rest held to the schema.
// Values stay byte for byte as they were sent.
func (a arguments) read(raw json.RawMessage) (json.RawMessage, *tools.Error) {
	args, bad := members(raw)
	if bad != nil {
		return nil, bad
	}
	given := sortedKeys(args)
	if bad := a.unknown(given); bad != nil {
		return nil, bad
	}
	for _, name := range given {
		a.repair(args, name)
	}
	repaired := join(args)
	if a.surelyFit(args) {
		return repaired, nil
	}
	var invalid *jsonschema.ValidationError
	switch err := check(a.schema, repaired); {
	case err == nil:
		return repaired, nil
	case errors.As(err, &invalid):
		return nil, a.explain(invalid)
	default:
		return nil, &tools.Error{Code: tools.BadArgument, Message: "the arguments are not JSON that this server can read", Hint: err.Error()}
	}
}

// surelyFit says of arguments, all of which have a schema, that they fit. A text that may
// say anything, such as a document, is not decoded for that.
func (a arguments) surelyFit(args map[string]json.RawMessage) bool {
	for _, name := range a.schema.Required {
		if args[name] == nil {
			return false
		}
	}
	for name, raw := range args {
		property := a.schema.Properties[name]
		switch {
		case property == nil:
			return false
		case kindOf(raw) == "string" && property.MaxLength < 0 && len(property.Enum) == 0 && fits(raw, property.Types):
		case check(property, raw) != nil:
			return false
		}
	}
	return true
}

// members splits the arguments' object. Absent or null arguments are an empty one,
// and an object sent as a string is read.
func members(raw json.RawMessage) (map[string]json.RawMessage, *tools.Error) {
	raw = bytes.TrimSpace(raw)
	if text, ok := unquote(raw); ok {
		raw = bytes.TrimSpace([]byte(text))
	}
	args := map[string]json.RawMessage{}
	if len(raw) == 0 || kindOf(raw) == "null" {
		return args, nil
	}
	if err := json.Unmarshal(raw, &args); err != nil {
		return nil, &tools.Error{Code: tools.BadArgument, Message: "`arguments` is not a JSON object", Hint: "send the arguments as one object, by name"}
	}
	if countMembers(raw) > len(args) {
		return nil, &tools.Error{Code: tools.BadArgument, Message: "an argument is given twice", Hint: "give each argument once"}
	}
	return args, nil
}

// countMembers counts the members of a JSON object.
func countMembers(object json.RawMessage) int {
	depth, count, quoted := 0, 0, false
	for i := 0; i < len(object); i++ {
		switch c := object[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		case c == ':' && depth == 1:
			count++
		}
	}
	return count
}

// repair puts one argument right: null is absent; JSON in a string is taken out
// where the schema wants no string; and an object that does not fit becomes the
// text that Texts names.
func (a arguments) repair(args map[string]json.RawMessage, name string) {
	raw := args[name]
	if kindOf(raw) == "null" {
		delete(args, name)
		return
	}
	property := a.schema.Properties[name]
	if property == nil || fits(raw, property.Types) {
		return
	}
	if text, ok := unquote(raw); ok {
		inner := bytes.TrimSpace([]byte(text))
		if !json.Valid(inner) {
			return
		}
		raw = inner
		if fits(raw, property.Types) {
			args[name] = raw
			return
		}
	}
	if target, ok := a.texts[name]; ok && (kindOf(raw) == "object" || kindOf(raw) == "array") {
		if _, taken := args[target]; !taken || target == name {
			delete(args, name)
			args[target] = quote(raw)
		}
	}
}

// kinds are the JSON types by their first byte; any other is a number's.
var kinds = [256]string{'"': "string", '{': "object", '[': "array", 't': "boolean", 'f': "boolean", 'n': "null"}

// kindOf names the JSON type of a value by its first byte.
func kindOf(raw json.RawMessage) string {
	if len(raw) == 0 {
		return ""
	}
	if kind := kinds[raw[0]]; kind != "" {
		return kind
	}
	return "number"
}

func fits(raw json.RawMessage, types []string) bool {
	kind := kindOf(raw)
	return len(types) == 0 || slices.Contains(types, kind) || kind == "number" && slices.Contains(types, "integer")
}

// unquote gives the text of a JSON string, unless no text can hold it: package json would
// put other characters in its place.
func unquote(raw json.RawMessage) (string, bool) {
	if kindOf(raw) != "string" {
		return "", false
	}
	v, err := contract.Decode(raw)
	if err != nil {
		return "", false
	}
	return v.Text()
}

func quote(raw json.RawMessage) json.RawMessage {
	quoted, err := json.Marshal(string(raw))
	if err != nil { // a string always encodes
		return raw
	}
	return quoted
}

// join writes the members as one object without touching their bytes, which
// json.Marshal would compact and escape.
func join(args map[string]json.RawMessage) json.RawMessage {
	out := []byte{'{'}
	for i, name := range sortedKeys(args) {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, quote(json.RawMessage(name))...)
		out = append(out, ':')
		out = append(out, args[name]...)
	}
	return append(out, '}')
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
