package amoeboid

import (
	"fmt"
	"image"
	"math/bits"
	"strconv"
	"strings"

	"clade/gp/bom"
	"clade/gp/suggest"
)

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
	text, err := bom.Skip(text)
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
		return r.fail("%s", suggest.Unknown("word", words[0], []string{"cells", "edge", "start", "at"}))
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
