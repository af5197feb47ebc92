package server

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// keywords are those that surelyFits knows.
var keywords = []string{"type", "enum", "maxLength", "minimum", "maximum", "items", "required", "properties", "additionalProperties", "description"}

// checkKeywords refuses a schema with others: what they demand would not be looked at.
func checkKeywords(schema json.RawMessage) error {
	var parts map[string]json.RawMessage
	if json.Unmarshal(schema, &parts) != nil {
		return nil // true or false
	}
	var properties map[string]json.RawMessage
	_ = json.Unmarshal(parts["properties"], &properties) // a schema that compiles has an object there, or nothing
	below := append(slices.Collect(maps.Values(properties)), parts["items"], parts["additionalProperties"])
	for _, one := range below {
		if err := checkKeywords(one); err != nil {
			return err
		}
	}
	for name := range parts {
		if !slices.Contains(keywords, name) {
			return fmt.Errorf("surelyFits does not know the keyword %s", name)
		}
	}
	return nil
}

// surelyFits says of a decoded value that it fits a compiled schema, without the
// library's work for its reasons: it takes a tenth of the time. Where it says no, the
// library has the last word.
func surelyFits(s *jsonschema.Schema, value any) bool {
	if len(s.Types) > 0 && !slices.ContainsFunc(s.Types, func(name string) bool { return hasType(value, name) }) {
		return false
	}
	text, isText := value.(string)
	if len(s.Enum) > 0 && !(isText && slices.Contains(s.Enum, value)) {
		return false
	}
	switch v := value.(type) {
	case string:
		return s.MaxLength < 0 || len(text) <= s.MaxLength || utf8.RuneCountInString(text) <= s.MaxLength
	case float64:
		return isAtLeast(v, s.Minimum) && isAtMost(v, s.Maximum)
	case []any:
		return s.Items2020 == nil || !slices.ContainsFunc(v, func(item any) bool { return !surelyFits(s.Items2020, item) })
	case map[string]any:
		return membersFit(s, v)
	}
	return true
}

func hasType(value any, name string) bool {
	switch v := value.(type) {
	case nil:
		return name == "null"
	case bool:
		return name == "boolean"
	case float64:
		return name == "number" || name == "integer" && v == math.Trunc(v)
	case string:
		return name == "string"
	case []any:
		return name == "array"
	}
	return name == "object"
}

// isAtLeast and isAtMost compare with a bound, which is a double in each schema; a nil
// one is none.
func isAtLeast(f float64, bound *big.Rat) bool {
	if bound == nil {
		return true
	}
	limit, _ := bound.Float64()
	return f >= limit
}

func isAtMost(f float64, bound *big.Rat) bool {
	if bound == nil {
		return true
	}
	limit, _ := bound.Float64()
	return f <= limit
}

func membersFit(s *jsonschema.Schema, members map[string]any) bool {
	for _, name := range s.Required {
		if _, ok := members[name]; !ok {
			return false
		}
	}
	for name, member := range members {
		rest, _ := s.AdditionalProperties.(*jsonschema.Schema)
		property := s.Properties[name]
		switch {
		case property == nil && s.AdditionalProperties == false:
			return false
		case property == nil:
			property = rest
		}
		if property != nil && !surelyFits(property, member) {
			return false
		}
	}
	return true
}

// check holds a JSON text to a schema. The error is the text's, or the library's
// *[jsonschema.ValidationError].
func check(s *jsonschema.Schema, text json.RawMessage) error {
	// Numbers become float64: the validator must not see json.Number, on which
	// 1e-9999999 makes it panic.
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return err
	}
	if surelyFits(s, value) {
		return nil
	}
	return s.Validate(value)
}
