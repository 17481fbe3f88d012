package antwars

import (
	"math"

	"clade/gp"
)

// super plans the next three moves and takes the best route over food that it sees or remembers. A
// piece is worth the ant's certainty of it, times nine tenths for each move until it is eaten.
// Every cell that the next step shows for the first time adds a fiftieth. super kills an opponent
// within reach and never steps beside one that it sees.
type super struct{}

const (
	superReach   = 3
	superDelay   = 0.9
	superCurious = 0.02
)

func (super) Move(m *memory) int {
	b := &m.belief
	if !b.begun {
		*b = belief{begun: true}
	}
	b.seen = b.seen.Or(m.view)
	if d, ok := m.strike(); ok {
		m.note(strikes)
		return d
	}
	var routes lookahead
	routes.begin(m.at, min(superReach, m.left()))
	each(m.food, func(c int) {
		piece, value := routes.add(c), m.certainty(c)
		for made := range routes.moves {
			value *= superDelay
			routes.worth[made][piece] = value
		}
	})
	after := routes.plan([len(compass)]float32{})
	best, direction := float32(-1), 0
	for d, to := range places[m.at].next {
		if m.beside(to) {
			continue
		}
		fresh := places[to].view.AndNot(b.seen).Count()
		value := after[d] + float32(superCurious*float32(fresh))
		m.weigh(d, value)
		if value > best {
			best, direction = value, d
		}
	}
	return direction
}

// lookahead finds the best food that an ant can eat within a few moves. A route is not a path of
// cells but the order in which pieces are eaten, with the distances between them. The generator of
// a kernel reads its layout.
type lookahead struct {
	at    uint8 // the ant's cell
	moves int   // how many moves it looks ahead, up to farthest
	n     int   // pieces added
	cell  [maxEnds]uint8
	piece [cells]uint8 // the number of the piece on a cell
	food  gp.Bits      // the cells of all pieces
	// worth is that of eating a piece, by the number of moves made before; end is what is added if
	// the route ends there. After too many moves they are 0.
	worth, end [farthest + 2][maxEnds]float32
}

// begin forgets all food.
func (l *lookahead) begin(at uint8, moves int) {
	l.at, l.moves, l.n, l.food = at, moves, 0, gp.Bits{}
}

// add adds a piece of food and returns its number. The caller fills in its worth if it is eaten
// with the next move, the one after, and so on.
func (l *lookahead) add(cell int) (piece int) {
	piece = l.n
	l.cell[piece], l.piece[cell] = uint8(cell), uint8(piece)
	l.food.Set(cell)
	l.n++
	return piece
}

// plan returns the worth of the best route by the direction of the next move, or what the move is
// worth without one if that is more.
func (l *lookahead) plan(alone [len(compass)]float32) (after [len(compass)]float32) {
	for made := l.moves; made < farthest; made++ {
		clear(l.worth[made][:l.n])
		clear(l.end[made][:l.n])
	}
	here, next := &distances[l.at], &places[l.at].next
	var most [len(compass)]uint32
	for d, worth := range alone {
		most[d] = math.Float32bits(worth)
	}
	for _, c := range l.cell[:l.n] {
		first := int(here[c]) - 1
		if first >= l.moves {
			continue
		}
		var best [4]uint32
		best[0], best[1], best[2] = l.route(c, first, l.food)
		row := &distances[c]
		for d, to := range next {
			most[d] = max(most[d], best[(int(row[to])-first)&3])
		}
	}
	for d, worth := range most {
		after[d] = math.Float32frombits(worth)
	}
	return after
}

// route returns the worth of the best route that starts by eating the piece on a cell, as bits, if
// so many moves were made before, one more, and two more: a first move leads by one nearer to the
// piece, or away from it. Only food that is left can be eaten. Worths are compared by their bits,
// which takes no branch: none is negative.
func (l *lookahead) route(cell uint8, made int, left gp.Bits) (b0, b1, b2 uint32) {
	piece := l.piece[cell] & (maxEnds - 1)
	end, worth := (*[3][maxEnds]float32)(l.end[made:]), (*[3][maxEnds]float32)(l.worth[made:])
	b0, b1, b2 = math.Float32bits(end[0][piece]), math.Float32bits(end[1][piece]),
		math.Float32bits(end[2][piece])
	if more := l.moves - 1 - made; more > 0 {
		left.Clear(int(cell))
		for near := left.And(nearby[more][cell]); !near.Empty(); near = near.Rest() {
			c := near.First()
			n0, n1, n2 := l.route(uint8(c), made+int(distances[cell][c]), left)
			b0, b1, b2 = max(b0, n0), max(b1, n1), max(b2, n2)
		}
	}
	return math.Float32bits(worth[0][piece] + math.Float32frombits(b0)),
		math.Float32bits(worth[1][piece] + math.Float32frombits(b1)),
		math.Float32bits(worth[2][piece] + math.Float32frombits(b2))
}
