package scan

import (
	"slices"
	"strings"

	"github.com/plumbline-mcp/plumbline/scan/surface"
	"github.com/plumbline-mcp/plumbline/scan/words"
)

// sensitiveNouns are personal, financial and secret data (rules page, section 4).
var sensitiveNouns = newNouns("email, email address, e mail, phone, phone number, telephone, telephone number, mobile, mobile number, " +
	"address, password, passwd, passphrase, token, secret, credential, api key, apikey, private key, secret key, access key, " +
	"signing key, encryption key, iban, card, card number, cvv, cvc, bank account, account number, routing number, sort code, " +
	"credit score, salary, income, payment method, ssn, social security, social security number, tax number, passport, passport number, " +
	"driver license, driving licence, date of birth, birth date, birthdate, birthday, dob, customer, patient, user profile, " +
	"personal data, personal information, pii, health, health record, health data, health information, health history, health insurance, " +
	"medical record, medical history, diagnosis, prescription, biometric, ethnicity, religion, religious belief, sexual orientation")

// carriers end a name without changing what it holds: card_number, address_line,
// customer_details.
var carriers = words.NewSet("number value data info information detail record line list hash digest text string")

// harmless are the words before a noun that make it something else, by noun.
var harmless = map[string]words.Set{
	"address": words.NewSet("ip url web mac memory server host bind listen remote network internet broadcast contract hardware bluetooth"),
	"token": words.NewSet("page next continuation cursor sync pagination start resume previous prev last max min total prompt completion " +
		"input output num number count idempotency client request csrf approval confirmation consent cached reasoning"),
	"card":   words.NewSet("project report score adaptive message agent info summary flash image board scene punch"),
	"health": words.NewSet("cluster service system server node database api app application instance target index environment pool host"),
	"secret": words.NewSet("secret"),
}

// ownCredentials are request fields by which a caller proves who it is.
var ownCredentials = newNames("token, api key, apikey, x api key, x apikey, authorization, access token, auth token, x auth token, x access token, " +
	"bearer token, key, api token, x api token")

// sensitiveTail gives the sensitive noun that a name's words end in, as words; empty
// where there is none.
func sensitiveTail(ws []string) []string {
	for {
		if n := sensitiveNouns.tail(ws); n > 0 {
			return sensitiveAt(ws, n)
		}
		if len(ws) < 2 || !carriers[lastWord(ws)] {
			return nil
		}
		ws = ws[:len(ws)-1]
	}
}

// sensitiveAt gives the last n of ws, unless the word before makes them harmless.
func sensitiveAt(ws []string, n int) []string {
	noun := ws[len(ws)-n:]
	if before := len(ws) - n - 1; before >= 0 && harmless[lastWord(noun)][words.Singular(ws[before])] {
		return nil
	}
	return noun
}

// mayBeSensitive spares most names the splitting.
func mayBeSensitive(name string) bool {
	return sensitiveNouns.mayEnd(name) || carrierEndings[endingOf(name)]
}

var carrierEndings = func() map[ending]bool {
	n := &nouns{endings: map[ending]bool{}}
	for w := range carriers {
		n.addEndings(w)
	}
	return n.endings
}()

// sensitiveField says whether a field holds sensitive data. A boolean does not, nor a
// number of tokens, nor the caller's own credential.
func sensitiveField(f *surface.Field) bool {
	if !mayBeSensitive(f.Name) || isOnly(f.Types, "boolean") {
		return false
	}
	ws := words.Split(f.Name)
	noun := sensitiveTail(ws)
	switch {
	case len(noun) == 0:
		return false
	case lastWord(noun) == "token" && mayBeNumber(f) && len(f.Types) > 0:
		return false
	}
	return f.In == "response" || f.Depth > 1 || !ownCredentials.has(ws)
}

func isOnly(types []string, t string) bool { return len(types) == 1 && types[0] == t }

// sensitiveData gives the places at which the tool takes or gives personal, financial
// or secret data.
func (s *subject) sensitiveData() []surface.Text {
	var found []surface.Text
	for _, f := range s.tool.Fields {
		if sensitiveField(f) {
			found = append(found, fieldText(f))
		}
	}
	for _, r := range s.tool.Responses {
		if !isSuccess(r.Status) {
			continue
		}
		for _, f := range r.Fields {
			if sensitiveField(f) {
				found = append(found, fieldText(f))
			}
		}
	}
	if len(sensitiveTail(s.nameObject())) > 0 {
		found = append(found, s.tool.Name)
	}
	if !s.isMCP() && len(sensitiveTail(words.Split(parsePath(s.tool.Path).lastStatic()))) > 0 {
		found = append(found, surface.Text{Value: s.tool.Path, Pos: s.tool.Pos})
	}
	if noun, at := s.sensitiveSentence(); noun != "" {
		found = append(found, surface.Text{Value: noun, Pos: at})
	}
	return found
}

