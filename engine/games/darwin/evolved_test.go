package darwin

import (
	"cmp"
	"reflect"
	"strings"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp"
	"clade/gp/proof"
)

// oracle is an evolved species whose every decision is made again by the plain walk over the trees.
type oracle struct {
	t  *testing.T
	s  *evolved
	ge gp.Genome
}

func (o *oracle) found(b briefing) colony { return &oracleColony{o, o.s.found(b)} }

type oracleColony struct {
	*oracle
	colony
}

func (c *oracleColony) spawn(b *body) mind {
	return &oracleMind{c.oracle, c.colony.spawn(b).(*evolvedMind)}
}

type oracleMind struct {
	*oracle
	mind *evolvedMind
}

func (m *oracleMind) decide(b *body) action {
	looked := m.mind.last == observe
	got := m.mind.decide(b)
	if looked {
		m.checkLook(b)
	}
	g, f := m.s.game.grammar, m.mind.frame
	walk := func(slot int, d direction) float32 { return g.Walk(m.ge[slot], f, d.clockwise()) }
	best, most := forward, walk(slotForward, b.facing)
	for _, c := range []struct {
		verb verb
		slot int
		d    direction
	}{
		{attack, slotAttack, b.facing}, {turnLeft, slotTurn, b.facing.left()},
		{turnRight, slotTurn, b.facing.right()},
		{observe, slotObserve, b.facing}, {backward, slotBackward, b.facing.back()},
		{delay, slotDelay, b.facing},
	} {
		if u := walk(c.slot, c.d); u > most {
			best, most = c.verb, u
		}
	}
	if got != action(best) {
		m.t.Fatalf("creature %d: compiled %v, walked %v", int(b.id), got.verb(), best)
	}
	m.checkSenses(b)
	m.checkLacks(b)
	return got
}

// checkLacks holds that what the map of the game lacks is never sensed.
func (m *oracleMind) checkLacks(b *body) {
	f, lacks := m.mind.frame, m.s.game.lacking()
	for i := range gp.MaxLayers {
		if lacks.Empty>>i&1 != 0 && !f.Layers[i].Empty() {
			m.t.Fatalf("creature %d: the map should lack layer %d", b.id, i)
		}
	}
	for i := range m.s.game.grammar.Scalars {
		if lacks.Zero>>i&1 != 0 && *f.Scalar(i) != (gp.Quad{}) {
			m.t.Fatalf("creature %d: the map should lack scalar %d", b.id, i)
		}
	}
	for i := range gp.MaxFlags {
		if lacks.Unset>>i&1 != 0 && f.Flags[i] != 0 {
			m.t.Fatalf("creature %d: the map should lack flag %d", b.id, i)
		}
	}
}

// checkLook holds that a look has been entered, whether it showed anything new or not.
func (m *oracleMind) checkLook(b *body) {
	memory, o := m.mind.memory, b.w.observe(b)
	version := memory.version
	if memory.note(b, &o, false); memory.version != version {
		m.t.Fatalf("creature %d: a look changes boards when it is entered again", b.id)
	}
}

// checkSenses holds that what a mind keeps of its senses from turn to turn is what it would sense
// anew.
func (m *oracleMind) checkSenses(b *body) {
	f, g := m.mind.frame, m.s.game.grammar
	had, mind := f.Clone(), *m.mind
	m.mind.version, m.mind.sensed = 0, 0 // no memory is of version 0
	m.mind.sense(b)
	*m.mind = mind
	if f.Layers != had.Layers || f.Flags != had.Flags {
		m.t.Fatalf("creature %d: layers %v and flags %v, anew %v and %v", b.id, had.Layers,
			had.Flags, f.Layers, f.Flags)
	}
	for i := range g.Scalars {
		if *f.Scalar(i) != *had.Scalar(i) {
			m.t.Fatalf("creature %d: scalar %d %v, anew %v", b.id, i, *had.Scalar(i), *f.Scalar(i))
		}
	}
}

