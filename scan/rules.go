package scan

import (
	"cmp"
	"slices"
	"strings"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// RuleInfo describes one rule of the catalogue.
type RuleInfo = agentready.RuleInfo

// The values of RuleInfo.Applies.
const (
	appliesBoth    = "both"
	appliesOpenAPI = string(surface.OpenAPI)
	appliesMCP     = string(surface.MCP)
)

// rule is one row of the catalogue: its facts and its detector. The detector
// returns the places it rests on; none means that it does not fire.
type rule struct {
	RuleInfo
	fires func(*subject) []surface.Text
}

// rules is the catalogue. Each family's file holds its rows beside its detectors.
var rules = slices.Concat(
	nameRules,
	descriptionRules,
	usageRules,
	parameterRules,
	dangerRules,
	errorRules,
	permissionRules,
	responseRules,
	hiddenRules,
	lockRules,
)

// Rules returns every rule that a scan can report, by rule code, then finding code.
func Rules() []RuleInfo {
	infos := make([]RuleInfo, len(rules))
	for i, r := range rules {
		infos[i] = r.RuleInfo
	}
	slices.SortFunc(infos, func(a, b RuleInfo) int {
		return cmp.Or(strings.Compare(a.Code, b.Code), strings.Compare(a.Finding, b.Finding))
	})
	return infos
}

// appliesTo says whether the rule is for documents of the kind.
func (r rule) appliesTo(kind surface.Kind) bool {
	return r.Applies == appliesBoth || r.Applies == string(kind)
}
