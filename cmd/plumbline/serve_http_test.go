package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// writeCertificate writes a certificate for 127.0.0.1, signed by itself, and its key.
func writeCertificate(t *testing.T, certFile, keyFile string) *x509.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(time.Now().UnixNano()), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for file, block := range map[string]*pem.Block{keyFile: {Type: "PRIVATE KEY", Bytes: secret}, certFile: {Type: "CERTIFICATE", Bytes: der}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return cert
}

// watched is a log that tells what it was waited for.
type watched struct {
	mu   sync.Mutex
	text strings.Builder
	want *regexp.Regexp
	seen chan string
}

func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text.Write(p)
	if found := w.want.FindStringSubmatch(w.text.String()); found != nil && w.seen != nil {
		w.seen <- found[1]
		w.seen = nil
	}
	return len(p), nil
}

// A server over TLS serves the certificate that its files hold now, and the one before
// while they hold none.
func TestServeTLS(t *testing.T) {
	dir := t.TempDir()
	certFile, keyFile := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	first := writeCertificate(t, certFile, keyFile)
	ctx, signal := context.WithCancel(context.Background())
	addr, code := make(chan string, 1), make(chan int, 1)
	log := &watched{want: regexp.MustCompile(`msg=listening addr=(\S+) tls=true`), seen: addr}
	go func() {
		code <- run(ctx, []string{"serve", "--http", "127.0.0.1:0", "--tls-cert", certFile, "--tls-key", keyFile, "--ledger", "sqlite:" + dir + "/ledger.db"}, nil, strings.NewReader(""), io.Discard, log)
	}()
	var at string
	select {
	case at = <-addr:
	case ended := <-code:
		t.Fatalf("the server did not start: exit code %d, %s", ended, &log.text)
	}
	get := func(path string, trusted *x509.Certificate, most uint16) (status int, err error) {
		pool := x509.NewCertPool()
		pool.AddCert(trusted)
		transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, MaxVersion: most}}
		defer transport.CloseIdleConnections()
		reply, err := (&http.Client{Transport: transport}).Get("https://" + at + path)
		if err != nil {
			return 0, err
		}
		return reply.StatusCode, reply.Body.Close()
	}
	served := func(trusted *x509.Certificate, most uint16) error {
		_, err := get("/healthz", trusted, most)
		return err
	}
	if err := served(first, tls.VersionTLS12); err != nil {
		t.Errorf("TLS 1.2: %v", err)
	}
	if served(first, tls.VersionTLS11) == nil {
		t.Error("TLS 1.1 is served")
	}
	if err := os.WriteFile(certFile, []byte("half written"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := served(first, 0); err != nil {
		t.Errorf("with a broken file: %v", err)
	}
	second := writeCertificate(t, certFile, keyFile)
	if err := served(second, 0); err != nil {
		t.Errorf("with a new certificate: %v", err)
	}
	// A ledger that is still being made would leave files behind the test.
	for status := 0; status != http.StatusOK; {
		var err error
		if status, err = get("/readyz", second, 0); err != nil {
			t.Fatal(err)
		}
	}
	signal()
	if got := <-code; got != exitPass {
		t.Errorf("the server ends with %d on a signal, want 0", got)
	}
	log.mu.Lock()
	defer log.mu.Unlock()
	if n := strings.Count(log.text.String(), "msg=stopped"); n != 1 {
		t.Errorf("the log says %d times that the server stopped: %s", n, log.text.String())
	}
}
