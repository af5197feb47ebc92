package report

import (
	"fmt"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

// htmlWaiver is a waiver of a policy file with what became of it.
type htmlWaiver struct {
	Place, Rule, Tool, Reason, Expires string
	State                              agentready.WaiverState
	Findings                           int
}

// htmlWaivers are the waivers of an export's policy file, in the order of that.
func htmlWaivers(e *agentready.Export) []htmlWaiver {
	if e.Policy == nil {
		return nil
	}
	out := make([]htmlWaiver, len(e.Policy.Waivers))
	for n, w := range e.Policy.Waivers {
		out[n] = htmlWaiver{
			Place: fmt.Sprintf("%s:%d", show(e.Policy.File), w.Line), Rule: show(w.Rule), Tool: show(w.Tool),
			Reason: show(w.Reason), Expires: show(w.Expires), State: w.State, Findings: w.Findings,
		}
	}
	return out
}
