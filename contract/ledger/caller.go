package ledger

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/plumbline-mcp/plumbline/contract"
)

// Caller is who records something. The name stands in the event for good.
type Caller struct {
	Name string         // 1 to 128 visible characters
	Role contract.Actor // builder, judge or owner
}

// writers are the roles that may record each kind (design: Roles).
var writers = map[Kind][]contract.Actor{
	Revision: {contract.ActorOwner},
	Done:     {contract.ActorBuilder, contract.ActorJudge, contract.ActorOwner},
	Round:    {contract.ActorJudge, contract.ActorOwner},
}

// CheckName refuses (BAD_ARGUMENT) a name that no event can carry.
func CheckName(name string) error {
	if problem := labelProblem(name, maxNameRunes); problem != "" {
		return refuse(BadArgument, "the caller's name "+problem, "give the name of who acts, such as with --as")
	}
	return nil
}

// check refuses a caller that cannot record the kind.
func (c Caller) check(kind Kind) error {
	if err := CheckName(c.Name); err != nil {
		return err
	}
	if !slices.Contains(writers[kind], c.Role) {
		return refuse(BadArgument, fmt.Sprintf("the role %s may not record a %s", quote(string(c.Role)), kind), "act as "+oneOf(writers[kind]))
	}
	return nil
}

func oneOf(roles []contract.Actor) string {
	names := make([]string, len(roles))
	for i, role := range roles {
		names[i] = string(role)
	}
	return strings.Join(names, " or ")
}

func checkSubmission(key string) error {
	if key == "" {
		return refuse(SubmissionMissing, "a recording needs a submission",
			"give a key of your own for this attempt; a retry under the same key is not recorded twice")
	}
	if problem := labelProblem(key, maxSubmissionRunes); problem != "" {
		return refuse(BadArgument, "the submission "+problem, "give a short key of letters and digits")
	}
	return nil
}

// labelProblem says why a text is no name or key: empty for one that is. One that looks
// like another is none, since who acted and what was retried is told by them.
func labelProblem(s string, most int) string {
	switch {
	case !utf8.ValidString(s):
		return "is not UTF-8"
	case strings.TrimSpace(s) == "":
		return "is blank"
	case strings.TrimSpace(s) != s:
		return "begins or ends with white space"
	case !norm.NFC.IsNormalString(s):
		return "is not in the Unicode form NFC, so that another one looks the same"
	case utf8.RuneCountInString(s) > most:
		return fmt.Sprintf("has more than %d characters", most)
	case strings.ContainsFunc(s, unicode.IsControl) || contract.HasHidden(s):
		return "holds invisible characters"
	case strings.ContainsRune(s, utf8.RuneError):
		return "holds U+FFFD, which stands for characters that are lost"
	}
	return ""
}
