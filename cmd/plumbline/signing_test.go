package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestSigningScripts runs the scripts about keys.
func TestSigningScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script/signing",
		RequireExplicitExec: true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "newkey": newKey, "keepreceipt": keepReceipt},
	})
}

// newKey makes a key as openssl does, and its public half: `newkey FILE PUBLICFILE`.
func newKey(ts *testscript.TestScript, _ bool, args []string) {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	ts.Check(err)
	der, err := x509.MarshalPKCS8PrivateKey(private)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600))
	der, err = x509.MarshalPKIXPublicKey(public)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}), 0o644))
}

// keepReceipt writes the receipt that a tool's answer on stdout has: `keepreceipt FILE`.
func keepReceipt(ts *testscript.TestScript, _ bool, args []string) {
	for line := range strings.Lines(ts.ReadFile("stdout")) {
		var answer struct {
			Result struct {
				StructuredContent struct {
					Receipt json.RawMessage `json:"receipt"`
				} `json:"structuredContent"`
			} `json:"result"`
		}
		ts.Check(json.Unmarshal([]byte(line), &answer))
		if receipt := answer.Result.StructuredContent.Receipt; receipt != nil {
			ts.Check(os.WriteFile(ts.MkAbs(args[0]), receipt, 0o644))
			return
		}
	}
	ts.Fatalf("no answer has a receipt")
}