func TestCompiledIsWalked(t *testing.T) {
	proof.Slow(t)
	for i := range uint64(40) {
		// Of the maps two are whole, one has hazards and apples alone, one mud and flytraps. Every
		// other species senses everything, so that what the code leaves out is seen.
		g := short(t, []string{"ns_arena4", "ns_labyrinth4", "arena", "arena"}[i&3], 0.6,
			func(s *settings) {
				s.SharedMap, s.KeenSenses, s.Arena.Species = i&4 != 0, i&8 != 0, 4
				s.ShrineWays = i&16 != 0
				s.Arena.Width, s.Arena.Height, s.Arena.Creatures = 31, 31, 3
				if i&3 == 3 {
					s.Arena.Mud, s.Arena.Flytraps, s.Arena.Hazards, s.Arena.Apples = 20, 2, 0, 0
				}
			})
		var players []engine.Player
		for k := range uint64(4) {
			ge := randomGenome(g, 4*i+k, 90)
			p := must(g.Bind(ge))
			if k&1 != 0 {
				p = g.Weigh(p, nil)
			}
			players = append(players, &oracle{t, p.(*evolved), ge})
		}
		g.Play(players, i, nil)
	}
}

// A window read by shifts is what one gets square by square.
func TestWindow(t *testing.T) {
	for _, size := range [][2]int{{5, 5}, {29, 13}, {64, 7}, {130, 9}} {
		m := newMemory(size[0], size[1])
		r := engine.NewRandom(1)
		for range size[0] * size[1] / 2 {
			m.set(boardApple, r.Below(size[0]), r.Below(size[1]))
		}
		for y := range size[1] {
			for x := range size[0] {
				p := point{int16(x), int16(y)}
				for _, board := range []int{boardApple, boardWall} {
					got := m.window(board, p)
					for cell := range windowSide * windowSide {
						q := point{p.x + int16(cell%windowSide-reach), p.y + int16(cell/windowSide-reach)}
						if got.Has(cell) != m.has(board, q) {
							t.Fatalf("size %v, at %v: square %v is wrong", size, p, q)
						}
					}
				}
			}
		}
	}
}

// A line that is entered at once, of up to four words in a wide map, is its squares, computed here
// one by one.
func TestSweep(t *testing.T) {
	const width, height = 190, 12
	r := engine.NewRandom(1)
	for range 2000 {
		m, want := newMemory(width, height), map[point]bool{}
		from := point{int16(r.Below(width)), int16(r.Below(height))}
		to := point{int16(r.Below(width)), from.y}
		if r.Below(2) == 0 {
			to = point{from.x, int16(r.Below(height))}
		}
		m.set(boardApple, int(from.x), int(from.y))
		m.set(boardTreasure, int(to.x), int(to.y))
		for p := from; p != to; {
			want[p] = true
			p.x, p.y = p.x+int16(cmp.Compare(to.x, p.x)), p.y+int16(cmp.Compare(to.y, p.y))
		}
		m.sweep(from, to)
		for y := range int16(height) {
			for x := range int16(width) {
				if p := (point{x, y}); m.has(boardKnown, p) != want[p] {
					t.Fatalf("from %v to %v: %v is known: %v", from, to, p, !want[p])
				}
			}
		}
		if m.has(boardApple, from) != (from == to) || !m.has(boardTreasure, to) {
			t.Fatalf("from %v to %v: things are wrong", from, to)
		}
	}
}

// A look that shows what the one before it showed takes off what was put on its line meanwhile, as
// by a look from elsewhere.
func TestLookAgain(t *testing.T) {
	b := newStage(t, handbook(), "XXXXXXX\nX0    X\nXXXXXXX").first(firstSeat)
	m := evolvedMind{memory: newMemory(7, 3), last: observe}
	b.facing = east
	for range 2 {
		m.learn(b)
		proof.Is(t, m.memory.has(boardApple, point{3, 1}), false, "an apple is known")
		m.memory.set(boardApple, 3, 1)
	}
}

