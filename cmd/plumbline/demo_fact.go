package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// demoFact is a line about what was sent or answered: a text with the paths of values in
// it, as in "next: {next.*.actor} ({next.*.why})".
type demoFact struct {
	text string
	// want are the values that the story needs, of the first paths; empty for any.
	want []string
}

// fact is a line, and the values that its first paths must have.
func fact(text string, want ...string) demoFact { return demoFact{text, want} }

// factPath is a path in a fact's text.
var factPath = regexp.MustCompile(`\{([^}]+)\}`)

// noValue stands for the values of an empty list.
const noValue = "none"

// lines are the fact as a value has it: a line for each value of its paths. The error
// says what is missing, or is not what the story needs.
func (f demoFact) lines(value any) ([]string, error) {
	var columns [][]string
	for i, path := range factPath.FindAllStringSubmatch(f.text, -1) {
		found, err := lookUp(value, path[1])
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			found = []string{noValue}
		}
		if i > 0 && len(found) != len(columns[0]) {
			return nil, fmt.Errorf("%q has %d values, not %d", path[1], len(found), len(columns[0]))
		}
		if got := strings.Join(found, ", "); i < len(f.want) && got != f.want[i] {
			return nil, fmt.Errorf("%q is %q, but the story needs %q", path[1], clip(got), f.want[i])
		}
		columns = append(columns, found)
	}
	if columns[0][0] == noValue {
		label, _, _ := strings.Cut(f.text, "{")
		return []string{label + noValue}, nil
	}
	lines := make([]string, len(columns[0]))
	for row := range lines {
		next := 0
		lines[row] = factPath.ReplaceAllStringFunc(f.text, func(string) string {
			next++
			return clip(columns[next-1][row])
		})
	}
	return lines, nil
}

// lookUp finds the values at a path of names, of indices, and of * for each member of
// an array: "findings.*.class".
func lookUp(value any, path string) ([]string, error) {
	found := []any{value}
	for name := range strings.SplitSeq(path, ".") {
		var next []any
		for _, v := range found {
			inside, ok := member(v, name)
			if !ok {
				return nil, fmt.Errorf("%q is missing: there is no %q", path, name)
			}
			next = append(next, inside...)
		}
		found = next
	}
	texts := make([]string, len(found))
	for i, v := range found {
		texts[i] = asText(v)
	}
	return texts, nil
}

// lookUpOne finds the value at a path without *.
func lookUpOne(value any, path string) (string, error) {
	found, err := lookUp(value, path)
	return strings.Join(found, ""), err
}

func member(v any, name string) (inside []any, ok bool) {
	switch v := v.(type) {
	case map[string]any:
		m, ok := v[name]
		return []any{m}, ok
	case []any:
		if name == "*" {
			return v, true
		}
		if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(v) {
			return v[i : i+1], true
		}
	}
	return nil, false
}

// asText is a text as it is, any other value as JSON.
func asText(v any) string {
	if text, ok := v.(string); ok {
		return text
	}
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}
