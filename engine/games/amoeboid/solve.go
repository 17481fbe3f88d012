package amoeboid

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"clade/engine"
)

// interval bounds an expected result for the player to move: 1 is a win, 0 a tie, -1 a loss. It is
// closed up to rounding of about 1e-7.
type interval struct{ Low, High float64 }

// rounding is the difference up to which bounds count as equal: a table keeps them in single
// precision, rounded outwards.
const rounding = 1e-6

// judged is a move with its value for the mover.
type judged struct {
	move  Move
	value interval
	// the value if positions beyond the depth have the estimate of stance.worth; not a bound
	estimate float64
}

// option is a roll with its value and its moves, the best first: ordered by lower bound, upper
// bound, estimate, and then as listed.
type option struct {
	roll  int
	value interval
	moves []judged
}

// solution is the result of a search for a position's value.
type solution struct {
	position Position
	graph    *Graph
	value    interval // for the player to move
	depth    int      // plies that were looked ahead completely
	mass     int      // units up to which a table continues the search; 0 without a table
	nodes    int64    // positions made
	options  []option // one for each roll, or for the roll that is known
	line     []step   // what follows if both play the moves found best
}

// step is one ply of a line.
type step struct {
	roll int
	move Move
}

// solveTable is the logarithm of the size of the transposition table of Solve: 24 MB.
const solveTable = 20

// tableShare is how many positions of the budget one position of the table costs: what its moves
// make, on a small board.
const tableShare = 50

// mostInMemory bounds the positions of a table whose mass was not asked for: a gigabyte, less what
// the symmetries save.
const mostInMemory = 1 << 27

// tableMass returns the mass of the table for a search of so many positions, 0 if the table would
// hold no position but the start.
func (g *Game) tableMass(budget int64) int {
	mass, most := 0, float64(min(budget/tableShare, mostInMemory))
	for m := 3; m <= maxMass && positions(g.graph, m) <= most; m++ {
		mass = m
	}
	return mass
}

// solve bounds the value of a position as solveWith does, with a table that takes about as long to
// compute as the search; without one where that would be too light for the position.
func (g *Game) solve(p Position, roll int, budget int64) (solution, error) {
	var table *table
	units := p.Units()
	if mass := g.tableMass(budget); p.Verdict() == Open && int(units.Size()) < mass {
		var err error
		if table, err = newTable(g, mass, ""); err != nil {
			return solution{}, err
		}
	}
	return g.solveWith(table, p, roll, budget)
}

// solveWith bounds the value of a position, roll 0 where the die has not been thrown, by deepening
// searches over all legal moves: one in which A loses beyond the depth and one in which A wins; a
// third search estimates, over a menu where moves are many, so that moves with equal bounds have an
// order. At the depth's end the searches take the bounds of the table, if it is not nil. It stops
// when the bounds meet, or before the depth that would make more than budget positions. The line
// assumes the roll whose value is nearest to the mean, the smallest of equals. The position must be
// open and have at most mostMoves legal moves, and the table be of this board and die.
func (g *Game) solveWith(table *table, p Position, roll int, budget int64) (solution, error) {
	if p.Verdict() != Open {
		return solution{},
			fmt.Errorf("amoeboid: the game is over in this position; nothing is left to solve")
	}
	if roll < 0 || roll > g.settings.Die {
		return solution{}, fmt.Errorf("amoeboid: the die has %d sides, the roll cannot be %d",
			g.settings.Die, roll)
	}
	if n := g.listed(&p, roll); n > mostMoves {
		return solution{},
			fmt.Errorf("amoeboid: the position has %d legal moves, and a solution lists at most "+
				"%d; with fewer units on the board there are fewer", n, mostMoves)
	}
	best := solution{position: p, graph: g.graph, value: interval{lowest, highest}}
	search := newSearch(g.graph, g.settings.Die, solveTable)
	if table != nil {
		search.known, best.mass = table, table.mass
	}
	for depth := 1; depth <= maxDepth && !best.value.known() && best.nodes < budget; depth++ {
		options := search.options(&p, roll)
		nodes, ok := search.judge(&p, options, depth, budget-best.nodes)
		best.nodes += nodes
		if search.fault != nil {
			return solution{}, search.fault
		}
		if !ok {
			break
		}
		best.depth, best.options, best.value = depth, options, mean(options)
	}
	if best.options != nil {
		best.line = search.line(p, best.options, best.depth)
	}
	return best, nil
}

