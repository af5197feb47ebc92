package scan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-mcp/plumbline/scan/agentready"

	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// catalogue is section 1 of the rules page, by hand: rule code, finding code, severity,
// category, applies to.
const catalogue = `
AR001_UNBOUNDED_WRITE_ACTION unbounded_parameter high strict_parameters both
AR002_MISSING_CONFIRMATION_BOUNDARY missing_human_confirmation_flow critical dangerous_actions both
AR003_DESTRUCTIVE_OPERATION_AMBIGUOUS mcp_dangerous_tool_weak_description high dangerous_actions mcp
AR004_BULK_ACTION_WITHOUT_LIMIT large_unstructured_response medium agent_readable_responses both
AR005_SENSITIVE_DATA_EXPOSURE sensitive_data_exposure high sensitive_permissions both
AR006_MISSING_DRY_RUN_OR_PREVIEW irreversible_action high dangerous_actions both
AR006_MISSING_DRY_RUN_OR_PREVIEW missing_success_verification medium dangerous_actions openapi
AR007_OVERBROAD_TOOL_SCOPE agent_context_confusion medium agent_descriptions both
AR007_OVERBROAD_TOOL_SCOPE overbroad_permission high sensitive_permissions both
AR008_MISSING_IDEMPOTENCY_OR_ROLLBACK missing_error_recovery medium corrective_errors openapi
AR008_MISSING_IDEMPOTENCY_OR_ROLLBACK non_corrective_error medium corrective_errors openapi
AR009_UNCLEAR_AGENT_INSTRUCTIONS ambiguous_tool_description medium agent_descriptions both
AR009_UNCLEAR_AGENT_INSTRUCTIONS mcp_missing_output_schema medium agent_readable_responses mcp
AR009_UNCLEAR_AGENT_INSTRUCTIONS mcp_vague_tool_name medium clear_names mcp
AR009_UNCLEAR_AGENT_INSTRUCTIONS missing_when_not_to_use medium usage_boundaries both
AR009_UNCLEAR_AGENT_INSTRUCTIONS missing_when_to_use medium usage_boundaries both
AR009_UNCLEAR_AGENT_INSTRUCTIONS unclear_operation_name medium clear_names both
AR009_UNCLEAR_AGENT_INSTRUCTIONS unknown_action_type medium clear_names both
AR010_MISSING_RATE_OR_SCOPE_LIMIT mcp_empty_input_schema medium strict_parameters mcp
AR010_MISSING_RATE_OR_SCOPE_LIMIT mcp_missing_input_schema high strict_parameters mcp
AR010_MISSING_RATE_OR_SCOPE_LIMIT mcp_missing_required_fields medium strict_parameters mcp
AR010_MISSING_RATE_OR_SCOPE_LIMIT missing_enum medium strict_parameters both
AR101_HIDDEN_INSTRUCTIONS hidden_instructions critical agent_descriptions both
AR102_ANNOTATION_CONFLICT annotation_conflict high dangerous_actions mcp
AR103_DEFINITION_DRIFT definition_drift high version_traceability mcp
AR104_ARBITRARY_EXECUTION arbitrary_execution critical dangerous_actions both
`

func TestRulesAreTheCatalogue(t *testing.T) {
	var got strings.Builder
	for _, r := range Rules() {
		fmt.Fprintln(&got, r.Code, r.Finding, r.Severity, r.Category, r.Applies)
	}
	if diff := cmp.Diff(strings.TrimSpace(catalogue), strings.TrimSpace(got.String())); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
}

func TestEveryRuleExplainsItself(t *testing.T) {
	for _, r := range Rules() {
		for what, text := range map[string]string{
			"explanation": r.Explanation, "recommendation": r.Recommendation, "before": r.Before, "after": r.After,
		} {
			if strings.TrimSpace(text) == "" {
				t.Errorf("%s has no %s", r.Finding, what)
			}
		}
	}
}

// The sentences that the specification's example gives are used as they stand.
func TestPublishedRecommendations(t *testing.T) {
	published := map[string]string{
		"missing_human_confirmation_flow": "Document the preview, explicit human confirmation step, execution step, and post-action verification.",
		"unbounded_parameter":             "Add minimum and maximum values for amount, quantity, limit, price, discount, or duration fields.",
		"sensitive_data_exposure":         "Document permission boundaries, redaction, pagination, and least-privilege access.",
	}
	for _, r := range Rules() {
		if want, ok := published[r.Finding]; ok && r.Recommendation != want {
			t.Errorf("%s recommends %q, want %q", r.Finding, r.Recommendation, want)
		}
	}
}

// Each rule's example fires before and does not after.
func TestExamples(t *testing.T) {
	for _, r := range rules {
		if r.Finding == agentready.DriftFinding {
			continue // it takes two lists: TestDrift has them
		}
		for _, tt := range []struct {
			what, example string
			fires         bool
		}{{"before", r.Before, true}, {"after", r.After, false}} {
			places := r.fires(exampleSubject(t, tt.example))
			if got := len(places) > 0; got != tt.fires {
				t.Errorf("%s, %s: fires %t, want %t\n%s", r.Finding, tt.what, got, tt.fires, tt.example)
			}
		}
	}
}

// exampleSubject reads an example: an MCP tool, or a path of an OpenAPI document.
func exampleSubject(t *testing.T, example string) *subject {
	t.Helper()
	in := Input{Name: "example.json", Data: []byte("[" + example + "]"), Kind: surface.MCP}
	if !strings.HasPrefix(example, "{") {
		indented := "  " + strings.ReplaceAll(example, "\n", "\n  ")
		in = Input{Name: "example.yaml", Data: []byte("openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:\n" + indented), Kind: surface.OpenAPI}
	}
	doc, err := Read(t.Context(), in)
	if err != nil {
		t.Fatalf("%v in\n%s", err, in.Data)
	}
	return newDocument(doc).subject(doc.Tools[0])
}
