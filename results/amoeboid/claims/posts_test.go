package claims

import (
	"testing"

	"clade/engine"
	"clade/engine/games/amoeboid"
	"clade/gp/proof"
)

const centreCell = 4

// ringOf numbers the cells of the board on the ring.
var ringOf = [9]uint8{0, 1, 2, 7, ringCells, 3, 6, 5, 4}

// postsGame plays the policy of posts by the rules of the game, and checks that the board is
// what the policy believes.
type postsGame struct {
	t     *testing.T
	g     *postsPolicy
	board *amoeboid.Graph
	p     amoeboid.Position
	s     state
	posts int // answers from a post
	mixed int // those with units of both players
}

// newPostsGame is the position after A's walk to the centre, rolling so much.
func newPostsGame(t *testing.T, g *postsPolicy, size int32, cell, from, left uint8, difference,
	turns, roll int) postsGame {
	t.Helper()
	game := postsGame{t: t, g: g, board: board(), s: afterWalk(size, cell, from, int(left),
		turns)}
	g.start(1 << 40)
	if g.wins(game.s, int(size)+difference+1-int(left)) != yes {
		t.Fatalf("%d units and %d turns are not enough against %d", int(size)+difference, turns, size)
	}
	units := size + int32(difference)
	game.p.Set(int(ring[from]), amoeboid.Piece{units, 0})
	game.p.Set(int(ring[cell]), amoeboid.Piece{0, size})
	game.move(amoeboid.Move{Grow: ring[from], From: ring[from], To: centreCell,
		Take: amoeboid.Piece{units + int32(roll) - int32(left), 0}}, roll)
	game.believed()
	return game
}

// answer is A's answer to a reply, who had so many units in the centre; he plays for the fewest
// turns in which he wins.
func (g *postsGame) answer(centre, rollOfA int, r replyOfB) option {
	g.t.Helper()
	s := g.s
	for s.turns = 1; g.g.wins(s, centre) != yes; s.turns++ {
		if s.turns == g.s.turns {
			g.t.Fatalf("%+v is not won", g.s)
		}
	}
	centre += rollOfA
	s.limit()
	g.g.options = g.g.options[:0]
	g.g.answers(&s, centre, r)
	best, a := g.g.choose(0)
	if a != yes {
		g.t.Fatalf("no answer to %+v in %+v", r, g.s)
	}
	return g.g.options[best]
}

func (g *postsGame) move(m amoeboid.Move, roll int) {
	g.t.Helper()
	if !g.p.Legal(g.board, m, roll) {
		g.t.Fatalf("%s, rolled %d: illegal move %s", g.p.Text(g.board, 0), roll, g.board.MoveText(m))
	}
	g.p.Apply(m, roll)
}

