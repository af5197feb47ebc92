package words

// Whether a mention is denied is a count of the negations that govern it: one
// denies ("no approval"), two affirm ("never runs without approval"). Negations are
// looked for before the mention up to the end of their scope, and after it in what
// the clause says of it ("approval is optional").

// negated says whether the text denies the mention [from, to).
func (p *Prose) negated(from, to int) bool {
	before, inner := p.negationsBefore(from)
	count := before + p.negationsAfter(to)
	if count%2 == 0 {
		return false
	}
	return !p.refused(from, to, inner)
}

// negator is a word, or two, that denies what follows it.
type negator struct {
	next map[string]bool // the words of which one must follow; nil for any
	// reach is how many words further it governs; 0 for all of its scope.
	reach int
}

// maxScope is how many words around a mention are looked at. No sentence that a
// person reads is longer; a hostile one would cost its length at every mention.
const maxScope = 80

// nearReach is how far the object of a verb such as "skips" stands from it.
const nearReach = 4

var negators = buildNegators()

func buildNegators() map[string]negator {
	table := map[string]negator{
		"instead": {next: set("of")}, "rather": {next: set("than")}, "lieu": {next: set("of")},
		"unable": {}, "impossible": {}, "free": {next: set("of from"), reach: nearReach},
		"absence": {next: set("of")}, "lack": {reach: nearReach}, "exempt": {next: set("from")},
		"unnecessary": {reach: nearReach}, "unsupported": {reach: 1}, "zero": {reach: 2},
	}
	for w := range set("not no never without neither nor none non nothing nobody hardly rarely seldom") {
		table[w] = negator{}
	}
	for w := range set("skip skips skipped skipping bypass bypasses bypassing omit omits omitting lacks lacking ignore ignores " +
		"ignoring avoid avoids avoiding disable disables disabling circumvent circumvents suppress suppresses waive waives " +
		"eliminate eliminates forgo forgoes missing") {
		table[w] = negator{reach: nearReach}
	}
	for w := range set("fail fails failing forget forgets refuse refuses neglect neglects") {
		table[w] = negator{next: set("to")}
	}
	return table
}

// harmlessAfter are the words after which a negator denies nothing: "not only",
// "no later than".
var harmlessAfter = map[string]map[string]bool{
	"not": set("only just merely simply limited"),
	"no":  set("later more less fewer sooner earlier greater larger matter doubt"),
}

// gapStops are the words that a gap in a pattern does not stand for.
var gapStops = set("not no never without neither nor none nothing zero but unless until except")

// negatorAt says whether word k denies the word at distance steps after it.
func (p *Prose) negatorAt(k, distance int) bool {
	n, ok := negators[p.words[k].text]
	if !ok || n.reach > 0 && distance > n.reach {
		return false
	}
	next := p.at(k + 1)
	if n.next != nil && !n.next[next] || harmlessAfter[p.words[k].text][next] {
		return false
	}
	// "whether or not" asks.
	return !(p.at(k-1) == "or" && p.at(k-2) == "whether")
}

// scopeEnds end the scope of every negation before them.
var scopeEnds = set("but however unless until till except although though whereas while because since otherwise so hence therefore")

// conditions end the scope of a negation too, but for a prohibition around another
// negation: "do not use when no approval token is present".
var conditions = set("when whenever if where once after before which who whose provided")

// prohibiting are the words before "not" that make it a prohibition.
var prohibiting = set("do does must should can may will shall would could might")

// negationsBefore counts the negations that govern word from; inner is the one
// nearest to it, -1 without any.
func (p *Prose) negationsBefore(from int) (count, inner int) {
	inner = -1
	onlyProhibitions := false
	for k := from - 1; k >= 0 && from-k <= maxScope && !p.scopeBreaks(k+1); k-- {
		if count > 0 && p.words[k+1].before == comma {
			if k = p.parallel(k+1, p.words[inner].text); k < 0 {
				return count, inner
			}
			continue
		}
		w := p.words[k].text
		switch {
		case scopeEnds[w]:
			return count, inner
		case conditions[w]:
			if count%2 == 0 {
				return count, inner
			}
			onlyProhibitions = true
		case coordinators[w]:
			if p.startsPredicate(k + 1) {
				return count, inner
			}
			if count > 0 {
				if k = p.parallel(k, p.words[inner].text); k < 0 {
					return count, inner
				}
			}
		case onlyProhibitions && w != "never" && !(w == "not" && prohibiting[p.at(k-1)]):
		case p.negatorAt(k, from-k):
			count++
			if inner < 0 {
				inner = k
			}
			if closesScope[w] {
				return count, inner
			}
		}
	}
	return count + p.deniedByHeading(from, count), inner
}

// closesScope are the negators that nothing before them adds to.
var closesScope = set("nor neither")

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
func (p *Prose) deniedByHeading(from, count int) int {
	start := p.back(from, clause)
	if count > 0 || start == 0 || p.words[start].before != clause {
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
