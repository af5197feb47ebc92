package server

import (
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
)

// originPorts are the ports that an origin does not name.
var originPorts = map[string]string{"http": "80", "https": "443"}

// parseOrigin reads an origin, which is exactly scheme://host[:port]: in lower case and
// without its scheme's own port it can be compared.
func parseOrigin(text string) (origin, host string, ok bool) {
	u, err := url.Parse(text)
	if err != nil || originPorts[u.Scheme] == "" || u.Hostname() == "" || strings.HasSuffix(u.Host, ":") || !strings.EqualFold(text, u.Scheme+"://"+u.Host) {
		return "", "", false // "null" too
	}
	host = strings.ToLower(u.Host)
	if u.Port() == originPorts[u.Scheme] {
		host = strings.TrimSuffix(host, ":"+u.Port())
	}
	return u.Scheme + "://" + host, host, true
}

// originOf gives the origin that a request names, if that is exactly one.
func originOf(r *http.Request) (origin, host string, ok bool) {
	given := r.Header.Values("Origin")
	if len(given) != 1 {
		return "", "", false
	}
	return parseOrigin(given[0])
}

// CheckOrigin refuses what is no origin for [HTTPConfig.AllowOrigins]: one is exactly
// scheme://host[:port], and there are no patterns.
func CheckOrigin(text string) error {
	if _, _, ok := parseOrigin(text); !ok || strings.Contains(text, "*") {
		return fmt.Errorf("%q is no origin: give each one by itself, as scheme://host or scheme://host:port, such as https://tools.example", text)
	}
	return nil
}

var hostPattern = regexp.MustCompile(`^[0-9A-Za-z_]([0-9A-Za-z_.-]*[0-9A-Za-z_.])?$`)

// CheckHost refuses what is no name for [HTTPConfig.AllowHosts]: one is a host's name or
// address, without scheme and port, and there are no patterns.
func CheckHost(text string) error {
	if _, err := netip.ParseAddr(strings.Trim(text, "[]")); err == nil || hostPattern.MatchString(text) {
		return nil
	}
	return fmt.Errorf("%q is no host's name: give each one by itself, without scheme and port, such as plumbline.example", text)
}
