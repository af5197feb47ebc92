package agentready

import (
	"fmt"
	"strings"
)

// Noun is what a source of that type (Export.SourceType) offers, in the singular:
// operation or tool.
func Noun(sourceType string) string {
	if sourceType == "mcp" {
		return "tool"
	}
	return "operation"
}

// Count is a number with its noun, which must be regular: "1 tool", "2 tools".
func Count(n int, noun string) string {
	if n != 1 {
		noun = Plural(noun)
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// Plural is the plural of a regular noun.
func Plural(noun string) string { return noun + "s" }

// ShortCode is the short form of a rule code: AR002 for AR002_MISSING_….
func ShortCode(ruleCode string) string {
	short, _, _ := strings.Cut(ruleCode, "_")
	return short
}

// Choice is a list of allowed values as a sentence has it: "a, b or c".
func Choice[S ~string](values []S) string { return sentenceList(values, " or ") }

// Series is a list of what all holds as a sentence has it: "a, b and c".
func Series[S ~string](values []S) string { return sentenceList(values, " and ") }

func sentenceList[S ~string](values []S, last string) string {
	var b strings.Builder
	for i, v := range values {
		switch {
		case i == 0:
		case i == len(values)-1:
			b.WriteString(last)
		default:
			b.WriteString(", ")
		}
		b.WriteString(string(v))
	}
	return b.String()
}

// JSONList writes values that need no escapes as a JSON array, for schemas.
func JSONList[S ~string](values []S) string {
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = `"` + string(v) + `"`
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
