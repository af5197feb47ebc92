package ledger

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func newKey(t *testing.T) ed25519.PrivateKey {
	t.Helper()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func keyFile(t *testing.T, name, kind string, der []byte, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	text := pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestSignedReceipts: with a key each recording's receipt is signed, a retry's too;
// without one none is, and the chain is the same.
func TestSignedReceipts(t *testing.T) {
	ctx := context.Background()
	key := newKey(t)
	public := key.Public().(ed25519.PublicKey)
	dsn := sqliteTests.newDSN(t)
	plain := openLedger(t, dsn)
	l, err := Open(ctx, dsn, WithSigner(key))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	receipts := fullChain(t, l)
	receipts = append(receipts, *register(t, l, grown(t)).Receipt, *recordRound(t, l, "r3", mustRound(t, l)).Receipt)
	for _, r := range receipts {
		if !r.signedBy(public) || r.signedBy(newKey(t).Public().(ed25519.PublicKey)) {
			t.Errorf("the signature of %+v", r)
		}
	}
	unsigned := recordRound(t, plain, "r3", mustRound(t, l)).Receipt
	if signed := receipts[len(receipts)-1]; unsigned.Signature != "" || unsigned.Hash != signed.Hash {
		t.Errorf("got %+v and %+v", unsigned, signed)
	}
	r := receipts[0]
	for name, changed := range map[string]Receipt{
		"contract": {"x", r.Seq, r.Hash, r.Signature}, "seq": {r.ContractID, 2, r.Hash, r.Signature}, "hash": {r.ContractID, r.Seq, receipts[1].Hash, r.Signature},
		"signature": {r.ContractID, r.Seq, r.Hash, receipts[1].Signature}, "none": {r.ContractID, r.Seq, r.Hash, ""}, "junk": {r.ContractID, r.Seq, r.Hash, "?"},
	} {
		if changed.signedBy(public) {
			t.Errorf("another %s is signed", name)
		}
	}
	signature, err := base64.StdEncoding.DecodeString(r.Signature)
	if err != nil || !ed25519.Verify(public, []byte(`{"contract_id":"shop/refunds","hash":"`+r.Hash+`","seq":1}`), signature) {
		t.Errorf("the signature is not over what is documented: %v", err)
	}
}

func mustRound(t *testing.T, l *Ledger) []byte {
	t.Helper()
	c, err := l.Contract(context.Background(), fixtureID, 0)
	if err != nil {
		t.Fatal(err)
	}
	return roundText(t, c.Contract, "pass")
}

// TestHold holds a chain against receipts that were kept.
func TestHold(t *testing.T) {
	key := newKey(t)
	public := key.Public().(ed25519.PublicKey)
	l, err := Open(context.Background(), sqliteTests.newDSN(t), WithSigner(key))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	receipts := fullChain(t, l)
	kept := receipts[2]
	for name, test := range map[string]struct {
		change func(r *Receipt)
		key    ed25519.PublicKey
		says   string // empty where all agrees
	}{
		"as it was":        {func(*Receipt) {}, public, ""},
		"without a key":    {func(*Receipt) {}, nil, ""},
		"another key":      {func(*Receipt) {}, newKey(t).Public().(ed25519.PublicKey), "not one of the key"},
		"no signature":     {func(r *Receipt) { r.Signature = "" }, public, "no signature"},
		"another seq":      {func(r *Receipt) { r.Seq = 4 }, nil, "that of event 4"},
		"another contract": {func(r *Receipt) { r.ContractID = "x" }, nil, "of the contract"},
		"another hash":     {func(r *Receipt) { r.Hash = strings.Repeat("0", 64) }, nil, "hash of no event"},
	} {
		r := kept
		test.change(&r)
		v, err := l.Verify(context.Background(), fixtureID, r.Hash)
		if err != nil {
			t.Fatal(err)
		}
		v.Hold(r, test.key)
		if v.OK() != (test.says == "") || !v.OK() && !strings.Contains(v.Faults[0].What, test.says) {
			t.Errorf("%s: got %+v", name, v.Faults)
		}
		if signed := containsText(v.Sees, "signed"); signed != (name == "as it was") {
			t.Errorf("%s: it sees %q", name, v.Sees)
		}
	}
}

func TestReadReceipt(t *testing.T) {
	want := Receipt{"a/b", 3, "ab", "sig"}
	for name, text := range map[string]string{
		"alone":     `{"contract_id":"a/b","seq":3,"hash":"ab","signature":"sig"}`,
		"an answer": `{"valid":true,"receipt":{"signature":"sig","hash":"ab","seq":3,"contract_id":"a/b"}}`,
	} {
		if got, err := ReadReceipt([]byte(text)); err != nil || got != want {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
	}
	for _, text := range []string{``, `x`, `[]`, `{}`, `{"receipt":null}`, `{"contract_id":"a","seq":0,"hash":"ab"}`, `{"contract_id":"a","seq":"1","hash":"ab"}`, `{"contract_id":"a","seq":1}`} {
		_, err := ReadReceipt([]byte(text))
		wantCode(t, err, UnreadableDocument)
	}
}

func TestReadKeys(t *testing.T) {
	key := newKey(t)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		t.Fatal(err)
	}
	elliptical, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	other, err := x509.MarshalPKCS8PrivateKey(elliptical)
	if err != nil {
		t.Fatal(err)
	}
	privateFile, publicFile := keyFile(t, "key", "PRIVATE KEY", private, 0o600), keyFile(t, "key.pub", "PUBLIC KEY", public, 0o644)
	if got, err := ReadSigningKey(privateFile); err != nil || !got.Equal(key) {
		t.Errorf("got %v", err)
	}
	if got, err := ReadSigningKey(keyFile(t, "mounted", "PRIVATE KEY", private, 0o440)); err != nil || !got.Equal(key) {
		t.Errorf("of one that the group may read, got %v", err)
	}
	for _, file := range []string{privateFile, publicFile} {
		if got, err := ReadVerifyingKey(file); err != nil || !got.Equal(key.Public()) {
			t.Errorf("%s: got %v", file, err)
		}
	}
	for name, test := range map[string]struct {
		path string
		code Code
	}{
		"missing":    {filepath.Join(t.TempDir(), "none"), UnreadableFile},
		"directory":  {t.TempDir(), UnreadableFile},
		"the group":  {keyFile(t, "g", "PRIVATE KEY", private, 0o660), BadArgument},
		"all":        {keyFile(t, "a", "PRIVATE KEY", private, 0o604), BadArgument},
		"public":     {keyFile(t, "p", "PUBLIC KEY", public, 0o600), BadArgument},
		"of ECDSA":   {keyFile(t, "e", "PRIVATE KEY", other, 0o600), BadArgument},
		"broken DER": {keyFile(t, "b", "PRIVATE KEY", private[:20], 0o600), BadArgument},
		"no PEM":     {keyFile(t, "n", "", nil, 0o600), BadArgument},
	} {
		_, err := ReadSigningKey(test.path)
		if e := wantCode(t, err, test.code); strings.Contains(e.Error(), base64.StdEncoding.EncodeToString(private[:12])) {
			t.Errorf("%s: the error holds the key: %v", name, e)
		}
	}
	if _, err := ReadVerifyingKey(keyFile(t, "e", "PRIVATE KEY", other, 0o600)); err == nil {
		t.Error("a key of ECDSA verifies receipts")
	}
	_, err = Open(context.Background(), sqliteTests.newDSN(t), WithSigner(elliptical))
	wantCode(t, err, BadArgument)
}
