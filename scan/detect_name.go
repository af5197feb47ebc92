package scan

import (
	"unicode"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// nameRules are the rules of clear_names.
var nameRules = []rule{
	{
		RuleInfo: RuleInfo{
			Finding:        "unclear_operation_name",
			Code:           "AR009_UNCLEAR_AGENT_INSTRUCTIONS",
			Severity:       agentready.Medium,
			Category:       "clear_names",
			Applies:        appliesBoth,
			Explanation:    "The operation has no explicit name, or one that says nothing about what it acts on. An agent chooses tools by their names, so it may choose the wrong one or none.",
			Recommendation: "Give the operation a unique name of a verb and its object, such as refundOrder or list_invoices.",
			Before: `/refunds:
  post:
    operationId: process
    summary: Refund an order`,
			After: `/refunds:
  post:
    operationId: refundOrder
    summary: Refund an order`,
		},
		fires: unclearName,
	},
	{
		RuleInfo: RuleInfo{
			Finding:        "unknown_action_type",
			Code:           "AR009_UNCLEAR_AGENT_INSTRUCTIONS",
			Severity:       agentready.Medium,
			Category:       "clear_names",
			Applies:        appliesBoth,
			Explanation:    "No verb whose action Plumbline knows heads the name or begins the text, so it cannot tell what the tool does. Rules that go by the action, such as those for deletions, pass it over, and a person has to decide whether an agent may call it unattended.",
			Recommendation: "Begin the name or the description with a verb that states the action, such as get, create, update or delete. Where only another verb is true of the tool, keep it, and let a person decide when an agent may call it.",
			Before:         `{"name": "inventory_helper", "description": "Inventory."}`,
			After:          `{"name": "list_inventory", "description": "List the items in stock."}`,
		},
		fires: unknownAction,
	},
	{
		RuleInfo: RuleInfo{
			Finding:        "mcp_vague_tool_name",
			Code:           "AR009_UNCLEAR_AGENT_INSTRUCTIONS",
			Severity:       agentready.Medium,
			Category:       "clear_names",
			Applies:        appliesMCP,
			Explanation:    "The whole tool name is a word that fits every tool. Beside the tools of other servers an agent cannot tell what it is for.",
			Recommendation: "Rename the tool to a verb and its object, so that it is clear among the tools of other servers.",
			Before:         `{"name": "execute", "description": "Restart a build."}`,
			After:          `{"name": "restart_build", "description": "Restart a build."}`,
		},
		fires: vagueToolName,
	},
}

// minNameLength is how many letters and digits a clear name has at least.
const minNameLength = 5

// catchAllNames are names that fit any operation.
var catchAllNames = newNames("get data, process, handle, manage, update, do action, execute, run, submit, perform")

func unclearName(s *subject) []surface.Text {
	if s.is(ActionHealthCheck) {
		return nil
	}
	if letters(s.tool.Name.Value) >= minNameLength && !catchAllNames.has(s.name) {
		return nil
	}
	if s.tool.Name.Value == "" {
		return s.place()
	}
	return []surface.Text{s.tool.Name}
}

func letters(name string) int {
	n := 0
	for _, r := range name {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

func unknownAction(s *subject) []surface.Text {
	if s.is(ActionUnknown) {
		return s.place()
	}
	return nil
}

// vagueNames are names that fit any tool.
var vagueNames = newNames("run, execute, process, handle, do, task, tool, action, do task, call, invoke")

func vagueToolName(s *subject) []surface.Text {
	if vagueNames.has(s.name) {
		return []surface.Text{s.tool.Name}
	}
	return nil
}
