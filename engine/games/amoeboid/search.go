package amoeboid

import "math/bits"

// leaf says which value a search gives to a position beyond its depth.
type leaf uint8

const (
	leafLost  leaf = iota // A loses there: values are lower bounds for A
	leafWon               // A wins there: values are upper bounds for A
	leafWorth             // the estimate of worth
)

// bound says whether a stored value is exact.
type bound uint8

const (
	exact bound = iota
	atLeast
	atMost
)

// entry is one place of the transposition table.
type entry struct {
	key        uint64
	value      float64
	generation uint32
	depth      uint8
	bound      bound
}

// search is expectiminimax, over all legal moves wherever its values are bounds, with a
// transposition table shared by positions that a symmetry of the board maps to each other, and with
// Star1 and Star2 pruning at the dice (Ballard, "The *-minimax search procedure for trees
// containing chance nodes", 1983). Values are expected results for the player to move: 1 a win, 0 a
// tie, -1 a loss. It is scratch memory of one goroutine.
type search struct {
	g     *Graph
	die   int
	leaf  leaf
	nodes int64 // positions made
	limit int64 // after which the search gives up; 0 for none
	spent bool  // the limit was met: values are worthless

	known *table // bounds of light positions, nil for none
	fault error  // why known could not be read; spent is set then

	table      []entry
	generation uint32
	moves      [][]Move // by depth left
}

// newSearch returns a search with a table of 2^tableBits positions of 24 bytes; tableBits in 4..30.
func newSearch(g *Graph, die, tableBits int) *search {
	return &search{g: g, die: die, table: make([]entry, 1<<tableBits)}
}

// begin forgets all that was stored and sets the leaf and the limit.
func (s *search) begin(l leaf, limit int64) {
	s.leaf, s.limit, s.spent, s.nodes, s.fault = l, limit, false, 0, nil
	s.generation++
}

// mixPiece is a random number for a piece on a cell (a multiply and fold hash).
func mixPiece(cell uint8, piece Piece) uint64 {
	x := uint64(uint32(piece[A])) | uint64(uint32(piece[B]))<<32
	high, low := bits.Mul64(x^0x9e3779b97f4a7c15, (uint64(cell)*2+1)*0xbf58476d1ce4e5b9)
	high2, low2 := bits.Mul64(high^low^0x94d049bb133111eb, 0xd6e8feb86659fd93)
	return high2 ^ low2
}

// Key is a hash of a position, the same for all positions that a symmetry of the board maps to each
// other.
func (g *Graph) Key(p *Position) uint64 {
	least := ^uint64(0)
	for _, image := range g.group {
		var h uint64
		for m := p.filled; m != 0; m &= m - 1 {
			c := bits.TrailingZeros64(m)
			h += mixPiece(image[c], p.cells[c])
		}
		least = min(least, h)
	}
	return least ^ uint64(p.turn)*0x9e3779b97f4a7c15
}

// end returns the value, for the player to move, of a position at the end of the search.
func (s *search) end(p *Position) float64 {
	seat := p.Turn()
	if s.leaf == leafWorth {
		return p.worth(seat)
	}
	forA := pair{lowest, highest}
	if s.known != nil {
		var err error
		if forA, err = s.known.at(p); err != nil {
			s.fault, s.spent = err, true
		}
	}
	value := forA.low
	if s.leaf == leafWon {
		value = forA.high
	}
	return float64(1-2*seat) * float64(value)
}

// The least and the greatest value; a window beyond them cuts nothing.
const (
	lowest  = -1.0
	highest = 1.0
)

// before returns the value of an open position before the roll, depth plies deep: exact within
// (alpha, beta), else a bound on its side.
func (s *search) before(p *Position, depth int, alpha, beta float64) float64 {
	if depth == 0 {
		return s.end(p)
	}
	if depth == 1 {
		return s.dice(p, depth, alpha, beta)
	}
	key := s.g.Key(p)
	e := &s.table[key&uint64(len(s.table)-1)]
	if e.generation == s.generation && e.key == key && int(e.depth) == depth {
		switch {
		case e.bound == exact, e.bound == atLeast && e.value >= beta, e.bound == atMost &&
			e.value <= alpha:
			return e.value
		}
	}
	v := s.dice(p, depth, alpha, beta)
	if s.spent {
		return 0
	}
	b := exact
	if v >= beta {
		b = atLeast
	} else if v <= alpha {
		b = atMost
	}
	*e = entry{key, v, s.generation, uint8(depth), b}
	return v
}

