package amoeboid

import (
	"fmt"
	"math/bits"

	"clade/engine"
)

// Mind is a player: it chooses a move for the position, seat and roll of a turn. One mind may play
// many games at once, so it keeps no state but what is in the turn. A mind that returns an illegal
// move forfeits the game.
type Mind interface {
	Choose(t *Turn) Move
}

// resign is a move that is never legal.
var resign = Move{Grow: 63, From: 63, To: 63}

// Turn is what a mind sees when it chooses, and scratch memory for it. It is valid until Choose
// returns.
type Turn struct {
	Graph    *Graph
	Die      int
	Position Position // before the growth
	Ply      int      // from 0
	Roll     int
	Random   engine.Random // for the mind's own use; a fresh stream every turn

	scratch
}

// NewTurn returns a turn with memory for minds on a board, for games that are not played by
// Game.Play.
func NewTurn(g *Graph, die int) *Turn { return usual().turn(g, die) }

func (v *vocabulary) turn(g *Graph, die int) *Turn {
	t := &Turn{Graph: g, Die: die}
	t.frame, t.window = v.grammar.NewFrame(), windows(g)
	return t
}

// match is one game in progress. Its memory is reused for later games.
type match struct {
	game *Game
	t    *Turn
	progress
}

// progress is what changes from game to game.
type progress struct {
	dice, minds engine.Seed // streams by ply, so that a ply can be taken back and its roll stays
	result      engine.Result
	eaten       [2]int
	forfeit     int // seat that made an illegal move, or -1
}

// open begins a game.
func (g *Game) open(seed uint64) *match {
	m := g.matches.Get().(*match)
	m.progress = progress{dice: engine.Seed(seed).Name("dice"),
		minds: engine.Seed(seed).Name("minds"), forfeit: -1}
	m.t.Position = g.graph.opening()
	m.result.Fingerprint = seed
	m.roll(0)
	return m
}

// roll prepares the turn of a ply.
func (m *match) roll(ply int) {
	r := engine.NewRandom(uint64(m.dice.Num(uint64(ply))))
	m.t.Ply = ply
	m.t.Roll = 1 + r.Below(m.game.settings.Die)
	m.t.Random = engine.NewRandom(uint64(m.minds.Num(uint64(ply))))
}

// over tells whether the game has ended.
func (m *match) over() bool {
	return m.forfeit >= 0 || m.t.Ply >= m.game.settings.Limit || m.t.Position.Verdict() != Open
}

// make plays one move and prepares the next turn.
func (m *match) make(move Move) {
	p := &m.t.Position
	seat := p.Turn()
	m.result.Fingerprint = engine.Hash(m.result.Fingerprint, move.code())
	if !p.Legal(m.game.graph, move, m.t.Roll) {
		m.forfeit = seat
		return
	}
	if !move.Pass() {
		m.eaten[seat] += int(p.owned[1-seat] >> move.To & 1)
	}
	p.Apply(move, m.t.Roll)
	m.roll(m.t.Ply + 1)
}

// close returns the result, and the match to its pool.
func (m *match) close() engine.Result {
	res, p := m.result, &m.t.Position
	res.Steps = m.t.Ply
	winner := m.winner()
	if m.forfeit >= 0 {
		res.Marks[m.forfeit][markForfeit] = 1
	} else if p.Verdict() == Open {
		if lead := p.lead(m.game.settings.AtLimit); lead > 0 {
			winner = A
		} else if lead < 0 {
			winner = B
		}
	}
	res.Win(winner)
	units := p.Units()
	for seat := range 2 {
		res.Scores[seat] = score(seat, res.Winner())
		res.Marks[seat][markUnits] = float32(units[seat])
		res.Marks[seat][markControl] = float32(p.Control(seat))
		res.Marks[seat][markEaten] = float32(m.eaten[seat])
	}
	m.game.matches.Put(m)
	return res
}

// winner returns the winner of a game that has ended before its limit, else engine.Tie.
func (m *match) winner() int {
	switch v := m.t.Position.Verdict(); {
	case m.forfeit >= 0:
		return 1 - m.forfeit
	case v == WonByA:
		return A
	case v == WonByB:
		return B
	}
	return engine.Tie
}

// lead returns how far A is ahead by what decides at the limit.
func (p *Position) lead(by string) int {
	switch by {
	case "units":
		units := p.Units()
		return int(units[A]) - int(units[B])
	case "control":
		return int(p.Control(A)) - int(p.Control(B))
	}
	return 0
}

func score(seat, winner int) float64 {
	switch winner {
	case seat:
		return 1
	case engine.Tie:
		return 0.5
	default:
		return 0
	}
}

// Play plays one game. It panics unless both players are Minds.
func (g *Game) Play(players []engine.Player, seed uint64, rec engine.Recorder) engine.Result {
	if len(players) != 2 {
		panic(fmt.Sprintf("amoeboid: the game is for 2 players, not %d", len(players)))
	}
	if engine.AnyExternal(players) {
		return engine.PlayExternal(g, players, seed, func(seated []engine.Player) engine.Result {
			return g.Play(seated, seed, rec)
		})
	}
	var seats [2]Mind
	for i, p := range players {
		mind, ok := p.(Mind)
		if !ok {
			panic(fmt.Sprintf("amoeboid: a %T cannot play", p))
		}
		seats[i] = mind
	}
	m := g.open(seed)
	m.show(rec)
	for !m.over() {
		seat := m.t.Position.Turn()
		move := seats[seat].Choose(m.t)
		if rec != nil {
			rec.Decide(seat, move.code())
		}
		m.make(move)
		m.show(rec)
	}
	return m.close()
}

// recording is the player of Recording.
type recording struct{ decisions []uint64 }

// Recording returns a player, for one game, that makes recorded decisions in order and resigns
// where they run out.
func (g *Game) Recording(decisions []uint64) engine.Player { return &recording{decisions} }

// Choose returns the next recorded move.
func (r *recording) Choose(*Turn) Move {
	if len(r.decisions) == 0 {
		return resign
	}
	m := moveOf(r.decisions[0])
	r.decisions = r.decisions[1:]
	if int(m.Grow)|int(m.From)|int(m.To) >= maxCells {
		return resign
	}
	return m
}

// each calls f with the cells of a set in order.
func each(set uint64, f func(cell int)) {
	for ; set != 0; set &= set - 1 {
		f(bits.TrailingZeros64(set))
	}
}
