package auth

import "net/http"

// Basic gives the token of a request whose Authorization header has it as a password
// (RFC 7617), as browsers send it; the user's name is not looked at. It is false in the
// cases of [Bearer].
func Basic(h http.Header) (token string, ok bool) {
	if len(h.Values("Authorization")) != 1 {
		return "", false
	}
	_, token, ok = (&http.Request{Header: h}).BasicAuth()
	return token, ok && token68.MatchString(token)
}
