package amoeboid

import (
	"bytes"
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"clade/engine"
	"clade/gp"
	"clade/gp/proof"
)

// tape records a game.
type tape struct {
	decisions [2][]uint64
	steps     int
	texts     []string
	scores    []float64
}

func (r *tape) Decide(seat int, decision uint64) {
	r.decisions[seat] = append(r.decisions[seat], decision)
}

func (r *tape) Step(s engine.Scene) {
	r.steps++
	r.scores = s.Scores(r.scores[:0])
	r.texts = append(r.texts, s.(engine.Speaker).Text())
}

// roster makes every player of the game, and an evolved one.
func roster(t testing.TB, g *Game) map[string]engine.Player {
	t.Helper()
	players := map[string]engine.Player{}
	for _, e := range g.Players() {
		args := ""
		if e.Name == "solver" {
			args = "300"
		}
		p := proof.Must(e.New(args))(t)
		players[e.Name] = p
	}
	grown := proof.Must(g.Bind(g.Grammar().Ramped(rand.New(rand.NewPCG(5, 5)), 4, 6)))(t)
	players["evolved"] = grown
	return players
}

func TestGamesAreReplayed(t *testing.T) {
	g := New()
	greedy := engine.Player(Greedy{})
	for name, p := range roster(t, g) {
		for seed := range uint64(5) {
			var rec tape
			plain := g.Play([]engine.Player{p, greedy}, seed, nil)
			recorded := g.Play([]engine.Player{p, greedy}, seed, &rec)
			replayed := g.Play([]engine.Player{g.Recording(rec.decisions[0]),
				g.Recording(rec.decisions[1])}, seed, nil)
			if plain != recorded || plain != replayed {
				t.Fatalf("%s, seed %d: %v, recorded %v, replayed %v", name, seed, plain, recorded, replayed)
			}
			if rec.steps != plain.Steps+1 || rec.scores[0] != plain.Scores[0] {
				t.Errorf("%s, seed %d: %d scenes of %d steps, scores %v and %v", name, seed,
					rec.steps, plain.Steps, rec.scores, plain.Scores)
			}
			proof.Is(t, plain.Marks[0][markForfeit]+plain.Marks[1][markForfeit], 0,
				"%s, seed %d: illegal moves", name, seed)
		}
	}
}

// counter is a mind that counts the other player's pieces that it eats.
type counter struct {
	Mind
	eaten *int
}

func (c counter) Choose(t *Turn) Move {
	m, seat := c.Mind.Choose(t), t.Position.Turn()
	if target := t.Position.Piece(int(m.To)); !m.Pass() && target[1-seat] > target[seat] {
		*c.eaten++
	}
	return m
}

func TestMarkOfPiecesEaten(t *testing.T) {
	g := New()
	var eaten [2]int
	for seed := range uint64(10) {
		eaten = [2]int{}
		r := g.Play([]engine.Player{counter{Cautious{}, &eaten[A]}, counter{Greedy{}, &eaten[B]}},
			seed, nil)
		for seat, n := range eaten {
			proof.Is(t, r.Marks[seat][markEaten], float32(n), "seed %d: the mark of what %s ate", seed,
				letters[seat])
		}
	}
	if eaten[A] == 0 && eaten[B] == 0 {
		t.Error("nobody ate in the last game")
	}
}

func TestFaultyPlayerForfeits(t *testing.T) {
	g := New()
	for _, decisions := range [][]uint64{nil, {0}, {^uint64(0)},
		{Move{0, 0, 1, Piece{200, 0}}.code()}} {
		r := g.Play([]engine.Player{g.Recording(decisions), Random{}}, 1, nil)
		if r.Winner() != B || r.Marks[A][markForfeit] != 1 || r.Scores[B] != 1 {
			t.Errorf("decisions %v: %+v", decisions, r)
		}
	}
}

func TestLimitIsATie(t *testing.T) {
	s := Default()
	s.Limit = 2
	g := proof.Must(FromSettings(s))(t)
	if r := g.Play([]engine.Player{Random{}, Random{}}, 1, nil); r.Winner() != engine.Tie ||
		r.Steps != 2 || r.Scores[A] != 0.5 {
		t.Errorf("%+v", r)
	}
}

