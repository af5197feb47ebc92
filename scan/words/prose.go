package words

// Prose is a text taken apart into sentences and words, for asking whether it
// mentions a thing and whether it affirms or denies it.
type Prose struct {
	source string
	words  []word
	// answers are those to earlier questions; nil where none are remembered.
	answers map[question]answer
}

// question asks for the first mention of phrases with at least a stance.
type question struct {
	phrases Phrases
	least   stance
}

type answer struct {
	mention string
	ok      bool
}

// word is one word of a text.
type word struct {
	text string // lower case, without apostrophes
	hash uint32
	// start and end are where it stands in the source, in bytes.
	start, end int
	// before is the break between the word before and this one.
	before boundary
	// genitive: an 's stands after it.
	genitive bool
	// question: a question mark stands after it.
	question bool
	// tied: it stands in one identifier with the word before (dry_run, dryRun).
	tied bool
}

// boundary is how strongly two neighbouring words are divided.
type boundary uint8

const (
	joined   boundary = iota // a space, or markup that divides nothing
	comma                    // a comma, or a line that may go on
	clause                   // ; : ( ) and dashes
	sentence                 // . ! ? and the blocks of Markdown and HTML
)

// MaxProse is how many bytes of a text are read; ten times what any tool says of
// itself, and little enough that a hostile text costs milliseconds.
const MaxProse = 64 << 10

// ParseProse takes text apart, at most its first 64 KiB; its markup (Markdown, HTML)
// is stripped.
// Contractions are written out (don't: do not), hyphens and the inner bounds of
// identifiers divide words (dry-run, dry_run and `dryRun` are dry run).
func ParseProse(text string) *Prose {
	text = text[:min(len(text), MaxProse)]
	t := tokenizer{src: text, pending: sentence}
	t.run()
	return &Prose{source: text, words: t.words}
}

// Remember makes p remember what it is asked: for a text that many tools share. p is
// then not safe for use by several goroutines.
func (p *Prose) Remember() *Prose {
	p.answers = map[question]answer{}
	return p
}

// Affirms returns the first mention of a phrase that no negation governs, as it
// stands in the text. Two negations affirm: "never runs without approval".
func (p *Prose) Affirms(ph Phrases) (mention string, ok bool) { return p.first(ph, affirmed) }

// Demands returns the first mention of a phrase without which, says the text, nothing
// happens: "never without approval", "not until approved", "calls without approval
// are rejected".
func (p *Prose) Demands(ph Phrases) (mention string, ok bool) { return p.first(ph, demanded) }

// first returns the first mention to which the text's stance is at least that given.
func (p *Prose) first(ph Phrases, least stance) (mention string, ok bool) {
	asked := question{ph, least}
	if a, known := p.answers[asked]; known {
		return a.mention, a.ok
	}
	defer func() {
		if p.answers != nil {
			p.answers[asked] = answer{mention, ok}
		}
	}()
	ph.each(p.words, func(from, to int) bool {
		if p.stance(from, to) < least {
			return true
		}
		mention, ok = p.source[p.words[from].start:p.words[to-1].end], true
		return false
	})
	return mention, ok
}

// Mentions says whether any of the phrases stands in the text, denied or not.
func (p *Prose) Mentions(ph Phrases) bool {
	found := false
	ph.each(p.words, func(int, int) bool {
		found = true
		return false
	})
	return found
}

// Words returns all words of the text in order, lower case.
func (p *Prose) Words() []string {
	texts := make([]string, len(p.words))
	for i, w := range p.words {
		texts[i] = w.text
	}
	return texts
}

// startsClause says whether word i is the first after a break; the end of the
// text counts as one.
func (p *Prose) startsClause(i int) bool {
	return i <= 0 || i >= len(p.words) || p.words[i].before != joined
}

// at returns word i, or "" outside the text.
func (p *Prose) at(i int) string {
	if i < 0 || i >= len(p.words) {
		return ""
	}
	return p.words[i].text
}
