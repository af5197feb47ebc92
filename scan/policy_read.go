package scan

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/pb33f/go-yaml"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/scan/node"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// What a policy file may hold.
const (
	maxReason = 1000 // characters
	maxGlob   = 200  // characters
	// maxPolicyProblems is how many problems are told of one file: where YAML names a part
	// many times, there are more than anybody reads.
	maxPolicyProblems = 100
)

// ReadPolicy reads a policy file, whose File is left for the caller to set. Its error is
// a *[PolicyError] with what is wrong.
func ReadPolicy(data []byte) (*Policy, error) {
	r := &policyReader{}
	root, err := parsePolicy(data)
	if err != nil {
		r.problems = append(r.problems, err)
		return nil, r.err()
	}
	policy := &Policy{}
	if !node.IsNull(root) {
		members(r, root, "a policy file", policyMembers, policy)
	}
	r.checkWaivers(policy)
	return policy, r.err()
}

// parsePolicy gives the root of the one YAML document in data; nil for an empty one.
func parsePolicy(data []byte) (*yaml.Node, *surface.ReadError) {
	var broken *surface.ReadError
	if err := node.CheckUTF8(data); errors.As(err, &broken) {
		return nil, broken
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var first, second yaml.Node
	if err := dec.Decode(&first); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, node.YAMLError(err)
	}
	switch err := dec.Decode(&second); {
	case err == nil:
		return nil, &surface.ReadError{Message: "a second YAML document begins here", Hint: "keep one policy a file", Line: second.Line, Column: second.Column}
	case !errors.Is(err, io.EOF):
		return nil, node.YAMLError(err)
	}
	return node.New("", &first).Root, nil
}

// policyReader collects what is wrong with a policy file, and stops where that is too much.
type policyReader struct {
	problems []*surface.ReadError
	cut      bool         // whether there are more
	waived   []*yaml.Node // the items of Policy.Waivers
}

