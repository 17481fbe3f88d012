package amoeboid

import (
	"fmt"
	"image"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"clade/gp/input"
)

// maxCells is the greatest number of cells of a board.
const maxCells = 64

// Graph is a board: cells, their neighbours, where the two players start and where each cell is
// drawn. It is immutable.
type Graph struct {
	name  string // in a few words
	n     int
	side  int              // of a square board, else 0
	near  [maxCells]uint64 // neighbours of each cell
	start [2]uint8
	// where each cell is drawn, columns and rows from the upper left, all different
	at    []image.Point
	group [][]uint8 // automorphisms, the identity first: group[k][cell] is where the cell goes
	// of each cell: column letter and row number on a square board (a1 is the upper left corner),
	// else its number
	labels []string
}

// grid returns the n x n board, n in 2..8, on which a cell has eight neighbours (a king's moves) or
// four. The players start in opposite corners.
func grid(n, neighbours int) (*Graph, error) {
	if n < 2 || n > 8 {
		return nil, fmt.Errorf("amoeboid: a square board has 2 to 8 cells a side, not %d", n)
	}
	if neighbours != 4 && neighbours != 8 {
		return nil, fmt.Errorf("amoeboid: a cell of a square board has 4 or 8 neighbours, not %d",
			neighbours)
	}
	g := &Graph{name: fmt.Sprintf("%d x %d, %d neighbours", n, n, neighbours), n: n * n, side: n,
		start: [2]uint8{0, uint8(n*n - 1)}}
	for c := range g.n {
		x, y := c%n, c/n
		g.at = append(g.at, image.Pt(x, y))
		for d := range g.n {
			dx, dy := d%n-x, d/n-y
			if square := dx*dx + dy*dy; square == 1 || square == 2 && neighbours == 8 {
				g.near[c] |= 1 << d
			}
		}
	}
	return g.finish(), nil
}

// path returns the path of n cells, n in 2..64. The players start at its ends.
func path(n int) (*Graph, error) {
	g, err := newGraph("path", n, 2)
	if err != nil {
		return nil, err
	}
	g.at = make([]image.Point, n)
	for c := range n {
		g.at[c] = image.Pt(c, 0)
		if c > 0 {
			g.join(c-1, c)
		}
	}
	g.start = [2]uint8{0, uint8(n - 1)}
	return g.finish(), nil
}

// cycle returns the cycle of n cells, n in 3..64. The players start as far apart as they can.
func cycle(n int) (*Graph, error) {
	g, err := newGraph("cycle", n, 3)
	if err != nil {
		return nil, err
	}
	top := (n + 1) / 2 // the first half is drawn from left to right, the rest back below it
	for c := range n {
		g.join(c, (c+1)%n)
		if c < top {
			g.at = append(g.at, image.Pt(c, 0))
		} else {
			g.at = append(g.at, image.Pt(n-1-c, 1))
		}
	}
	g.start = [2]uint8{0, uint8(n / 2)}
	return g.finish(), nil
}

// star returns a centre, cell 0, with n-1 leaves, n in 3..64. The players start on the leaves 1 and
// n-1.
func star(n int) (*Graph, error) {
	g, err := newGraph("star", n, 3)
	if err != nil {
		return nil, err
	}
	for c := 1; c < n; c++ {
		g.join(0, c)
	}
	g.start = [2]uint8{1, uint8(n - 1)}
	return g.finish(), nil
}

func newGraph(kind string, n, least int) (*Graph, error) {
	if n < least || n > maxCells {
		return nil, fmt.Errorf("amoeboid: a %s has %d to %d cells, not %d", kind, least, maxCells, n)
	}
	return &Graph{name: fmt.Sprintf("%s of %d", kind, n), n: n}, nil
}

func (g *Graph) join(c, d int) {
	g.near[c] |= 1 << d
	g.near[d] |= 1 << c
}

// finish lays the cells out where that is not done, names them and finds the symmetries.
func (g *Graph) finish() *Graph {
	if g.at == nil {
		g.at = layout(g.n)
	}
	for c := range g.n {
		if g.side > 0 {
			g.labels = append(g.labels, string(rune('a'+c%g.side))+strconv.Itoa(c/g.side+1))
		} else {
			g.labels = append(g.labels, strconv.Itoa(c))
		}
	}
	g.group = g.automorphisms()
	return g
}

