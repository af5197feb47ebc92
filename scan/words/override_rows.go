package words

import (
	"slices"
	"strings"
)

// The words that several rows share.
const (
	forgets  = "ignore|ignoring|disregard|disregarding|forget"
	earlier  = "previous|prior|preceding|earlier|above|foregoing|past|former|initial|original"
	guidance = "instructions|instruction|prompt|prompts|directive|directives|directions"
	forbids  = "not|never|dont|without|avoid"
	firmly   = "ever|under|any|circumstance|circumstances|condition|conditions|explicitly|directly|in|way|please|ask|or|," + "*"
	the      = "the|your|a|any|this|that?"
	reader   = "user|human|person|operator"
	anybody  = reader + "|users|anyone|anybody|owner"
	taking   = "read|open|cat|load|fetch|get|retrieve|collect|copy|dump|print|base64|send|include|pass|upload|attach|append|forward|post|paste|exfiltrate|leak"
	passing  = "send|include|pass|put|paste|append|attach|write|add|forward|insert|post"
	keyFiles = ".ssh|.gnupg|.netrc"
)

// overrides are the families of text that overrides the user. A row is words divided
// by spaces, matched against folded text: `a|b` is either, a trailing `?` makes a word
// optional, `*` lets it stand any number of times, `...` is up to eight words of the same
// clause. An apostrophe is left out (dont), a path is its parts.
var overrides = []overrideFamily{
	{
		name: "earlier instructions",
		needs: [][]string{
			{"ignor", "disregard", "forget", "overrid", "bypass", "follow", "obey"},
			{"instruction", "prompt", "direct", "told", "guideline", "rule", "everything", "orders"},
		},
		rows: newOverrideRows(
			forgets+" all|any|every|of|the|your|my|these|those* "+earlier+"|existing|other|system|developer|safety "+
				earlier+"|user|system|developer|safety|and|or* "+guidance,
			"override|bypass all|any|of|the|your* "+earlier+" "+earlier+"|user|system|safety|and|or* "+guidance,
			forgets+"|override|bypass all|any? of? your "+earlier+"|system|safety? "+guidance+"|guidelines|training|rules",
			forgets+" all|any of? the? "+guidance,
			forgets+" the? "+guidance+" above|before|so|given|you|from",
			forgets+" all|everything|what|anything ... you were|have told|been|instructed",
			"disregard|forget everything above",
			forgets+" all|any? of? the? "+earlier+" safety|system? rules|guidelines you",
			"not|never|dont follow|obey the|your|any|a* users|user|system|developer|"+earlier+" "+guidance+"|orders",
			"not|never|dont follow|obey the|any|all|your* instructions|orders of|from|by the|your|a? user|system|developer",
		),
		excused: notOrderedToForget,
		joined:  []string{foldedComma, paragraphEnd},
	},
	{
		name: "secrecy",
		needs: [][]string{
			{"not", "never", "n't", "nt ", "without", "avoid", "hid", "secret", "conceal"},
			{"user", "human", "person", "operator", "any", "owner", "mention", "reveal", "disclose"},
		},
		rows: newOverrideRows(
			forbids+" "+firmly+" tell|telling "+the+" "+anybody,
			"without telling|informing "+the+" "+anybody,
			forbids+" "+firmly+" inform|informing|alert|alerting "+the+" "+anybody+" about|of|that|what|why|how|when|anything",
			forbids+" "+firmly+" let|letting "+the+" "+anybody+" know|see|notice|find|realize|realise",
			forbids+" "+firmly+" mention|mentioning|reveal|revealing|disclose|disclosing|admit|show|showing|display|displaying ... to "+the+" "+reader,
			"not|never|dont "+firmly+" mention|reveal|disclose|admit that you",
			"not|never|dont "+firmly+" mention|reveal|disclose this|the tool|step|instruction|instructions|note",
			"not|never|dont "+firmly+" mention this|it|these|any to|in|when|anywhere",
			forbids+" "+firmly+" show|showing "+the+" "+reader+" this|that|these|those|any|anything|what|how|it|which|your|its",
			"hide|hiding|conceal|concealing this|it|these|that|them|the|your|all|any ... from "+the+" "+reader,
			"keep|keeping this|it|these|that|them|the ... hidden|secret from|to "+the+" "+reader,
			reader+" must|should|shall|may not|never know|notice|learn|find about|that|out|of|this",
			reader+" must|should|shall|may not|never be told|aware",
		),
		excused: describesBehaviour,
	},
	{
		name:  "other tools",
		needs: [][]string{{"tool", "function"}, {"must", "always", "never", "you", "need"}},
		rows: newOverrideRows(
			"before|after|prior to? you? using|calling|invoking|running|executing|use|call|invoke|run|the? use|call? of? any|every|each|all of? the? other ... tool|tools|function|functions ... must|always",
			"before|after|prior to? you? using|calling|invoking|running|executing|use|call|invoke|run|the? use|call? of? any|every|each|all of? the? other ... tool|tools|function|functions ... have|need|are to",
			"whenever|when|every|each|if time? you? use|call|invoke|run|using|calling another|any|every other? other|mcp? tool|function you? must|always",
			"when|if|once|while this tool|server is|becomes available|present|loaded|installed|connected ... must|always|never",
		),
		excused: asksForLogin,
		joined:  []string{foldedComma},
	},
	{
		name:  "secrets",
		needs: [][]string{{".ssh", "id_", "id rsa", "id ed", ".gnupg", ".netrc", "shadow", ".aws", ".git"}},
		rows: newOverrideRows(
			taking+" ... "+keyFiles,
			taking+" ... id rsa|ed25519|ecdsa|dsa",
			taking+" ... etc shadow",
			taking+" ... .aws|.git credentials",
		),
		excused: takesNothing,
		joined:  []string{foldedComma},
	},
	{
		name: "secrets",
		needs: [][]string{
			{"key", "token", "credential", "password", "secret"},
			{"you", "found", "store", "save"},
		},
		rows: newOverrideRows(
			taking + " all|any|every|the|your|users ... keys|key|tokens|credentials|passwords|secrets you|found|stored|saved can|could|have|find|know|in|on|from",
		),
		excused: takesNothing,
		joined:  []string{foldedComma},
	},
	{
		name:  "secrets",
		needs: [][]string{{"key", "token", "credential", "password", "secret"}, {"not"}},
		rows: newOverrideRows(
			passing+" ... api|private|secret|ssh|access key|keys|token|tokens in|as|into|to|with the|a|this* note|notes|sidenote|sidenotes",
			passing+" ... password|passwords|credential|credentials|secrets in|as|into|to|with the|a|this* note|notes|sidenote|sidenotes",
		),
		excused: takesNothing,
		joined:  []string{foldedComma},
	},
	{
		name: "secrets",
		needs: [][]string{
			{".env", "environment", "passwd", "mcp.json", ".kube", ".docker", ".aws", ".npmrc", "history", "config.json"},
		},
		rows: newOverrideRows(
			taking+" ... .env|mcp.json|.npmrc",
			taking+" ... etc passwd",
			taking+" ... .kube|.docker|.aws config|config.json",
			taking+" ... .bash|.zsh history",
			taking+" ... claude desktop config.json",
			"read|dump|print|collect|copy|exfiltrate|leak ... environment variable|variables|value|values",
			taking+" ... your|users|all|every|current|local|host|process system? environment variable|variables|value|values",
			taking+" ... value|values|contents of ... environment variable|variables",
		),
		excused: takesInPassing,
		joined:  []string{foldedComma},
	},
}

