package protocol

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"clade/engine/system/durable"
	"clade/experiments/cluster/broker"
)

// Begun says who had a part in a run, in its directory and in what its worker reports.
type Begun struct {
	// Worker is who goes on with it.
	Worker string `json:"worker"`
	// Before are the words of those that worked on it earlier, in turn: each has signed the
	// snapshot that the next one went on with. Null stands for one of which there is no word.
	Before [][]byte `json:"before,omitempty"`
}

// begunFile names in a run's directory the file with who had a part in it.
const begunFile = "begun-by"

// mostBefore is how many workers may have had a part in a run; all of them fit in a message.
const mostBefore = 4000

// ReadBegun reads what a run's directory says; nothing where it says nothing.
func ReadBegun(dir string) (Begun, error) {
	var b Begun
	content, err := os.ReadFile(filepath.Join(dir, begunFile))
	if err == nil {
		err = json.Unmarshal(content, &b)
	} else if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	return b, err
}

// Write writes it into a run's directory.
func (b *Begun) Write(dir string) error {
	content, err := json.Marshal(b)
	if err != nil {
		return err
	}
	return durable.WriteFile(filepath.Join(dir, begunFile), content, 0o666)
}

// Workers returns who has worked on a run earlier, as far as there is a word of them.
// The error tells of a word that is none.
func (b *Begun) Workers(run string) ([]string, error) {
	if len(b.Before) > mostBefore {
		return nil, fmt.Errorf("a run of %d workers; at most %d are allowed", len(b.Before),
			mostBefore)
	}
	var names []string
	for _, word := range b.Before {
		if len(word) == 0 {
			continue
		}
		name, _, err := broker.Verify(run, word)
		if err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

// SignSnapshot puts the word of who hands a snapshot of a run over before it.
func SignSnapshot(key ed25519.PrivateKey, run string, archive []byte) []byte {
	sum := sha256.Sum256(archive)
	return append(broker.Sign(key, run, sum[:]), archive...)
}

// OpenSnapshot returns a snapshot of a run that SignSnapshot has signed, with the word of who did.
func OpenSnapshot(run string, signed []byte) (by string, word, archive []byte, err error) {
	const length = ed25519.PublicKeySize + ed25519.SignatureSize + sha256.Size
	if len(signed) < length {
		return "", nil, nil, errors.New("a snapshot without signature")
	}
	word, archive = signed[:length], signed[length:]
	by, sum, err := broker.Verify(run, word)
	if is := sha256.Sum256(archive); err == nil && !bytes.Equal(is[:], sum) {
		err = fmt.Errorf("the snapshot of run %s is %w", run, ErrSwapped)
	}
	return by, word, archive, err
}
