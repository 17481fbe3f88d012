//go:build !light

package external

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// This file rewrites WebAssembly modules so that they are metered and byte-exact, neither of which
// an engine promises:
//
//   - a global of the module holds fuel. Every call of a function and every iteration of a loop
//     takes one for each of its instructions, executed or not, without those of inner loops; copies
//     and fills also take their length. Below zero the module traps.
//   - a floating-point result that is a NaN becomes the canonical NaN, since its bits would depend
//     on the processor.
//
// Modules with instructions that it does not know are refused: vectors, threads, exceptions, tail
// calls.

// fuelName is the name under which a metered module exports its fuel.
const fuelName = "clade:fuel"

// Identifiers of the sections of a module, in the binary format of WebAssembly 2.0.
const (
	sectionImport = 2
	sectionGlobal = 6
	sectionExport = 7
	sectionCode   = 10
)

// meter rewrites a module.
func meter(module []byte) (metered []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			if r != errCut {
				panic(r)
			}
			metered, err = nil, errCut
		}
	}()
	if len(module) < 8 || string(module[:8]) != "\x00asm\x01\x00\x00\x00" {
		return nil, errors.New("this is no WebAssembly module of version 1")
	}
	r, out := &reader{module[8:]}, append([]byte(nil), module[:8]...)
	m := rewriter{}
	for len(r.rest) > 0 {
		id := r.byte()
		body := &reader{r.bytes(int(r.number()))}
		// the order of sections is that of their numbers, but for 12 and 13
		if !m.globals && id >= sectionGlobal && id <= 11 {
			m.globals = true
			if id != sectionGlobal {
				out = section(out, sectionGlobal, m.withGlobals(0, nil))
			}
		}
		text := body.rest
		switch id {
		case sectionImport:
			m.imported = importedGlobals(body)
		case sectionGlobal:
			text = m.withGlobals(body.number(), body.rest)
		case sectionExport:
			m.exports = true
			text = m.withExport(body)
		case sectionCode:
			if text, err = m.code(body); err != nil {
				return nil, err
			}
		}
		out = section(out, id, text)
	}
	if !m.exports {
		return nil, errors.New("the module exports nothing; a program exports its memory and _start")
	}
	return out, nil
}

// errCut is the error for a module that ends too early.
var errCut = errors.New("the module is damaged")

// rewriter is the state of rewriting a module.
type rewriter struct {
	imported uint64 // globals
	first    uint64 // index of the first added global
	globals  bool   // they were
	exports  bool   // there are some
}

// The globals that are added, from rewriter.first on.
const (
	globalFuel = iota
	globalLength
	globalSingle
	globalDouble
	addedGlobals
)

// withGlobals returns the section of globals with those that are added.
func (m *rewriter) withGlobals(count uint64, globals []byte) []byte {
	m.first = m.imported + count
	text := append(unsigned(nil, count+addedGlobals), globals...)
	text = append(text, 0x7e, 1, 0x42, 0, 0x0b)                      // i64, variable, 0
	text = append(text, 0x7f, 1, 0x41, 0, 0x0b)                      // i32
	text = append(text, 0x7d, 1, 0x43, 0, 0, 0, 0, 0x0b)             // f32
	return append(text, 0x7c, 1, 0x44, 0, 0, 0, 0, 0, 0, 0, 0, 0x0b) // f64
}

// withExport returns the section of exports with the fuel.
func (m *rewriter) withExport(r *reader) []byte {
	text := append(unsigned(nil, r.number()+1), r.rest...)
	text = append(unsigned(text, uint64(len(fuelName))), fuelName...)
	return unsigned(append(text, 3), m.first+globalFuel)
}

// importedGlobals counts the globals that are imported.
func importedGlobals(r *reader) (globals uint64) {
	for range r.number() {
		r.bytes(int(r.number()))
		r.bytes(int(r.number()))
		switch r.byte() {
		case 0: // a function
			r.number()
		case 1: // a table
			r.byte()
			r.limits()
		case 2: // a memory
			r.limits()
		default:
			r.bytes(2)
			globals++
		}
	}
	return globals
}