// notOrderedToForget excuses the denied ("do not ignore previous instructions") and
// the described ("detects prompts that ask to ignore previous instructions").
func notOrderedToForget(m mention) bool {
	last := m.last(1)
	if forbidding[last] || describedOption(m) {
		return true
	}
	return last == "to" && detects.MatchString(strings.Join(m.before, " "))
}

var (
	forbidding = NewSet("not never dont cannot cant wont doesnt without")
	// describing are the words before "not" in a text that tells what something does.
	describing  = NewSet("does did do will would can could is are was were has have")
	optionWords = NewSet("whether true false flag boolean")
	optionLeads = NewSet("if when")
	optionSet   = NewSet("set enabled present specified")
)

// describedOption says whether the sentence describes what an option does ("if true,
// …", "whether to …").
func describedOption(m mention) bool {
	if optionWords.Any(m.before) {
		return true
	}
	return len(m.before) > 1 && optionLeads[m.before[0]] && optionSet[m.before[1]]
}

// describesBehaviour excuses what an option or the tool does ("it does not tell the
// user …"); "do not" is an order.
func describesBehaviour(m mention) bool {
	return m.words[0] == "not" && m.last(1) != "do" && describing[m.last(1)] || describedOption(m)
}

var (
	logins = NewSet("authenticate login log sign authorize connect")
	duties = NewSet("must always have need are to first be")
)

// asksForLogin excuses "before using any other tool you must log in".
func asksForLogin(m mention) bool {
	for _, w := range m.after {
		if !duties[w] {
			return logins[w]
		}
	}
	return false
}

var (
	exemplary   = NewSet("such example eg e.g like")
	able        = NewSet("can could may will would does might")
	obliged     = NewSet("need have required sure remember forget going instructed told important necessary")
	publicParts = NewSet("known known_hosts")
	pressing    = NewSet("must always first please important secretly silently also need should before then")
	// passingVerbs pass on what they take, which no tool needs of the list of users.
	passingVerbs = NewSet(strings.ReplaceAll(passing, "|", " "))
	passingOn    = NewSet("pass send include put paste append attach forward upload content contents sidenote note")
)

// takesNothing excuses a file or key that is denied, an example, public, or what the
// tool is said to read.
func takesNothing(m mention) bool {
	last := m.last(1)
	switch {
	case forbidding[last] || able[last] || exemplary.Any(m.words) || isPublic(m.after):
		return true
	case last == "to":
		return !obliged[m.last(2)]
	case len(m.words) > 1 && m.words[1] == "from":
		return !pressed(m)
	}
	return false
}

// takesInPassing excuses, beside that, every mention without an order or a place to
// send it to: a configuration file is what many tools need.
func takesInPassing(m mention) bool {
	return takesNothing(m) || !pressed(m) && !(passingVerbs[m.words[0]] && slices.Contains(m.words, "passwd"))
}

func pressed(m mention) bool { return pressing.Any(m.before) || passingOn.Any(m.after) }

func isPublic(after []string) bool {
	for _, w := range after[:min(len(after), 3)] {
		if publicParts[w] || strings.HasSuffix(w, ".pub") {
			return true
		}
	}
	return false
}
