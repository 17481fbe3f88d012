package claims

import (
	"testing"

	"clade/engine"
	"clade/engine/amoeboid"
)

// outpostGame plays the policy of outpost by the rules of the game, and checks that the board is
// what the policy believes.
type outpostGame struct {
	t      *testing.T
	o      *outpost
	p      amoeboid.Position
	s      camp
	recaps int // eaters that A ate
	spared int // eaters that A left
}

const centreCell = 4

// ringOf numbers the cells of the board on the ring.
var ringOf = [9]uint8{0, 1, 2, 7, ringCells, 3, 6, 5, 4}

// walk is A's first move.
func (g *outpostGame) walk(from, left uint8, roll int) {
	units := g.p.Piece(int(ring[from]))[amoeboid.A] + int32(roll) - int32(left)
	g.move(amoeboid.Move{Grow: ring[from], From: ring[from], To: centreCell,
		Take: amoeboid.Piece{units, 0}}, roll)
}

func (g *outpostGame) move(m amoeboid.Move, roll int) {
	g.t.Helper()
	if !g.p.Legal(board(), m, roll) {
		g.t.Fatalf("%s, rolled %d: illegal move %s", g.p.Text(board(), 0), roll,
			board().MoveText(m))
	}
	g.p.Apply(m, roll)
}

// believed holds the position before B's roll against the camp.
func (g *outpostGame) believed() {
	g.t.Helper()
	core := g.p.Piece(centreCell)
	if core[amoeboid.A] == 0 || core[amoeboid.B] != 0 {
		g.t.Fatalf("the centre is not A's alone: %s", g.p.Text(board(), 0))
	}
	for c := range uint8(ringCells) {
		piece := g.p.Piece(int(ring[c]))
		ours, theirs := piece[amoeboid.A], piece[amoeboid.B]
		good := piece == amoeboid.Piece{}
		switch {
		case c == g.s.cell:
			good = ours < theirs && piece.Size() == int32(g.s.size)
		case c == g.s.post:
			good = ours-theirs >= int32(g.s.stock) && piece.Size() >= int32(g.s.base)+
				int32(g.s.stock)
		case g.s.filled>>c&1 != 0:
			good = ours >= theirs && piece.Size() >= int32(g.s.least)
		}
		if !good {
			g.t.Fatalf("%s: cell %d is not as in %+v", g.p.Text(board(), 0), c, g.s)
		}
	}
}

// round is B's move m, with a roll, and A's answer; it tells whether A has won.
func (g *outpostGame) round(m amoeboid.Move, roll, rollOfA int) bool {
	g.t.Helper()
	r := sally{roll: uint8(roll), to: g.s.cell, units: uint8(int(g.s.size) + roll)}
	if !m.Pass() {
		r = sally{uint8(roll), ringOf[m.To], uint8(m.Take.Size()),
			uint8(g.p.Piece(int(m.To)).Size())}
	}
	g.move(m, roll)
	if v := g.p.Verdict(); v != amoeboid.Open {
		if v != amoeboid.WonByA {
			g.t.Fatalf("lost or tied: %s", g.p.Text(board(), 0))
		}
		return true
	}
	if r.to == ringCells {
		g.t.Fatalf("B has entered the centre: %s", g.p.Text(board(), 0))
	}
	centre := int(g.p.Piece(centreCell)[amoeboid.A]) + rollOfA
	a, next, _, ok := g.o.answer(g.s, centre, r)
	if !ok {
		g.t.Fatalf("no answer to %+v in %+v", r, g.s)
	}
	if partly := int(r.units) < int(g.s.size)+roll; r.wall > 0 && partly {
		if a.cell == r.to {
			g.recaps++
		} else {
			g.spared++
		}
	}
	move := amoeboid.Move{Grow: centreCell, From: centreCell, To: ring[a.cell],
		Take: amoeboid.Piece{int32(a.units), 0}}
	if a.fromPost {
		move.From = ring[g.s.post]
	}
	g.move(move, rollOfA)
	if v := g.p.Verdict(); v != amoeboid.Open {
		if v != amoeboid.WonByA {
			g.t.Fatalf("lost or tied: %s", g.p.Text(board(), 0))
		}
		return true
	}
	if next.turns != g.s.turns-1 {
		g.t.Fatalf("%s: not won at once", g.p.Text(board(), 0))
	}
	g.s = next
	g.believed()
	return false
}

