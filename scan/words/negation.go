package words

// Whether a mention is denied is a count of the negations that govern it: one
// denies ("no approval"), two affirm ("never runs without approval"). Negations are
// looked for before the mention up to the end of their scope, and after it in what
// the clause says of it ("approval is optional").

// stance is how a text stands to what it mentions.
type stance uint8

const (
	denied   stance = iota
	affirmed        // it says that there is such a thing
	demanded        // it says that nothing goes without it
)

// particles end phrases ("use this when") of which nothing is said: a negation after
// them belongs to what follows.
var particles = NewSet("when if for to only after before whenever once in as where by with from on at of that until unless")

// stance says how the text stands to the mention [from, to).
func (p *Prose) stance(from, to int) stance {
	before := p.scopeBefore(from)
	after, said := 0, to
	if readOnly := p.words[to-1].text == "only" && p.at(to-2) == "read"; readOnly || !particles[p.words[to-1].text] {
		after, said = p.negationsAfter(to)
	}
	count := before.negations + after
	switch {
	case p.asked(to), count%2 == 1 && !p.refused(from, said, before.inner):
		return denied
	case count > 0 || before.held:
		return demanded
	}
	return affirmed
}

// asked says whether the sentence that goes on at word to is a question; a question
// states nothing unless a yes answers it.
func (p *Prose) asked(to int) bool {
	limit := min(len(p.words), to+maxScope)
	for to < limit && p.words[to].before != sentence {
		to++
	}
	return p.words[to-1].question && p.at(to) != "yes"
}

// scope is what governs a mention from before it.
type scope struct {
	negations int
	// inner is the negation nearest to the mention, -1 without any.
	inner int
	// held: a negation holds until the mention ("not until approved").
	held bool
}

// negator is a word, or two, that denies what follows it.
type negator struct {
	next map[string]bool // the words of which one must follow; nil for any
	// reach is how many words further it governs; 0 for all of its scope.
	reach int
}

// maxScope is how many words around a mention are looked at. No sentence that a
// person reads is longer; a hostile one would cost its length at every mention.
const maxScope = 40

// nearReach is how far the object of a verb such as "skips" stands from it.
const nearReach = 4

var negators = buildNegators()

func buildNegators() map[string]negator {
	table := map[string]negator{
		"instead": {next: NewSet("of")}, "rather": {next: NewSet("than")}, "lieu": {next: NewSet("of")},
		"unable": {}, "impossible": {}, "free": {next: NewSet("of from"), reach: nearReach},
		"absence": {next: NewSet("of")}, "lack": {reach: nearReach}, "exempt": {next: NewSet("from")},
		"similar": {next: NewSet("to"), reach: nearReach}, "unlike": {reach: nearReach},
		"outside": {next: NewSet("the a an any its"), reach: 2}, "escape": {reach: 2}, "escapes": {reach: 2}, "escaping": {reach: 2},
		"forbidden": {}, "prohibited": {}, "illegal": {}, "disallowed": {},
		"unnecessary": {reach: nearReach}, "unsupported": {reach: 1}, "zero": {reach: 2},
	}
	for w := range NewSet("not no never without neither nor none non nothing nobody hardly rarely seldom") {
		table[w] = negator{}
	}
	for w := range NewSet("skip skips skipped skipping bypass bypasses bypassing omit omits omitting lacks lacking ignore ignores " +
		"ignoring avoid avoids avoiding disable disables disabling circumvent circumvents suppress suppresses waive waives " +
		"eliminate eliminates forgo forgoes missing assume assumes assuming presume presumes") {
		table[w] = negator{reach: nearReach}
	}
	for w := range NewSet("fail fails failing forget forgets refuse refuses neglect neglects") {
		table[w] = negator{next: NewSet("to")}
	}
	return table
}

// harmlessAfter are the words after which a negator denies nothing: "not only",
// "no later than".
var harmlessAfter = map[string]map[string]bool{
	"not": NewSet("only just merely simply"),
	"no":  NewSet("later more less fewer sooner earlier greater larger matter doubt"),
}

// harmlessAt says whether the word at k denies nothing because of the word after it.
func (p *Prose) harmlessAt(k int) bool {
	next := p.at(k + 1)
	if p.words[k].text == "not" && next == "limited" {
		return p.at(k-1) == "but" // "including but not limited to"
	}
	return harmlessAfter[p.words[k].text][next]
}