// listed returns how many moves options lists.
func (g *Game) listed(p *Position, roll int) (n int64) {
	first, last := rolls(roll, g.settings.Die)
	for r := first; r <= last; r++ {
		n += p.countMoves(g.graph, r)
	}
	return n
}

// rolls returns the least and the greatest possible roll: of the die, or the known one twice.
func rolls(roll, die int) (first, last int) {
	if roll > 0 {
		return roll, roll
	}
	return 1, die
}

// options lists the legal moves of every roll, or of the known one.
func (s *search) options(p *Position, roll int) []option {
	first, last := rolls(roll, s.die)
	var options []option
	for r := first; r <= last; r++ {
		o := option{roll: r, value: interval{lowest, lowest}}
		for _, m := range p.Moves(nil, s.g, r) {
			o.moves = append(o.moves, judged{move: m})
		}
		options = append(options, o)
	}
	return options
}

// known tells whether the bounds meet.
func (v interval) known() bool { return v.High-v.Low <= rounding }

// maxDepth bounds the plies of a search.
const maxDepth = 60

// judge gives every move of the options its interval at a depth, false where more than limit
// positions were needed.
func (s *search) judge(p *Position, options []option, depth int, limit int64) (nodes int64,
	ok bool) {
	for _, l := range []leaf{leafLost, leafWon, leafWorth} {
		s.begin(l, max(1, limit-nodes))
		low := (l == leafLost) == (p.Turn() == A)
		for i := range options {
			o := &options[i]
			for j := range o.moves {
				// no minus zero
				v := s.value(p, o.moves[j].move, o.roll, depth, lowest, highest) + 0
				switch {
				case s.spent:
					return nodes + s.nodes, false
				case l == leafWorth:
					o.moves[j].estimate = v
				case low:
					o.moves[j].value.Low = v
				default:
					o.moves[j].value.High = v
				}
			}
		}
		nodes += s.nodes
	}
	for i := range options {
		o := &options[i]
		slices.SortStableFunc(o.moves, func(a, b judged) int {
			return cmp.Or(cmp.Compare(b.value.Low, a.value.Low),
				cmp.Compare(b.value.High, a.value.High), cmp.Compare(b.estimate, a.estimate))
		})
		for _, m := range o.moves {
			o.value = interval{max(o.value.Low, m.value.Low), max(o.value.High, m.value.High)}
		}
	}
	return nodes, true
}

// mean averages the rolls' intervals.
func mean(options []option) interval {
	var v interval
	for _, o := range options {
		v.Low += o.value.Low
		v.High += o.value.High
	}
	n := float64(len(options))
	return interval{v.Low / n, v.High / n}
}

// typical returns the option whose middle is nearest to that of all, the first of equals.
func typical(options []option) option {
	all := mean(options)
	middle := func(v interval) float64 { return v.Low + v.High }
	return slices.MinFunc(options, func(a, b option) int {
		return cmp.Compare(abs(middle(a.value)-middle(all)), abs(middle(b.value)-middle(all)))
	})
}

func abs(x float64) float64 { return max(x, -x) }

// line follows the best moves from judged options, a ply shallower each time.
func (s *search) line(p Position, options []option, depth int) []step {
	var line []step
	for {
		o := typical(options)
		line = append(line, step{o.roll, o.moves[0].move})
		p.Apply(o.moves[0].move, o.roll)
		if depth--; depth == 0 || p.Verdict() != Open {
			return line
		}
		options = s.options(&p, 0)
		if _, ok := s.judge(&p, options, depth, 1<<62); !ok {
			return line
		}
	}
}

// best returns the moves that are proved to be best or, if none is, those that may be: whose upper
// bound reaches the greatest lower bound.
func (o option) best() (moves []judged, proved bool) {
	least := o.moves[0].value.Low // the greatest of all, since moves are sorted by it
	proved = o.value.High <= least+rounding
	for _, m := range o.moves {
		if proved && m.value.Low >= least-rounding || !proved && m.value.High >= least {
			moves = append(moves, m)
		}
	}
	return moves, proved || len(moves) == 1 // the only one that may be best is best
}

// shownMoves is how many moves of a roll the text of a solution names.
const shownMoves = 5

