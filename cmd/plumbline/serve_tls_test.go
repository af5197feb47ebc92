package main

import (
	"bytes"
	"crypto/x509"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A certificate that was renewed is served, whatever times its files have and whatever
// they held in between, which the log tells once.
func TestRenewedCertificates(t *testing.T) {
	dir := t.TempDir()
	certFile, keyFile := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	now := time.Now()
	stamp := func(file string, at time.Time) {
		t.Helper()
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
	}
	renew := func(certTime, keyTime time.Time) *x509.Certificate {
		t.Helper()
		cert := writeCertificate(t, certFile, keyFile)
		stamp(certFile, certTime)
		stamp(keyFile, keyTime)
		return cert
	}
	old := now.Add(-time.Hour)
	first := renew(old, old)
	var log strings.Builder
	config, err := serverTLS(certFile, keyFile, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	wantServed := func(why string, want *x509.Certificate) {
		t.Helper()
		for range 2 {
			if got, err := config.GetCertificate(nil); err != nil || !bytes.Equal(got.Certificate[0], want.Raw) {
				t.Errorf("%s: another certificate is served, or none: %v", why, err)
			}
		}
	}
	wantServed("at the start", first)
	second := renew(old.Add(-time.Hour), old)
	wantServed("a certificate older than its key", second)
	if err := os.WriteFile(keyFile, []byte("half written"), 0o600); err != nil {
		t.Fatal(err)
	}
	stamp(keyFile, old)
	wantServed("a key that is half written", second)
	third := renew(old.Add(-time.Hour), old)
	wantServed("a pair of the time of a broken one", third)
	wantServed("a pair of now", renew(now, now))
	wantServed("another of the same moment", renew(now, now))
	for message, want := range map[string]int{"cannot be used": 1, "was read again": 4} {
		if got := strings.Count(log.String(), message); got != want {
			t.Errorf("the log says %d times %q, want %d: %s", got, message, want, log.String())
		}
	}
}
