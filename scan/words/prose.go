package words

// Prose is a text taken apart into sentences and words, for asking whether it
// mentions a thing and whether it affirms or denies it.
type Prose struct{}

// ParseProse takes text apart; its markup (Markdown, HTML) is stripped.
func ParseProse(text string) *Prose { panic("being written") }

// Phrases is a compiled list of phrase patterns.
type Phrases struct{}

// MustPhrases compiles patterns. A pattern is words divided by spaces; `a|b` is
// either, a trailing `?` makes a word optional, `...` stands for up to three words.
// It panics on a bad pattern, which is a mistake in this program.
func MustPhrases(patterns ...string) Phrases { panic("being written") }

// Affirms returns the first mention of a phrase that no negation governs, as it
// stands in the text.
func (p *Prose) Affirms(ph Phrases) (mention string, ok bool) { panic("being written") }

// Mentions says whether any of the phrases stands in the text, denied or not.
func (p *Prose) Mentions(ph Phrases) bool { panic("being written") }