func (r *policyReader) err() error {
	if len(r.problems) == 0 {
		return nil
	}
	slices.SortStableFunc(r.problems, func(a, b *surface.ReadError) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return &PolicyError{Problems: r.problems, Cut: r.cut}
}

func (r *policyReader) fail(at *yaml.Node, hint, format string, args ...any) {
	if r.cut = r.cut || len(r.problems) == maxPolicyProblems; r.cut {
		return
	}
	r.problems = append(r.problems, &surface.ReadError{
		Message: fmt.Sprintf(format, args...), Hint: hint, Line: at.Line, Column: at.Column,
	})
}

// member is one key of a mapping, and what reads its value into a T.
type member[T any] struct {
	name string
	read func(r *policyReader, value *yaml.Node, into *T)
}

var policyMembers = []member[Policy]{
	{"min_score", func(r *policyReader, n *yaml.Node, p *Policy) { p.MinScore = r.whole(n, "min_score", 100) }},
	{"fail_on", (*policyReader).failOn},
	{"max_tokens", func(r *policyReader, n *yaml.Node, p *Policy) { p.MaxTokens = r.whole(n, "max_tokens", maxTokens) }},
	{"rules", (*policyReader).rules},
	{"waivers", (*policyReader).waivers},
}

var waiverMembers = []member[agentready.Waiver]{
	{"rule", func(r *policyReader, n *yaml.Node, w *agentready.Waiver) { w.Rule = r.rule(n) }},
	{"tool", func(r *policyReader, n *yaml.Node, w *agentready.Waiver) { w.Tool = r.glob(n) }},
	{"reason", func(r *policyReader, n *yaml.Node, w *agentready.Waiver) { w.Reason = r.reason(n) }},
	{"expires", func(r *policyReader, n *yaml.Node, w *agentready.Waiver) { w.Expires = r.day(n) }},
	{"definition", func(r *policyReader, n *yaml.Node, w *agentready.Waiver) { w.Definition = r.fingerprint(n) }},
}

// members reads a mapping by its table, and gives the keys that it has.
func members[T any](r *policyReader, n *yaml.Node, what string, table []member[T], into *T) map[string]bool {
	has := map[string]bool{}
	r.pairs(n, what, func(key, value *yaml.Node) {
		for _, m := range table {
			if m.name == key.Value {
				has[m.name] = true
				m.read(r, value, into)
				return
			}
		}
		names := make([]string, len(table))
		for i, m := range table {
			names[i] = m.name
		}
		r.fail(key, "use "+agentready.Choice(names), "unknown key %q in %s: did you mean %s?", shorten(key.Value), what, nearest(key.Value, names))
	})
	return has
}

// pairs goes through a mapping, whose keys must be texts, each once.
func (r *policyReader) pairs(n *yaml.Node, what string, each func(key, value *yaml.Node)) {
	n = target(n)
	if !node.IsMap(n) {
		r.fail(n, "write `key: value` lines", "%s must be a mapping", what)
		return
	}
	lines := map[string]int{}
	for i := 0; i+1 < len(n.Content) && !r.cut; i += 2 {
		key, value := target(n.Content[i]), target(n.Content[i+1])
		if key.Kind != yaml.ScalarNode {
			r.fail(key, "use plain words for keys", "a key of %s is not a text", what)
			continue
		}
		if line := lines[key.Value]; line > 0 {
			r.fail(n.Content[i], "keep one of them", "the key %q stands in line %d already", shorten(key.Value), line)
			continue
		}
		lines[key.Value] = n.Content[i].Line
		each(key, value)
	}
}

// decimal are the numbers that every version of YAML reads alike: 060 is 48 to some.
var decimal = regexp.MustCompile(`^[-+]?(0|[1-9][0-9]*)(\.[0-9]*)?([eE][-+]?[0-9]+)?$`)

// whole is a whole number from 0 to most; nil for anything else. name is its key.
func (r *policyReader) whole(n *yaml.Node, name string, most int) *int {
	number, ok := node.Number(n)
	hint := ""
	if ok && !decimal.MatchString(n.Value) {
		ok, hint = false, "write it in decimal, without a leading zero"
	}
	if !ok || number != math.Trunc(number) || number < 0 || number > float64(most) {
		r.fail(n, hint, "%s must be a whole number from 0 to %d", name, most)
		return nil
	}
	whole := int(number)
	return &whole
}

func (r *policyReader) failOn(n *yaml.Node, p *Policy) {
	s, _ := node.String(n)
	severity, err := agentready.ParseFailOn(s)
	if err != nil {
		r.fail(n, "", "fail_on must be %s", agentready.Choice(agentready.FailOnValues()))
		return
	}
	p.FailOn = &severity
}

// ruleSeverities are what a rule may be given.
var ruleSeverities = []agentready.Severity{agentready.Off, agentready.Low, agentready.Medium, agentready.High, agentready.Critical}

func (r *policyReader) rules(n *yaml.Node, p *Policy) {
	if node.IsNull(n) {
		return
	}
	p.Rules = map[string]agentready.Severity{}
	lines := map[string]int{}
	r.pairs(n, "`rules`", func(key, value *yaml.Node) {
		code := r.rule(key)
		s, _ := node.String(value)
		switch {
		case code == "":
		case lines[code] > 0:
			r.fail(key, "keep one of them", "%s has a severity in line %d already", code, lines[code])
		case !slices.Contains(ruleSeverities, agentready.Severity(s)):
			r.fail(value, "", "the severity of %s must be %s", key.Value, agentready.Choice(ruleSeverities))
		default:
			p.Rules[code], lines[code] = agentready.Severity(s), key.Line
		}
	})
}

func (r *policyReader) waivers(n *yaml.Node, p *Policy) {
	if node.IsNull(n) {
		return
	}
	if !node.IsSeq(n) {
		r.fail(n, "write each waiver as `- rule: …`", "`waivers` must be a list")
		return
	}
	for _, item := range n.Content {
		if r.cut {
			return
		}
		at := item
		w := agentready.Waiver{Line: at.Line}
		item = target(item)
		problems := len(r.problems)
		has := members(r, item, "a waiver", waiverMembers, &w)
		if node.IsMap(item) {
			for _, name := range []string{"rule", "tool", "reason"} {
				if !has[name] {
					r.fail(item, "add `"+name+": …`", "the waiver has no %s", name)
				}
			}
		}
		if len(r.problems) == problems {
			p.Waivers, r.waived = append(p.Waivers, w), append(r.waived, at)
		}
	}
}

// checkWaivers checks what takes the whole file: what is critical, and what stands
// there twice.
func (r *policyReader) checkWaivers(p *Policy) {
	type same struct{ rule, tool, definition string }
	lines := map[same]int{}
	for i, w := range p.Waivers {
		at := r.waived[i]
		if w.Expires == "" && p.weighs(w.Rule) == agentready.Critical {
			r.fail(at, "add `expires: …`, a day", "the waiver of %s has no expires, which critical findings need", w.Rule)
		}
		key := same{w.Rule, w.Tool, w.Definition}
		if line := lines[key]; line > 0 {
			r.fail(at, "keep one of them", "the waiver in line %d is for the same rule and tool", line)
			continue
		}
		lines[key] = w.Line
	}
}

// weighs is the most that a finding of a rule code or finding code can weigh.
func (p *Policy) weighs(code string) agentready.Severity {
	most := agentready.Off
	for _, rule := range rules {
		if s := p.severity(rule.RuleInfo); (rule.Code == code || rule.Finding == code) && s.Rank() > most.Rank() {
			most = s
		}
	}
	return most
}

// text is a text that is not blank; what names it in errors.
func (r *policyReader) text(n *yaml.Node, what string, most int) string {
	s, ok := node.String(n)
	switch {
	case !ok || strings.TrimSpace(s) == "":
		r.fail(n, "", "the %s of a waiver must be a text that is not empty", what)
	case len([]rune(s)) > most:
		r.fail(n, "shorten it", "the %s of a waiver has more than %d characters", what, most)
	default:
		return s
	}
	return ""
}

func (r *policyReader) reason(n *yaml.Node) string {
	return strings.TrimSpace(r.text(n, "reason", maxReason))
}

// rule is a rule code or finding code in full; empty where there is none such.
func (r *policyReader) rule(n *yaml.Node) string {
	s, _ := node.String(n)
	code, near := FindRule(s)
	if code == "" {
		r.fail(n, "`plumbline rules` lists all", "there is no rule %q: did you mean %s?", shorten(s), near)
	}
	return code
}

func (r *policyReader) glob(n *yaml.Node) string {
	s := r.text(n, "tool", maxGlob)
	if err := CheckGlob(s); s != "" && err != nil {
		r.fail(n, "", "the tool of a waiver: %v", err)
	}
	return s
}

func (r *policyReader) day(n *yaml.Node) string {
	s, _ := node.String(n)
	if _, err := ParseDay(s); err != nil {
		r.fail(n, "", "expires: %v", err)
		return ""
	}
	return s
}

// ParseDay reads a day, such as the last one of a waiver.
func ParseDay(s string) (time.Time, error) {
	day, err := time.Parse(dayForm, s)
	if err != nil {
		return time.Time{}, fmt.Errorf("%q is no day: write it as 2026-12-31", shorten(s))
	}
	return day, nil
}

func (r *policyReader) fingerprint(n *yaml.Node) string {
	s, _ := node.String(n)
	if !fingerprintForm.MatchString(s) {
		r.fail(n, "`plumbline waive` fills it in", "definition must be sha256: and 12 hex digits, as an export has it")
	}
	return s
}

// target is the node that an alias stands for, and every other node itself.
func target(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		return n.Alias
	}
	return n
}
