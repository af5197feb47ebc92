package server

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
)

// identityTLS is a certificate for 127.0.0.1, and who trusts it.
func identityTLS(t testing.TB) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	donor := httptest.NewTLSServer(nil)
	defer donor.Close()
	trusted := x509.NewCertPool()
	trusted.AddCert(donor.Certificate())
	return donor.TLS.Certificates[0], trusted
}

// secondVersion is a client of HTTP/2 alone.
type secondVersion struct {
	t testing.TB
	*http.Transport
}

func overHTTP2(t testing.TB, trusted *x509.CertPool) *http.Client {
	way := &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{RootCAs: trusted}}
	t.Cleanup(way.CloseIdleConnections)
	return &http.Client{Transport: secondVersion{t, way}}
}

// RoundTrip fails the test where the answer comes over another version.
func (s secondVersion) RoundTrip(r *http.Request) (*http.Response, error) {
	reply, err := s.Transport.RoundTrip(r)
	if err == nil && reply.ProtoMajor != 2 {
		s.t.Errorf("the answer came over %s", reply.Proto)
	}
	return reply, err
}

// openHTTP2 serves s over TLS; its client speaks HTTP/2.
func openHTTP2(t testing.TB, s *Server, cfg HTTPConfig, changes ...func(*httpServer)) *site {
	t.Helper()
	own, trusted := identityTLS(t)
	cfg.TLS = &tls.Config{Certificates: []tls.Certificate{own}}
	web := open(t, s, cfg, changes...)
	web.scheme, web.client = "https", overHTTP2(t, trusted)
	return web
}

// dialHTTP2 starts the program with TLS.
func dialHTTP2(t *testing.T, args ...string) *client.Client {
	t.Helper()
	own, trusted := identityTLS(t)
	key, err := x509.MarshalPKCS8PrivateKey(own.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	certFile, keyFile := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for name, block := range map[string]*pem.Block{certFile: {Type: "CERTIFICATE", Bytes: own.Certificate[0]}, keyFile: {Type: "PRIVATE KEY", Bytes: key}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	web := hosted(t, append(args, "--tls-cert", certFile, "--tls-key", keyFile))
	web.scheme = "https"
	c, err := client.NewStreamableHttpClient(web.url("/mcp"), transport.WithHTTPBasicClient(overHTTP2(t, trusted)))
	return dialled(t, c, err)
}

// A client that resets a stream of HTTP/2 cancels that call, and none of the others on its
// connection.
func TestResetOfAStream(t *testing.T) {
	b := newBlocker()
	s, _ := newServer(t, DefaultLimits, append(fakes(), fake("block", b.run))...)
	web := openHTTP2(t, s, local)
	given, giveUp := context.WithCancel(context.Background())
	gone := web.background(given, "/mcp", callLine("1", "block", "{}"))
	receive(t, b.started, "the start of a call")
	stays := web.background(context.Background(), "/mcp", callLine("2", "block", "{}"))
	receive(t, b.started, "the start of the other call")
	giveUp()
	if err := receive(t, b.ended, "the end of the call"); !errors.Is(err, context.Canceled) {
		t.Errorf("the call ended with %v, want it cancelled", err)
	}
	receive(t, gone, "the end of the request")
	if got := web.call("3", "echo", `{}`); got.status != http.StatusOK {
		t.Errorf("the next call gives %d %s", got.status, got.body)
	}
	close(b.release)
	if got := receive(t, stays, "the answer to the other call"); !strings.Contains(got.body, "released") {
		t.Errorf("the other call gives %d %s", got.status, got.body)
	}
}
