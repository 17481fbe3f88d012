package protocol

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"

	"clade/engine/system/durable"
	"clade/experiments/cluster/broker"
)

// Provenance names the workers that had a part in a run. A file in the run's directory holds it,
// and a worker reports it with the run.
type Provenance struct {
	// Worker is the one that has the run now.
	Worker string `json:"worker"`
	// Before are signatures of the workers that had it before, in order: each has signed the
	// snapshot from which the next one continued. Null stands for a missing signature.
	Before [][]byte `json:"before,omitempty"`
}

// provenanceFile is the name of the file in a run's directory.
const provenanceFile = "begun-by"

// mostBefore bounds the workers of a run, so that all fit into a message.
const mostBefore = 4000

// ReadProvenance reads the provenance from a run's directory; empty where there is none.
func ReadProvenance(dir string) (Provenance, error) {
	var p Provenance
	_, err := durable.ReadJSON(filepath.Join(dir, provenanceFile), &p)
	return p, err
}

// Write writes the provenance into a run's directory.
func (p *Provenance) Write(dir string) error {
	return durable.WriteJSON(filepath.Join(dir, provenanceFile), p, 0o666)
}

// Workers returns the names of the workers whose signatures are there. An invalid signature is an
// error.
func (p *Provenance) Workers(run string) ([]string, error) {
	if len(p.Before) > mostBefore {
		return nil, fmt.Errorf("a run of %d workers; at most %d are allowed", len(p.Before),
			mostBefore)
	}
	var names []string
	for _, signature := range p.Before {
		if len(signature) == 0 {
			continue
		}
		name, _, err := broker.Verify(run, signature)
		if err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

// SignSnapshot returns a snapshot of a run after the signature of the worker that hands it over.
func SignSnapshot(key ed25519.PrivateKey, run string, archive []byte) []byte {
	sum := sha256.Sum256(archive)
	return append(broker.Sign(key, run, sum[:]), archive...)
}

// OpenSnapshot splits the output of SignSnapshot. It returns the name of the worker, the signature
// for Provenance.Before, and the snapshot.
func OpenSnapshot(run string, signed []byte) (by string, signature, archive []byte, err error) {
	const length = ed25519.PublicKeySize + ed25519.SignatureSize + sha256.Size
	if len(signed) < length {
		return "", nil, nil, errors.New("a snapshot without signature")
	}
	signature, archive = signed[:length], signed[length:]
	by, sum, err := broker.Verify(run, signature)
	if is := sha256.Sum256(archive); err == nil && !bytes.Equal(is[:], sum) {
		err = fmt.Errorf("the snapshot of run %s is %w", run, ErrSwapped)
	}
	return by, signature, archive, err
}
