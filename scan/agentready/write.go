package agentready

import (
	"bufio"
	"encoding/json"
	"io"
)

// Write writes exports as JSON: one as an object, none or several as an array.
// Members stand in canonical order, indented by two spaces; `<`, `>` and `&` are
// written as they are, unseen characters ([Unseen]) as \u escapes; lists are never
// null; the last byte is a newline.
func Write(w io.Writer, exports ...*Export) error {
	full := make([]Export, len(exports))
	for i, e := range exports {
		full[i] = e.withLists()
	}
	var value any = full
	if len(full) == 1 {
		value = full[0]
	}
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(indenter{out})
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return err
	}
	return out.Flush()
}

// withLists is a copy of e in which every nil list is an empty one.
func (e *Export) withLists() Export {
	c := *e
	c.Notes = list(c.Notes)
	if c.Baseline != nil {
		compared := *c.Baseline
		compared.Fixed = list(compared.Fixed)
		c.Baseline = &compared
	}
	c.Tools = append([]Tool{}, e.Tools...)
	for i := range c.Tools {
		t := &c.Tools[i]
		for _, l := range []*[]string{
			&t.DetectedRisks, &t.RuleCodes, &t.Recommendations,
			&t.AllowedWhen, &t.ForbiddenWhen, &t.FailureModes, &t.Incomplete,
		} {
			*l = list(*l)
		}
		t.DetectedRules = append([]Rule{}, t.DetectedRules...)
		for j := range t.DetectedRules {
			t.DetectedRules[j].Evidence = list(t.DetectedRules[j].Evidence)
		}
	}
	return c
}

// list is l, or an empty list for none.
func list[T any](l []T) []T {
	if l == nil {
		return []T{}
	}
	return l
}