// layout places n cells in the smallest square that holds them, cell 0 in its middle.
func layout(n int) []image.Point {
	side := 1
	for side*side < n {
		side++
	}
	at := make([]image.Point, n)
	for c := range n {
		at[c] = image.Pt(c%side, c/side)
	}
	if middle := (side/2)*side + side/2; middle < n {
		at[0], at[middle] = at[middle], at[0]
	}
	return at
}

// maxGroup is the number of symmetries beyond which a board is treated as if it had none, because
// using them would cost the solver more than it gains.
const maxGroup = 128

// automorphisms lists the bijections of the cells that keep the neighbours, the identity first, by
// backtracking in the order of the cells. Where there are more than maxGroup, it returns the
// identity alone.
func (g *Graph) automorphisms() [][]uint8 {
	var found [][]uint8
	image := make([]uint8, g.n)
	identity := make([]uint8, g.n)
	for c := range identity {
		identity[c] = uint8(c)
	}
	steps := 0
	var extend func(c int, used uint64) bool
	extend = func(c int, used uint64) bool {
		if steps++; len(found) > maxGroup || steps > 1<<20 {
			return false
		}
		if c == g.n {
			found = append(found, slices.Clone(image))
			return true
		}
		for d := range g.n {
			if used>>d&1 != 0 || bits.OnesCount64(g.near[c]) != bits.OnesCount64(g.near[d]) ||
				!g.agrees(image[:c], c, d) {
				continue
			}
			image[c] = uint8(d)
			if !extend(c+1, used|1<<d) {
				return false
			}
		}
		return true
	}
	if !extend(0, 0) || len(found) > maxGroup {
		return [][]uint8{identity}
	}
	return found // backtracking finds the identity first
}

// agrees tells whether sending c to d keeps the neighbours among the cells before c, which go to
// image.
func (g *Graph) agrees(image []uint8, c, d int) bool {
	for e, f := range image {
		if g.near[c]>>e&1 != g.near[d]>>f&1 {
			return false
		}
	}
	return true
}

// Cells returns the number of cells.
func (g *Graph) Cells() int { return g.n }

// adjacent tells whether two cells are neighbours.
func (g *Graph) adjacent(c, d int) bool { return g.near[c]>>d&1 != 0 }

// Neighbours returns the neighbours of a cell, as bits.
func (g *Graph) Neighbours(c int) uint64 { return g.near[c] }

// cell returns the cell of a label, false if there is none.
func (g *Graph) cell(label string) (int, bool) {
	c := slices.Index(g.labels, label)
	return c, c >= 0
}

// opening returns the position at the beginning: one unit of each player in its start cell, A to
// move.
func (g *Graph) opening() Position {
	var p Position
	p.Set(int(g.start[0]), Piece{1, 0})
	p.Set(int(g.start[1]), Piece{0, 1})
	return p
}

// extent returns the columns and rows that the drawing takes.
func (g *Graph) extent() image.Point {
	var size image.Point
	for _, p := range g.at {
		size.X, size.Y = max(size.X, p.X+1), max(size.Y, p.Y+1)
	}
	return size
}

// maxPlace bounds the columns and rows of a graph file.
const maxPlace = 63

// parseGraph reads a board from the text of a graph file. A line is one of
//
//	cells N        how many cells, 2 to 64; first, once
//	edge C D       cells C and D, numbered from 0, are neighbours
//	start C D      A starts on C and B on D; once
//	at C X Y       cell C is drawn in column X and row Y, both in 0..63; for all cells or for none
//
// blank, or a comment after "#". The graph must be connected. Errors name the file and the line.
func parseGraph(file, text string) (*Graph, error) {
	text, err := input.SkipMark(text)
	if err != nil {
		return nil, fmt.Errorf("amoeboid: %s: %w", file, err)
	}
	r := graphReader{file: file}
	for i, line := range strings.Split(text, "\n") {
		r.line = i + 1
		line, _, _ = strings.Cut(line, "#")
		if words := strings.Fields(line); len(words) > 0 {
			if err := r.read(words); err != nil {
				return nil, err
			}
		}
	}
	return r.graph()
}

// graphReader is the state of reading one file.
type graphReader struct {
	file    string
	line    int
	g       *Graph
	started bool
	placed  map[int]image.Point
}

