package scan

import (
	"slices"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/scan/surface"
	"github.com/plumbline-mcp/plumbline/scan/words"
)

// permissionRules are the rules of sensitive_permissions.
var permissionRules = []rule{
	{
		RuleInfo: RuleInfo{
			Finding:        "sensitive_data_exposure",
			Code:           "AR005_SENSITIVE_DATA_EXPOSURE",
			Severity:       agentready.High,
			Category:       "sensitive_permissions",
			Applies:        appliesBoth,
			Explanation:    "The tool takes or returns personal, financial or secret data, and nothing says how it is protected. What a tool returns enters the model's context and may leave it again.",
			Recommendation: "Document permission boundaries, redaction, pagination, and least-privilege access.",
			Before: `/customers/{id}:
  get:
    operationId: getCustomer
    summary: Get a customer
    description: Returns the customer with email and phone.`,
			After: `/customers/{id}:
  get:
    operationId: getCustomer
    summary: Get a customer
    description: Returns the customer; email and phone are masked for callers without the support role.`,
		},
		fires: sensitiveExposure,
	},
	{
		RuleInfo: RuleInfo{
			Finding:        "overbroad_permission",
			Code:           "AR007_OVERBROAD_TOOL_SCOPE",
			Severity:       agentready.High,
			Category:       "sensitive_permissions",
			Applies:        appliesBoth,
			Explanation:    "The tool touches sensitive data or acts with lasting effect without authentication, or it asks only for a scope that opens everything. An agent that is misled can use all of it.",
			Recommendation: "Require authentication with the narrowest scope that the operation needs, and document that scope.",
			Before: `/projects/{id}:
  delete:
    operationId: deleteProject
    security: []`,
			After: `/projects/{id}:
  delete:
    operationId: deleteProject
    security:
      - oauth: [projects.delete]`,
		},
		fires: overbroadPermission,
	},
}

func sensitiveExposure(s *subject) []surface.Text {
	if !s.sensitiveOnce {
		s.sensitiveOnce = true
		s.sensitive = s.findSensitiveExposure()
	}
	return s.sensitive
}

func (s *subject) findSensitiveExposure() []surface.Text {
	if s.is(ActionHealthCheck) || s.is(ActionWebhook) && s.provenWebhook() {
		return nil
	}
	found := s.sensitiveData()
	if len(found) == 0 && s.is(ActionPay, ActionRefund, ActionTransfer, ActionSensitiveData) {
		found = s.place()
	}
	if len(found) == 0 || affirms(s.text, clearing) {
		return nil
	}
	return found
}

// lastingActions need effective security whatever data they touch.
var lastingActions = []Action{
	ActionDelete, ActionSend, ActionPublish, ActionPay, ActionRefund, ActionTransfer, ActionExport, ActionAuth, ActionSensitiveData,
}

// overbroadPermission fires on a sensitive or lasting action without security, and on
// whatever asks only for catch-all scopes.
func overbroadPermission(s *subject) []surface.Text {
	if s.is(ActionRead, ActionDelete, ActionExport, ActionSensitiveData) && s.confinedToWorkspace() {
		return nil
	}
	security := s.tool.Security
	if !security.Effective {
		if s.is(lastingActions...) || len(sensitiveExposure(s)) > 0 {
			return s.place()
		}
		return nil
	}
	if len(security.Scopes) == 0 || slices.ContainsFunc(security.Scopes, func(scope string) bool { return !isCatchAllScope(scope) }) {
		return nil
	}
	var found []surface.Text
	for _, scope := range security.Scopes {
		found = append(found, surface.Text{Value: scope, Pos: security.Pos})
	}
	return found
}

var (
	confinement = words.MustPhrases(
		"within|inside|under|confined|restricted|limited|relative to? the|a|your|its|this|one? configured|allowed|current|given|project|active? workspace|workspaces",
		"workspace root|directory|folder", "only ... workspace",
	)
	relativePath = words.MustPhrases("relative path|paths|file|filename", "path|paths relative to", "path|paths is|are|must ... relative", "relative to ... workspace")
)

// pathNouns are the last words of fields that say where a tool works.
var pathNouns = newNouns("path, file, filename, file name, dir, directory, folder, workspace, root, location")

// confinedToWorkspace says whether the tool documents a workspace that it stays in and
// that paths are relative to it.
func (s *subject) confinedToWorkspace() bool {
	workspace, relative := affirms(s.text, confinement), affirms(s.text, relativePath)
	for _, f := range s.tool.Fields {
		if workspace && relative {
			break
		}
		if !pathNouns.mayEnd(f.Name) || pathNouns.tail(words.Split(f.Name)) == 0 {
			continue
		}
		description := s.parse(f.Description.Value)
		workspace = workspace || affirms(description, confinement)
		relative = relative || affirms(description, relativePath)
	}
	return workspace && relative
}