// A game at its limit may be won by who owns or controls more.
func TestAtLimit(t *testing.T) {
	for by, mark := range map[string]int{"units": markUnits, "control": markControl} {
		s := Default()
		s.Size, s.Limit, s.AtLimit = 5, 9, by
		g := proof.Must(FromSettings(s))(t)
		seen := map[int]bool{}
		for seed := range uint64(100) {
			r := g.Play([]engine.Player{Random{}, Random{}}, seed, nil)
			if r.Steps < s.Limit {
				continue
			}
			want := engine.Tie
			if a, b := r.Marks[A][mark], r.Marks[B][mark]; a > b {
				want = A
			} else if b > a {
				want = B
			}
			proof.Is(t, r.Winner(), want, "%s, seed %d: the winner of %+v", by, seed, r)
			seen[want] = true
		}
		proof.Is(t, len(seen), 3, "%s: the ends of games %v", by, seen)
	}
}

func TestSettingsAreChecked(t *testing.T) {
	for _, c := range []struct {
		change func(*Settings)
		want   string
	}{
		{func(s *Settings) { s.Size = 9 }, "2 to 8 cells"},
		{func(s *Settings) { s.Neighbours = 6 }, "4 or 8"},
		{func(s *Settings) { s.Board = "gird" }, `did you mean "grid"`},
		{func(s *Settings) { s.Board, s.Size = "cycle", 65 }, "size must be in 2..64"},
		{func(s *Settings) { s.Board, s.Size = "path", 1 }, "size must be in 2..64"},
		{func(s *Settings) { s.Board, s.Size = "star", 2 }, "3 to 64"},
		{func(s *Settings) { s.Die = 0 }, "die must be in 1..20"},
		{func(s *Settings) { s.Limit = 1 }, "limit must be in 2..100000"},
		{func(s *Settings) { s.AtLimit = "unit" }, `did you mean "units"?`},
		{func(s *Settings) { s.Graph = "x" }, `only read with board = "file"`},
		{func(s *Settings) { s.Board, s.Graph = "file", "no/such" }, "no/such"},
		{func(s *Settings) { s.Board, s.Graph = "file", "cells 2\nedge 0 2\n" }, "graph:2: edge"},
	} {
		s := Default()
		c.change(&s)
		proof.Fails(New().With(&s))(t, c.want)
	}
	proof.Fails(New().With(Default()))(t, "not *amoeboid.Settings")
	s := Default()
	s.Board, s.Graph = "file", "cells 2\nedge 0 1\nstart 0 1\n"
	g := proof.Must(New().With(&s))(t)
	if _, err := g.(*Game).With(g.(*Game).Settings()); err != nil {
		t.Errorf("the settings of a game with a graph file do not make it again: %v", err)
	}
}

func TestArgumentsOfPlayersAreChecked(t *testing.T) {
	for _, e := range New().Players() {
		proof.Fails(e.New("x"))(t, `not "x"`)
	}
}

func TestNoAllocationPerDecision(t *testing.T) {
	proof.Slow(t)
	s := Default()
	s.Limit = 30
	g := proof.Must(FromSettings(s))(t)
	for name, p := range roster(t, g) {
		if name == "solver" {
			continue // its table is taken from a pool once a decision
		}
		players := []engine.Player{p, p}
		seed := uint64(0)
		warm := func() {
			g.Play(players, seed%20, nil)
			seed++
		}
		for range 20 {
			warm()
		}
		proof.Is(t, testing.AllocsPerRun(20, warm), 0, "%s: allocations a game", name)
	}
}

func TestSceneDrawsAndExplains(t *testing.T) {
	proof.Slow(t)
	for _, graph := range boards(t) {
		s := Default()
		s.Board, s.Graph = "file", graph.text()
		g := proof.Must(FromSettings(s))(t)
		looked := 0
		g.Play([]engine.Player{Random{}, Random{}}, 4, engine.OnStep(func(s engine.Scene) {
			looked++
			img := engine.Picture(s, 2)
			if !slices.Contains(img.Pix, engine.Seats) {
				t.Fatalf("%s: nobody is drawn", graph.name)
			}
			for i := range graph.Cells() {
				at := graph.at[i].Mul(tile * 2).Add(image.Pt(3, 3))
				if text := s.(engine.Inspector).Inspect(at, 2); !strings.Contains(text, ":") {
					t.Fatalf("%s: cell %d says %q", graph.name, i, text)
				}
				// a circle crosses the row through the cell's middle
				row := img.PixOffset(at.X+tile-9, at.Y+tile-3)
				if bytes.Count(img.Pix[row:row+12], []byte{engine.Paper}) == 12 {
					t.Fatalf("%s: cell %d is not drawn", graph.name, i)
				}
			}
			s.(engine.Inspector).Inspect(image.Pt(-1, 1<<20), 2)
		}))
		if looked < 2 {
			t.Errorf("%s: %d scenes", graph.name, looked)
		}
	}
}

