package contract

import (
	"math"
	"math/big"
	"slices"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// fits says whether a value fits a compiled schema, without the library's work for its
// reasons, which most documents do not need: it takes a tenth of the time. It knows the
// keywords that the schemas of this package use, and no other.
func fits(s *jsonschema.Schema, v *Value) bool {
	if s.Ref != nil && !fits(s.Ref, v) {
		return false
	}
	if len(s.Types) > 0 && !slices.ContainsFunc(s.Types, func(t string) bool { return hasType(v, t) }) {
		return false
	}
	if len(s.Constant) > 0 && !isText(v, s.Constant[0]) {
		return false
	}
	if len(s.Enum) > 0 && !slices.ContainsFunc(s.Enum, func(item any) bool { return isText(v, item) }) {
		return false
	}
	return fitsByType(s, v) && fitsCondition(s, v)
}

// hasType says whether the value has a type as schemas name it.
func hasType(v *Value, name string) bool {
	switch v.Type() {
	case Null:
		return name == "null"
	case Bool:
		return name == "boolean"
	case Number:
		return name == "number" || name == "integer" && v.number == math.Trunc(v.number)
	case String:
		return name == "string"
	case Array:
		return name == "array"
	default:
		return name == "object"
	}
}

// isText says whether the value is that string; the schemas name no other constants.
func isText(v *Value, constant any) bool {
	text, ok := v.Text()
	want, isString := constant.(string)
	return ok && isString && text == want
}

// fitsByType holds a value to the keywords for its type.
func fitsByType(s *jsonschema.Schema, v *Value) bool {
	switch v.Type() {
	case Number:
		return !isBelow(v.number, s.Minimum) && !isAbove(v.number, s.Maximum) &&
			(s.ExclusiveMinimum == nil || isAbove(v.number, s.ExclusiveMinimum))
	case String:
		return (s.Pattern == nil || s.Pattern.MatchString(v.text)) &&
			(s.MaxLength < 0 || utf8.RuneCountInString(v.text) <= s.MaxLength) &&
			(s.Format == "" || jsonschema.Formats[s.Format](v.text))
	case Array:
		return len(v.Items) >= s.MinItems &&
			(s.Items2020 == nil || !slices.ContainsFunc(v.Items, func(item *Value) bool { return !fits(s.Items2020, item) }))
	case Object:
		return fitsMembers(s, v)
	default:
		return true
	}
}

// isBelow and isAbove compare with a bound, which is a double in each schema; a nil
// one is none.
func isBelow(f float64, bound *big.Rat) bool {
	if bound == nil {
		return false
	}
	limit, _ := bound.Float64()
	return f < limit
}

func isAbove(f float64, bound *big.Rat) bool {
	if bound == nil {
		return false
	}
	limit, _ := bound.Float64()
	return f > limit
}

func fitsMembers(s *jsonschema.Schema, v *Value) bool {
	for _, name := range s.Required {
		if v.Get(name) == nil {
			return false
		}
	}
	for name, member := range s.Properties {
		if found := v.Get(name); found != nil && !fits(member, found) {
			return false
		}
	}
	return true
}

func fitsCondition(s *jsonschema.Schema, v *Value) bool {
	if s.If == nil {
		return true
	}
	branch := s.Else
	if fits(s.If, v) {
		branch = s.Then
	}
	return branch == nil || fits(branch, v)
}
