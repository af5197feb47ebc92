package mcplist

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// minSecret is the length, in bytes, from which a value is taken for a secret: shorter
// ones stand in every text.
const minSecret = 4

// hidden stands for a secret.
const hidden = "[secret]"

// secrets are values that no message may repeat, the longest first: a shorter one may be
// a part of it. They are taken out before a text is cut, since a part is not found.
type secrets []string

func (s Server) secrets() secrets {
	all := append(secretsOf(s.URL), s.Secrets...)
	for _, value := range s.Headers {
		all = append(all, append(strings.Fields(value), value)...)
	}
	for _, secret := range all {
		all = append(all, forms(secret)...)
	}
	all = slices.DeleteFunc(all, func(secret string) bool { return len(secret) < minSecret })
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) })
	return all
}

// forms are what else a server may write for a value: its lines, and what JSON makes of it.
func forms(secret string) []string {
	var out []string
	for line := range strings.Lines(secret) {
		out = append(out, strings.TrimSpace(line))
	}
	if escaped, err := json.Marshal(secret); err == nil {
		out = append(out, string(escaped[1:len(escaped)-1]))
	}
	return out
}

// aKey is a run of letters and digits that stands in a list by no chance: paths, URLs,
// regions and names of models have shorter ones.
var aKey = regexp.MustCompile(`[A-Za-z0-9]{16,}`)

// isKey says whether a value is a key by its looks.
func isKey(value string) bool {
	return slices.ContainsFunc(aKey.FindAllString(value, -1), func(run string) bool {
		return strings.ContainsFunc(run, unicode.IsDigit) && strings.ContainsFunc(run, unicode.IsLetter)
	})
}

// hide takes keys out of a definition, and says whether there were any. Other values are
// too likely to be words of the definition's own.
func (s secrets) hide(definition json.RawMessage) (json.RawMessage, bool) {
	keys := slices.DeleteFunc(slices.Clone(s), func(secret string) bool { return !isKey(secret) })
	text := keys.redact(string(definition))
	return json.RawMessage(text), text != string(definition)
}

// secretsOf are the parts of a URL that may be secret: who asks, and the values of its
// query, as they are written and as they are meant.
func secretsOf(text string) []string {
	u, err := url.Parse(text)
	if err != nil {
		return nil
	}
	var found []string
	if u.User != nil {
		name, password, _ := strings.Cut(u.User.String(), ":")
		meant, _ := u.User.Password()
		found = append(found, name, password, u.User.Username(), meant)
	}
	for _, pair := range strings.Split(u.RawQuery, "&") {
		_, value, ok := strings.Cut(pair, "=")
		if !ok {
			value = pair // a key without a name
		}
		found = append(found, value)
		if meant, err := url.QueryUnescape(value); err == nil {
			found = append(found, meant)
		}
	}
	return found
}

// redact takes the secrets out of a text.
func (s secrets) redact(text string) string {
	for _, secret := range s {
		text = strings.ReplaceAll(text, secret, hidden)
	}
	return text
}

// redactBegin does so in a text whose end was cut off, where a part of one may stand.
func (s secrets) redactBegin(text string) string {
	text = s.redact(text)
	for _, secret := range s {
		for n := min(len(secret), len(text)); n >= minSecret; n-- {
			if before, ok := strings.CutSuffix(text, secret[:n]); ok {
				return before + hidden
			}
		}
	}
	return text
}

// redactEnd does so in a text whose beginning was cut off.
func (s secrets) redactEnd(text string) string {
	text = s.redact(text)
	for _, secret := range s {
		for n := min(len(secret), len(text)); n >= minSecret; n-- {
			if after, ok := strings.CutPrefix(text, secret[len(secret)-n:]); ok {
				return hidden + after
			}
		}
	}
	return text
}
