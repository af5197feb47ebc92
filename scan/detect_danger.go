package scan

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/scan/surface"
	"github.com/plumbline-mcp/plumbline/scan/words"
)

// dangerRules are the rules of dangerous_actions.
var dangerRules = []rule{
	{RuleInfo{
		Finding:        "missing_human_confirmation_flow",
		Code:           "AR002_MISSING_CONFIRMATION_BOUNDARY",
		Severity:       agentready.Critical,
		Category:       "dangerous_actions",
		Applies:        appliesBoth,
		Explanation:    "The call acts on the world at once, and nothing says that a human confirms it first. An agent that misunderstood its task has already done the harm.",
		Recommendation: "Document the preview, explicit human confirmation step, execution step, and post-action verification.",
		Before: `/customers/{id}:
  delete:
    operationId: deleteCustomer
    description: Deletes a customer and all of their orders.`,
		After: `/customers/{id}:
  delete:
    operationId: deleteCustomer
    description: >-
      Deletes a customer and all of their orders. Requires human approval, carried in
      approval_token. Run it with dry_run first to see what would be deleted.`,
	}, missingConfirmation},
	{RuleInfo{
		Finding:        "irreversible_action",
		Code:           "AR006_MISSING_DRY_RUN_OR_PREVIEW",
		Severity:       agentready.High,
		Category:       "dangerous_actions",
		Applies:        appliesBoth,
		Explanation:    "Nothing tells of a preview before the call or of a way back after it. One wrong call of an agent is final.",
		Recommendation: "Offer a dry run or preview, or a documented way back such as undo, restore, or soft delete.",
		Before:         `{"name": "publish_article", "description": "Publishes the article to all readers."}`,
		After:          `{"name": "publish_article", "description": "Publishes the article to all readers. A preview shows who would get it; undo it within an hour with unpublish_article."}`,
	}, irreversible},
	{RuleInfo{
		Finding:        "missing_success_verification",
		Code:           "AR006_MISSING_DRY_RUN_OR_PREVIEW",
		Severity:       agentready.Medium,
		Category:       "dangerous_actions",
		Applies:        appliesOpenAPI,
		Explanation:    "No documented answer says what the call did. An agent cannot tell success from half of it, and may repeat the call.",
		Recommendation: "Document a 2xx response with a schema, or a description that says what happened, so that the result can be verified.",
		Before: `/refunds:
  post:
    operationId: refundOrder
    responses:
      "200":
        description: OK`,
		After: `/refunds:
  post:
    operationId: refundOrder
    responses:
      "200":
        description: The refund, with the amount that was paid back.
        content:
          application/json:
            schema: {type: object, properties: {amount: {type: number}}}`,
	}, missingVerification},
	{RuleInfo{
		Finding:        "mcp_dangerous_tool_weak_description",
		Code:           "AR003_DESTRUCTIVE_OPERATION_AMBIGUOUS",
		Severity:       agentready.High,
		Category:       "dangerous_actions",
		Applies:        appliesMCP,
		Explanation:    "The tool can do harm, and its description does not say how far a call goes or what holds it back. The description is all that an agent has to judge by.",
		Recommendation: "Describe the limits, the confirmation, the preview or rollback, and the result of this dangerous tool.",
		Before:         `{"name": "send_email", "description": "Sends an email."}`,
		After:          `{"name": "send_email", "description": "Sends one email to at most 10 recipients. Ask the user to confirm the recipients and the text before sending. Returns the message id."}`,
	}, weakDescription},
	{RuleInfo{
		Finding:        "annotation_conflict",
		Code:           "AR102_ANNOTATION_CONFLICT",
		Severity:       agentready.High,
		Category:       "dangerous_actions",
		Applies:        appliesMCP,
		Explanation:    "An annotation contradicts what the tool does. A host that trusts the hint runs the call without asking anyone.",
		Recommendation: "Make the annotations say what the tool does: no readOnlyHint on a tool that changes state, destructiveHint on one that deletes.",
		Before:         `{"name": "delete_branch", "annotations": {"readOnlyHint": true}}`,
		After:          `{"name": "delete_branch", "annotations": {"readOnlyHint": false, "destructiveHint": true}}`,
	}, annotationConflict},
}

// missingConfirmation fires where a human must confirm and nothing says that one does.
func missingConfirmation(s *subject) []surface.Text {
	if !s.confirmationRequired() || s.confirmed() {
		return nil
	}
	return s.place()
}

