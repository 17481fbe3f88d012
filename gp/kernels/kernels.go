// Package kernels says which vector instructions the kernels of this process may use. The kernels
// themselves are in other packages.
package kernels

import (
	"fmt"
	"os"
	"strings"
	"sync"
)

// Level is a set of instructions; a higher one includes the lower.
type Level uint8

// The levels.
const (
	Scalar Level = iota // plain Go
	AVX2                // 256 bits: AVX and AVX2; BMI1 and POPCNT
	AVX512              // 512 bits: F, BW, DQ, VL, CD, VPOPCNTDQ and VBMI2; BMI2
)

// Variable is the environment variable that chooses a level, for tests and comparison.
const Variable = "CLADE_KERNELS"

var names = [...]string{Scalar: "scalar", AVX2: "avx2", AVX512: "avx512"}

func (l Level) String() string { return names[l] }

// Available returns the levels that this processor runs, lowest first.
func Available() []Level {
	all := []Level{Scalar, AVX2, AVX512}
	return all[:best()+1]
}

// Names returns the names of those levels.
func Names() (all []string) {
	for _, l := range Available() {
		all = append(all, l.String())
	}
	return all
}

// Choose returns the level of a name, or the highest that this processor runs for the name "". It
// returns an error for any other name.
func Choose(name string) (Level, error) {
	if name == "" {
		return best(), nil
	}
	for l, n := range names {
		if n != name {
			continue
		}
		if Level(l) > best() {
			return Scalar,
				fmt.Errorf("kernels: this processor does not run %s; the most it runs is %s", name, best())
		}
		return Level(l), nil
	}
	return Scalar,
		fmt.Errorf("kernels: unknown level %q; choose scalar, avx2 or avx512, or leave %s unset "+
			"for the best", name, Variable)
}

// Executor returns the level of a game's executor. It returns an error for a name that Names does
// not list.
func Executor(game, name string) (Level, error) {
	level, err := Choose(name)
	if err != nil || name == "" {
		return Scalar, fmt.Errorf("%s: no executor %q; there are %s", game, name,
			strings.Join(Names(), ", "))
	}
	return level, nil
}

// Chosen returns the level for this process: the one that the environment variable names, else the
// best. The variable is read once.
var Chosen = sync.OnceValues(func() (Level, error) { return Choose(os.Getenv(Variable)) })