// TestPersonIsToldWhatIsLegal compares the list that a person sees with all legal moves.
func TestPersonIsToldWhatIsLegal(t *testing.T) {
	g := New().Graph()
	turn := NewTurn(g, 6)
	wander(g, 6, 3, func(p *Position, roll int, _ *engine.Random) {
		type way struct {
			from, to uint8
			grown    bool
		}
		least, most := map[way]int32{}, map[way]int32{}
		for _, m := range p.Moves(nil, g, roll) {
			if w := (way{m.From, m.To, m.From == m.Grow}); !m.Pass() {
				if size := m.Take.Size(); least[w] == 0 || size < least[w] {
					least[w] = size
				}
				most[w] = max(most[w], m.Take.Size())
			}
		}
		turn.Position, turn.Roll = *p, roll
		list := reachable(turn)
		ways := 0
		for _, line := range strings.Split(list, "\n")[1:] {
			name, targets, ok := strings.Cut(line, ": ")
			if !ok || targets == "nowhere" {
				continue
			}
			from, _ := g.cell(strings.Fields(strings.TrimPrefix(strings.TrimSpace(name), "+"))[0])
			for _, target := range strings.Split(targets, ", ") {
				label, sizes, _ := strings.Cut(target, " ")
				to, _ := g.cell(label)
				w := way{uint8(from), uint8(to), line[1] == '+'}
				if want := fmt.Sprintf("%d..%d", least[w], most[w]); sizes != want {
					t.Fatalf("%s, roll %d: %s: %s, want %s", p.Text(g, roll), roll, line, target, want)
				}
				ways++
			}
		}
		if ways != len(least) {
			t.Fatalf("%s: %d ways are listed of %d\n%s", p.Text(g, roll), ways, len(least), list)
		}
	})
}

func TestTurnedBoardGivesTheSameValue(t *testing.T) {
	g := New()
	tree := proof.Must(g.Grammar().Parse(
		"(add (add (own-mass (rect 0 -1 3 2)) (mul (enemy-count (rect " +
			"1 0 2 3)) (const 0.5))) (if diagonal? (empty-count (rect -1 -1 1 1)) room))"))(t)
	code := proof.Must(gp.NewCompiler(g.Grammar()).Compile(tree))(t)
	turn, used := NewTurn(g.Graph(), 6), usual().readBy(tree)
	value := func(p Position, m Move) float32 {
		turn.Position, turn.Roll = p, 3
		code.Load(turn.frame)
		lane := turn.sense(m, used)
		var values gp.Quad
		code.Eval(slotMove, 0, turn.frame, &values)
		v := values[lane]
		if w := g.Grammar().Walk(tree[0], turn.frame, lane); v != w {
			t.Fatalf("compiled %v, walked %v", v, w)
		}
		return v
	}
	p, roll := position(t, g.Graph(), "A3 2,1 . 0,2 / . 3,0 . / 1,1 . 0,4")
	for _, m := range p.Moves(nil, g.Graph(), roll) {
		q, n := p, m
		want := value(p, m)
		for range 3 {
			// clockwise: column becomes row, row counts from the right
			quarter := func(c uint8) uint8 { return c%3*3 + 2 - c/3 }
			var turned Position
			for c := range 9 {
				turned.Set(int(quarter(uint8(c))), q.Piece(c))
			}
			q = turned
			n.Grow, n.From, n.To = quarter(n.Grow), quarter(n.From), quarter(n.To)
			if got := value(q, n); got != want {
				t.Fatalf("%s: %v turned, %v unturned", g.Graph().MoveText(n), got, want)
			}
		}
	}
}

