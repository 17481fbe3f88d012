// Package wire writes values as compact bytes and reads them again by one description: a function
// that names the parts of a value to a Coder describes both directions. What is read may be
// damaged, and then is an error, never a panic nor a large allocation.
package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// ErrDamaged is wrapped by the error of bytes that do not fit the description.
var ErrDamaged = errors.New("damaged")

// Coder writes or reads; the zero value writes. After the first fault everything that it reads is
// zero.
type Coder struct {
	Reading bool
	b       []byte // written, or left to read
	err     error
}

// NewReader returns a coder that reads.
func NewReader(b []byte) *Coder { return &Coder{Reading: true, b: b} }

// Encode returns what a description writes.
func Encode(describe func(c *Coder)) []byte {
	c := &Coder{}
	describe(c)
	return c.b
}

// Decode lets a description read. Bytes that are left over are an error.
func Decode(b []byte, describe func(c *Coder)) error {
	c := NewReader(b)
	describe(c)
	if len(c.b) > 0 {
		c.Fail("end")
	}
	return c.err
}

// Fail notes a fault of what is read.
func (c *Coder) Fail(what string) {
	if c.err == nil {
		c.err = fmt.Errorf("%w: wrong %s, %d bytes before the end", ErrDamaged, what, len(c.b))
	}
	c.b = nil
}

// Err returns the first fault.
func (c *Coder) Err() error { return c.err }

// Bytes returns what was written, or is left to read.
func (c *Coder) Bytes() []byte { return c.b }

// Int names a number in 0..limit: seven bits a byte.
func Int[T ~int | ~int64 | ~uint8 | ~uint32 | ~uint64](c *Coder, v *T, limit T) {
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

// Bool names a truth value.
func (c *Coder) Bool(v *bool) {
	u := uint8(0)
	if *v {
		u = 1
	}
	Int(c, &u, 1)
	*v = u == 1
}

// Raw names n bytes: those that it returns are to be read, or to be written to at once.
func (c *Coder) Raw(n int) []byte {
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

// Fixed names bytes of which both sides know how many there are.
func (c *Coder) Fixed(v []byte) {
	if b := c.Raw(len(v)); c.Reading {
		copy(v, b)
	} else {
		copy(b, v)
	}
}

// Bits names 32 bits.
func (c *Coder) Bits(v *uint32) {
	var b [4]byte
	binary.LittleEndian.PutUint32(b[:], *v)
	c.Fixed(b[:])
	*v = binary.LittleEndian.Uint32(b[:])
}

// Float names a float, bit for bit.
func (c *Coder) Float(v *float64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], math.Float64bits(*v))
	c.Fixed(b[:])
	*v = math.Float64frombits(binary.LittleEndian.Uint64(b[:]))
}

// Text names bytes behind their length. What is read is not copied.
func (c *Coder) Text(v *[]byte) {
	b := c.Raw(c.Len(len(*v)))
	if c.Reading {
		*v = b
	} else {
		copy(b, *v)
	}
}

// Same names a number that both sides know.
func (c *Coder) Same(n int, what string) {
	m := n
	if Int(c, &m, math.MaxInt); m != n {
		c.Fail(what)
	}
}

// Len names the length of something whose every part takes a byte at least.
func (c *Coder) Len(n int) int {
	Int(c, &n, len(c.b))
	return n
}

// Slice names a slice behind its length, part by part.
func Slice[T any](c *Coder, s *[]T, part func(v *T)) {
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