// believed holds the position before B's roll against the state.
func (g *postsGame) believed() {
	g.t.Helper()
	core := g.p.Piece(centreCell)
	if core[amoeboid.A] == 0 || core[amoeboid.B] != 0 {
		g.t.Fatalf("the centre is not A's alone: %s", g.p.Text(g.board, 0))
	}
	for c := range uint8(ringCells) {
		piece := g.p.Piece(int(ring[c]))
		more, size, thought := int(piece[amoeboid.A]-piece[amoeboid.B]), int(piece.Size()),
			int(g.s.size[c])
		good := size == thought || size > thought && thought > g.s.reach()
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
func (g *postsGame) round(m amoeboid.Move, roll, rollOfA int) bool {
	g.t.Helper()
	r := replyOfB{uint8(roll), ringOf[m.To], uint8(m.Take.Size())}
	pass := m.Pass()
	g.move(m, roll)
	if g.won() {
		return true
	}
	if r.to == ringCells {
		g.t.Fatalf("B has entered the centre: %s", g.p.Text(g.board, 0))
	}
	centre := g.p.Piece(centreCell)[amoeboid.A] + int32(rollOfA)
	a := option{move: moveOfA{from: fromCentre, to: g.s.cell}}
	if !pass {
		a = g.answer(int(centre)-rollOfA, rollOfA, r)
	}
	move := amoeboid.Move{Grow: centreCell, From: centreCell, To: ring[a.move.to],
		Take: amoeboid.Piece{int32(a.move.units), 0}}
	switch {
	case a.state.turns == 0:
		move.Take[amoeboid.A] = centre
	case a.move.from != fromCentre:
		// Where units of B are fewer than is believed, units of A do their work.
		move.From = ring[a.move.from]
		theirs := min(int32(a.move.units-a.move.net)/2, g.p.Piece(int(move.From))[amoeboid.B])
		move.Take = amoeboid.Piece{int32(a.move.units) - theirs, theirs}
		g.posts++
		g.mixed += boolInt(theirs > 0)
	}
	g.move(move, rollOfA)
	if g.won() {
		return true
	}
	if a.state.turns == 0 {
		g.t.Fatalf("%s: not won at once", g.p.Text(g.board, 0))
	}
	g.s = a.state
	g.believed()
	return false
}

// won tells whether A has won; another end is an error.
func (g *postsGame) won() bool {
	g.t.Helper()
	v := g.p.Verdict()
	if v != amoeboid.Open && v != amoeboid.WonByA {
		g.t.Fatalf("lost or tied: %s", g.p.Text(g.board, 0))
	}
	return v == amoeboid.WonByA
}

// TestPostsWins plays the policy with all dice against random moves of B, splits and meals above
// all, by the rules of the game.
func TestPostsWins(t *testing.T) {
	proof.Long(t)
	posts, mixed := 0, 0
	for _, c := range []struct {
		size              int32
		cell, from, left  uint8
		difference, turns int
	}{{1, 0, 4, 0, 45, 5}, {4, 0, 4, 0, 49, 5}, {1, 1, 5, 12, 46, 5}, {2, 1, 5, 12, 48, 5}} {
		var g postsPolicy
		for seed := range uint64(100) {
			r := engine.NewRandom(seed)
			least := func() int { // of A's rolls are most ones
				if r.Below(4) > 0 {
					return 1
				}
				return 1 + r.Below(die)
			}
			game := newPostsGame(t, &g, c.size, c.cell, c.from, c.left, c.difference, c.turns, least())
			for turn := 2; ; turn++ {
				if turn > c.turns {
					t.Fatalf("not won in time: %s", game.p.Text(game.board, 0))
				}
				roll := 1 + r.Below(die)
				moves := game.p.Moves(nil, game.board, roll)
				m := moves[r.Below(len(moves))]
				if seed%4 > 0 { // a split, or a meal
					for range 60 {
						if m = moves[r.Below(len(moves))]; m.Take.Size() < int32(
							game.s.size[game.s.cell])+int32(roll) &&
							(seed%4 == 1 || game.p.Piece(int(m.To)) != amoeboid.Piece{}) {
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
		t.Errorf("%d answers from posts, %d of them with units of both players: too few to tell",
			posts, mixed)
	}
}

// TestPostsWinsEveryGame plays the policy from the document's difference against every roll and
// every legal move of B, A rolling ones. In positions that a symmetry of the board maps to each
// other A goes on as in the first.
func TestPostsWinsEveryGame(t *testing.T) {
	proof.Long(t)
	var g postsPolicy
	const difference, turns = 45, 5
	seen := map[uint64]bool{}
	plies := 0
	var every func(game postsGame)
	every = func(game postsGame) {
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
	every(newPostsGame(t, &g, 1, 0, 4, 0, difference, turns, 1))
	if plies < 10_000 {
		t.Errorf("only %d plies of B were tried", plies)
	}
}

// TestPostsWinsFromAnywhere plays the policy from random positions, many with pieces that are
// too large to matter, with the least centre that is enough, against every roll and every legal
// move of B.
func TestPostsWinsFromAnywhere(t *testing.T) {
	proof.Long(t)
	var g postsPolicy
	posts, mixed, games := 0, 0, 0
	for seed := range uint64(400) {
		r := engine.NewRandom(seed)
		game := postsGame{t: t, g: &g, board: board(),
			s: state{turns: uint8(2 + r.Below(2)), cell: uint8(r.Below(ringCells))}}
		for c := range uint8(ringCells) {
			if c == game.s.cell || r.Below(8) == 0 {
				continue
			}
			theirs := int32(1 + r.Below(12))
			ours := theirs + int32(r.Below(4)*r.Below(12))
			game.p.Set(int(ring[c]), amoeboid.Piece{ours, theirs})
			game.s.size[c], game.s.stock[c] = uint8(ours+theirs), uint8(ours-theirs)
		}
		size := int32(1 + r.Below(8))
		game.p.Set(int(ring[game.s.cell]), amoeboid.Piece{0, size})
		game.s.size[game.s.cell] = uint8(size)
		game.p.SetTurn(amoeboid.B)
		g.start(1 << 40)
		centre := int(size)
		for centre < 60 && g.wins(game.s, centre) != yes {
			centre++
		}
		if centre == 60 {
			continue
		}
		games++
		game.p.Set(centreCell, amoeboid.Piece{int32(centre), 0})
		game.believed()
		var every func(game postsGame)
		every = func(game postsGame) {
			for roll := 1; roll <= die; roll++ {
				for _, m := range game.p.Moves(nil, game.board, roll) {
					next := game
					if over := next.round(m, roll, 1+r.Below(2)*r.Below(die)); !over && r.Below(4) == 0 {
						every(next)
					}
					posts, mixed = posts+next.posts-game.posts, mixed+next.mixed-game.mixed
				}
			}
		}
		every(game)
	}
	if games < 200 || posts < 1000 || mixed < 100 {
		t.Errorf("%d games, %d answers from posts, %d with units of both players: too few to tell",
			games, posts, mixed)
	}
}
