//go:build !light

package external

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"clade/gp/proof"
)

// assembled returns a module with one page of memory and a function "_start" without arguments, of
// instructions and a type of result (0 for none).
func assembled(result byte, code ...byte) []byte {
	results := []byte{0}
	if result != 0 {
		results = []byte{1, result}
	}
	body := append(append([]byte{0}, code...), 0x0b)
	module := []byte("\x00asm\x01\x00\x00\x00")
	module = section(module, 1, append([]byte{1, 0x60, 0}, results...))
	module = section(module, 3, []byte{1, 0})
	module = section(module, 5, []byte{1, 0, 1})
	module = section(module, sectionExport, append([]byte{1, 6}, "_start\x00\x00"...))
	return section(module, sectionCode, append([]byte{1, byte(len(body))}, body...))
}

// importing returns a module that imports a function that no host has.
func importing() []byte {
	module := []byte("\x00asm\x01\x00\x00\x00")
	module = section(module, 1, []byte{1, 0x60, 0, 0})
	module = section(module, sectionImport, append([]byte{1, 3}, "env\x04nope\x00\x00"...))
	module = section(module, 3, []byte{1, 0})
	module = section(module, sectionExport, append([]byte{1, 6}, "_start\x00\x01"...))
	return section(module, sectionCode, []byte{1, 2, 0, 0x0b})
}

// called meters a module, calls its function with fuel on an engine, and returns the result and
// what is left of the fuel.
func called(t *testing.T, module []byte, fuel int64, e wazero.RuntimeConfig) (uint64, int64,
	error) {
	t.Helper()
	metered := proof.Must(meter(module))(t)
	m := proof.Must(newModule(metered, e))(t)
	ctx := context.Background()
	defer m.runtime.Close(ctx)
	i := proof.Must(m.runtime.InstantiateModule(ctx, m.compiled,
		wazero.NewModuleConfig().WithStartFunctions()))(t)
	left := i.ExportedGlobal(fuelName).(api.MutableGlobal)
	left.Set(uint64(fuel))
	results, err := i.ExportedFunction("_start").Call(ctx)
	if err != nil || len(results) == 0 {
		return 0, int64(left.Get()), err
	}
	return results[0], int64(left.Get()), nil
}

// engines are wazero's two.
func engines() map[string]wazero.RuntimeConfig {
	return map[string]wazero.RuntimeConfig{"compiler": wazero.NewRuntimeConfig(),
		"interpreter": wazero.NewRuntimeConfigInterpreter()}
}

// spin is a loop without end.
var spin = []byte{0x03, 0x40, 0x0c, 0, 0x0b}

// Modules are assembled here, byte by byte, as the WebAssembly specification says; results are
// those of IEEE 754 and of the canonical NaN.
func TestNaNIsCanonical(t *testing.T) {
	double := slices.Concat([]byte{0x44}, make([]byte, 8), []byte{0x44}, make([]byte, 8),
		[]byte{0xa3, 0xbd}) // 0/0 as bits
	single := slices.Concat([]byte{0x43}, make([]byte, 4), []byte{0x43}, make([]byte, 4),
		[]byte{0x95, 0xbc})
	for name, e := range engines() {
		if got, _, err := called(t, assembled(0x7e, double...), 100, e); err != nil ||
			got != 0x7ff8000000000000 {
			t.Errorf("%s: 0/0 is %016x, %v", name, got, err)
		}
		if got, _, err := called(t, assembled(0x7f, single...), 100, e); err != nil ||
			uint32(got) != 0x7fc00000 {
			t.Errorf("%s: 0/0 is %08x, %v", name, got, err)
		}
		// numbers stay as they are
		half := slices.Concat([]byte{0x44}, []byte{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}, []byte{0x44},
			[]byte{0, 0, 0, 0, 0, 0, 0, 0xc0}, []byte{0xa3})
		if got, _, err := called(t, assembled(0x7c, half...), 100, e); err != nil ||
			math.Float64frombits(got) != -0.5 {
			t.Errorf("%s: 1/-2 is %v, %v", name, math.Float64frombits(got), err)
		}
	}
}

