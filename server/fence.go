package server

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// fence keeps web pages of strangers from using a server that a browser on its network
// can reach: by a name of theirs that they made point to it (DNS rebinding), or by
// sending to it from a page.
type fence struct {
	loopback bool     // loopback names are the server's own
	anyHost  bool     // so is every other name
	hosts    []string // lower-case, without ports
	origins  []string
}

func newFence(loopback bool, cfg HTTPConfig) fence {
	f := fence{loopback: loopback, anyHost: !loopback && len(cfg.AllowHosts) == 0}
	for _, host := range cfg.AllowHosts {
		f.hosts = append(f.hosts, hostName(host))
	}
	for _, origin := range cfg.AllowOrigins {
		f.origins = append(f.origins, strings.ToLower(strings.TrimSuffix(origin, "/")))
	}
	return f
}

// allows says whether a request is meant for this server, and not sent by a foreign
// page.
func (f fence) allows(r *http.Request) bool {
	if !f.anyHost && !f.own(r.Host) {
		return false
	}
	// Browsers tell where a request comes from; a link that a person follows is no call.
	if r.Header.Get("Sec-Fetch-Site") == "cross-site" && r.Header.Get("Sec-Fetch-Mode") != "navigate" && !f.allowsOrigin(r) {
		return false
	}
	return len(r.Header.Values("Origin")) == 0 || f.allowsOrigin(r)
}

// allowsOrigin says whether the request names exactly one origin, which may call.
func (f fence) allowsOrigin(r *http.Request) bool {
	given := r.Header.Values("Origin")
	if len(given) != 1 {
		return false
	}
	if slices.Contains(f.origins, strings.ToLower(given[0])) {
		return true
	}
	origin, err := url.Parse(given[0])
	if err != nil || origin.Scheme != "http" && origin.Scheme != "https" || origin.Host == "" {
		return false // "null" too
	}
	return f.own(origin.Host) || f.anyHost && strings.EqualFold(origin.Host, r.Host)
}

// own says whether a host, with or without a port, is a name of this server.
func (f fence) own(host string) bool {
	name := hostName(host)
	return f.loopback && isLoopbackName(name) || slices.Contains(f.hosts, name)
}

// hostName is the name of a host without its port, to be compared.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}

// isLoopbackName says whether a name, or an address without a port, is one of the
// loopback interface.
func isLoopbackName(name string) bool {
	if strings.EqualFold(name, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && ip.Unmap().IsLoopback()
}