// TestOutpostWins plays the policy with all dice against random moves of B, against his meals, and
// against the replies that A likes least, all by the rules of the game.
func TestOutpostWins(t *testing.T) {
	if testing.Short() {
		t.Skip("a second")
	}
	var o outpost
	o.start()
	recaptures, spared := 0, 0
	for _, c := range []struct {
		size       int32
		cell, from uint8
		left       int
		difference int
	}{{2, 1, 5, 11, 49}, {4, 1, 5, 11, 49}, {24, 1, 5, 11, 49}, {6, 0, 3, 16, 51}} {
		const turns = 8
		start := encamped(c.size, c.cell, c.from, c.left, turns)
		if !o.wins(start, int(c.size)+c.difference+1-c.left) {
			t.Fatalf("%+v is not proved", c)
		}
		for seed := range uint64(400) {
			r := engine.NewRandom(seed)
			g := outpostGame{t: t, o: &o, s: start}
			g.p.Set(int(ring[c.from]), amoeboid.Piece{c.size + int32(c.difference), 0})
			g.p.Set(int(ring[c.cell]), amoeboid.Piece{0, c.size})
			least := func() int { // of A's rolls are most ones
				if r.Below(4) > 0 {
					return 1
				}
				return 1 + r.Below(die)
			}
			g.walk(c.from, uint8(c.left), least())
			g.believed()
			for turn := 2; ; turn++ {
				if turn > turns {
					t.Fatalf("not won in time: %s", g.p.Text(board(), 0))
				}
				roll := 1 + r.Below(die)
				moves := g.p.Moves(nil, board(), roll)
				m := moves[r.Below(len(moves))]
				if seed%4 > 0 { // a split, or a meal
					for range 60 {
						if m = moves[r.Below(len(moves))]; m.Take.Size() < int32(g.s.size)+
							int32(roll) &&
							(seed%4 == 1 || g.p.Piece(int(m.To)) != amoeboid.Piece{}) {
							break
						}
					}
				}
				if g.round(m, roll, least()) {
					break
				}
			}
			recaptures += g.recaps
			spared += g.spared
		}
	}
	if recaptures < 50 || spared == 0 {
		t.Errorf("%d recaptures and %d eaters spared: too few to tell", recaptures, spared)
	}
}

// TestOutpostWinsEveryGame plays the policy from less than hold needs against every roll and every
// legal move of B, A rolling ones.
func TestOutpostWinsEveryGame(t *testing.T) {
	var o outpost
	const size, turns = 1, 4
	o.start()
	needed, ok := o.hold.enough(size, true, turns)
	start := encamped(size, 0, 4, 0, turns)
	if !ok || !o.wins(start, size+needed) {
		t.Fatalf("hold needs %d; with one less nothing is proved", needed)
	}
	plies := 0
	var every func(g outpostGame)
	every = func(g outpostGame) {
		for roll := 1; roll <= die; roll++ {
			for _, m := range g.p.Moves(nil, board(), roll) {
				next := g
				if plies++; !next.round(m, roll, 1) {
					every(next)
				}
			}
		}
	}
	g := outpostGame{t: t, o: &o, s: start}
	g.p.Set(int(ring[4]), amoeboid.Piece{size + int32(needed) - 1, 0})
	g.p.Set(int(ring[0]), amoeboid.Piece{0, size})
	g.walk(4, 0, 1)
	g.believed()
	every(g)
	if plies < 5000 {
		t.Errorf("only %d plies of B were tried", plies)
	}
}

// TestOutpostRemembersItsPost plays the policy from a position in which B is not next to the small
// post in the corner a1, but comes there if he eats the wall between and A takes what he left
// behind.
func TestOutpostRemembersItsPost(t *testing.T) {
	var o outpost
	o.start()
	g := outpostGame{t: t, o: &o, p: at("B 1,0 5,4 5,4 / 5,4 . 5,4 / 5,4 0,6 ."),
		s: camp{filled: 0b11001111, cell: 5, size: 6, least: 9, owned: true, post: 0, stock: 1,
			turns: 4}}
	centre := int(g.s.size)
	for ; !o.wins(g.s, centre); centre++ {
		if centre == 100 {
			t.Fatal("no centre is enough")
		}
	}
	g.p.Set(centreCell, amoeboid.Piece{int32(centre), 0})
	g.believed()
	for roll := 1; roll <= die; roll++ {
		for _, m := range g.p.Moves(nil, board(), roll) {
			next := g
			next.round(m, roll, 1)
		}
	}
}
