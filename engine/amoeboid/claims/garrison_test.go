package claims

import (
	"testing"

	"clade/engine"
	"clade/engine/amoeboid"
)

// garrisonGame plays the policy of garrison by the rules of the game, and checks that the board is what the policy believes.
type garrisonGame struct {
	t     *testing.T
	g     *garrison
	board *amoeboid.Graph
	p     amoeboid.Position
	s     fort
	posts int // answers from a post
	mixed int // those with units of both players
}

// newGarrisonGame is the position after A's walk to the centre, rolling so much.
func newGarrisonGame(t *testing.T, g *garrison, size int32, cell, from, left uint8, difference, turns, roll int) garrisonGame {
	t.Helper()
	game := garrisonGame{t: t, g: g, board: board(), s: garrisoned(size, cell, from, int(left), turns)}
	g.start(1 << 40)
	if g.wins(game.s, int(size)+difference+1-int(left)) != yes {
		t.Fatalf("%d units and %d turns are not enough against %d", int(size)+difference, turns, size)
	}
	units := size + int32(difference)
	game.p.Set(int(ring[from]), amoeboid.Piece{units, 0})
	game.p.Set(int(ring[cell]), amoeboid.Piece{0, size})
	game.move(amoeboid.Move{Grow: ring[from], From: ring[from], To: centreCell, Take: amoeboid.Piece{units + int32(roll) - int32(left), 0}}, roll)
	game.believed()
	return game
}

func (g *garrisonGame) move(m amoeboid.Move, roll int) {
	g.t.Helper()
	if !g.p.Legal(g.board, m, roll) {
		g.t.Fatalf("%s, rolled %d: illegal move %s", g.p.Text(g.board, 0), roll, g.board.MoveText(m))
	}
	g.p.Apply(m, roll)
}

// believed holds the position before B's roll against the fort.
func (g *garrisonGame) believed() {
	g.t.Helper()
	core := g.p.Piece(centreCell)
	if core[amoeboid.A] == 0 || core[amoeboid.B] != 0 {
		g.t.Fatalf("the centre is not A's alone: %s", g.p.Text(g.board, 0))
	}
	for c := range uint8(ringCells) {
		piece := g.p.Piece(int(ring[c]))
		more, size := int(piece[amoeboid.A]-piece[amoeboid.B]), int(piece.Size())
		good := size == int(g.s.size[c]) || g.s.size[c] == mostSize && size > mostSize
		if c == g.s.cell {
			good = good && more < 0
		} else {
			good = good && more >= int(g.s.stock[c])
		}
		if !good {
			g.t.Fatalf("%s: cell %d is not as in %+v", g.p.Text(g.board, 0), c, g.s)
		}
	}
}

// round is B's move, with a roll, and A's answer; it tells whether A has won.
func (g *garrisonGame) round(m amoeboid.Move, roll, rollOfA int) bool {
	g.t.Helper()
	r := raid{uint8(roll), ringOf[m.To], uint8(m.Take.Size())}
	pass := m.Pass()
	g.move(m, roll)
	if g.won() {
		return true
	}
	if r.to == ringCells {
		g.t.Fatalf("B has entered the centre: %s", g.p.Text(g.board, 0))
	}
	centre := g.p.Piece(centreCell)[amoeboid.A] + int32(rollOfA)
	a := option{strike: volley{from: fromCentre, to: g.s.cell}}
	if !pass {
		var ok bool
		if a, ok = g.g.answer(g.s, int(centre), r); !ok {
			g.t.Fatalf("no answer to %+v in %+v", r, g.s)
		}
	}
	move := amoeboid.Move{Grow: centreCell, From: centreCell, To: ring[a.strike.to], Take: amoeboid.Piece{int32(a.strike.units), 0}}
	switch {
	case a.fort.turns == 0:
		move.Take[amoeboid.A] = centre
	case a.strike.from != fromCentre:
		// Where units of B are fewer than is believed, units of A do their work.
		move.From = ring[a.strike.from]
		theirs := min(int32(a.strike.units-a.strike.net)/2, g.p.Piece(int(move.From))[amoeboid.B])
		move.Take = amoeboid.Piece{int32(a.strike.units) - theirs, theirs}
		g.posts++
		g.mixed += boolInt(theirs > 0)
	}
	g.move(move, rollOfA)
	if g.won() {
		return true
	}
	if a.fort.turns != g.s.turns-1 {
		g.t.Fatalf("%s: not won at once", g.p.Text(g.board, 0))
	}
	g.s = a.fort
	g.believed()
	return false
}

