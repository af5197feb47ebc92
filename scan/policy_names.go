package scan

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/agext/levenshtein"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// PolicyError is what is wrong with a policy file, in the order of its lines.
type PolicyError struct {
	// File is the file as Policy.File has it; empty where the caller knows it.
	File     string
	Problems []*surface.ReadError // at least one, at most 100
	// Cut says that there are more than these.
	Cut bool
}

// Error is the first problem, and how many more there are, on one line.
func (e *PolicyError) Error() string {
	s := e.Problems[0].Error()
	if e.File != "" {
		s = e.File + ": " + s
	}
	if more := len(e.Problems) - 1; e.Cut {
		s += fmt.Sprintf(", and more than %s", agentready.Count(more, "other problem"))
	} else if more > 0 {
		s += fmt.Sprintf(", and %s", agentready.Count(more, "more problem"))
	}
	return s
}

// fingerprintForm is how fingerprints of definitions are written.
var fingerprintForm = regexp.MustCompile(`^sha256:[0-9a-f]{12}$`)

// maxRepeated is how many characters of a wrong name an error repeats.
const maxRepeated = 80

func shorten(s string) string { return surface.Clip(s, maxRepeated) }

// nearest is the name that is most like s; letter case does not count.
func nearest(s string, names []string) string {
	s = strings.ToLower(shorten(s))
	return slices.MinFunc(names, func(a, b string) int {
		return cmp.Compare(levenshtein.Distance(s, strings.ToLower(a), nil), levenshtein.Distance(s, strings.ToLower(b), nil))
	})
}

// FindRule gives the rule code or finding code that is meant in full: AR002 is
// AR002_MISSING_CONFIRMATION_BOUNDARY. Where there is none such, code is empty and near
// the most alike.
func FindRule(s string) (code, near string) {
	var known []string
	for _, r := range rules {
		switch {
		case s == r.Finding:
			return r.Finding, ""
		case s == r.Code, s == agentready.ShortCode(r.Code):
			return r.Code, ""
		}
		known = append(known, r.Code, agentready.ShortCode(r.Code), r.Finding)
	}
	return "", nearest(s, known)
}
