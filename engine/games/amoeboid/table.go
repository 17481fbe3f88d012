package amoeboid

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"

	"clade/engine/system/durable"
	"clade/engine/system/parallel"
)

// table holds bounds of the value of every position of a board with at most a mass of units. They
// are computed by backward induction, because each roll adds units and so positions depend only on
// heavier ones. The one approximation is at the greatest mass: an open position beyond it counts as
// lost for the lower and as won for the upper bound.
//
// A layer is the positions with given units of A and of B and a player to move. Of the compositions
// of A's units that symmetries of the board map to each other only one is stored, with all
// compositions of B's units.
type table struct {
	g    *Graph
	die  int
	mass int
	dir  string // where layers are kept; "" for memory alone

	numbered map[int]*compositions // by units
	layers   map[layerKey][]pair
}

// layerKey names a layer.
type layerKey struct {
	a, b int // units of A and of B
	turn int
}

// pair bounds the expected result for A, rounded outwards.
type pair struct{ low, high float32 }

// maxMass is the greatest mass of a table.
const maxMass = 200

// maxLayer bounds the positions of one layer, so that a number in memory and on disk stays an
// int32.
const maxLayer = 1 << 30

// newTable computes the table of a game for positions of at most mass units, with as many
// goroutines as processors. With a directory it keeps finished layers there, goes on where an
// earlier run of the same board, die and mass stopped, and holds only the layers that it still
// needs in memory. Memory and time grow steeply with the mass; see positions.
func newTable(game *Game, mass int, dir string) (*table, error) {
	g := game.graph
	if mass < 2 || mass > maxMass {
		return nil, fmt.Errorf("amoeboid: the mass of a table must be in 2..%d units, not %d",
			maxMass, mass)
	}
	if n := positions(g, mass); n > 1<<33 {
		return nil, fmt.Errorf("amoeboid: a table of %d units on the board %s has about %.3g "+
			"positions; lower the mass", mass, g.name, n)
	}
	t := &table{g: g, die: game.settings.Die, mass: mass, dir: dir,
		numbered: map[int]*compositions{}, layers: map[layerKey][]pair{}}
	if dir != "" {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return nil, fmt.Errorf("amoeboid: table: %w", err)
		}
	}
	for m := range mass + 1 {
		t.numbered[m] = newCompositions(g, m)
	}
	for total := mass; total >= 0; total-- {
		for a := range total + 1 {
			for turn := range 2 {
				if err := t.layer(layerKey{a, total - a, turn}); err != nil {
					return nil, err
				}
			}
		}
		t.forget(total + t.die)
	}
	return t, nil
}

// positions returns the number of positions of at most mass units on a board, both players to move,
// symmetries not counted: it tells what a table costs.
func positions(g *Graph, mass int) float64 {
	n := 2.0 // mass+2n choose 2n: ways to lay at most mass units of two colours on n cells
	for i := range 2 * g.n {
		n *= float64(mass+i+1) / float64(i+1)
	}
	return n
}

// forget drops layers of a mass that no lighter one needs, if they are on disk.
func (t *table) forget(mass int) {
	if t.dir == "" {
		return
	}
	for a := range mass + 1 {
		delete(t.layers, layerKey{a, mass - a, A})
		delete(t.layers, layerKey{a, mass - a, B})
	}
}