// won tells whether A has won; another end is an error.
func (g *garrisonGame) won() bool {
	g.t.Helper()
	v := g.p.Verdict()
	if v != amoeboid.Open && v != amoeboid.WonByA {
		g.t.Fatalf("lost or tied: %s", g.p.Text(g.board, 0))
	}
	return v == amoeboid.WonByA
}

// TestGarrisonWins plays the policy with all dice against random moves of B, splits and meals above all, by the rules of the game.
func TestGarrisonWins(t *testing.T) {
	if testing.Short() {
		t.Skip("a second")
	}
	posts, mixed := 0, 0
	for _, c := range []struct {
		size              int32
		cell, from, left  uint8
		difference, turns int
	}{{1, 0, 4, 0, 45, 5}, {4, 0, 4, 0, 49, 5}, {1, 1, 5, 12, 46, 5}, {2, 1, 5, 12, 48, 5}} {
		var g garrison
		for seed := range uint64(100) {
			r := engine.NewRandom(seed)
			least := func() int { // of A's rolls are most ones
				if r.Below(4) > 0 {
					return 1
				}
				return 1 + r.Below(die)
			}
			game := newGarrisonGame(t, &g, c.size, c.cell, c.from, c.left, c.difference, c.turns, least())
			for turn := 2; ; turn++ {
				if turn > c.turns {
					t.Fatalf("not won in time: %s", game.p.Text(game.board, 0))
				}
				roll := 1 + r.Below(die)
				moves := game.p.Moves(nil, game.board, roll)
				m := moves[r.Below(len(moves))]
				if seed%4 > 0 { // a split, or a meal
					for range 60 {
						if m = moves[r.Below(len(moves))]; m.Take.Size() < int32(game.s.size[game.s.cell])+int32(roll) && (seed%4 == 1 || game.p.Piece(int(m.To)) != amoeboid.Piece{}) {
							break
						}
					}
				}
				if game.round(m, roll, least()) {
					break
				}
			}
			posts, mixed = posts+game.posts, mixed+game.mixed
		}
	}
	if posts < 50 || mixed == 0 {
		t.Errorf("%d answers from posts, %d of them with units of both players: too few to tell", posts, mixed)
	}
}

// TestGarrisonWinsEveryGame plays the policy from the document's difference against every roll and every legal move of B, A rolling ones. In positions that a symmetry of the board maps to each other A goes on as in the first.
func TestGarrisonWinsEveryGame(t *testing.T) {
	if testing.Short() {
		t.Skip("a second")
	}
	var g garrison
	const difference, turns = 45, 5
	seen := map[uint64]bool{}
	plies := 0
	var every func(game garrisonGame)
	every = func(game garrisonGame) {
		key := game.board.Key(&game.p) ^ uint64(game.s.turns)<<60
		if seen[key] {
			return
		}
		seen[key] = true
		for roll := 1; roll <= die; roll++ {
			for _, m := range game.p.Moves(nil, game.board, roll) {
				next := game
				if plies++; !next.round(m, roll, 1) {
					every(next)
				}
			}
		}
	}
	every(newGarrisonGame(t, &g, 1, 0, 4, 0, difference, turns, 1))
	if plies < 10_000 {
		t.Errorf("only %d plies of B were tried", plies)
	}
}
