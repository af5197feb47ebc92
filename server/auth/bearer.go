package auth

import (
	"net/http"
	"regexp"
	"strings"
)

// token68 is what may follow the scheme (RFC 9110, section 11.2).
var token68 = regexp.MustCompile(`^[A-Za-z0-9._~+/-]+=*$`)

// Bearer gives the token of a request's Authorization header (RFC 6750, section 2.1).
// It is false where there is no such header, more than one, another scheme, or
// something behind the scheme that is no token. The scheme's letter case does not
// count.
func Bearer(h http.Header) (token string, ok bool) {
	given := h.Values("Authorization")
	if len(given) != 1 {
		return "", false
	}
	scheme, rest, found := strings.Cut(given[0], " ")
	token = strings.TrimLeft(rest, " ")
	if !found || !strings.EqualFold(scheme, "bearer") || !token68.MatchString(token) {
		return "", false
	}
	return token, true
}
