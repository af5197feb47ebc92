package server

import (
	"fmt"
	"sort"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/plumbline-mcp/plumbline/tools"
)

// unknown is the error for arguments that the tool does not have, nil for none. The
// validator finds them too, but not the name that was meant.
func (a arguments) unknown(given []string) *tools.Error {
	if allowed, ok := a.schema.AdditionalProperties.(bool); !ok || allowed {
		return nil
	}
	known := sortedKeys(a.schema.Properties)
	var wrong, right []string
	for _, name := range given {
		if len(wrong) < maxFaults && a.schema.Properties[name] == nil {
			wrong = append(wrong, name)
			right = append(right, tools.Nearest(name, known, 1)...)
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	told := &tools.Error{
		Code:    tools.BadArgument,
		Path:    "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(wrong[0]),
		Message: "unknown argument " + ticked(wrong),
		Hint:    "this tool takes no arguments",
	}
	if len(known) > 0 {
		told.Hint = "the arguments are: " + strings.Join(known, ", ")
	}
	if len(right) > 0 {
		told.Hint = fmt.Sprintf("did you mean %s? %s", ticked(right), told.Hint)
	}
	return told
}

// explain says of invalid arguments which one, what is wrong and what is right.
func (a arguments) explain(invalid *jsonschema.ValidationError) *tools.Error {
	told := &tools.Error{Code: tools.BadArgument}
	faults := leaves(invalid)
	sort.SliceStable(faults, func(i, j int) bool { return faults[i].InstanceLocation < faults[j].InstanceLocation })
	var messages, hints []string
	for _, fault := range faults[:min(len(faults), maxFaults)] {
		message, hint := a.explainOne(fault)
		messages = append(messages, message)
		hints = append(hints, hint)
	}
	if more := len(faults) - maxFaults; more > 0 {
		messages = append(messages, fmt.Sprintf("and %d more", more))
	}
	told.Path = faults[0].InstanceLocation
	told.Message = strings.Join(messages, "; ")
	told.Hint = strings.Join(hints, "; ")
	return told
}

// explainOne explains one fault and says what the argument is.
func (a arguments) explainOne(fault *jsonschema.ValidationError) (message, hint string) {
	place := strings.TrimPrefix(fault.InstanceLocation, "/")
	if place == "" {
		return fault.Message, "the arguments are: " + strings.Join(sortedKeys(a.schema.Properties), ", ")
	}
	message = fmt.Sprintf("`%s`: %s", place, fault.Message)
	name, _, _ := strings.Cut(place, "/")
	if property := a.schema.Properties[name]; property != nil && property.Description != "" {
		return message, fmt.Sprintf("`%s` is: %s", name, property.Description)
	}
	return message, fmt.Sprintf("correct `%s`", name)
}

// leaves are the faults that have no finer cause.
func leaves(fault *jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(fault.Causes) == 0 {
		return []*jsonschema.ValidationError{fault}
	}
	var all []*jsonschema.ValidationError
	for _, cause := range fault.Causes {
		all = append(all, leaves(cause)...)
	}
	return all
}

func ticked(names []string) string { return "`" + strings.Join(names, "`, `") + "`" }