// A memory that was cleared is a new one, whatever it held.
func TestMemoryForgets(t *testing.T) {
	s := newStage(t, handbook(), "XXXXXXXXX\nX0 .s*f X\nX+ a:1  X\nXXXXXXXXX")
	m, fresh := newMemory(9, 4), newMemory(9, 4)
	b := s.first(firstSeat)
	for board := range numBoards {
		m.set(board, 3, 2)
	}
	for b.facing = north; b.facing <= east; b.facing++ {
		o := s.observe(b)
		m.note(b, &o, false)
	}
	m.visit(point{2, 1})
	m.sight(sighting{at: point{5, 2}, id: 7, time: 1})
	m.shrine, m.hasShrine = point{4, 1}, true
	m.clear()
	// What stands behind a count or a flag is not read.
	m.seen, m.shrine, m.version, m.changed = fresh.seen, fresh.shrine, fresh.version, fresh.changed
	if !reflect.DeepEqual(m, fresh) {
		t.Errorf("cleared:\n%+v\nnew:\n%+v", m, fresh)
	}
}

// The version of a memory rises when it changes, also when the other one of two known shrines is
// seen, and stays when nothing is new.
func TestMemoryVersion(t *testing.T) {
	m, own := newMemory(9, 4), seatBreed(0)
	enter := func(x int16, what int16, on terrain, changes bool) {
		t.Helper()
		before := m.version
		m.enter(point{x, 1}, what, noClass, on, own)
		proof.Is(t, m.version != before, changes, "square %d, %d on %b: changed", x, what, on)
	}
	for _, changes := range []bool{true, false} {
		enter(0, 0, 0, changes)
		enter(1, hazard, 0, changes)
		enter(2, wallX, 0, changes)
		enter(3, 0, mud, changes)
		enter(4, 0, shrine|ownedShrine|terrain(1)<<4, changes)
	}
	enter(5, 0, shrine|ownedShrine, true)
	enter(5, 0, shrine|ownedShrine, false)
	enter(6, 0, shrine|ownedShrine, true)
	enter(5, 0, shrine|ownedShrine, true)
	m.set(boardApple, 0, 1)
	enter(0, 0, 0, true)
}

// What lies outside the map is known to be wall, and of the map nothing is known.
func TestMemoryBegins(t *testing.T) {
	m := newMemory(9, 4)
	for y := int16(-reach); y < 4+reach; y++ {
		for x := int16(-reach); x < 9+reach; x++ {
			out := x < 0 || y < 0 || x >= 9 || y >= 4
			for board := range numBoards {
				if got := m.has(board, point{x, y}); got != (out &&
					(board == boardKnown || board == boardWall)) {
					t.Fatalf("board %d holds (%d, %d): %v", board, x, y, got)
				}
			}
		}
	}
}

// mindOn is mindOf for a creature without keen senses.
func mindOn(t *testing.T, s *stage) (*evolvedMind, *body) {
	g := short(t, "mz_1", 1, nil)
	return mindOf(t, s, g)
}

// mindOf returns the mind of the first creature of a stage, which faces east and reads everything.
func mindOf(t *testing.T, s *stage, g *game) (*evolvedMind, *body) {
	ge := proof.Must(g.Grammar().Parse("trail trail trail trail trail trail"))(t)
	b := s.first(firstSeat)
	b.facing = east
	seen := g.Weigh(must(g.Bind(ge)), nil)
	c := seen.(*evolved).found(briefing{width: s.ground.width, height: s.ground.height})
	return c.spawn(b).(*evolvedMind), b
}

// acts makes the creature act and learn from it, and fills its frame.
func (m *evolvedMind) acts(s *stage, b *body, v verb) {
	s.do(b, v)
	m.last = v
	m.learn(b)
	m.sense(b)
}