func (r *graphReader) fail(format string, args ...any) error {
	return fmt.Errorf("amoeboid: %s:%d: %s", r.file, r.line, fmt.Sprintf(format, args...))
}

// read takes in one line.
func (r *graphReader) read(words []string) error {
	arguments := map[string]int{"cells": 1, "edge": 2, "start": 2, "at": 3}
	want, known := arguments[words[0]]
	if !known {
		return r.fail("%s", input.Unknown("word", words[0], []string{"cells", "edge", "start", "at"}))
	}
	if len(words)-1 != want {
		return r.fail("%q takes %d numbers, not %d", words[0], want, len(words)-1)
	}
	if (r.g == nil) != (words[0] == "cells") {
		return r.fail("the number of cells must stand once, before all else; write \"cells N\" first")
	}
	var v [3]int
	for i, word := range words[1:] {
		n, err := strconv.Atoi(word)
		if err != nil {
			return r.fail("%q is not a whole number", word)
		}
		v[i] = n
	}
	return r.apply(words[0], v)
}

// apply carries out one line with its numbers.
func (r *graphReader) apply(word string, v [3]int) error {
	if word == "cells" {
		if v[0] < 2 || v[0] > maxCells {
			return r.fail("a board has 2 to %d cells, not %d", maxCells, v[0])
		}
		r.g, r.placed = &Graph{name: fmt.Sprintf("graph of %d", v[0]), n: v[0]}, map[int]image.Point{}
		return nil
	}
	inside := func(c int) bool { return c >= 0 && c < r.g.n }
	if !inside(v[0]) || word != "at" && !inside(v[1]) {
		return r.fail("%s: the cells are numbered 0 to %d", word, r.g.n-1)
	}
	switch word {
	case "edge":
		if v[0] == v[1] {
			return r.fail("edge: cell %d cannot be its own neighbour", v[0])
		}
		r.g.join(v[0], v[1])
	case "start":
		if r.started || v[0] == v[1] {
			return r.fail("start: give two different cells, once")
		}
		r.started, r.g.start = true, [2]uint8{uint8(v[0]), uint8(v[1])}
	default:
		if _, twice := r.placed[v[0]]; twice || v[1] < 0 || v[1] > maxPlace || v[2] < 0 ||
			v[2] > maxPlace {
			return r.fail("at: place a cell once, in columns and rows 0 to %d", maxPlace)
		}
		r.placed[v[0]] = image.Pt(v[1], v[2])
	}
	return nil
}

// graph checks the whole and completes it.
func (r *graphReader) graph() (*Graph, error) {
	switch {
	case r.g == nil:
		return nil, r.fail("the file has no \"cells N\" line")
	case !r.started:
		return nil, r.fail("the file has no \"start C D\" line")
	case len(r.placed) != 0 && len(r.placed) != r.g.n:
		return nil, r.fail("%d of %d cells have an \"at\" line; place all or none", len(r.placed), r.g.n)
	}
	reached := uint64(1)
	for range r.g.n {
		for m := reached; m != 0; m &= m - 1 {
			reached |= r.g.near[bits.TrailingZeros64(m)]
		}
	}
	if bits.OnesCount64(reached) != r.g.n {
		return nil, r.fail("cell %d cannot be reached from cell 0; add an edge",
			bits.TrailingZeros64(^reached))
	}
	if len(r.placed) > 0 {
		taken := map[image.Point]bool{}
		for c := range r.g.n {
			p := r.placed[c]
			if taken[p] {
				return nil, r.fail("two cells are placed at column %d and row %d", p.X, p.Y)
			}
			taken[p] = true
			r.g.at = append(r.g.at, p)
		}
	}
	return r.g.finish(), nil
}

// text returns the board as a graph file that parseGraph reads back.
func (g *Graph) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "cells %d\n", g.n)
	for c := range g.n {
		for m := g.near[c] >> c << c; m != 0; m &= m - 1 {
			fmt.Fprintf(&b, "edge %d %d\n", c, bits.TrailingZeros64(m))
		}
	}
	fmt.Fprintf(&b, "start %d %d\n", g.start[0], g.start[1])
	for c, p := range g.at {
		fmt.Fprintf(&b, "at %d %d %d\n", c, p.X, p.Y)
	}
	return b.String()
}
