package scan

import (
	"slices"
	"strings"

	"github.com/plumbline-mcp/plumbline/scan/surface"
	"github.com/plumbline-mcp/plumbline/scan/words"
)

// What a tool documents to keep a dangerous call in hand (rules page, sections 3
// and 4). Hints are not among it: anyone can write one.

// riskyActions need a human's confirmation.
var riskyActions = []Action{
	ActionDelete, ActionSend, ActionPublish, ActionPay, ActionRefund, ActionTransfer, ActionExport, ActionCancel,
	ActionSensitiveData,
}

// confirmationRequired says whether a human must confirm a call of the tool.
func (s *subject) confirmationRequired() bool {
	if s.is(riskyActions...) || len(s.arbitraryExecution()) > 0 && !s.containedFirst() {
		return true
	}
	destructive := s.tool.Annotations.Destructive
	return destructive != nil && *destructive && !s.is(ActionRead, ActionList, ActionSearch, ActionHealthCheck)
}

// confirmed says whether the tool documents that a human confirms a call, or that a
// preview comes before it. A boolean that the agent sets itself is no confirmation.
func (s *subject) confirmed() bool {
	if affirms(s.text, confirmationPhrases) || affirms(s.text, previewStepPhrases) {
		return true
	}
	if _, ok := s.text.Demands(confirmationWords); ok {
		return true
	}
	return slices.ContainsFunc(s.tool.Fields, s.isConfirmationToken) || slices.ContainsFunc(s.tool.Fields, isPreviewToken)
}

// previewed says whether the tool documents a preview or a way back.
func (s *subject) previewed() bool {
	return affirms(s.text, previewStepPhrases) || affirms(s.text, undoPhrases) ||
		slices.ContainsFunc(s.tool.Fields, isDryRun) || slices.ContainsFunc(s.tool.Fields, isPreviewToken)
}

// controlled says whether the tool documents a human's confirmation and at least one
// more control.
func (s *subject) controlled() bool {
	return s.confirmed() &&
		(s.bounded() || s.structured() || s.previewed() || affirms(s.text, reviewPhrases) || s.scoped())
}

// guarded says whether the tool documents that arbitrary input is contained: by a
// sandbox, an allow-list or read-only access.
func (s *subject) guarded() bool { return affirms(s.text, guardPhrases) }

// containedFirst says whether the first sentence does, which says what a call is. Further
// ones may speak of options, and of other tools.
func (s *subject) containedFirst() bool {
	return affirms(s.parse(strings.Join(s.first, " ")), guardPhrases)
}

// bounded says whether the text states limits, or the schema bounds every number.
func (s *subject) bounded() bool {
	if affirms(s.text, boundPhrases) {
		return true
	}
	numbers := 0
	for _, f := range s.tool.Fields {
		if !slices.Contains(f.Types, "number") && !slices.Contains(f.Types, "integer") {
			continue
		}
		if !(f.HasLower && f.HasUpper) && !f.HasEnum && !f.HasConst {
			return false
		}
		numbers++
	}
	return numbers > 0
}

// structured says whether a successful call answers in a declared structure.
func (s *subject) structured() bool {
	return slices.ContainsFunc(s.tool.Responses, func(r surface.Response) bool {
		return r.HasSchema && isSuccess(r.Status) && (len(r.Fields) > 0 || r.IsObject || r.IsArray)
	})
}

// scoped says whether the text or the security narrows what the tool reaches.
func (s *subject) scoped() bool {
	if affirms(s.text, scopePhrases) {
		return true
	}
	security := s.tool.Security
	return security.Effective && len(security.Scopes) > 0 && !slices.ContainsFunc(security.Scopes, isCatchAllScope)
}

// catchAllScopes open everything.
var catchAllScopes = []string{"*", "all", "admin", "root", "full_access"}

func isCatchAllScope(scope string) bool {
	scope = strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(scope))
	return slices.Contains(catchAllScopes, scope) || strings.Contains(scope, "*") && strings.Trim(scope, "*:./") == ""
}

func affirms(p *words.Prose, ph words.Phrases) bool {
	_, ok := p.Affirms(ph)
	return ok
}

// The words of a confirmation token's name: what it stands for, and what it is.
var (
	tokenPurposes = []string{"approval", "approvals", "confirmation", "signoff"}
	tokenKinds    = []string{"token", "id", "code", "reference", "ref", "ticket", "nonce", "signature", "proof", "receipt", "hash"}
)

