package main

import (
	"context"
	"log/slog"
	"net"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/server"
	"github.com/plumbline-mcp/plumbline/server/auth"
	"github.com/plumbline-mcp/plumbline/tools"
)

// httpFlags are the flags of `serve --http`, as given.
type httpFlags struct {
	addr         string
	tokens       string
	tlsCert      string
	tlsKey       string
	behindProxy  bool
	allowHosts   []string
	allowOrigins []string
}

// ofHTTP are the flags that mean nothing on stdio.
var ofHTTP = []string{"tokens", "tls-cert", "tls-key", "behind-proxy", "allow-host", "allow-origin", "max-body",
	"max-requests", "max-requests-each", "max-sessions", "max-sessions-each"}

// ofStdio are those that mean nothing over HTTP.
var ofStdio = []string{"max-message"}

func addHTTP(cmd *cobra.Command, limits *server.Limits) *httpFlags {
	flags := &httpFlags{}
	f := cmd.Flags()
	f.StringVar(&flags.addr, "http", "", "serve many clients over HTTP at `ADDR`")
	f.StringVar(&flags.tokens, "tokens", "", "ask for the tokens in `FILE` (plumbline token)")
	f.StringVar(&flags.tlsCert, "tls-cert", "", "serve TLS with the certificate chain in `FILE` (PEM)")
	f.StringVar(&flags.tlsKey, "tls-key", "", "the certificate's private key in `FILE` (PEM)")
	f.BoolVar(&flags.behindProxy, "behind-proxy", false, "serve plain HTTP to a proxy that serves TLS")
	f.StringArrayVar(&flags.allowHosts, "allow-host", nil, "answer for the host `NAME`; may be repeated")
	f.StringArrayVar(&flags.allowOrigins, "allow-origin", nil, "let web pages of `ORIGIN` call; may be repeated")
	f.IntVar(&limits.MaxBody, "max-body", limits.MaxBody, "read messages of at most `BYTES` over HTTP")
	f.IntVar(&limits.MaxRequests, "max-requests", limits.MaxRequests, "serve `N` requests at once")
	f.IntVar(&limits.MaxRequestsEach, "max-requests-each", limits.MaxRequestsEach, "serve `N` of them at once for one token")
	f.IntVar(&limits.MaxSessions, "max-sessions", limits.MaxSessions, "keep `N` SSE sessions open at once")
	f.IntVar(&limits.MaxSessionsEach, "max-sessions-each", limits.MaxSessionsEach, "keep `N` of them open for one token")
	return flags
}

// check finds flags that do not go together.
func (f *httpFlags) check(cmd *cobra.Command) error {
	if f.addr == "" {
		for _, name := range ofHTTP {
			if cmd.Flags().Changed(name) {
				return usagef("--%s is for a server over HTTP: add --http ADDR", name)
			}
		}
		return nil
	}
	for _, name := range ofStdio {
		if cmd.Flags().Changed(name) {
			return usagef("--%s is for a server on stdio: leave it out, or --http", name)
		}
	}
	for _, host := range f.allowHosts {
		if err := server.CheckHost(host); err != nil {
			return usagef("--allow-host: %v", err)
		}
	}
	for _, origin := range f.allowOrigins {
		if err := server.CheckOrigin(origin); err != nil {
			return usagef("--allow-origin: %v", err)
		}
	}
	switch {
	case (f.tlsCert == "") != (f.tlsKey == ""):
		return usagef("--tls-cert and --tls-key go together: give both, or neither")
	case f.tlsCert != "" && f.behindProxy:
		return usagef("--behind-proxy is for plain HTTP: leave it out, or --tls-cert and --tls-key")
	case f.behindProxy && f.tokens == "":
		return usagef("--behind-proxy without --tokens would serve all whom the proxy lets through: make tokens with `plumbline token add` and give --tokens FILE")
	case f.tokens != "" && (cmd.Flags().Changed("role") || cmd.Flags().Changed("as")):
		return usagef("with --tokens each token says who acts: leave out --role and --as")
	}
	return nil
}

// listen listens at the address, unless what is said there could be overheard or
// anybody could act.
func (f *httpFlags) listen() (net.Listener, error) {
	addr, err := net.ResolveTCPAddr("tcp", f.addr)
	if err != nil {
		return nil, usagef("--http %q: %v: give an address such as 127.0.0.1:8080", f.addr, err)
	}
	switch outside := !server.IsLoopback(addr); {
	case outside && f.tokens == "":
		return nil, usagef("--http %s can be reached from other machines, and without --tokens everybody there could act: make tokens with `plumbline token add` and give --tokens FILE, or listen at 127.0.0.1:%d", f.addr, addr.Port)
	case outside && f.tlsCert == "" && !f.behindProxy:
		return nil, usagef("--http %s would send tokens in plain text: give --tls-cert and --tls-key, or --behind-proxy where a proxy serves TLS in front", f.addr)
	}
	listener, err := net.ListenTCP("tcp", addr)
	if err != nil {
		return nil, usagef("--http: %v: choose another address, or end what listens there", err)
	}
	return listener, nil
}

// serveHTTP serves clients over HTTP until ctx ends.
func (f *httpFlags) serveHTTP(ctx context.Context, srv *server.Server, local tools.Caller, log *slog.Logger) error {
	cfg := server.HTTPConfig{Local: local, AllowHosts: f.allowHosts, AllowOrigins: f.allowOrigins, BehindProxy: f.behindProxy}
	if f.tokens != "" {
		tokens, err := auth.Open(f.tokens, log)
		if err != nil {
			return usagef("--tokens: %v", err)
		}
		cfg.Identify = tokens.Identify
	}
	if f.tlsCert != "" {
		var err error
		if cfg.TLS, err = serverTLS(f.tlsCert, f.tlsKey, log); err != nil {
			return err
		}
	}
	listener, err := f.listen()
	if err != nil {
		return err
	}
	if err := srv.ServeHTTP(ctx, listener, cfg); err != nil {
		return &exitError{code: exitInternal, message: err.Error()}
	}
	return nil
}
