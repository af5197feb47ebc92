package main

import (
	"crypto/tls"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
)

// certificate is the certificate of a server, read again when its files change: those
// that are issued for weeks are replaced while the server runs.
type certificate struct {
	certFile, keyFile string
	log               *slog.Logger

	mu      sync.Mutex
	good    *tls.Certificate
	changed time.Time // of the files that were read last, good or not
}

// serverTLS is the configuration of a server with the certificate.
func serverTLS(certFile, keyFile string, log *slog.Logger) (*tls.Config, error) {
	c := &certificate{certFile: certFile, keyFile: keyFile, log: log, changed: lastChange(certFile, keyFile)}
	pair, err := loadPair(certFile, keyFile)
	if err != nil {
		return nil, usagef("--tls-cert and --tls-key: %v: give a certificate and its own key, both PEM", err)
	}
	c.good = &pair
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: c.current}, nil
}

// loadPair reads a certificate and its key.
func loadPair(certFile, keyFile string) (tls.Certificate, error) {
	var pem [2][]byte
	for i, path := range []string{certFile, keyFile} {
		f, _, err := ledger.OpenRegular(path)
		if err != nil {
			return tls.Certificate{}, err
		}
		pem[i], err = io.ReadAll(f)
		f.Close()
		if err != nil {
			return tls.Certificate{}, err
		}
	}
	return tls.X509KeyPair(pem[0], pem[1])
}

// current is the newest good certificate.
func (c *certificate) current(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	changed := lastChange(c.certFile, c.keyFile)
	if changed.Equal(c.changed) {
		return c.good, nil
	}
	c.changed = changed
	pair, err := loadPair(c.certFile, c.keyFile)
	if err != nil {
		c.log.Error("the new certificate cannot be used; the one before is served on", "error", err)
		return c.good, nil
	}
	c.good = &pair
	c.log.Info("the certificate was read again")
	return c.good, nil
}

// lastChange is when the files were last changed; zero where one is missing.
func lastChange(files ...string) (last time.Time) {
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			return time.Time{}
		}
		if info.ModTime().After(last) {
			last = info.ModTime()
		}
	}
	return last
}