// nameObject gives the words of the name up to a preposition after its verb, without
// the verb.
func (s *subject) nameObject() []string {
	ws := parseName(s.tool.Name.Value, "").words
	if len(ws) > 1 && isVerbWord(ws[0]) {
		ws = untilPreposition(ws[1:])
	} else {
		ws = untilPreposition(ws)
	}
	if n := len(ws); n > 1 {
		if v, ok := words.LookupVerb(ws[n-1]); ok && v.Plain() {
			return ws[:n-1]
		}
	}
	return ws
}

func isVerbWord(w string) bool { _, ok := words.LookupVerb(w); return ok }

// ambiguousInText are sensitive nouns of names that mean too much else in a sentence.
var ambiguousInText = words.NewSet("health mobile")

// The words before a noun that take it out of what a sentence says the tool handles.
var (
	excluding   = words.NewSet("not no never without except excluding excludes dont cannot nor neither don't doesn't")
	requiring   = words.NewSet("require requires required requiring need needs")
	withOwn     = words.NewSet("using use uses with via by authenticate authenticates authenticated authenticating through")
	credentials = words.NewSet("token secret credential password key")
	counting    = words.NewSet("count counts counting number many usage used")
	// continues are the words that may follow a noun that ends there.
	continues = words.NewSet("and or is are was were be been has have that which who whose if when then so as it its the a an this their " +
		"his her not to can may will must should but than plus using")
)

// nearby is how many words before a credential may ask for it.
const nearby = 5

// sensitiveSentence gives the first sensitive noun of the text's first sentence and
// where the text stands.
func (s *subject) sensitiveSentence() (noun string, at surface.Position) {
	text := s.tool.Summary
	if strings.TrimSpace(text.Value) == "" {
		text = s.tool.Description
	}
	ws := s.first
	for end := 1; end <= len(ws); end++ {
		n := sensitiveNouns.tail(ws[:end])
		if n == 0 || end < len(ws) && !nounEnds(ws[end]) {
			continue
		}
		found := sensitiveAt(ws[:end], n)
		before := ws[:end-n]
		if len(found) == 0 || end == n && isVerbWord(found[0]) || n == 1 && ambiguousInText[lastWord(found)] {
			continue
		}
		if !excusesNoun(before, lastWord(found)) {
			return strings.Join(found, " "), text.Pos
		}
	}
	return "", surface.Position{}
}

// nounEnds says whether the noun before next is not the first part of a longer one
// ("secret scanning").
func nounEnds(next string) bool {
	return !isLetters(next) || continues[next] || carriers[words.Singular(next)] || words.IsPreposition(next)
}

func isLetters(w string) bool { return letters(w) > 0 }

// excusesNoun says whether the sentence excludes the noun, asks for it as the
// caller's credential, or counts it.
func excusesNoun(before []string, noun string) bool {
	if excluding.Any(before) {
		return true
	}
	near := before[max(0, len(before)-nearby):]
	if requiring.Any(near) || noun == "token" && counting.Any(near) {
		return true
	}
	return credentials[noun] && withOwn.Any(near)
}

// clearing documents that sensitive data is kept in bounds.
var clearing = words.MustPhrases(
	"redact|redacts|redacted|redacting|redaction", "mask|masks|masked|masking", "anonymized|anonymised|anonymizes|anonymises|pseudonymized|pseudonymised",
	"least privilege", "permission boundary|boundaries",
	"require|requires|need|needs|have|has|having|with ... permission|permissions|scope|scopes|privilege|privileges|role",
	"permission|permissions|scope|role ... required|needed",
	"only ... owner|owners|admin|admins|administrator|administrators|member|members|maintainer|maintainers|staff can|may",
	"restricted|limited to ... owner|owners|admin|admins|administrators|members|role|roles|own",
	"only ... own", "never returns|exposes|includes|reveals",
)

// webhookProof documents that a webhook checks what it is sent.
var webhookProof = words.MustPhrases("signature|signatures|signed|hmac", "idempotent|idempotency|idempotently|deduplicated|deduplicates")

var webhookFields = words.NewSet("signature hmac idempotency")

func (s *subject) provenWebhook() bool {
	return affirms(s.text, webhookProof) || slices.ContainsFunc(s.tool.Fields, func(f *surface.Field) bool {
		return webhookFields.Any(words.Split(f.Name))
	})
}
