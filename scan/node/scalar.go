package node

import (
	"math"
	"strconv"
	"strings"

	"github.com/pb33f/go-yaml"
)

// String is the text of a scalar as it stands in the document: a number or a date
// too, since unquoted YAML makes them of ids and versions. Null is no text.
func String(n *yaml.Node) (string, bool) {
	if n == nil || n.Kind != yaml.ScalarNode || n.ShortTag() == "!!null" {
		return "", false
	}
	return n.Value, true
}

// Bool is the value of a boolean scalar; ok is false for anything else.
func Bool(n *yaml.Node) (value, ok bool) {
	if n == nil || n.Kind != yaml.ScalarNode || n.ShortTag() != "!!bool" {
		return false, false
	}
	switch n.Value {
	case "true", "True", "TRUE":
		return true, true
	case "false", "False", "FALSE":
		return false, true
	}
	err := n.Decode(&value)
	return value, err == nil
}

// Number is the value of a numeric scalar; ok is false for anything else.
func Number(n *yaml.Node) (value float64, ok bool) {
	if n == nil || n.Kind != yaml.ScalarNode {
		return 0, false
	}
	if tag := n.ShortTag(); tag != "!!int" && tag != "!!float" {
		return 0, false
	}
	if isDecimal(n.Value) {
		f, err := strconv.ParseFloat(n.Value, 64)
		return f, err == nil || math.IsInf(f, 0)
	}
	// Octal, hexadecimal, underscores, .inf: only the YAML package knows them all.
	err := n.Decode(&value)
	return value, err == nil
}

// isDecimal reports whether s means the same to YAML and to strconv.
func isDecimal(s string) bool {
	digits := strings.TrimLeft(s, "+-")
	if len(digits) > 1 && digits[0] == '0' && digits[1] != '.' && digits[1] != 'e' && digits[1] != 'E' {
		return false
	}
	return strings.Trim(digits, "0123456789.eE+-") == "" && strings.ContainsAny(digits, "0123456789")
}
