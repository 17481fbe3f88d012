package amoeboid

import (
	"fmt"
	"slices"
	"sync"
)

// solver is a player that searches a ply deeper each time until it has spent a number of positions,
// and estimates positions at the depth's end by the second advantage. It looks at all legal moves
// where they are at most manyMoves, else at the menu.
type solver struct {
	budget   int64
	searches *sync.Pool // of *search
}

// solverTable is the logarithm of the table's size of one search.
const solverTable = 14

// NewSolver returns a solver that makes about budget positions a move.
func NewSolver(budget int) Mind { return &solver{int64(budget), &sync.Pool{}} }

// Choose returns the best move of the deepest complete search, of equal ones the first.
func (s *solver) Choose(t *Turn) Move {
	search, ok := s.searches.Get().(*search)
	if !ok || search.g != t.Graph || search.die != t.Die {
		search = newSearch(t.Graph, t.Die, solverTable)
	}
	defer s.searches.Put(search)
	search.begin(leafWorth, s.budget)
	t.moves = search.candidates(t.moves[:0], &t.Position, t.Roll)
	choice, reached := t.moves[0], 0
	for depth := 1; depth < 100; depth++ {
		best, value, ok := search.root(&t.Position, t.moves, t.Roll, depth)
		if !ok {
			break
		}
		choice, reached = t.moves[best], depth
		t.moves[0], t.moves[best] = t.moves[best], t.moves[0]
		if value >= worthWin || value <= worthLoss {
			break
		}
	}
	if t.trace != nil {
		s.explain(t, search, choice, max(reached, 1))
	}
	return choice
}

// explain reports what the moves are worth at the depth that was reached, the choice first. Exact
// values cost more than finding the best move, so it leaves out those for which four times the
// budget is not enough.
func (s *solver) explain(t *Turn, search *search, choice Move, depth int) {
	l := lottery{trace: t.trace, on: t.Graph}
	t.trace.Note = fmt.Sprintf("%d plies deep, over %d moves; 1 is a win, -1 a loss", depth,
		len(t.moves))
	at := slices.Index(t.moves, choice)
	t.moves[0], t.moves[at] = t.moves[at], t.moves[0]
	search.begin(leafWorth, 4*s.budget)
	for i, m := range t.moves {
		v := search.value(&t.Position, m, t.Roll, depth, lowest, highest)
		if (search.spent || search.limit > 0 && search.nodes >= search.limit) && i > 0 {
			return
		}
		l.offer(m, v, &t.Random)
	}
}

// root returns the best of the moves after a roll and its value for the mover, false where the
// search was given up.
func (s *search) root(p *Position, moves []Move, roll, depth int) (best int, value float64,
	ok bool) {
	value = lowest - 1
	for i, m := range moves {
		v := s.value(p, m, roll, depth, max(lowest, value), highest)
		if s.spent || s.limit > 0 && s.nodes >= s.limit {
			return 0, 0, false
		}
		if v > value {
			best, value = i, v
		}
	}
	return best, value, true
}
