package gp

import (
	"runtime"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// native is a Code's machine code.
type native struct {
	entries []uintptr // by slot, then situation
}

// maxNative is the greatest number of codes with machine code. A process may have some 65,000
// mappings, and each takes one.
const maxNative = 20000

var natives atomic.Int64 // in use

// newNative returns machine code whose programs start at some offsets, ready to run. It returns nil
// where the system does not allow it. It is gone with its Code.
func newNative(c *Code, code []byte, starts []uintptr) *native {
	if natives.Add(1) > maxNative {
		natives.Add(-1)
		return nil
	}
	memory, err := executable(code)
	if err != nil {
		natives.Add(-1)
		return nil
	}
	runtime.AddCleanup(c, func(memory []byte) {
		_ = syscall.Munmap(memory) // no harm but that it stays
		natives.Add(-1)
	}, memory)
	n := &native{starts}
	for i := range n.entries {
		n.entries[i] += uintptr(unsafe.Pointer(&memory[0]))
	}
	return n
}

// executable returns a copy of machine code that can be run and no longer be written.
func executable(code []byte) ([]byte, error) {
	memory, err := syscall.Mmap(-1, 0, len(code), syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, err
	}
	copy(memory, code)
	if err := syscall.Mprotect(memory, syscall.PROT_READ|syscall.PROT_EXEC); err != nil {
		_ = syscall.Munmap(memory)
		return nil, err
	}
	return memory, nil
}

// run is EvalAsks.
func (n *native) run(c *Code, asks []Ask, situation, turned int, f *Frame, values []float32) {
	if len(asks) == 0 {
		return
	}
	c.checkLoaded(f)
	_, _ = n.entries[:c.stride][situation], values[len(asks)-1]
	runNative(&asks[0], len(asks), &n.entries[situation], c.stride, turned,
		unsafe.SliceData(f.registers), f, unsafe.SliceData(c.masks), unsafe.SliceData(f.truths),
		&values[0])
	runtime.KeepAlive(c)
}

// choose is Choose.
func (n *native) choose(c *Code, situation, turned int, f *Frame, values []float32) (best int) {
	c.checkLoaded(f)
	_ = values[len(c.asked)-1]
	best = chooseNative(n.entries[situation], turned, unsafe.SliceData(f.registers), f,
		unsafe.SliceData(c.masks), unsafe.SliceData(f.truths), &values[0])
	runtime.KeepAlive(c)
	return best
}

// checkLoaded panics for a frame without room for the code's registers.
func (c *Code) checkLoaded(f *Frame) {
	if len(f.registers) < c.registers || len(f.truths) < c.truths {
		panic("gp: evaluation in a frame that the code was not loaded into")
	}
}

// chooseNative runs the code of a choice.
//
//go:noescape
func chooseNative(entry uintptr, turned int, registers *Quad, f *Frame, masks *[Lanes]Bits,
	truths *uint8, values *float32) (best int)

// runNative computes the value of each question. Programs of a situation are at the first entry and
// then a stride apart.
//
//go:noescape
func runNative(asks *Ask, n int, entries *uintptr, stride, turned int, registers *Quad, f *Frame,
	masks *[Lanes]Bits, truths *uint8, values *float32)
