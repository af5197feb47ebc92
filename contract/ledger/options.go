package ledger

import "crypto"

// Option changes how [Open] opens a ledger.
type Option func(*options)

type options struct {
	signer   crypto.Signer
	existing bool
}

// Existing has [Open] refuse (LEDGER_UNAVAILABLE, by [ErrNoLedger]) where there is no
// ledger yet, instead of making one.
func Existing() Option { return func(o *options) { o.existing = true } }