var tokenWords = words.MustPhrases("approval|approve|approved|confirmation|confirm|confirmed|consent")

// inert says of a field that it does nothing.
var inert = words.MustPhrases(
	"not supported|implemented|used|available|honoured|honored|checked|verified|enforced|evaluated|validated|read",
	"no|without effect", "ignored|unused|unsupported|unchecked|disregarded|reserved", "does|do nothing", "any value|string is|works|passes|will",
)

// isConfirmationToken says whether the field takes a value that only an approval
// yields: approval_token, confirmationId; or one that a person is said to give.
// Where approvals are what the tool is about, the field names one of them.
func (s *subject) isConfirmationToken(f *surface.Field) bool {
	if !ofTheCall(f) || f.In == "path" || !allowsString(f) || containsAny(s.name, tokenPurposes) {
		return false
	}
	name := words.Split(f.Name)
	named := containsAny(name, tokenPurposes) && slices.Contains(tokenKinds, lastWord(name))
	if !named && (f.HasEnum || f.Description.Value == "") {
		return false
	}
	if named {
		return !s.says(f.Schema, "token is inert", func(p *words.Prose) bool { return isInert(p, tokenWords) })
	}
	return s.says(f.Schema, "confirmation", func(p *words.Prose) bool {
		return !isInert(p, tokenWords) && (affirms(p, confirmationPhrases) || affirms(p, tokenPhrases))
	})
}

// previewTokens are names of fields whose value only a preview yields.
var previewTokens = newNouns("preview token, preview code, preview hash, dry run token, dryrun token, simulation token")

// isPreviewToken says whether the field takes such a value: no agent sets it by itself.
func isPreviewToken(f *surface.Field) bool {
	return ofTheCall(f) && f.In != "path" && allowsString(f) && previewTokens.mayEnd(f.Name) && previewTokens.tail(words.Split(f.Name)) > 0 &&
		!isInert(words.ParseProse(f.Description.Value), dryRunWords)
}

// dryRunNames are whole names of fields that ask for a rehearsal. Those that mean
// something else too must be booleans.
var (
	dryRunNames     = []string{"dry run", "dryrun", "validate only", "validation only", "preview only", "simulate only", "what if", "whatif", "check only", "plan only", "no op", "noop"}
	rehearsalSwitch = []string{"preview", "simulate", "simulation", "rehearse", "is preview", "is simulation"}
)

var dryRunWords = words.MustPhrases("dry run|runs", "dryrun", "preview|previews", "simulate|simulates|simulation", "validate|validates")

// isDryRun says whether the field asks for a rehearsal of the call.
func isDryRun(f *surface.Field) bool {
	if !ofTheCall(f) {
		return false
	}
	name := strings.Join(words.Split(f.Name), " ")
	name = strings.TrimPrefix(strings.TrimPrefix(name, "x "), "is ")
	if !slices.Contains(dryRunNames, name) && !(slices.Contains(rehearsalSwitch, name) && slices.Contains(f.Types, "boolean")) {
		return false
	}
	return !isInert(words.ParseProse(f.Description.Value), dryRunWords)
}

// maxControlDepth is how deep a field of the call itself may lie: {"options": {"dry_run"}}.
const maxControlDepth = 2

// ofTheCall says whether the field speaks of the call, and not of a resource nested in
// its input.
func ofTheCall(f *surface.Field) bool {
	return !f.ReadOnly && f.Depth <= maxControlDepth && !strings.Contains(f.Path, "[]")
}

// isInert says whether a field's description denies it, or that it does anything.
func isInert(description *words.Prose, ph words.Phrases) bool {
	return description.Mentions(inert) || description.Mentions(ph) && !affirms(description, ph)
}

func allowsString(f *surface.Field) bool {
	return len(f.Types) == 0 || slices.Contains(f.Types, "string")
}

func containsAny(list, wanted []string) bool {
	return slices.ContainsFunc(list, func(w string) bool { return slices.Contains(wanted, w) })
}

// isSuccess says whether a response's status is 2xx, or an MCP tool's result.
func isSuccess(status string) bool { return strings.HasPrefix(status, "2") || status == "result" }

// answerText cites a response: its status and what it says.
func answerText(r surface.Response) surface.Text {
	return surface.Text{Value: strings.TrimSpace(r.Status + " " + r.Description.Value), Pos: r.Pos}
}
