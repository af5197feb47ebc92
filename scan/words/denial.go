package words

// What a clause says of a mention after it: "approval is not required".

// maxPredicate is how many words after a mention may say something of it.
const maxPredicate = 10

// fillers stand between a mention and what is said of it: "approval by a person is".
var fillers = NewSet("step steps flow flows mode option flag parameter field prompt dialog process request requests token tokens " +
	"support feature of by from a an the any human user users manager admin operator person for this these operation " +
	"operations action actions call calls tool tools endpoint here mechanism functionality " +
	"capability period confirmation confirmations approval approvals preview previews run runs undo restore review check gate workflow rule guarantee guarantees protection isolation")

// maxObject is how many words beside the fillers a mention's own object may have:
// "restore of older file versions is".
const maxObject = 3

// objectStarts begin such an object.
var objectStarts = NewSet("of for by from in to on with")

// auxiliaries and adverbs lead to a predicate.
var auxiliaries = NewSet("is are was were be been being has have had will would can could may might must shall should does do did " +
	"currently yet still also always generally usually ever therefore simply even completely entirely deliberately " +
	"intentionally made considered deemed")

// denyingPredicates deny what they are said of.
var denyingPredicates = NewSet("optional unnecessary unavailable unsupported impossible disabled skipped bypassed omitted missing " +
	"absent waived ignored planned coming unneeded redundant off circumvented avoided dropped suppressed")

// gone deny what they are said of, but not what is said of its object ("a preview of
// what is removed").
var gone = NewSet("removed retired discontinued abandoned")

// directDenials deny what they directly follow: "requires no approval", "confirmation free".
var directDenials = NewSet("no nothing none neither zero nobody free")

// negationsAfter counts the negations in what is said of the mention that ends
// before word to; end is where the last of them ends.
func (p *Prose) negationsAfter(to int) (count, end int) {
	end = to
	if to >= len(p.words) {
		return 0, to
	}
	if p.words[to].before != joined {
		return p.denialFragment(to)
	}
	if directDenials[p.words[to].text] && !p.harmlessAt(to) && p.at(to+1) != "of" {
		return 1, to + 1
	}
	verb, object := false, 0
	if determiners[p.at(to-1)] {
		object = 1 // "restoring a deleted file is"
	}
	for k := to; k < len(p.words) && k < to+maxPredicate; k++ {
		w := p.words[k]
		switch {
		case w.before != joined:
			return count, end
		case auxiliaries[w.text]:
			verb = true
		case w.text == "not" || w.text == "never" || w.text == "no" && p.at(k+1) == "longer":
			if p.harmlessAt(k) || !verb && (determiners[p.at(k+1)] || object > 0) {
				return count, end // "by a person not the agent"
			}
			count, end, verb = count+1, k+1, true
		case denyingPredicates[w.text] && (verb || object == 0):
			return count + 1, k + 1
		case gone[w.text] && verb && object == 0:
			return count + 1, k + 1
		case w.text == "longer":
		case !verb && objectStarts[w.text]:
			object = 1
		case !verb && fillers[w.text]:
		case !verb && object > 0 && object <= maxObject && !conditions[w.text] && w.text != "that" && !coordinators[w.text]:
			object++
		default:
			return count, end
		}
	}
	return count, end
}

// denials are whole answers after a colon or in parentheses.
var denials = MustPhrases(
	"is|are? not|never yet? required|needed|supported|available|possible|provided|offered|implemented|necessary|applicable|yet",
	"is|are? no longer required|needed|supported|available|possible",
	"none|no|never|not|unavailable|unsupported|unnecessary|optional|disabled|impossible|off")

// denialFragment counts a whole answer that denies: "Dry run: not supported".
func (p *Prose) denialFragment(i int) (count, end int) {
	if p.words[i].before != clause {
		return 0, i
	}
	if to, ok := denials.matchAt(p.words, i); ok && p.startsClause(to) {
		return 1, to
	}
	return 0, i
}

// refusals say that a call does not go through: what is called so "without
// approval" does need it.
var refusals = MustPhrases(
	"is|are|be|gets|get|being rejected|refused|denied|blocked|declined|forbidden|prohibited|disallowed|discarded|dropped|invalid",
	"is|are|be|will|does|do|can|must|may|has|have not be? allowed|permitted|accepted|executed|processed|run|sent|proceed|performed|possible|valid|honoured|honored|authorized|completed|work|succeed|go",
	"fail|fails|failing|rejects|reject|refuses|refuse|denies|deny|blocks|block|aborts|abort|errors|stops|halts",
	"return|returns|raises|throws|get|gets|receive|receives|answers|answered|with an|a? error|400|401|403|409|412|422|428",
	"error if|when|unless|for|without", "returns|return ... error",
)

// refused says whether the call that has no such control is refused, before the
// mention ("rejects requests without approval") or after what is said of it.
func (p *Prose) refused(from, said, inner int) bool {
	start := from
	for start > 0 && from-start < maxScope && p.words[start].before == joined && !p.endsStatement(start-1) {
		start--
	}
	for k := start; k < from; k++ {
		// A refusal after the negation is no refusal: "without rejecting".
		if end, ok := p.refusalAt(k); ok && (inner < 0 || end <= inner+1) {
			return true
		}
	}
	fronted := fronting[p.words[start].text] || p.words[start].text == "without"
	return p.refusedAfter(said, fronted)
}

// refusedAfter looks for a refusal from word to on: in the same clause, or, where
// that clause is fronted, after its comma ("Without approval, the call is rejected").
func (p *Prose) refusedAfter(to int, fronted bool) bool {
	for k := to; k < len(p.words) && k < to+maxScope; k++ {
		switch {
		case p.words[k].before > comma || p.endsStatement(k) || conditions[p.words[k].text]:
			return false
		case p.words[k].before == comma && !fronted:
			return false
		case p.words[k].before == comma:
			fronted = false
		}
		if _, ok := p.refusalAt(k); ok {
			return true
		}
	}
	return false
}

// refusalAt returns the end of a refusal at word k; "fails to" is none.
func (p *Prose) refusalAt(k int) (end int, ok bool) {
	end, ok = refusals.matchAt(p.words, k)
	return end, ok && p.at(end) != "to"
}

// endsStatement says whether word k ends what a clause states: "but", "and cannot".
func (p *Prose) endsStatement(k int) bool {
	w := p.words[k].text
	return scopeEnds[w] || coordinators[w] && p.startsPredicate(k+1)
}
