package rundir

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// A sealed payload is, in order: magic, the hash of the study (32 bytes), the length of the payload
// (8 bytes), the payload compressed with zstd, and the SHA-256 of all before it. The checksum is
// outside of the compression, so that it covers every byte.
const (
	family = "clade checkpoint "
	magic  = family + "1\n" // the number rises with every change of the format
)

// maxRatio bounds the length of a payload relative to its file, so that a wrong length cannot
// exhaust memory. A true payload compresses far less, since the ids of its individuals all differ.
const maxRatio = 1 << 10

// mostState is the greatest length of a payload in bytes, so that a foreign file cannot exhaust
// memory.
const mostState = 4 << 30

// Errors of Unseal.
var (
	errDamaged = errors.New("the checkpoint is damaged")
	ErrStudy   = errors.New("the checkpoint belongs to another study")
	ErrVersion = errors.New("the checkpoint was written by another version of clade")
)

// compressor is made once: each has 8 MB to clear. What it wrote before changes no byte.
var compressor = sync.OnceValue(func() *zstd.Encoder {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		panic(err) // an option is wrong
	}
	return encoder
})

// Seal returns the content of a checkpoint file: a compressed payload with a checksum and the hash
// of its study.
func Seal(study [32]byte, payload []byte) ([]byte, error) {
	if uint64(len(payload)) > mostState {
		return nil, fmt.Errorf("a state of %d bytes is too large for a checkpoint; %d are "+
			"the most", len(payload), uint64(mostState))
	}
	file := make([]byte, 0, len(payload)/3+256)
	file = append(file, magic...)
	file = append(file, study[:]...)
	file = binary.LittleEndian.AppendUint64(file, uint64(len(payload)))
	file = compressor().EncodeAll(payload, file)
	sum := sha256.Sum256(file)
	return append(file, sum[:]...), nil
}

// Unseal returns the payload that was sealed. The error wraps errDamaged for anything that Seal did
// not write, and is ErrVersion or ErrStudy for a sound file of another format or study.
func Unseal(study [32]byte, file []byte) ([]byte, error) {
	head := len(magic) + 32 + 8
	if len(file) < head+32 {
		return nil, fmt.Errorf("%w: it has only %d bytes", errDamaged, len(file))
	}
	body, sum := file[:len(file)-32], file[len(file)-32:]
	if actual := sha256.Sum256(body); !bytes.Equal(actual[:], sum) {
		return nil, fmt.Errorf("%w: its checksum is wrong", errDamaged)
	}
	if !bytes.HasPrefix(body, []byte(magic)) {
		if bytes.HasPrefix(body, []byte(family)) {
			return nil, ErrVersion
		}
		return nil, fmt.Errorf("%w: it is something else", errDamaged)
	}
	if !bytes.Equal(body[len(magic):len(magic)+32], study[:]) {
		return nil, ErrStudy
	}
	length := binary.LittleEndian.Uint64(body[head-8:])
	if length/maxRatio > uint64(len(file)) || length > mostState {
		return nil, fmt.Errorf("%w: its state cannot have %d bytes", errDamaged, length)
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderMaxMemory(max(length, 1<<20)))
	if err != nil {
		return nil, err
	}
	defer decoder.Close()
	// allocated at full length: a growing buffer would take three times the memory
	payload, err := decoder.DecodeAll(body[head:], make([]byte, 0, length))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	if uint64(len(payload)) != length {
		return nil, fmt.Errorf("%w: its state has %d bytes instead of %d", errDamaged, len(payload),
			length)
	}
	return payload, nil
}