// layer reads or computes one layer.
func (t *table) layer(k layerKey) error {
	size := len(t.numbered[k.a].reps) * t.numbered[k.b].len()
	if size > maxLayer {
		return fmt.Errorf("amoeboid: a layer of %d and %d units has %d positions; lower the mass",
			k.a, k.b, size)
	}
	if t.dir != "" {
		switch layer, err := t.read(k, size); {
		case err == nil:
			t.layers[k] = layer
			return nil
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
	}
	layer := make([]pair, size)
	t.compute(k, layer)
	t.layers[k] = layer
	if t.dir != "" {
		return t.write(k, layer)
	}
	return nil
}

// compute fills a layer, a class of A's units at a time, on all processors. Every entry depends
// only on heavier layers, so the order does not matter.
func (t *table) compute(k layerKey, layer []pair) {
	as, bs := t.numbered[k.a], t.numbered[k.b]
	workers := make([]worker, runtime.GOMAXPROCS(0))
	do := func(n, class int) error {
		w := &workers[n]
		w.t = t
		var first, second [maxCells]int32
		as.at(int(as.reps[class]), &first)
		second[t.g.n-1] = int32(k.b)
		for j := range bs.len() {
			layer[class*bs.len()+j] = w.bound(&first, &second, k)
			next(second[:t.g.n])
		}
		return nil
	}
	_ = parallel.Each(context.Background(), len(as.reps), len(workers), do) // nothing can fail
}

// worker is the scratch memory of one goroutine.
type worker struct {
	t     *table
	moves []Move
}

// bound computes one position's bounds.
func (w *worker) bound(first, second *[maxCells]int32, k layerKey) pair {
	var p Position
	for c := range w.t.g.n {
		if first[c]|second[c] != 0 {
			p.Set(c, Piece{first[c], second[c]})
		}
	}
	p.SetTurn(k.turn)
	if p.Verdict() != Open {
		v := float32(p.settled(A))
		return pair{v, v}
	}
	low, high := 0.0, 0.0
	for roll := 1; roll <= w.t.die; roll++ {
		l, h := w.best(&p, roll)
		low += l
		high += h
	}
	n := float64(w.t.die)
	return outward(low/n, high/n)
}

// best returns the bounds, for A, of a position after a roll.
func (w *worker) best(p *Position, roll int) (low, high float64) {
	seat := p.Turn()
	sign := float64(1 - 2*seat)
	low, high = lowest, lowest // for the mover, until the end
	w.moves = p.Moves(w.moves[:0], w.t.g, roll)
	for _, m := range w.moves {
		u := p.try(m, roll)
		l, h := w.t.bounds(p)
		p.back(m, u)
		if seat == B {
			l, h = -h, -l
		}
		low, high = max(low, l), max(high, h)
		if low == highest {
			break
		}
	}
	if seat == B {
		return float64(sign * high), float64(sign * low)
	}
	return low, high
}

// outward rounds bounds so that they stay bounds.
func outward(low, high float64) pair {
	v := pair{float32(low), float32(high)}
	if float64(v.low) > low {
		v.low = math.Nextafter32(v.low, -2)
	}
	if float64(v.high) < high {
		v.high = math.Nextafter32(v.high, 2)
	}
	return v
}

// bounds returns the bounds for A of a position before the roll, from the layers in memory.
func (t *table) bounds(p *Position) (low, high float64) {
	v := t.look(p, p.Units())
	return float64(v.low), float64(v.high)
}

// look is bounds for a position of known units.
func (t *table) look(p *Position, units Piece) pair {
	if p.owned[A] == 0 || p.owned[B] == 0 {
		v := float32(p.settled(A))
		return pair{v, v}
	}
	if int(units[A])+int(units[B]) > t.mass {
		return pair{lowest, highest}
	}
	return t.layers[layerKey{int(units[A]), int(units[B]), p.Turn()}][t.place(p, units)]
}

// at returns the bounds for A of a position before the roll, and reads their layer from disk where
// it is not in memory.
func (t *table) at(p *Position) (pair, error) {
	units := p.Units()
	if k := (layerKey{int(units[A]), int(units[B]), p.Turn()}); k.a+k.b <= t.mass &&
		t.layers[k] == nil {
		layer, err := t.read(k, len(t.numbered[k.a].reps)*t.numbered[k.b].len())
		if err != nil {
			return pair{lowest, highest}, err
		}
		t.layers[k] = layer
	}
	return t.look(p, units), nil
}

// place returns the index of a position in its layer.
func (t *table) place(p *Position, units Piece) int {
	as, bs := t.numbered[int(units[A])], t.numbered[int(units[B])]
	number := as.numberOf(p, A, t.g.group[0])
	return int(as.class[number])*bs.len() + bs.numberOf(p, B, as.inverse[as.turn[number]])
}

// layerMagic begins every layer's file; the digit rises with the format.
const layerMagic = "amoeboid layer 1\n"

// file names a layer's file.
func (t *table) file(k layerKey) string {
	return filepath.Join(t.dir, fmt.Sprintf("a%d-b%d-%s.layer", k.a, k.b, letters[k.turn]))
}

// subject is a hash of what a layer depends on besides its key.
func (t *table) subject() uint32 {
	return crc32.ChecksumIEEE(fmt.Appendf(nil, "%s die %d mass %d", t.g.text(), t.die, t.mass))
}

// write writes the file of a layer: magic, subject, the bounds, a checksum.
func (t *table) write(k layerKey, layer []pair) error {
	text := append(make([]byte, 0, len(layerMagic)+8+8*len(layer)), layerMagic...)
	text = binary.LittleEndian.AppendUint32(text, t.subject())
	for _, v := range layer {
		text = binary.LittleEndian.AppendUint32(text, math.Float32bits(v.low))
		text = binary.LittleEndian.AppendUint32(text, math.Float32bits(v.high))
	}
	text = binary.LittleEndian.AppendUint32(text, crc32.ChecksumIEEE(text))
	if err := durable.WriteFile(t.file(k), text, 0o666); err != nil {
		return fmt.Errorf("amoeboid: table: %w", err)
	}
	return nil
}

// read reads a layer of size positions from its file.
func (t *table) read(k layerKey, size int) ([]pair, error) {
	name := t.file(k)
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("amoeboid: table: %w", err)
	}
	return t.parse(name, text, size)
}

// parse checks and decodes a layer's file.
func (t *table) parse(name string, text []byte, size int) ([]pair, error) {
	head := len(layerMagic) + 4
	if len(text) != head+8*size+4 || string(text[:len(layerMagic)]) != layerMagic {
		return nil, fmt.Errorf(
			"amoeboid: %s is not a layer of this table; remove it and it is computed again", name)
	}
	body, sum := text[:len(text)-4], binary.LittleEndian.Uint32(text[len(text)-4:])
	if crc32.ChecksumIEEE(body) != sum {
		return nil, fmt.Errorf("amoeboid: %s is damaged; remove it and it is computed again", name)
	}
	if binary.LittleEndian.Uint32(text[len(layerMagic):]) != t.subject() {
		return nil, fmt.Errorf(
			"amoeboid: %s belongs to another board, die or mass; choose another directory", name)
	}
	layer := make([]pair, size)
	for i := range layer {
		at := text[head+8*i:]
		layer[i] = pair{math.Float32frombits(binary.LittleEndian.Uint32(at)),
			math.Float32frombits(binary.LittleEndian.Uint32(at[4:]))}
	}
	return layer, nil
}
