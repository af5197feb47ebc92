package contract

import (
	"strconv"
	"strings"
)

// Pointer gives the JSON Pointer of the value in its document; empty for the whole.
func (v *Value) Pointer() string { return string(v.appendPointer(nil)) }

func (v *Value) appendPointer(out []byte) []byte {
	if v == nil || v.parent == nil {
		return out
	}
	out = append(v.parent.appendPointer(out), '/')
	if v.parent.kind == Array {
		return strconv.AppendInt(out, int64(v.index), 10)
	}
	return append(out, pointerEscaper.Replace(v.name())...)
}

var pointerEscaper = strings.NewReplacer("~", "~0", "/", "~1")

// At follows a JSON Pointer below the value; nil where it leads nowhere. The pointers
// of schema errors are also percent-encoded, which changes no name a schema knows.
func (v *Value) At(pointer string) *Value {
	for _, token := range pointerTokens(pointer) {
		switch v.Type() {
		case Object:
			v = v.Get(token)
		case Array:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(v.Items) {
				return nil
			}
			v = v.Items[i]
		default:
			return nil
		}
	}
	return v
}

// root gives the document's outermost value.
func (v *Value) root() *Value {
	for v != nil && v.parent != nil {
		v = v.parent
	}
	return v
}

// pointerTokens takes a JSON Pointer apart.
func pointerTokens(pointer string) []string {
	if pointer == "" {
		return nil
	}
	tokens := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i := range tokens {
		tokens[i] = pointerUnescaper.Replace(tokens[i])
	}
	return tokens
}

var pointerUnescaper = strings.NewReplacer("~1", "/", "~0", "~")
