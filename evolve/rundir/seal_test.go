package rundir

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"clade/gp/proof"
)

var study = [32]byte{7}

// sealed returns a payload, and it sealed.
func sealed(t testing.TB) (payload, file []byte) {
	t.Helper()
	for i := range 3000 {
		payload = binary.AppendUvarint(payload, uint64(i*i%977))
	}
	file = proof.Must(Seal(study, payload))(t)
	return payload, file
}

// Every byte of a checkpoint matters: with any bit of it changed, and cut or lengthened anywhere,
// it is recognised as damaged.
func TestEveryDamageIsFound(t *testing.T) {
	payload, file := sealed(t)
	proof.Are(t, proof.Must(Unseal(study, file))(t), payload, "what was sealed")
	found := func(what string, at int, damaged []byte) {
		if _, err := Unseal(study, damaged); !errors.Is(err, errDamaged) {
			t.Fatalf("%s %d of %d: %v", what, at, len(file), err)
		}
	}
	for i := range file {
		for _, flip := range []byte{1, 0x80, 0xff} {
			file[i] ^= flip
			found("flipped byte", i, file)
			file[i] ^= flip
		}
		found("cut at", i, file[:i])
		found("cut before", i+1, file[i+1:])
	}
	found("lengthened", 0, append(bytes.Clone(file), 0))
	if _, err := Unseal([32]byte{1}, file); !errors.Is(err, ErrStudy) {
		t.Errorf("a checkpoint of another study: %v", err)
	}
	newer := bytes.Clone(file[:len(file)-32])
	newer[len(family)] = '2'
	sum := sha256.Sum256(newer)
	if _, err := Unseal(study, append(newer, sum[:]...)); !errors.Is(err, ErrVersion) {
		t.Errorf("a checkpoint of another version: %v", err)
	}
}

func TestForgedLengthIsRefused(t *testing.T) {
	_, file := sealed(t)
	for _, length := range []uint64{0, 1, 1 << 31, 1 << 40, 1<<64 - 1} {
		body := bytes.Clone(file[:len(file)-32])
		binary.LittleEndian.PutUint64(body[len(magic)+32:], length)
		sum := sha256.Sum256(body)
		if _, err := Unseal(study, append(body, sum[:]...)); !errors.Is(err, errDamaged) {
			t.Errorf("length %d: %v", length, err)
		}
	}
	// It is refused before anything is unpacked, though the file is long enough for it.
	body := append(bytes.Clone(file[:len(file)-32]), make([]byte, (mostState>>10)+1)...)
	binary.LittleEndian.PutUint64(body[len(magic)+32:], mostState+1)
	sum := sha256.Sum256(body)
	if _, err := Unseal(study, append(body, sum[:]...)); !errors.Is(err, errDamaged) ||
		!strings.Contains(err.Error(), "cannot have") {
		t.Errorf("too long: %v", err)
	}
}

// FuzzUnseal reads files with the checksum set right, so that the inside is reached.
func FuzzUnseal(f *testing.F) {
	// short, since what is interesting is made shorter byte by byte
	file := proof.Must(Seal(study, []byte("abcabcabcabc")))(f)
	f.Add(file[:len(file)-32])
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, body []byte) {
		sum := sha256.Sum256(body)
		payload, err := Unseal(study, append(bytes.Clone(body), sum[:]...))
		if err != nil {
			return
		}
		again := proof.Must(Seal(study, payload))(t)
		proof.Are(t, proof.Must(Unseal(study, again))(t), payload, "what was sealed again")
	})
}
