package infer

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Digest names content by its hash, in the form "sha256:" and 64 lower-case
// hexadecimal digits.
type Digest string

// DigestOf is the digest of b.
func DigestOf(b []byte) Digest {
	sum := sha256.Sum256(b)
	return Digest("sha256:" + hex.EncodeToString(sum[:]))
}

// Short is the first 12 hexadecimal digits, for people.
func (d Digest) Short() string {
	hexa := strings.TrimPrefix(string(d), "sha256:")
	return hexa[:min(12, len(hexa))]
}
