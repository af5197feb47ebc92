package scan

import (
	"regexp"
	"strings"

	"github.com/plumbline-mcp/plumbline/scan/words"
)

// pathParts are the segments of a path template, without media suffixes; a custom
// verb after a colon ("{id}:cancel") is a segment of its own.
type pathParts []string

var mediaSuffix = regexp.MustCompile(`\.(json|xml|yaml|yml|csv|html|txt|\{format\}|\{ext\})$`)

func parsePath(path string) pathParts {
	var out pathParts
	for _, seg := range strings.Split(strings.Trim(path, "/"), "/") {
		seg = mediaSuffix.ReplaceAllString(seg, "")
		before, verb, found := strings.Cut(seg, ":")
		if found && before != "" && verb != "" {
			out = append(out, before, verb)
		} else if seg != "" {
			out = append(out, seg)
		}
	}
	return out
}

func isParameter(segment string) bool { return strings.Contains(segment, "{") }

func (p pathParts) last() string {
	if len(p) == 0 {
		return ""
	}
	return p[len(p)-1]
}

// lastStatic gives the last segment that is no parameter.
func (p pathParts) lastStatic() string {
	for i := len(p) - 1; i >= 0; i-- {
		if !isParameter(p[i]) {
			return p[i]
		}
	}
	return ""
}

func (p pathParts) endsInParameter() bool { return isParameter(p.last()) }

func (p pathParts) hasParameter() bool {
	for _, s := range p {
		if isParameter(s) {
			return true
		}
	}
	return false
}

var (
	healthSegments  = map[string]bool{"health": true, "healthz": true, "live": true, "livez": true, "liveness": true, "ready": true, "readyz": true, "readiness": true, "ping": true, "status": true}
	webhookSegments = map[string]bool{"webhook": true, "webhooks": true, "callback": true, "callbacks": true}
)

func (p pathParts) isHealth() bool {
	return !p.hasParameter() && healthSegments[strings.ToLower(p.last())]
}

func (p pathParts) hasWebhook() bool {
	for _, s := range p {
		if webhookSegments[strings.ToLower(s)] {
			return true
		}
	}
	return false
}

// action reads what a POST on the path does off its last segment: a verb at its end,
// an action noun, or a neutral verb with the segment before as its object (rules page,
// section 3, step 2).
func (p pathParts) action() (decision, bool) {
	if len(p) == 0 || p.endsInParameter() {
		return decision{}, false
	}
	name := parseName(p.last(), "")
	ws := name.words
	if len(ws) == 0 {
		return decision{}, false
	}
	v, ok := words.LookupVerb(ws[len(ws)-1])
	if !ok || (v.Noun && len(ws) > 1) {
		d := nounAction(ws)
		return d, d.action != ""
	}
	object := ws[:len(ws)-1]
	if len(object) == 0 {
		object = append(name.before, words.Split(p[:len(p)-1].lastStatic())...)
	}
	d := decision{action: headOf(v, object), verb: v}
	if lead := leadingVerb(ws); d.action != "" && moreDangerous(lead.action, d.action) {
		d = lead // "mark-read" marks
	}
	return d, d.action != ""
}

// nounAction reads the action noun at the end of a segment. Where the segment begins
// with another verb ("verify-email", "getMessages") the noun is that verb's object: the
// verb counts if it is the more dangerous, else neither does here.
func nounAction(ws []string) decision {
	noun := decision{action: Action(words.ObjectAction(ws))}
	lead := leadingVerb(ws)
	switch {
	case noun.action == "" || lead.action == "" || lead.action == noun.action:
		return noun
	case moreDangerous(lead.action, noun.action):
		return lead
	}
	return decision{}
}

// leadingVerb reads the verb that a segment of several words begins with:
// "list-messages" begins with one, "wire-transfers" with a noun. A neutral verb takes
// its action from what follows.
func leadingVerb(ws []string) decision {
	v, ok := words.LookupVerb(ws[0])
	if !ok || len(ws) == 1 || v.Neutral || (v.Noun && !v.Handles()) {
		return decision{}
	}
	return decision{action: headOf(v, ws[1:]), verb: v}
}

// leadingAction reads the last segment as a name that begins with a verb
// ("send-email", "chat.postMessage"): for a POST that nothing else describes.
func (p pathParts) leadingAction() (decision, bool) {
	if len(p) == 0 || p.endsInParameter() {
		return decision{}, false
	}
	d, ok := parseName(p.last(), "").decide(words.Verb{})
	return d, ok && d.action != "" && d.verb.Plain()
}