// Text writes the solution for people.
func (s solution) Text() string {
	var b strings.Builder
	player := letters[s.position.Turn()]
	fmt.Fprintf(&b, "%s\n", s.position.Text(s.graph, 0))
	fmt.Fprintf(&b,
		"value for %s: %s (1 win, 0 tie, -1 loss; ~ an estimate), %d plies deep, %d positions",
		player, s.value, s.depth, s.nodes)
	if s.mass > 0 {
		fmt.Fprintf(&b, ", from there by the table of up to %d units", s.mass)
	}
	b.WriteByte('\n')
	for _, o := range s.options {
		best, proved := o.best()
		how := "may be"
		if proved {
			how = "proved"
		}
		fmt.Fprintf(&b, "roll %d: %s, %d of %d moves %s best:", o.roll, o.value, len(best),
			len(o.moves), how)
		for _, m := range best[:min(len(best), shownMoves)] {
			fmt.Fprintf(&b, " [%s] %s", s.graph.MoveText(m.move), m.value)
			if !m.value.known() {
				fmt.Fprintf(&b, " ~%.2f", m.estimate)
			}
		}
		if len(best) > shownMoves {
			b.WriteString(" …")
		}
		b.WriteByte('\n')
	}
	b.WriteString("line:")
	for _, step := range s.line {
		fmt.Fprintf(&b, " %d:[%s]", step.roll, s.graph.MoveText(step.move))
	}
	b.WriteByte('\n')
	return b.String()
}

// String writes the bounds with four digits, or one number where they meet.
func (v interval) String() string {
	if v.High-v.Low < 5e-5 {
		return fmt.Sprintf("%.4f", v.Low+float64((v.High-v.Low)/2))
	}
	return fmt.Sprintf("%.4f..%.4f", v.Low, v.High)
}

// Analyse implements engine.Analyst. It solves a position in the notation of ParsePosition, or the
// start for "". With a mass above 0 it uses a table of that mass, kept in dir, whose computation
// goes on where an earlier run stopped.
func (g *Game) Analyse(position string, budget int64, mass int, dir string) (engine.Speaker,
	error) {
	p, roll, err := g.position(position)
	if err != nil {
		return nil, err
	}
	if mass == 0 {
		return g.solve(p, roll, budget)
	}
	table, err := newTable(g, mass, dir)
	if err != nil {
		return nil, err
	}
	return g.solveWith(table, p, roll, budget)
}

// Notation describes the notation of ParsePosition.
func (g *Game) Notation() string {
	return `A position of amoeboid is who rolls next, A or B, with the roll behind the
letter where it has been made, then the cells in order: "." or "a,b", units of A
and of B; "/" ends a row.`
}

// position reads a position, "" for the start.
func (g *Game) position(text string) (Position, int, error) {
	if text == "" {
		return g.graph.opening(), 0, nil
	}
	return ParsePosition(g.graph, text)
}

// The shape of a solution as JSON. For each roll it lists only the moves that may be best.
type (
	boundsJSON struct {
		Low  float64 `json:"low"`
		High float64 `json:"high"`
	}
	moveJSON struct {
		Move string `json:"move"`
		boundsJSON
		Estimate float64 `json:"estimate"`
	}
	rollJSON struct {
		Roll int `json:"roll"`
		boundsJSON
		Legal  int        `json:"legal"`  // number of moves
		Proved bool       `json:"proved"` // the moves below are best; else they may be
		Best   []moveJSON `json:"best"`
	}
	stepJSON struct {
		Roll int    `json:"roll"`
		Move string `json:"move"`
	}
	solutionJSON struct {
		Position string `json:"position"`
		Player   string `json:"player"` // to move, whose values these are
		boundsJSON
		Depth     int        `json:"depth"`
		Mass      int        `json:"mass"` // of the table, 0 without
		Positions int64      `json:"positions"`
		Rolls     []rollJSON `json:"rolls"`
		Line      []stepJSON `json:"line"`
	}
)

// MarshalJSON writes the solution with moves and position in the notation of this package.
func (s solution) MarshalJSON() ([]byte, error) {
	all := solutionJSON{
		Position: s.position.Text(s.graph, 0), Player: letters[s.position.Turn()],
		boundsJSON: boundsJSON(s.value), Depth: s.depth, Mass: s.mass, Positions: s.nodes,
		Rolls: []rollJSON{}, Line: []stepJSON{},
	}
	for _, o := range s.options {
		best, proved := o.best()
		roll := rollJSON{Roll: o.roll, boundsJSON: boundsJSON(o.value), Legal: len(o.moves),
			Proved: proved}
		for _, m := range best {
			roll.Best = append(roll.Best, moveJSON{s.graph.MoveText(m.move), boundsJSON(m.value),
				m.estimate})
		}
		all.Rolls = append(all.Rolls, roll)
	}
	for _, step := range s.line {
		all.Line = append(all.Line, stepJSON{step.roll, s.graph.MoveText(step.move)})
	}
	return json.Marshal(all)
}