// What the sensors say of a position, in all four directions: the shrine lies three squares to the
// east and two to the north.
func TestSenses(t *testing.T) {
	s := newStage(t, original(),
		"XXXXXXXXX\nX    s  X\nX       X\nX 0   1 X\nX       X\nX f    aX\nXXXXXXXXX")
	m, b := mindOn(t, s)
	enemy, flytrap := s.first(firstSeat+1), s.first(flytrap)
	enemy.facing, flytrap.facing = west, north
	f := m.frame
	flag := func(flag int, d direction) bool { return f.Flags[flag]>>d.clockwise()&1 != 0 }
	scalar := func(scalar int, d direction) float32 { return f.Scalar(scalar)[d.clockwise()] }
	if m.sense(b); flag(flagHasShrine, east) || scalar(scalarShrineAhead, east) != 0 ||
		flag(flagLooked, east) || scalar(scalarAge, east) != ageUnknown {
		t.Error("something is known before the first look")
	}
	m.acts(s, b, observe) // at the enemy
	m.acts(s, b, turnRight)
	m.acts(s, b, observe) // at the flytrap
	m.memory.findShrine(point{5, 1})
	s.clock = second / 4
	m.sense(b)
	for _, c := range []struct {
		d           direction
		ahead, side float32
	}{{north, 2, 3}, {west, -3, 2}, {south, -2, -3}, {east, 3, -2}} {
		if ahead, side := scalar(scalarShrineAhead, c.d),
			scalar(scalarShrineSide, c.d); ahead != c.ahead || side != c.side {
			t.Errorf("facing %s the shrine is %v ahead and %v to the right, want %v and %v", c.d,
				ahead, side, c.ahead, c.side)
		}
		if !flag(flagHasShrine, c.d) || !flag(flagDone, c.d) || flag(flagEnchanted, c.d) ||
			scalar(scalarTime, c.d) != 0.25 {
			t.Errorf("facing %s: knows a shrine %v, succeeded %v, enchanted %v, time %v", c.d,
				flag(flagHasShrine, c.d), flag(flagDone, c.d), flag(flagEnchanted, c.d),
				scalar(scalarTime, c.d))
		}
	}
	for _, c := range []struct {
		d                                        direction
		distance                                 float32
		looked, prey, enemy, friend, faces, next bool
	}{{east, 4, true, true, true, false, true, false}, {south, 2, true, true, false, false, true,
		false}, {north, 0, false, false, false, false, false, false}} {
		if scalar(scalarDistance, c.d) != c.distance || flag(flagLooked, c.d) != c.looked ||
			flag(flagPrey, c.d) != c.prey || flag(flagEnemy, c.d) != c.enemy ||
			flag(flagFriend, c.d) != c.friend || flag(flagFaced, c.d) != c.faces ||
			flag(flagNext, c.d) != c.next || flag(flagBlocked, c.d) || flag(flagHazard, c.d) {
			t.Errorf("%s: distance %v, flags %b", c.d, scalar(scalarDistance, c.d), f.Flags)
		}
	}
	proof.Is(t, scalar(scalarAge, east), 0.8002, "ms since the look to the east")
	if m.acts(s, b, attack); flag(flagDone, north) {
		t.Error("an attack on nothing succeeded")
	}
}

// A hazard ahead is told from a wall.
func TestHazardAhead(t *testing.T) {
	for rows, want := range map[string]bool{"XXXXXXX\nX0 + 1X\nXXXXXXX": true,
		"XXXXXXX\nX0 # 1X\nXXXXXXX": false} {
		s := newStage(t, original(), rows)
		m, b := mindOn(t, s)
		m.acts(s, b, observe)
		if f := m.frame.Flags; (f[flagHazard]>>east.clockwise()&1 != 0) != want ||
			f[flagPrey] != 0 || f[flagBlocked]>>east.clockwise()&1 != 0 {
			t.Errorf("%q: flags %b", rows, f)
		}
	}
}