// gapStops are the words that a gap in a pattern does not stand for.
var gapStops = NewSet("not no never without neither nor none nothing zero but unless until except")

// negatorAt says whether word k denies the word at distance steps after it.
func (p *Prose) negatorAt(k, distance int) bool {
	n, ok := negators[p.words[k].text]
	if !ok || n.reach > 0 && distance > n.reach {
		return false
	}
	next := p.at(k + 1)
	// Where "only" begins the mention itself, "not" denies it: "not only SELECT".
	harmless := distance > 1 && p.harmlessAt(k)
	if n.next != nil && !n.next[next] || harmless {
		return false
	}
	// "whether or not" asks.
	return !(p.at(k-1) == "or" && p.at(k-2) == "whether")
}

// scopeEnds end the scope of every negation before them.
var scopeEnds = NewSet("but however unless until till except although though whereas while because since otherwise so hence therefore")

// conditions end the scope of a negation too, but for a prohibition around another
// negation: "do not use when no approval token is present".
var conditions = NewSet("when whenever if where once after before which who whose provided")

// prohibiting are the words before "not" that make it a prohibition.
var prohibiting = NewSet("do does must should can may will shall would could might")

// holding are the words that let a negation go on until what follows them.
var holding = NewSet("until till unless before except")

// scopeBefore looks for the negations that govern word from.
func (p *Prose) scopeBefore(from int) scope {
	s := scope{inner: -1}
	onlyProhibitions := false
	for k := from - 1; k >= 0 && from-k <= maxScope && !p.scopeBreaks(k+1); k-- {
		w := p.words[k].text
		joins := coordinators[w] && w != "nor" // "nor" denies what it joins
		if s.negations > 0 && (joins || p.words[k+1].before == comma) {
			if joins && p.startsPredicate(k+1) {
				return s
			}
			if k = p.parallel(k+1, p.words[s.inner].text); k < 0 {
				return s
			}
			continue
		}
		switch {
		case s.negations == 0 && holding[w]:
			s.held = p.hasNegator(k)
			return s
		case scopeEnds[w], joins && p.startsPredicate(k+1):
			return s
		case conditions[w]:
			if s.negations%2 == 0 {
				return s
			}
			onlyProhibitions = true
		case onlyProhibitions && w != "never" && !(w == "not" && prohibiting[p.at(k-1)]):
		case p.negatorAt(k, from-k):
			s.negations++
			if s.inner < 0 {
				s.inner = k
			}
			if closesScope[w] {
				return s
			}
		}
	}
	if s.negations == 0 {
		s.negations = p.deniedByHeading(from)
	}
	return s
}

// hasNegator says whether a negation governs the clause that ends before word k.
func (p *Prose) hasNegator(k int) bool {
	for i := k - 1; i >= 0 && k-i <= maxScope && p.words[i+1].before < clause; i-- {
		if scopeEnds[p.words[i].text] {
			return false
		}
		if p.negatorAt(i, k-i) {
			return true
		}
	}
	return false
}

// closesScope are the negators that nothing before them adds to.
var closesScope = NewSet("nor neither")

// parallel finds, before the coordinator at k, the same negator as the one counted
// after it ("without approval and without a preview"): the two are one negation.
// Without such, what stands before the coordinator governs nothing after it: -1.
func (p *Prose) parallel(k int, negator string) int {
	limit := k - maxScope
	for k--; k >= 0 && k > limit && p.words[k+1].before < clause; k-- {
		if p.words[k].text == negator {
			return k
		}
	}
	return -1
}

// headings are what stands before a colon and denies the list after it.
var headings = MustPhrases("not supported|available|provided|offered|required|needed|possible|included|implemented",
	"unsupported|unavailable|missing|without|lacks|lacking|none|never", "no longer supported|available|required")

// deniedByHeading counts a heading that denies ("Not supported: dry run, undo").
func (p *Prose) deniedByHeading(from int) int {
	start := p.back(from, clause)
	if start == 0 || p.words[start].before != clause {
		return 0
	}
	head := p.back(start-1, comma)
	if to, ok := headings.matchAt(p.words, head); ok && to == start {
		return 1
	}
	return 0
}

// scopeBreaks says whether the break before word i ends a negation's scope. A comma
// does, except between the items of a list ("no preview, dry run, or undo").
func (p *Prose) scopeBreaks(i int) bool {
	switch p.words[i].before {
	case joined:
		return false
	case comma:
		return !p.listItem(i)
	default:
		return true
	}
}
