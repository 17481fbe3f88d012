package amoeboid

import "sync"

// solver is a player that searches a ply deeper each time until a number of positions is spent, and
// estimates by the second advantage where the game does not end in sight. It looks at all legal
// moves where they are at most manyMoves, else at the menu.
type solver struct {
	budget   int64
	searches *sync.Pool // of *search
}

// solverTable is the logarithm of the table's size of one search.
const solverTable = 14

// NewSolver returns a solver that makes about budget positions a move.
func NewSolver(budget int) Mind { return &solver{int64(budget), &sync.Pool{}} }

// Choose deepens as long as the budget lasts. The deepest complete search counts, and the first
// move wins ties.
func (s *solver) Choose(t *Turn) Move {
	search, ok := s.searches.Get().(*search)
	if !ok || search.g != t.Graph || search.die != t.Die {
		search = newSearch(t.Graph, t.Die, solverTable)
	}
	defer s.searches.Put(search)
	search.begin(leafWorth, s.budget)
	t.moves = search.candidates(t.moves[:0], &t.Position, t.Roll)
	choice := t.moves[0]
	for depth := 1; depth < 100; depth++ {
		best, value, ok := search.root(&t.Position, t.moves, t.Roll, depth)
		if !ok {
			break
		}
		choice = t.moves[best]
		t.moves[0], t.moves[best] = t.moves[best], t.moves[0]
		if value >= worthWin || value <= worthLoss {
			break
		}
	}
	return choice
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
