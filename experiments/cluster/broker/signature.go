package broker

import (
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"fmt"
)

// signature begins a signed message: a public key and its signature over subject and content, so
// that none can speak for another.
const signature = ed25519.PublicKeySize + ed25519.SignatureSize

// Sign signs a message.
func Sign(key ed25519.PrivateKey, subject string, content []byte) []byte {
	message := append([]byte(nil), key.Public().(ed25519.PublicKey)...)
	message = append(message, ed25519.Sign(key, signedPart(subject, content))...)
	return append(message, content...)
}

// Verify returns the content of a signed message, and the name of the key that has signed it.
func Verify(subject string, message []byte) (name string, content []byte, err error) {
	if len(message) < signature {
		return "", nil, errors.New("a message without signature")
	}
	key, content := ed25519.PublicKey(message[:ed25519.PublicKeySize]), message[signature:]
	if !ed25519.Verify(key, signedPart(subject, content),
		message[ed25519.PublicKeySize:signature]) {
		return "", nil, errors.New("a message with a wrong signature")
	}
	return NameOf(key), content, nil
}

func signedPart(subject string, content []byte) []byte {
	return append([]byte(subject+"\x00"), content...)
}

// NameOf names the owner of a key.
func NameOf(key ed25519.PublicKey) string { return fmt.Sprintf("%x", sha256.Sum256(key))[:16] }

// sign signs a message of a coordinator of an embedded server.
func (a *Access) sign(subject string, content []byte) []byte {
	if a.inside == nil {
		return content
	}
	return Sign(a.inside.key, subject, content)
}

// verify returns a coordinator's message without its signature. At a site's own server there are no
// signatures.
func (a *Access) verify(subject string, message []byte) ([]byte, error) {
	if a.Server == "" {
		return message, nil
	}
	_, content, err := Verify(subject, message)
	if err != nil || !a.is(message[:ed25519.PublicKeySize]) {
		return nil, errors.New("no coordinator has signed it")
	}
	return content, nil
}