// code returns the section of functions, metered.
func (m *rewriter) code(r *reader) ([]byte, error) {
	count := r.number()
	text := unsigned(nil, count)
	for range count {
		body := &reader{r.bytes(int(r.number()))}
		before := body.rest
		for range body.number() { // locals
			body.number()
			body.byte()
		}
		locals := before[:len(before)-len(body.rest)]
		f := function{rewriter: m, reader: body}
		if err := f.rewrite(); err != nil {
			return nil, err
		}
		whole := append(append([]byte(nil), locals...), f.text()...)
		text = append(unsigned(text, uint64(len(whole))), whole...)
	}
	return text, nil
}

// function is a function being rewritten, as pieces of code that each begin where fuel is taken.
type function struct {
	*rewriter
	*reader
	pieces []piece
	open   []int // the piece that pays for the code within each open block
}

type piece struct {
	text []byte
	cost int // instructions that it pays for
}

// text joins the pieces.
func (f *function) text() (text []byte) {
	for _, p := range f.pieces {
		if p.cost > 0 {
			text = f.charge(text, p.cost)
		}
		text = append(text, p.text...)
	}
	return text
}

// charge appends code that takes fuel, and traps where there is none left.
func (f *function) charge(text []byte, cost int) []byte {
	text = unsigned(append(text, 0x23), f.first+globalFuel)
	text = append(signed(append(text, 0x42), int64(cost)), 0x7d)
	text = unsigned(append(text, 0x24), f.first+globalFuel)
	text = unsigned(append(text, 0x23), f.first+globalFuel)
	return append(text, 0x42, 0, 0x53, 0x04, 0x40, 0x00, 0x0b)
}

// rewrite reads the instructions of a function.
func (f *function) rewrite() error {
	f.pieces, f.open = []piece{{}}, []int{0}
	for len(f.open) > 0 {
		before := f.reader.rest
		op := f.byte()
		bulk, err := f.skip(op)
		if err != nil {
			return err
		}
		last := &f.pieces[len(f.pieces)-1]
		payer := f.open[len(f.open)-1]
		f.pieces[payer].cost++
		if bulk {
			last.text = f.measure(last.text)
		}
		last.text = append(last.text, before[:len(before)-len(f.reader.rest)]...)
		switch op {
		case 0x02, 0x04: // block, if
			f.open = append(f.open, payer)
		case 0x03: // loop: it pays for itself, at every turn
			f.open = append(f.open, len(f.pieces))
			f.pieces = append(f.pieces, piece{})
		case 0x0b: // end
			f.open = f.open[:len(f.open)-1]
		default:
			last.text = f.canonical(last.text, op)
		}
	}
	if len(f.reader.rest) > 0 {
		return errCut
	}
	return nil
}

// measure appends code that takes as much fuel as the number on the stack, which stays there.
func (f *function) measure(text []byte) []byte {
	text = unsigned(append(text, 0x24), f.first+globalLength)
	text = unsigned(append(text, 0x23), f.first+globalFuel)
	text = append(unsigned(append(text, 0x23), f.first+globalLength), 0xad, 0x7d)
	text = unsigned(append(text, 0x24), f.first+globalFuel)
	return unsigned(append(text, 0x23), f.first+globalLength)
}

// canonical appends code behind an instruction whose result may be any NaN.
func (f *function) canonical(text []byte, op byte) []byte {
	var global uint64
	switch {
	case op >= 0x8d && op <= 0x97 || op == 0xb6: // f32: from ceil to max, demote
		global = f.first + globalSingle
	case op >= 0x9b && op <= 0xa5 || op == 0xbb: // f64: likewise, promote
		global = f.first + globalDouble
	default:
		return text
	}
	text = unsigned(append(text, 0x24), global)
	text = unsigned(append(text, 0x23), global)
	if global == f.first+globalSingle {
		text = binary.LittleEndian.AppendUint32(append(text, 0x43), 0x7fc00000)
	} else {
		text = binary.LittleEndian.AppendUint64(append(text, 0x44), 0x7ff8000000000000)
	}
	text = unsigned(append(text, 0x23), global)
	text = unsigned(append(text, 0x23), global)
	if global == f.first+globalSingle {
		return append(text, 0x5b, 0x1b) // equal to itself? select
	}
	return append(text, 0x61, 0x1b)
}