// dice averages over the rolls. Star1 closes the window of each roll by the extremes of the rolls
// to come; Star2 first looks at one move of every roll, whose value is a lower bound, and cuts when
// those bounds suffice.
func (s *search) dice(p *Position, depth int, alpha, beta float64) float64 {
	n := float64(s.die)
	var probed [20]float64
	sum := 0.0 // of the probed bounds
	for i := range s.die {
		probed[i] = lowest
		if depth > 1 && beta < highest {
			others := sum + float64(lowest*float64(s.die-i-1))
			probed[i] = s.probe(p, i+1, depth, max(lowest, float64(beta*n)-others))
		}
		sum += probed[i]
		if rest := sum + float64(lowest*float64(s.die-i-1)); rest >= float64(beta*n) {
			return rest / n
		}
	}
	total := 0.0
	for i := range s.die {
		sum -= probed[i]
		most := highest * float64(s.die-i-1)
		a := max(lowest, float64(alpha*n)-total-most)
		b := min(highest, float64(beta*n)-total-sum)
		v := s.after(p, i+1, depth, a, b)
		if s.spent {
			return 0
		}
		total += v
		if total+most <= float64(alpha*n) {
			return (total + most) / n
		}
		if total+sum >= float64(beta*n) {
			return (total + sum) / n
		}
	}
	return total / n
}

// probe returns the value of the first move after a roll, a lower bound of the roll's value.
func (s *search) probe(p *Position, roll, depth int, beta float64) float64 {
	moves := s.list(p, roll, depth)
	return s.value(p, moves[0], roll, depth, lowest, beta)
}

// list returns the moves after a roll that are searched, the one that eats the most first.
func (s *search) list(p *Position, roll, depth int) []Move {
	for len(s.moves) <= depth {
		s.moves = append(s.moves, nil)
	}
	moves := s.candidates(s.moves[depth][:0], p, roll)
	s.moves[depth] = moves
	theirs := p.owned[1-p.Turn()]
	best, greatest := 0, int32(-1)
	for i, m := range moves {
		if gain := p.size(int(m.To)); theirs>>m.To&1 != 0 && gain > greatest {
			best, greatest = i, gain
		}
	}
	moves[0], moves[best] = moves[best], moves[0]
	return moves
}

// manyMoves is the number of legal moves above which a search that estimates anyway looks at the
// menu only.
const manyMoves = 300

// mostMoves is the number of legal moves above which they are not listed, because millions of units
// have more moves than fit into memory: a search that needs them all gives up.
const mostMoves = 1 << 22

// candidates appends the moves that are searched: all, unless the search estimates and they are too
// many.
func (s *search) candidates(dst []Move, p *Position, roll int) []Move {
	n := p.countMoves(s.g, roll)
	if s.leaf != leafWorth && n > mostMoves {
		s.spent = true
	}
	if s.spent || s.leaf == leafWorth && n > manyMoves {
		return p.Menu(dst, s.g, roll)
	}
	return p.Moves(dst, s.g, roll)
}

// value returns the value of one move for the mover.
func (s *search) value(p *Position, m Move, roll, depth int, alpha, beta float64) float64 {
	seat := p.Turn()
	s.nodes++
	u := p.try(m, roll)
	var v float64
	if p.owned[A] == 0 || p.owned[B] == 0 {
		v = p.settled(seat)
	} else {
		v = -s.before(p, depth-1, -beta, -alpha)
	}
	p.back(m, u)
	return v
}

// after returns the value of a position after a roll, for the player who moves.
func (s *search) after(p *Position, roll, depth int, alpha, beta float64) float64 {
	if s.limit > 0 && s.nodes >= s.limit {
		s.spent = true
		return 0
	}
	moves := s.list(p, roll, depth)
	best := lowest
	for i := range moves {
		v := s.value(p, moves[i], roll, depth, max(alpha, best), beta)
		if s.spent {
			return 0
		}
		if v > best {
			best = v
			if best >= beta || best >= highest {
				break
			}
		}
	}
	return best
}