// Apples face somewhere, but threaten no creature.
func TestAppleFacesNobody(t *testing.T) {
	s := newStage(t, original(), "XXXXXXX\nX0a  1X\nXXXXXXX")
	m, b := mindOn(t, s)
	s.first(apple).facing = west
	m.acts(s, b, observe)
	if f := m.frame.Flags; f[flagFaced] != 0 || f[flagPrey] == 0 || f[flagNext] == 0 ||
		f[flagEnemy] != 0 || f[flagBlocked]>>east.clockwise()&1 == 0 {
		t.Errorf("flags %b", f)
	}
}

// A bump blocks the way until a look shows that nothing is there any more.
func TestBumpIsForgotten(t *testing.T) {
	s := newStage(t, original(), "XXXXXXX\nX01   X\nXXXXXXX")
	m, b := mindOn(t, s)
	blocked := func() bool { return m.frame.Flags[flagBlocked]>>east.clockwise()&1 != 0 }
	m.sense(b)
	if blocked() {
		t.Error("blocked before it bumped into anything")
	}
	if m.acts(s, b, forward); !blocked() {
		t.Error("not blocked after it bumped")
	}
	s.kill(s.first(firstSeat + 1))
	if m.acts(s, b, observe); blocked() {
		t.Error("blocked after it saw that the way is free")
	}
}

// Whom a creature converts is a friend to it and no enemy any more.
func TestConvertIsFriend(t *testing.T) {
	s := newStage(t, original(), "XXXXXXX\nX01   X\nXXXXXXX")
	m, b := mindOn(t, s)
	f, at := m.frame, reach*windowSide+reach+1
	const layerFriend, layerEnemy = 5, 6 // rows of senses
	if m.acts(s, b, observe); !f.Layers[layerEnemy].Has(at) || f.Layers[layerFriend].Has(at) ||
		f.Flags[flagNext]>>east.clockwise()&1 == 0 {
		t.Error("the enemy was not seen")
	}
	m.acts(s, b, attack)
	if !b.done || f.Layers[layerEnemy].Has(at) || !f.Layers[layerFriend].Has(at) {
		t.Errorf("converted %v, an enemy there %v, a friend %v", b.done,
			f.Layers[layerEnemy].Has(at), f.Layers[layerFriend].Has(at))
	}
	if ahead := east.clockwise(); f.Flags[flagFriend]>>ahead&1 == 0 ||
		f.Flags[flagPrey]>>ahead&1 != 0 || f.Flags[flagNext]>>ahead&1 != 0 {
		t.Error("the converted creature ahead is not a friend")
	}
}

// What the sensors say, shown by a walker written as trees: it looks along every new line, goes
// where it has not been, and attacks what it came for.
func TestSensors(t *testing.T) {
	g := short(t, "mz_1", 0, nil)
	ge := proof.Must(g.Grammar().Parse(walkerTrees))(t)
	p := must(g.Bind(ge))
	for _, name := range []string{"mz_1", "mz_2", "mz_3"} {
		proof.Is(t, short(t, name, 1, nil).Play([]engine.Player{p}, 1, nil).Winner(), 0,
			"who solves %s", name)
	}
}

const walkerTrees = `
(if blocked (const -1) (sub (constint 3) (visited (rect 0 -1 1 1)))) ; forward
(const -1) ; backward
(if (and blocked looked) (const -0.5)
  (sub (const 1) (mul (visited (rect 0 -1 1 1)) (const 0.5)))) ; turn
(if (and preyAhead (isEqual distance (constint 1))) (constint 5) (const -1)) ; attack
(if looked (const -1) (constint 4)) ; observe
(const -1)`