// skip reads the operands of an opcode, and tells whether the instruction works on as many bytes or
// entries as the number on the stack says.
func (f *function) skip(op byte) (bulk bool, err error) {
	switch {
	case op <= 0x01 || op == 0x05 || op == 0x0b || op == 0x0f || op == 0x1a || op == 0x1b ||
		op >= 0x45 && op <= 0xc4 || op == 0xd1:
	case op >= 0x02 && op <= 0x04, op == 0x41, op == 0x42, op == 0xd0: // signed
		f.past()
	case op == 0x0c, op == 0x0d, op == 0x10, op >= 0x20 && op <= 0x26, op == 0xd2:
		f.number()
	case op == 0x0e: // br_table
		for range f.number() {
			f.number()
		}
		f.number()
	case op == 0x11, op >= 0x28 && op <= 0x3e: // call_indirect, loads and stores
		f.number()
		f.number()
	case op == 0x1c: // select with types
		f.bytes(int(f.number()))
	case op == 0x3f, op == 0x40:
		f.byte()
	case op == 0x43:
		f.bytes(4)
	case op == 0x44:
		f.bytes(8)
	case op == 0xfc:
		return f.skipExtended()
	default:
		return false, fmt.Errorf("the module has an instruction (0x%02x) that is not taken here: "+
			"vectors, threads, exceptions and tail calls are not", op)
	}
	return false, nil
}

// skipExtended is skip for opcodes after the prefix 0xfc: conversions and bulk operations.
func (f *function) skipExtended() (bulk bool, err error) {
	switch op := f.number(); op {
	case 0, 1, 2, 3, 4, 5, 6, 7: // conversions
	case 9, 13, 16: // data.drop, elem.drop, table.size
		f.number()
	case 11, 15, 17: // memory.fill, table.grow, table.fill
		f.number()
		return true, nil
	case 8, 10, 12, 14: // memory.init, memory.copy, table.init, table.copy
		f.number()
		f.number()
		return true, nil
	default:
		return false, fmt.Errorf("the module has an instruction (0xfc %d) that is not taken here", op)
	}
	return false, nil
}

// section appends a section.
func section(text []byte, id byte, body []byte) []byte {
	return append(unsigned(append(text, id), uint64(len(body))), body...)
}

func unsigned(text []byte, n uint64) []byte { return binary.AppendUvarint(text, n) }

// signed appends a number as signed LEB128.
func signed(text []byte, n int64) []byte {
	for n > 63 || n < -64 {
		text = append(text, byte(n)|0x80)
		n >>= 7
	}
	return append(text, byte(n)&0x7f)
}

// reader reads a module. It panics with errCut at its end.
type reader struct{ rest []byte }

func (r *reader) bytes(n int) []byte {
	if n < 0 || n > len(r.rest) {
		panic(errCut)
	}
	b := r.rest[:n:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) byte() byte { return r.bytes(1)[0] }

// number reads an unsigned number in LEB128.
func (r *reader) number() uint64 {
	n, length := binary.Uvarint(r.rest)
	if length <= 0 {
		panic(errCut)
	}
	r.rest = r.rest[length:]
	return min(n, math.MaxInt)
}

// past reads past a number in LEB128 of either kind.
func (r *reader) past() {
	for r.byte() >= 0x80 {
	}
}

func (r *reader) limits() {
	if r.byte()&1 != 0 {
		r.number()
	}
	r.number()
}
