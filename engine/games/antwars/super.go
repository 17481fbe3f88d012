package antwars

import "math/bits"

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
		worth := routes.add(c)
		value := m.certainty(c)
		for i := range worth {
			value *= superDelay
			worth[i] = value
		}
	})
	after := routes.plan()
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
// cells but the order in which pieces are eaten, with the distances between them.
type lookahead struct {
	at    uint8 // the ant's cell
	moves int   // how many moves it looks ahead, up to farthest
	food  int   // pieces added
	cell  [pieces]uint8
	// worth is that of eating a piece, by the number of moves made before; end is what is added if
	// the route ends there.
	worth, end [pieces][farthest]float32
	apart      [pieces][farthest]uint16 // set of the pieces that are so many moves away
	// The best route that starts by eating a piece after so many moves: its worth, 0 after too
	// many, and the set of its pieces.
	best [pieces][farthest + 1]float32
	used [pieces][farthest]uint16
}

// begin forgets all food.
func (l *lookahead) begin(at uint8, moves int) { l.at, l.moves, l.food = at, moves, 0 }

// add adds a piece of food. The caller fills in its worth if it is eaten with the next move, the
// one after, and so on.
func (l *lookahead) add(cell int) (worth []float32) {
	i := l.food
	l.cell[i] = uint8(cell)
	l.end[i], l.best[i], l.apart[i] = [farthest]float32{}, [farthest + 1]float32{}, [farthest]uint16{}
	row := &distances[cell]
	for j, c := range l.cell[:i] {
		if d := int(row[c]); d < l.moves {
			l.apart[i][d] |= 1 << j
			l.apart[j][d] |= 1 << i
		}
	}
	l.food++
	return l.worth[i][:l.moves]
}

// plan returns the worth of the best route by the direction of the next move. It goes backwards in
// time, so that how a route goes on is known.
func (l *lookahead) plan() (after [len(compass)]float32) {
	here := &distances[l.at]
	for made := l.moves - 1; made >= 0; made-- {
		for i, c := range l.cell[:l.food] {
			if made+1 >= int(here[c]) { // the ant can be there by then
				l.best[i][made], l.used[i][made] = l.route(i, made, 0)
			}
		}
	}
	next := &places[l.at].next
	for i, c := range l.cell[:l.food] {
		best, row := &l.best[i], &distances[c]
		for d, to := range next {
			if worth := best[row[to]]; worth > after[d] {
				after[d] = worth
			}
		}
	}
	return after
}

// route returns the worth of the best route that eats a piece after some moves, when others have
// been eaten before, and the set of its pieces. If the best continuation of a piece eats none of
// those, it is still the best; if it does, its worth is an upper bound.
func (l *lookahead) route(piece, made int, eaten uint16) (worth float32, used uint16) {
	eaten |= 1 << piece
	best := l.end[piece][made]
	for d := 1; made+d < l.moves; d++ {
		for left := l.apart[piece][d] &^ eaten; left != 0; left &= left - 1 {
			i := bits.TrailingZeros16(left)
			value, on := l.best[i][made+d], l.used[i][made+d]
			if value > best && on&eaten != 0 {
				value, on = l.route(i, made+d, eaten)
			}
			if value > best {
				best, used = value, on
			}
		}
	}
	return l.worth[piece][made] + best, used | 1<<piece
}