// TestWhatIsNotUsedIsNotMissed values moves with what a genome uses in the frame and with all there
// is.
func TestWhatIsNotUsedIsNotMissed(t *testing.T) {
	g := New()
	all := usual().all()
	some, whole := NewTurn(g.Graph(), 6), NewTurn(g.Graph(), 6)
	p, roll := position(t, g.Graph(), "A3 2,1 . 0,2 / . 3,0 . / 1,1 . 0,4")
	random := rand.New(rand.NewPCG(8, 8))
	for range 300 {
		genome := g.Grammar().Ramped(random, 2, 5)
		used := usual().readBy(genome)
		some.Position, some.Roll, whole.Position, whole.Roll = p, roll, p, roll
		for _, m := range p.Menu(nil, g.Graph(), roll) {
			lane := some.sense(m, used)
			whole.sense(m, all)
			if eaten := whole.frame.Scalar(5)[0]; eaten != float32(p.cells[m.To].Size()) {
				t.Fatalf("%s eats %v", g.Graph().MoveText(m), eaten)
			}
			a, b := g.Grammar().Walk(genome[0], some.frame, lane),
				g.Grammar().Walk(genome[0], whole.frame, lane)
			if math.Float32bits(a) != math.Float32bits(b) {
				t.Fatalf("%v is not %v: %s", a, b, g.Grammar().PrintTree(genome[0]))
			}
		}
	}
}

func Example() {
	g := New()
	r := g.Play([]engine.Player{Greedy{}, Random{}}, 1, nil)
	fmt.Println("winner", r.Winner(), "after", r.Steps, "plies")
	p, roll, _ := ParsePosition(g.Graph(), "A5 . . . / 0,4 9,0 . / 0,4 . .")
	fmt.Println(p.countMoves(g.Graph(), roll), "legal moves")
	// Output:
	// winner 0 after 9 plies
	// 106 legal moves
}

// TestSplits writes out the parts of the menu for pieces of A: as many as differ and are large
// enough, in the order of the text of splits.
func TestSplits(t *testing.T) {
	for _, c := range []struct {
		name          string
		piece, target Piece
		want          []Piece
	}{
		{"to an empty cell", Piece{9, 2}, Piece{}, []Piece{{9, 2}, {4, 0}, {1, 0}, {6, 0}, {9, 0},
			{3, 2}}},
		{"own units alone", Piece{8, 0}, Piece{}, []Piece{{8, 0}, {4, 0}, {1, 0}, {7, 0}}},
		{"onto an enemy of 3", Piece{9, 2}, Piece{0, 3},
			[]Piece{{9, 2}, {4, 0}, {6, 0}, {9, 0}, {3, 2}, {3, 0}}},
		{"onto an enemy of 5, 2 of them own", Piece{20, 0}, Piece{2, 3},
			[]Piece{{20, 0}, {10, 0}, {19, 0}, {5, 0}}},
		{"onto an enemy of 6", Piece{20, 1}, Piece{0, 6},
			[]Piece{{20, 1}, {10, 0}, {18, 0}, {20, 0}, {6, 0}, {7, 0}}},
		{"onto an own piece of 4", Piece{9, 0}, Piece{4, 0}, []Piece{{9, 0}, {4, 0}, {8, 0}}},
		{"too small", Piece{4, 1}, Piece{0, 6}, nil},
	} {
		var parts [maxSplits]Piece
		proof.Are(t, parts[:splits(&parts, c.piece, c.target, A)], c.want, "%s", c.name)
	}
}

// TestMenuGrows lists what the menu grows while one piece moves: that piece, the largest, and the
// one next to the largest enemy.
func TestMenuGrows(t *testing.T) {
	g := New().Graph()
	// b3 is next to a3 and c3; the first of them counts as threatened
	p, roll := position(t, g, "A2 3,0 . 9,0 / . . . / 4,0 0,7 1,0")
	var grows []string
	for _, m := range p.Menu(nil, g, roll) {
		if m.From == 0 && m.To == 1 && m.Take == (Piece{1, 0}) {
			grows = append(grows, g.labels[int(m.Grow)])
		}
	}
	proof.Are(t, grows, []string{"a1", "c1", "a3"}, "what grows")
}

