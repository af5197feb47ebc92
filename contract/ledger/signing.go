package ledger

import (
	"crypto"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"io"
	"os"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/localfile"
)

const (
	maxKeyBytes    = 64 << 10 // bytes of a key's file
	hintSigningKey = "make one with: openssl genpkey -algorithm ed25519 -out FILE, and chmod 600 FILE"
	hintAnyKey     = "give the key that the server signs with, or its public half: openssl pkey -in FILE -pubout"
)

// WithSigner has the ledger sign the receipt of each recording (design: Ledger), within
// its transaction: what cannot be signed is not recorded. The key is an Ed25519 key
// ([ReadSigningKey]), or what holds one; another is BAD_ARGUMENT in [Open].
func WithSigner(key crypto.Signer) Option { return func(o *options) { o.signer = key } }

// checkSigner refuses a key that no receipt can be signed with.
func (o options) checkSigner() error {
	if o.signer == nil {
		return nil
	}
	if _, ok := o.signer.Public().(ed25519.PublicKey); !ok {
		return refuse(BadArgument, "the key for signing is not one of Ed25519", hintSigningKey)
	}
	return nil
}

// receipt gives the receipt of an event that is being recorded, or was.
func (l *Ledger) receipt(e *Event) (*Receipt, error) {
	r := e.Receipt()
	if l.signer == nil {
		return &r, nil
	}
	signature, err := l.signer.Sign(nil, r.signed(), crypto.Hash(0))
	if err != nil {
		return nil, &Error{Code: Unavailable, Message: "the receipt cannot be signed, so nothing is recorded", Hint: hintRetry, Detail: err.Error(), Err: err}
	}
	r.Signature = base64.StdEncoding.EncodeToString(signature)
	return &r, nil
}

// signed gives the bytes that a receipt's signature is over: the canonical JSON of
// {contract_id, seq, hash}.
func (r Receipt) signed() []byte {
	r.Signature = ""
	text, err := json.Marshal(r)
	if err != nil {
		return nil // strings and integers always encode
	}
	canonical, err := contract.Canonical(text)
	if err != nil {
		return nil
	}
	return canonical
}

// signedBy says whether the receipt carries a signature of the key.
func (r Receipt) signedBy(key ed25519.PublicKey) bool {
	signature, err := base64.StdEncoding.DecodeString(r.Signature)
	return err == nil && len(key) == ed25519.PublicKeySize && ed25519.Verify(key, r.signed(), signature)
}

// ReadSigningKey reads the key that receipts are signed with: Ed25519, as PEM of
// PKCS #8, in a file kept from others ([localfile.CheckSecret]). Errors: UNREADABLE_FILE,
// BAD_ARGUMENT; none holds anything of the file.
func ReadSigningKey(path string) (ed25519.PrivateKey, error) {
	block, info, err := readPEM(path)
	if err != nil {
		return nil, err
	}
	key, ok := privateKey(block)
	if !ok {
		return nil, refuse(BadArgument, "the file "+quote(path)+" is no Ed25519 key in PEM (PKCS #8)", hintSigningKey)
	}
	if err := localfile.CheckSecret(path, info); err != nil {
		return nil, refuse(BadArgument, "the key "+err.Error(), "make a new one if somebody may have read it")
	}
	return key, nil
}

// ReadVerifyingKey reads the key that signatures of receipts are checked by: the public
// half of the one they were signed with, as PEM, or that one itself. Errors:
// UNREADABLE_FILE, BAD_ARGUMENT.
func ReadVerifyingKey(path string) (ed25519.PublicKey, error) {
	block, _, err := readPEM(path)
	if err != nil {
		return nil, err
	}
	if key, ok := privateKey(block); ok {
		return key.Public().(ed25519.PublicKey), nil
	}
	if block != nil {
		if parsed, err := x509.ParsePKIXPublicKey(block.Bytes); err == nil {
			if key, ok := parsed.(ed25519.PublicKey); ok {
				return key, nil
			}
		}
	}
	return nil, refuse(BadArgument, "the file "+quote(path)+" is no Ed25519 key in PEM", hintAnyKey)
}

func privateKey(block *pem.Block) (ed25519.PrivateKey, bool) {
	if block == nil {
		return nil, false
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, false
	}
	key, ok := parsed.(ed25519.PrivateKey)
	return key, ok
}

// readPEM reads the first block of a file, nil where it has none, and how the file is.
func readPEM(path string) (*pem.Block, os.FileInfo, error) {
	f, info, err := localfile.Open(path)
	if err != nil {
		return nil, nil, unreadableKey(path, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxKeyBytes))
	if err != nil {
		return nil, nil, unreadableKey(path, err)
	}
	block, _ := pem.Decode(text)
	return block, info, nil
}

func unreadableKey(path string, err error) *Error {
	return &Error{Code: UnreadableFile, Message: "the key " + quote(path) + " cannot be read", Hint: "name a file that exists and is yours to read", Detail: err.Error(), Err: err}
}
