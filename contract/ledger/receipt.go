package ledger

import (
	"crypto/ed25519"

	"github.com/plumbline-mcp/plumbline/contract"
)

// Receipt names an event. Kept outside the ledger, it proves that nothing up to the
// event was cut off or changed ([Ledger.Verify]).
type Receipt struct {
	ContractID string `json:"contract_id"`
	Seq        int64  `json:"seq"`
	Hash       string `json:"hash"`
	// Signature is that of a ledger with a key ([WithSigner]) in an answer to a
	// recording: Ed25519 over the canonical JSON of the other members, in base64. It shows
	// that the server gave the receipt; empty elsewhere.
	Signature string `json:"signature,omitempty"`
}

// Receipt gives the event's receipt, without a signature.
func (e *Event) Receipt() Receipt { return Receipt{ContractID: e.Contract, Seq: e.Seq, Hash: e.Hash} }

// ReadReceipt reads a receipt that was kept: its JSON, or that of a whole answer which
// has it as its member "receipt". The error is UNREADABLE_DOCUMENT.
func ReadReceipt(text []byte) (Receipt, error) {
	v, err := contract.Decode(text)
	if err != nil {
		return Receipt{}, &Error{Code: UnreadableDocument, Message: "the receipt is not JSON: " + err.Error(), Hint: hintReceipt, Err: err}
	}
	if inner := v.Get("receipt"); inner.Type() == contract.Object {
		v = inner
	}
	id, hasID := v.Get("contract_id").Text()
	seq, hasSeq := v.Get("seq").Int()
	hash, hasHash := v.Get("hash").Text()
	if !hasID || !hasSeq || !hasHash || hash == "" || seq < 1 {
		return Receipt{}, refuse(UnreadableDocument, "the file holds no receipt", hintReceipt)
	}
	signature, _ := v.Get("signature").Text()
	return Receipt{id, seq, hash, signature}, nil
}

const hintReceipt = "give the member receipt of an answer that recorded something: contract_id, seq, hash and, where the server signs, signature"

const (
	seesSignature  = "that the receipt was signed with the key"
	blindSignature = "who gave the receipt: no key was given to check its signature by"
)

// Hold holds the chain against a receipt that was kept, whose hash was the kept head of
// the verification, and the receipt's signature against a key, nil for none.
func (v *Verification) Hold(r Receipt, key ed25519.PublicKey) {
	if r.ContractID != v.ContractID {
		v.fault(0, "the receipt is of the contract %s", quote(r.ContractID))
	}
	if v.KeptAt != 0 && v.KeptAt != r.Seq {
		v.fault(v.KeptAt, "the receipt says that its hash is that of event %d", r.Seq)
	}
	switch {
	case key == nil:
		v.Blind = append(v.Blind, blindSignature)
	case r.Signature == "":
		v.fault(0, "the receipt has no signature")
	case !r.signedBy(key):
		v.fault(0, "the receipt's signature is not one of the key")
	default:
		v.Sees = append(v.Sees, seesSignature)
	}
}
