package evolve

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// errDamaged is wrapped by the error for bytes that do not fit the description.
var errDamaged = errors.New("damaged")

// wire encodes values as compact bytes and decodes them. One description serves both directions: a
// function that passes the parts of a value to a wire. Damaged bytes give an error, never a panic
// or a large allocation. The zero value encodes. After the first fault everything decodes as zero.
type wire struct {
	Reading bool
	b       []byte // written, or left to read
	err     error
}

// newReader returns a coder that decodes.
func newReader(b []byte) *wire { return &wire{Reading: true, b: b} }

// encodeWire returns the bytes that a description encodes.
func encodeWire(describe func(c *wire)) []byte {
	c := &wire{}
	describe(c)
	return c.b
}

// decodeWire decodes bytes by a description. Left-over bytes are an error.
func decodeWire(b []byte, describe func(c *wire)) error {
	c := newReader(b)
	describe(c)
	if len(c.b) > 0 {
		c.Fail("end")
	}
	return c.err
}

// Fail records a fault in the bytes.
func (c *wire) Fail(what string) {
	if c.err == nil {
		c.err = fmt.Errorf("%w: wrong %s, %d bytes before the end", errDamaged, what, len(c.b))
	}
	c.b = nil
}

// wireInt codes a number in 0..limit, with seven bits in a byte.
func wireInt[T ~int | ~int64 | ~uint8 | ~uint32 | ~uint64](c *wire, v *T, limit T) {
	if !c.Reading {
		c.b = binary.AppendUvarint(c.b, uint64(*v))
		return
	}
	u, n := binary.Uvarint(c.b)
	if n <= 0 || u > uint64(limit) {
		c.Fail("number")
		u, n = 0, 0
	}
	*v, c.b = T(u), c.b[n:]
}

// Bool codes a truth value.
func (c *wire) Bool(v *bool) {
	u := uint8(0)
	if *v {
		u = 1
	}
	wireInt(c, &u, 1)
	*v = u == 1
}

// Raw codes n bytes: it returns them to be read, or to be filled in before the next call.
func (c *wire) Raw(n int) []byte {
	if !c.Reading {
		c.b = append(c.b, make([]byte, n)...)
		return c.b[len(c.b)-n:]
	}
	if n > len(c.b) {
		c.Fail("length")
		return make([]byte, min(n, 64))
	}
	b := c.b[:n]
	c.b = c.b[n:]
	return b
}

// Fixed codes bytes whose number both sides know.
func (c *wire) Fixed(v []byte) {
	if b := c.Raw(len(v)); c.Reading {
		copy(v, b)
	} else {
		copy(b, v)
	}
}

// Bits codes 32 bits.
func (c *wire) Bits(v *uint32) {
	var b [4]byte
	binary.LittleEndian.PutUint32(b[:], *v)
	c.Fixed(b[:])
	*v = binary.LittleEndian.Uint32(b[:])
}

// Float codes a float, bit for bit.
func (c *wire) Float(v *float64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], math.Float64bits(*v))
	c.Fixed(b[:])
	*v = math.Float64frombits(binary.LittleEndian.Uint64(b[:]))
}

// Text codes bytes after their length. Decoded bytes are not copied.
func (c *wire) Text(v *[]byte) {
	b := c.Raw(c.Len(len(*v)))
	if c.Reading {
		*v = b
	} else {
		copy(b, *v)
	}
}

// Same codes a number that both sides know, as a check.
func (c *wire) Same(n int, what string) {
	m := n
	if wireInt(c, &m, math.MaxInt); m != n {
		c.Fail(what)
	}
}

// Len codes the length of something whose every part takes at least a byte.
func (c *wire) Len(n int) int {
	wireInt(c, &n, len(c.b))
	return n
}

// wireSlice codes a slice after its length, part by part.
func wireSlice[T any](c *wire, s *[]T, part func(v *T)) {
	n := c.Len(len(*s))
	if c.Reading {
		*s = make([]T, n)
	}
	for i := range *s {
		if c.err != nil {
			return
		}
		part(&(*s)[i])
	}
}
