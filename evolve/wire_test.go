package evolve

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"
)

// point is written and read by one description.
type point struct {
	x     int
	names []string
}

func (p *point) describe(c *wire) {
	wireInt(c, &p.x, 100)
	wireSlice(c, &p.names, func(name *string) {
		text := []byte(*name)
		c.Text(&text)
		*name = string(text)
	})
}

func Example_wire() {
	p := point{7, []string{"a", "bc"}}
	b := encodeWire(p.describe)
	var q point
	err := decodeWire(b, q.describe)
	fmt.Println(b, q, err)
	fmt.Println(decodeWire(b[:3], q.describe))
	// Output:
	// [7 2 1 97 2 98 99] {7 [a bc]} <nil>
	// damaged: wrong length, 0 bytes before the end
}

// all holds one of everything.
type all struct {
	Small uint8
	Large uint64
	Yes   bool
	Float float64
	Text  []byte
	Raw   [3]byte
	List  []uint32
}

func (a *all) describe(c *wire) {
	wireInt(c, &a.Small, 9)
	wireInt(c, &a.Large, math.MaxUint64)
	c.Bool(&a.Yes)
	c.Float(&a.Float)
	c.Text(&a.Text)
	if raw := c.Raw(3); c.Reading {
		copy(a.Raw[:], raw)
	} else {
		copy(raw, a.Raw[:])
	}
	wireSlice(c, &a.List, func(v *uint32) { wireInt(c, v, math.MaxUint32) })
}

func FuzzDecode(f *testing.F) {
	v := all{9, math.MaxUint64, true, -0.5, []byte("text"), [3]byte{1, 2, 3}, []uint32{0, 1 << 31}}
	b := encodeWire(v.describe)
	var w all
	if err := decodeWire(b, w.describe); err != nil || !reflect.DeepEqual(v, w) {
		f.Fatalf("%+v, %v", w, err)
	}
	for i := range b {
		if err := decodeWire(b[:i], new(all).describe); !errors.Is(err, errDamaged) {
			f.Fatalf("cut at %d: %v", i, err)
		}
	}
	f.Add(b)
	f.Add(append(b, 0))
	f.Fuzz(func(t *testing.T, b []byte) {
		var v, w all
		if decodeWire(b, v.describe) != nil {
			return
		}
		if err := decodeWire(encodeWire(v.describe), w.describe); err != nil {
			t.Errorf("%+v cannot be read again: %v", v, err)
		}
	})
}
