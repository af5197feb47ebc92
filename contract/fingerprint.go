package contract

import (
	"crypto/sha256"
	"encoding/hex"
)

const (
	fingerprintPrefix = "sha256:"
	fingerprintDigits = 12 // 48 bits: a label, not integrity
)

// Fingerprint gives the label of data: "sha256:" and the first 12 hex digits of its
// SHA-256 (objects page, section 1.3). Two different texts may share one, so it is
// shown together with [SHA256] and never compared in its place.
func Fingerprint(data []byte) string {
	return fingerprintPrefix + SHA256(data)[:fingerprintDigits]
}

// SHA256 gives the full digest of data as 64 lower-case hex digits.
func SHA256(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
