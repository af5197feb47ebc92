package words

// coordinators join words, or whole predicates.
var coordinators = NewSet("and or nor")

// finite are words that only stand in a predicate, or begin one.
var finite = NewSet("is are was were am has have had does did can could may might must shall should will would " +
	"requires needs asks supports offers provides allows returns deletes sends creates makes moves keeps stores shows gives " +
	"takes triggers prompts waits confirms restores runs goes lets enables accepts produces expects includes contains works " +
	"performs executes removes publishes pays remains becomes fails rejects refuses blocks aborts logs emails notifies respects " +
	"follows keeps leaves affects applies accepts serves writes reads seems means " +
	"it they you we he she there this these those")

// openers begin a predicate or an order where they stand first after a break or a
// coordinator.
var openers = NewSet("always please then only first also use call require ensure wait set pass provide consider instead just")

// orders begin an order after a comma; after "and" and "or" they may share the
// negation before them ("does not ask or confirm").
var orders = NewSet("ask request get obtain show make check verify see present prefer send")

// determiners follow a verb: "previews the change".
var determiners = NewSet("the a an this that these those its their your each every all any what which it them you to for whether")

// back returns the first word of the run that ends with word i and that no break
// as strong as b divides.
func (p *Prose) back(i int, b boundary) int {
	limit := i - maxScope
	for i > 0 && i > limit && p.words[i].before < b {
		i--
	}
	return i
}

// segmentEnd returns the end of the run of words from i on that no break, no
// coordinator and no end of scope divides.
func (p *Prose) segmentEnd(i int) int {
	limit := i + maxScope
	for i++; i < len(p.words) && i < limit; i++ {
		w := p.words[i]
		if w.before != joined || coordinators[w.text] || scopeEnds[w.text] || conditions[w.text] {
			break
		}
	}
	return i
}

// isFinite says whether word i is the verb or the subject of a predicate.
func (p *Prose) isFinite(i int) bool {
	w := p.words[i].text
	if finite[w] {
		return true
	}
	third := len(w) > 3 && w[len(w)-1] == 's' && w[len(w)-2] != 's'
	return third && i+1 < len(p.words) && p.words[i+1].before == joined && determiners[p.words[i+1].text]
}

// hasFinite says whether a finite verb stands in [i, end).
func (p *Prose) hasFinite(i, end int) bool {
	for ; i < end; i++ {
		if p.isFinite(i) {
			return true
		}
	}
	return false
}

// startsPredicate says whether a new predicate begins at word i, right after a
// coordinator: "requires approval and cannot be undone". After "or" only a verb
// itself begins one: "no preview or undo is offered" denies both.
func (p *Prose) startsPredicate(i int) bool {
	if i >= len(p.words) {
		return false
	}
	if openers[p.words[i].text] || p.isFinite(i) {
		return true
	}
	return p.at(i-1) == "and" && p.hasFinite(i, p.segmentEnd(i))
}

// listItem says whether the comma before word i stands in a list, and not before
// a clause of its own.
func (p *Prose) listItem(i int) bool {
	if coordinators[p.words[i].text] {
		return true // the coordinator decides
	}
	start := p.back(i-1, comma)
	if fronting[p.words[start].text] || openers[p.words[i].text] || orders[p.words[i].text] {
		return false
	}
	return !p.hasFinite(i, p.segmentEnd(i))
}

// fronting are words that begin a clause which another follows: "If not sure, ask".
var fronting = NewSet("if when whenever before after once unless until where because since while although though however otherwise")
