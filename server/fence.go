package server

import (
	"net"
	"net/http"
	"net/netip"
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
	origins  []string // as parseOrigin gives them
}

func newFence(loopback bool, cfg HTTPConfig) fence {
	f := fence{loopback: loopback, anyHost: !loopback && len(cfg.AllowHosts) == 0}
	for _, host := range cfg.AllowHosts {
		f.hosts = append(f.hosts, hostName(host))
	}
	for _, origin := range cfg.AllowOrigins {
		if allowed, _, ok := parseOrigin(origin); ok {
			f.origins = append(f.origins, allowed)
		}
	}
	return f
}

// allows says whether a request is meant for this server, and not sent by a foreign
// page.
func (f fence) allows(r *http.Request) bool {
	if !f.anyHost && !f.own(r.Host) && !f.isProbe(r) {
		return false
	}
	// Browsers tell where a request comes from; a link that a person follows is no call.
	if r.Header.Get("Sec-Fetch-Site") == "cross-site" && r.Header.Get("Sec-Fetch-Mode") != "navigate" && !f.allowsOrigin(r) {
		return false
	}
	return len(r.Header.Values("Origin")) == 0 || f.allowsOrigin(r)
}

// isProbe says whether a request is one of those that an orchestrator sends to the address
// of a machine, which has no name that could be allowed. What they are answered tells
// nobody anything; a server that only its own machine reaches needs no such exception.
func (f fence) isProbe(r *http.Request) bool {
	return !f.loopback && slices.Contains(reading, r.Method) && (r.URL.Path == healthPath || r.URL.Path == readyPath)
}

// allowsOrigin says whether the request names exactly one origin, which may call.
func (f fence) allowsOrigin(r *http.Request) bool {
	origin, host, ok := originOf(r)
	return ok && (slices.Contains(f.origins, origin) || f.own(host) || f.anyHost && strings.EqualFold(host, r.Host))
}

// own says whether a host, with or without a port, is a name of this server.
func (f fence) own(host string) bool {
	name := hostName(host)
	return f.loopback && IsLoopbackName(name) || slices.Contains(f.hosts, name)
}

// hostName is the name of a host without its port, to be compared.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}

// IsLoopbackName says whether a host's name, or an address without a port and brackets, is
// one of the loopback interface: what is sent there stays on this machine.
func IsLoopbackName(name string) bool {
	if strings.EqualFold(name, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && ip.Unmap().IsLoopback()
}