// The species that are kept are of the rules as played, and as good as is said of them: the runner
// solves mazes, the fighter beats superrover, and the ascender has two points of three a game
// against the three best of the built-in players, and ascends.
func TestKeptSpecies(t *testing.T) {
	maze := short(t, "maze", 0, nil)
	runner := must(maze.Bind(enginetest.Kept(t, maze, "runner")))
	duel := short(t, "ns_faceoff", 0, nil)
	fighter := must(duel.Bind(enginetest.Kept(t, duel, "fighter")))
	rival := player(t, duel, "superrover")
	wins := 0
	for seed := range uint64(6) {
		proof.Is(t, maze.Play([]engine.Player{runner}, 3000+seed, nil).Winner(), 0,
			"who solves maze %d", seed)
		if duel.Play([]engine.Player{fighter, rival}, 3000+seed, nil).Winner() == 0 {
			wins++
		}
	}
	if wins < 5 {
		t.Errorf("the fighter won %d of 6 games", wins)
	}
	four := short(t, "ns_arena4", 0, nil)
	players := []engine.Player{must(four.Bind(enginetest.Kept(t, four, "ascender"))),
		player(t, four, "herd"), player(t, four, "follower"), player(t, four, "superrover")}
	points, ascensions := 0.0, float32(0)
	for seed := range uint64(20) {
		r := four.Play(players, 3000+seed, nil)
		points, ascensions = points+r.Scores[0], ascensions+r.Marks[0][markAscensions]
	}
	if points < 40 || ascensions < 5 {
		t.Errorf("the ascender had %v points and %v ascensions in 20 games", points, ascensions)
	}
}

// A decision is charged for every node when a study asks for it.
func TestEffort(t *testing.T) {
	cheap, dear := short(t, "ns_faceoff", 1, nil),
		short(t, "ns_faceoff", 1, func(s *settings) { s.EffortCost = 10_000 })
	ge := randomGenome(cheap, 2, 90)
	a, b := must(cheap.Bind(ge)), must(dear.Bind(ge))
	free := cheap.Play([]engine.Player{a, a}, 1, nil)
	charged := dear.Play([]engine.Player{b, b}, 1, nil)
	if charged.Steps >= free.Steps {
		t.Errorf("%d turns at 10 us a node, %d for nothing", charged.Steps, free.Steps)
	}
	if _, err := cheap.Bind(ge[:2]); err == nil || !strings.HasPrefix(err.Error(), "darwin: ") {
		t.Errorf("error %v", err)
	}
}

// A creature that goes to the coldest square beside it searches in depth, and so solves mazes that
// have few loops.
func TestTrailSearchesInDepth(t *testing.T) {
	const strike, look = `(if preyNext (constint 5) (const -1))`, `(if looked (const -1) (constint 4))`
	for name, trees := range map[string]string{
		"turning": `(if blocked (const -1) trail) (const -1) trail ` + strike + look + `(const -1)`,
		// Who backs into a wall must learn of it, else it does so for ever.
		"backing": `trail (mul trail (const 0.5)) trail ` + strike + ` age (const -1)`,
	} {
		for _, loops := range []int{0, 10} {
			g := short(t, "maze", 5, func(s *settings) { s.Maze.Loops = loops })
			ge := proof.Must(g.Grammar().Parse(trees))(t)
			p := must(g.Bind(ge))
			for seed := range uint64(20) {
				r := g.Play([]engine.Player{p}, seed, nil)
				proof.Is(t, r.Winner(), 0, "%s, %d %% loops, seed %d: the winner", name, loops, seed)
			}
		}
	}
}

// A species that fails in a maze is charged more than one that arrives, and less the more it has
// explored.
func TestFailureIsCharged(t *testing.T) {
	g := short(t, "maze", 1, nil)
	for seed := range uint64(10) {
		r := g.Play([]engine.Player{player(t, g, "treasure"), player(t, g, "superrover"),
			player(t, g, "surveyor")}, seed, nil)
		if r.Winner() != 2 || !(r.Scores[0] < r.Scores[1] && r.Scores[1] <= -1 &&
			r.Scores[2] > -1 &&
			r.Scores[0] > -2) {
			t.Errorf("seed %d: motionless %v, half-blind %v, explorer %v", seed, r.Scores[0],
				r.Scores[1], r.Scores[2])
		}
	}
}
