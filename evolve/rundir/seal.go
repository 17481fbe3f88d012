package rundir

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// A sealed payload is, in order: magic, the hash of the study (32 bytes), the length of the payload
// (8 bytes), the payload compressed with zstd, and the SHA-256 of all before it. The checksum
// stands outside the compression, so that no byte is beyond it.
const (
	family = "clade checkpoint "
	magic  = family + "1\n" // the number rises with every change of the format
)

// maxRatio bounds how many times longer a payload can be than its file, so that a wrong length
// cannot ask for memory without end. The ids of its individuals, all different, keep a true one far
// below it.
const maxRatio = 1 << 10

// mostState is the most bytes of a payload, so that a file from elsewhere cannot fill the memory.
const mostState = 4 << 30

// Faults of what is sealed.
var (
	errDamaged = errors.New("the checkpoint is damaged")
	ErrStudy   = errors.New("the checkpoint belongs to another study")
	ErrVersion = errors.New("the checkpoint was written by another version of clade")
)

// Seal returns a payload compressed, with a checksum and the hash of its study: the content of a
// checkpoint file.
func Seal(study [32]byte, payload []byte) ([]byte, error) {
	if uint64(len(payload)) > mostState {
		return nil, fmt.Errorf("a state of %d bytes is too large for a checkpoint; %d are "+
			"the most", len(payload), uint64(mostState))
	}
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		return nil, err
	}
	defer encoder.Close()
	file := make([]byte, 0, len(payload)/3+256)
	file = append(file, magic...)
	file = append(file, study[:]...)
	file = binary.LittleEndian.AppendUint64(file, uint64(len(payload)))
	file = encoder.EncodeAll(payload, file)
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
	// of its length at once: what grows takes three times as much
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
