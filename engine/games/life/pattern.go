package life

import (
	"bytes"
	"fmt"
	"strconv"
)

// pattern is a rectangle with live cells.
type pattern struct {
	height, width int
	live          []liveCell // row by row from the top, from left to right
}

// liveCell is a live cell of a pattern, counted from 0 at its upper left.
type liveCell struct {
	y, x int32
	own  colour
}

// maxLive is the greatest number of live cells of a pattern that is read: a short text can stand
// for any number.
const maxLive = 1 << 22

// twoColours is the rule that a pattern with cells of both colours names in its file.
const twoColours = "KingOfTheHill"

// rleLine is the greatest length of a line that is written; the format asks for 70 at most.
const rleLine = 70

// pattern returns the cells of the whole board.
func (b *board) pattern() *pattern {
	p := &pattern{height: b.height, width: b.width}
	b.each(func(y, x int, c colour) { p.live = append(p.live, liveCell{int32(y), int32(x), c}) })
	return p
}

// put places the cells of a pattern with its upper left corner at (y, x) and returns how many were
// free.
func (b *board) put(p *pattern, y, x int) int {
	n := 0
	for _, l := range p.live {
		if b.place(y+int(l.y), x+int(l.x), l.own) {
			n++
		}
	}
	return n
}

// rle writes the pattern in the run length encoded format of the Life community (conwaylife.com,
// "Run Length Encoded"). A pattern of the first colour alone is plain Life, "b" and "o"; else the
// cells are states: ".", "A" for the first colour and "B" for the second.
func (p *pattern) rle() []byte {
	dead, live, rule := byte('b'), "oo", "B3/S23"
	for _, l := range p.live {
		if l.own == colourB {
			dead, live, rule = '.', "AB", twoColours
		}
	}
	w := &rleWriter{}
	fmt.Fprintf(&w.out, "x = %d, y = %d, rule = %s\n", p.width, p.height, rule)
	var y, x int32
	for i := 0; i < len(p.live); {
		l := p.live[i]
		if l.y > y {
			w.run(int(l.y-y), '$')
			y, x = l.y, 0
		}
		w.run(int(l.x-x), dead)
		n := 1
		for i+n < len(p.live) && p.live[i+n] == (liveCell{l.y, l.x + int32(n), l.own}) {
			n++
		}
		w.run(n, live[l.own])
		x, i = l.x+int32(n), i+n
	}
	w.run(1, '!')
	w.out.WriteByte('\n')
	return w.out.Bytes()
}

type rleWriter struct {
	out  bytes.Buffer
	line int
}

func (w *rleWriter) run(n int, tag byte) {
	if n == 0 {
		return
	}
	item := string(tag)
	if n > 1 {
		item = strconv.Itoa(n) + item
	}
	if w.line+len(item) > rleLine {
		w.out.WriteByte('\n')
		w.line = 0
	}
	w.out.WriteString(item)
	w.line += len(item)
}

// clip shortens what is quoted in an error.
func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}