// TestCautiousFollowsTheDocument holds what the cautious player does against the advice of cases I
// to III, on the document's board.
func TestCautiousFollowsTheDocument(t *testing.T) {
	const centre = 4
	waits := func(p *Position,
		m Move) bool {
		return m.To != centre && p.Piece(int(m.From)) == Piece{}
	}
	attacks := func(p *Position,
		m Move) bool {
		return m.To == centre && p.Piece(int(m.From)) == Piece{}
	}
	neutral := func(p *Position,
		m Move) bool {
		piece := p.Piece(int(m.To))
		return piece[A] == 5 && piece[B] == 5
	}
	eats := func(p *Position,
		m Move) bool {
		piece := p.Piece(int(m.To))
		return piece[A] > 5 && piece[B] == 5
	}
	wins := func(p *Position, _ Move) bool { return p.Verdict() == WonByA }
	turn := NewTurn(New().Graph(), 6)
	for _, c := range []struct {
		name, text string
		does       func(after *Position, m Move) bool
	}{
		{"case I", "A3 10,0 . . / . . . / . . 0,10", waits},
		{"case II, 4", "A4 10,0 . . / . . . / . . 0,10", waits},
		{"case II, 5, early", "A5 10,0 . . / . . . / . . 0,10", waits},
		{"case II, 5, advanced", "A5 60,0 . . / . . . / . . 0,60", attacks},
		{"case II, 6", "A6 10,0 . . / . . . / . . 0,10", attacks},
		{"case III", "A1 16,0 . . / . . . / . . 0,10", attacks},
		{"advantage 2 above 6", "A1 . . . / . 17,0 0,5 / . . 0,5", neutral},
		{"advantage 2 of 6", "A1 . . . / . 16,0 0,5 / . . 0,5", eats},
		{"a win", "A1 . . . / . 16,0 . / . . 0,5", wins},
	} {
		p, roll := position(t, turn.Graph, c.text)
		turn.Position, turn.Roll = p, roll
		m := Cautious{}.Choose(turn)
		if p.Apply(m, roll); !c.does(&p, m) {
			t.Errorf("%s: %s plays %s", c.name, c.text, turn.Graph.MoveText(m))
		}
	}
}

// plainExpectimax is Expectimax as its comment says it: every move, roll and reply, without bounds.
type plainExpectimax struct{}

func (plainExpectimax) Choose(t *Turn) Move {
	p := &t.Position
	t.moves = p.Menu(t.moves[:0], t.Graph, t.Roll)
	var l lottery
	for _, m := range t.moves {
		u := p.try(m, t.Roll)
		l.offer(m, t.plainExpect(), &t.Random)
		p.back(m, u)
	}
	return l.move
}

func (t *Turn) plainExpect() float64 {
	p := &t.Position
	opponent := p.Turn()
	if p.Verdict() != Open {
		return p.settled(1 - opponent)
	}
	sum := 0.0
	for roll := 1; roll <= t.Die; roll++ {
		best := worthLoss
		for _, m := range p.Menu(nil, t.Graph, roll) {
			u := p.try(m, roll)
			best = max(best, p.worth(opponent))
			p.back(m, u)
		}
		sum -= best
	}
	return sum / float64(t.Die)
}

// TestExpectimaxIsPlain plays the same games with bounds and without, and expects the same moves.
func TestExpectimaxIsPlain(t *testing.T) {
	proof.Slow(t)
	for _, s := range []Settings{
		{Board: "grid", Size: 3, Neighbours: 8, Die: 6, Limit: 40},
		{Board: "grid", Size: 4, Neighbours: 4, Die: 4, Limit: 20},
		{Board: "path", Size: 4, Neighbours: 8, Die: 6, Limit: 60},
		{Board: "star", Size: 5, Neighbours: 8, Die: 20, Limit: 40},
	} {
		g := proof.Must(FromSettings(s))(t)
		for seed := range uint64(8) {
			var opponent Mind = Greedy{}
			if seed%2 == 1 {
				opponent = Random{}
			}
			fast := g.Play([]engine.Player{Expectimax{}, opponent}, seed, nil)
			plain := g.Play([]engine.Player{plainExpectimax{}, opponent}, seed, nil)
			proof.Is(t, fast, plain, "%s, seed %d, without bounds", g.graph.name, seed)
		}
	}
}
