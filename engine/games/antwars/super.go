package antwars

// super plans the next three moves. Of all ways to eat food that it sees or remembers it takes the
// one that is worth most. A piece is worth the ant's certainty of it, times nine tenths for each
// move until it is eaten. Every cell that a step shows for the first time adds a fiftieth. super
// kills an opponent within reach and never steps beside one that it sees.
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
	routes := lookahead{moves: min(superReach, m.left())}
	each(m.food, func(c int) {
		worth := routes.add(c)
		value := m.certainty(c)
		for i := range worth {
			value *= superDelay
			worth[i] = value
		}
	})
	best, direction := float32(-1), 0
	for d, to := range places[m.at].next {
		if m.beside(to) {
			continue
		}
		fresh := places[to].view.AndNot(b.seen).Count()
		value := routes.after(to) + float32(superCurious*float32(fresh))
		m.weigh(d, value)
		if value > best {
			best, direction = value, d
		}
	}
	return direction
}

// lookahead finds what food an ant can best eat within a few moves. It does not walk cell by cell:
// a route is the order in which pieces are eaten, and its steps are the distances between them.
type lookahead struct {
	moves int // how many moves it looks ahead, up to farthest
	food  int // pieces added
	cell  [pieces]uint8
	// worth is that of eating a piece, positive, by the number of moves made before. best is that
	// of the best route that starts so; 0 is not known yet.
	worth, best [pieces][farthest]float32
	end         [pieces][farthest]float32 // what it is worth besides to end there
}

// add adds a piece of food. The caller fills in what it is worth to eat it with the next move, with
// the one after, and so on.
func (l *lookahead) add(cell int) (worth []float32) {
	i := l.food
	l.cell[i] = uint8(cell)
	l.food++
	return l.worth[i][:l.moves]
}

// after returns the worth of the best route for an ant that goes to the cell with its next move.
func (l *lookahead) after(to uint8) (best float32) {
	row := &distances[to]
	for i, c := range l.cell[:l.food] {
		if made := int(row[c]); made < l.moves {
			best = max(best, l.start(i, made))
		}
	}
	return best
}

// start returns the worth of the best route that starts by eating a piece after some moves.
func (l *lookahead) start(piece, made int) float32 {
	best := &l.best[piece][made]
	if *best == 0 {
		*best = l.route(piece, made, 0)
	}
	return *best
}

// route returns the worth of the best route that eats a piece after some moves, when others have
// been eaten before. If those were still there, it would be worth no less. That bound prunes the
// search: a crowded board becomes ten times cheaper and an ordinary one no dearer.
func (l *lookahead) route(piece, made int, eaten uint32) float32 {
	eaten |= 1 << piece
	row := &distances[l.cell[piece]]
	best := l.end[piece][made]
	for i, c := range l.cell[:l.food] {
		then := made + int(row[c])
		if then < l.moves && eaten>>i&1 == 0 && l.start(i, then) > best {
			best = max(best, l.route(i, then, eaten))
		}
	}
	return l.worth[piece][made] + best
}