// irreversible fires on an action that cannot be taken back where no preview and no
// way back is documented. A DELETE whose path has a PUT is taken back by it.
func irreversible(s *subject) []surface.Text {
	if !s.is(ActionDelete, ActionPay, ActionRefund, ActionTransfer, ActionPublish, ActionCancel) || s.previewed() {
		return nil
	}
	if s.tool.Method == "DELETE" && s.tool.PutOnPath {
		return nil
	}
	return s.place()
}

// missingVerification fires on a change of state whose success no response describes.
func missingVerification(s *subject) []surface.Text {
	if !s.is(ActionCreate, ActionUpdate, ActionDelete, ActionSend, ActionPublish, ActionPay, ActionRefund, ActionTransfer,
		ActionExport, ActionCancel) {
		return nil
	}
	var silent []surface.Text
	for _, r := range s.tool.Responses {
		if !isSuccess(r.Status) && !strings.HasPrefix(r.Status, "3") {
			continue
		}
		if verifies(r) {
			return nil
		}
		silent = append(silent, answerText(r))
	}
	if silent == nil {
		return s.place()
	}
	return silent
}

// bodiless are the statuses that say by themselves what happened; so do all 3xx.
var bodiless = []string{"204", "205"}

func verifies(r surface.Response) bool {
	return r.HasSchema || strings.HasPrefix(r.Status, "3") || slices.Contains(bodiless, r.Status) || isInformative(r.Description.Value)
}

// silentWords say nothing of what happened.
var silentWords = strings.Fields("ok okay success successful successfully succeeded succeed operation response request result default " +
	"the a an was is has been be will completed complete done created accepted call api returned returns return status http code " +
	"description null none empty body content executed performed processed finished fine good everything all went well no not nothing " +
	"without of on for and or if when with this it that to worked works expected as json object data payload")

// minInformative is how many words beside the silent ones tell what happened: "Refund
// paid" does, "Created" does not. Beside an outcome one is enough: "Note created".
const minInformative = 2

// outcomes are the silent words that say what became of a thing.
var outcomes = strings.Fields("created completed accepted executed performed processed finished")

func isInformative(description string) bool {
	telling, outcome := 0, false
	for _, w := range words.ParseProse(description).Words() {
		outcome = outcome || slices.Contains(outcomes, w)
		if !slices.Contains(silentWords, w) && strings.Trim(w, "0123456789") != "" {
			telling++
		}
	}
	return telling >= minInformative || telling > 0 && outcome
}

// minDangerousDescription is how many characters a dangerous tool's description needs
// where it documents no confirmation.
const minDangerousDescription = 140

// weakDescription fires on a dangerous tool whose text says too little of its danger.
func weakDescription(s *subject) []surface.Text {
	if !s.confirmationRequired() {
		return nil
	}
	confirmed := s.confirmed()
	text := strings.Join(strings.Fields(prose(s.tool)), " ")
	if !confirmed && utf8.RuneCountInString(text) < minDangerousDescription {
		return s.textPlace()
	}
	if confirmed || s.previewed() || affirms(s.text, boundPhrases) || affirms(s.text, resultPhrases) {
		return nil
	}
	return s.textPlace()
}

// annotationConflict fires where an annotation contradicts the tool.
func annotationConflict(s *subject) []surface.Text {
	var places []surface.Text
	a := s.tool.Annotations
	if a.ReadOnly != nil && *a.ReadOnly && s.namesChange() {
		places = append(places, surface.Text{Value: "readOnlyHint: true", Pos: a.ReadOnlyPos})
	}
	if a.Destructive != nil && !*a.Destructive && s.is(ActionDelete) {
		places = append(places, surface.Text{Value: "destructiveHint: false", Pos: a.DestructivePos})
	}
	return places
}

// namesChange says whether the tool's own name states a change. Taking data out is
// none, nor is what a verb of the table computes: a sum, a text, the address behind a name.
func (s *subject) namesChange() bool {
	if !s.byName.changesState() || s.byName == ActionExport || len(s.name) == 0 {
		return false
	}
	first, last := s.name[0], s.name[len(s.name)-1]
	switch first {
	case "generate":
		return false
	case "add":
		return len(s.name) > 1
	case "resolve":
		return !slices.Contains(lookedUp, last)
	}
	return true
}

// lookedUp are what "resolve" finds out rather than settles.
var lookedUp = strings.Fields("resolve id ids url urls uri uris name names path paths reference references ref refs dependency dependencies " +
	"host hostname dns domain address addresses link links handle alias")
