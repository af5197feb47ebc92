package main

import (
	"bytes"
	"crypto/tls"
	"io"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/plumbline-mcp/plumbline/contract/localfile"
)

// certificate is the certificate of a server, read again when its files change: those
// that are issued for weeks are replaced while the server runs. While the files hold none,
// as between the writing of the one and the other, the one before is served on.
type certificate struct {
	files [2]string // of the certificate and its key
	log   *slog.Logger

	mu     sync.Mutex
	good   tls.Certificate
	seen   [2]localfile.Seen // the files
	broken bool              // whether they cannot be used, which is logged once
}

// serverTLS is the configuration of a server with the certificate.
func serverTLS(certFile, keyFile string, log *slog.Logger) (*tls.Config, error) {
	c := &certificate{files: [2]string{certFile, keyFile}, log: log}
	if err := c.load(); err != nil {
		return nil, usagef("--tls-cert and --tls-key: %v: give a certificate and its own key, both PEM", err)
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: c.current}, nil
}

// load reads the files and, where they are a pair, puts it in use.
func (c *certificate) load() error {
	var pem [2][]byte
	for i := range c.files {
		var err error
		if pem[i], err = c.read(i); err != nil {
			return err
		}
	}
	pair, err := tls.X509KeyPair(pem[0], pem[1])
	if err != nil {
		return err
	}
	c.good = pair
	return nil
}

// read reads one of the files.
func (c *certificate) read(i int) ([]byte, error) {
	at := time.Now()
	f, info, err := localfile.Open(c.files[i])
	c.seen[i].Note(info, at)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	pem, err := io.ReadAll(f)
	if err != nil {
		c.seen[i].Note(nil, at)
	}
	return pem, err
}

// current is the newest good certificate.
func (c *certificate) current(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before := c.good
	if !c.unchanged() {
		err := c.load()
		switch {
		case err != nil && !c.broken:
			c.log.Error("the new certificate cannot be used; the one before is served on", "error", err)
		case err == nil && !slices.EqualFunc(before.Certificate, c.good.Certificate, bytes.Equal):
			c.log.Info("the certificate was read again")
		}
		c.broken = err != nil
	}
	served := c.good // a handshake keeps its own while the next one loads
	return &served, nil
}

// unchanged says whether both files are still those that were read.
func (c *certificate) unchanged() bool {
	for i, path := range c.files {
		if !c.seen[i].Unchanged(path) {
			return false
		}
	}
	return true
}