func TestFuelIsTaken(t *testing.T) {
	fill := []byte{0x41, 0, 0x41, 0, 0x41, 0xe8, 7, 0xfc, 11, 0} // 1000 bytes
	for name, c := range map[string]struct {
		code []byte
		left int64 // of 10,000
		out  bool
	}{
		"nothing": {nil, 10_000 - 1, false},
		"nops":    {[]byte{1, 1, 1}, 10_000 - 4, false},
		"a branch not taken counts": {[]byte{0x41, 0, 0x04, 0x40, 1, 1, 1, 0x0b}, 10_000 - 7,
			false},
		"a fill":             {fill, 10_000 - 5 - 1000, false},
		"a loop without end": {spin, -1, true},
		"fills without end": {slices.Concat([]byte{0x03, 0x40}, fill,
			[]byte{0x0c, 0, 0x0b}), 0, true},
	} {
		var lefts []int64
		for engineName, e := range engines() {
			_, left, err := called(t, assembled(0, c.code...), 10_000, e)
			lefts = append(lefts, left)
			if (err != nil) != c.out || c.out != (left < 0) || !c.out && left != c.left {
				t.Errorf("%s, %s: %d left, want %d; %v", name, engineName, left, c.left, err)
			}
		}
		proof.Is(t, lefts[0], lefts[1], "%s: what the engines leave", name)
	}
}

func TestMemoryOfModulesIsBounded(t *testing.T) {
	grow := []byte{0x41, 0x80, 0x20, 0x40, 0} // by 4096 pages, 256 MB
	for name, e := range engines() {
		if got, _, err := called(t, assembled(0x7f, grow...), 100, e); err != nil || int32(got) != -1 {
			t.Errorf("%s: growing gave %d, %v", name, int32(got), err)
		}
	}
}

func TestModulesThatMisbehave(t *testing.T) {
	proof.Costly(t)
	for name, c := range map[string]struct {
		code []byte
		told string
	}{
		"spins":    {spin, "budget of 268435456 instructions"},
		"ends":     {nil, "the program ended"},
		"traps":    {[]byte{0x00}, "the program failed: wasm error: unreachable"},
		"recurses": {[]byte{0x10, 0}, "stack overflow"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "a.wasm")
			proof.OK(t, os.WriteFile(file, assembled(0, c.code...), 0o666))
			var told notices
			s := &Supervisor{Notice: told.add, Seconds: 30}
			p := proof.Must(s.WASM(file))(t)
			if got := steps(t, p); len(got) == 0 || slices.Max(got) != 0 {
				t.Errorf("decided %v, want 0 alone", got)
			}
			proof.Holds(t, told.String(), c.told)
		})
	}
}

func TestModulesThatAreRefused(t *testing.T) {
	vector := []byte{0xfd, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x1a}
	for want, module := range map[string][]byte{
		"no WebAssembly module":                []byte("#!/bin/sh\n"),
		"instruction (0xfd) that is not taken": assembled(0, vector...),
		"instruction (0xfc 99) that is not":    assembled(0, 0xfc, 99),
		"exports nothing":                      []byte("\x00asm\x01\x00\x00\x00"),
		"exports no function _start": bytes.Replace(assembled(0), []byte("_start"),
			[]byte("_begin"), 1),
		"is damaged":       assembled(0)[:30],
		"invalid function": assembled(0, 0x41, 0),
		"module[env] not":  importing(),
	} {
		file := filepath.Join(t.TempDir(), "a.wasm")
		proof.OK(t, os.WriteFile(file, module, 0o666))
		proof.Fails(new(Supervisor).WASM(file))(t, want)
	}
	proof.Fails(new(Supervisor).WASM(os.DevNull))(t, "no regular file") // nor is a pipe waited for
}

func FuzzMeter(f *testing.F) {
	f.Add(assembled(0))
	f.Add(assembled(0, spin...))
	f.Add(assembled(0x7c, 0x44, 0, 0, 0, 0, 0, 0, 0, 0, 0x9f))
	f.Fuzz(func(t *testing.T, module []byte) {
		if metered, err := meter(module); err == nil && len(metered) > 100*len(module)+100 {
			t.Errorf("%d bytes of %d", len(metered), len(module))
		}
	})
}
