package darwin

import (
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp/proof"
)

// stage is a world for tests, with creatures that scripts lead.
type stage struct {
	*world
	t     *testing.T
	rules ruleSet
}

// newStage lays out a map under rules; rows are separated by line ends.
func newStage(t *testing.T, rules ruleSet, rows string) *stage {
	lines := strings.Split(strings.Trim(rows, "\n"), "\n")
	width := 0
	for _, l := range lines {
		width = max(width, len(l))
	}
	m := must(parseMap("stage", fmt.Appendf(nil, "%d %d stage\n%s\n", width, len(lines),
		strings.Trim(rows, "\n"))))
	s := &stage{t: t, rules: rules, world: new(world)}
	g := newGround(m, &s.rules, maxSeats)
	dice := &dice{engine.NewRandom(1)}
	s.begin(g, &s.rules, engine.Seed(1), dice, func(*body) {}, func(*body) {})
	return s
}

// first returns the living creature of a breed with the smallest number.
func (s *stage) first(b breed) *body {
	var found *body
	for i := range s.bodies {
		if c := &s.bodies[i]; c.alive && c.breed == b && (found == nil || c.id < found.id) {
			found = c
		}
	}
	if found == nil {
		s.t.Fatalf("no creature of breed %d", b)
	}
	return found
}

// do makes the creature of a breed act out of turn, and returns what it was charged.
func (s *stage) do(b *body, v verb) int64 {
	for k, e := range s.queue { // to the front
		if e.slot == b.slot {
			s.queue.removeAt(k)
			s.queue.push(entry{-1, b.slot})
			break
		}
	}
	before := s.clock
	s.act(b, action(v))
	return s.clock - before
}

func TestCosts(t *testing.T) {
	const plain, inMud, inFog = "XXXXX\nX   X\nX 0 X\nX   X\nXXXXX",
		"XXXXX\nX...X\nX.0.X\nX...X\nXXXXX", "XXXXX\nX:::X\nX:0:X\nX:::X\nXXXXX"
	tests := []struct {
		rows               string
		verbs              string // the last one is measured
		original, handbook int64
	}{
		{plain, "F", 400_100, 400_100},
		{plain, "FF", 400_100, 400_100}, // blocked
		{plain, "B", 700_100, 700_100},
		{plain, "L", 600_100, 600_100},
		{plain, "R", 600_100, 600_100},
		{plain, "A", 800_100, 800_100},
		{plain, "O", 200_100, 200_100},
		{plain, "D", 100_100, 100_100},
		{plain, "P", 200_100, 200_100},
		{plain, "e", 100, 100},
		{inMud, "F", 400_100, 400_100}, // the creature's own square is dry
		{inMud, "FF", 900_100, 900_100},
		{inMud, "FB", 1_200_100, 1_200_100},
		{inMud, "FL", 1_100_100, 1_100_100},
		{inMud, "FR", 1_100_100, 1_100_100},
		{inMud, "FA", 800_100, 1_300_100}, // the original forgets to charge it
		{inMud, "FO", 200_100, 200_100},
		{inMud, "FD", 100_100, 100_100},
		{inMud, "FP", 200_100, 200_100},
		{inMud, "Fe", 100, 100},
		{inFog, "F", 600_100, 600_100},
		{inFog, "FF", 600_100, 400_100}, // blocked in fog
		{inFog, "FB", 700_100, 700_100}, // out of fog
		{inFog, "B", 700_100, 900_100},
		{inFog, "BF", 400_100, 400_100}, // out of fog
	}
	for _, test := range tests {
		for _, rules := range []ruleSet{original(), handbook()} {
			s := newStage(t, rules, test.rows)
			b := s.first(firstSeat)
			var got int64
			for _, c := range test.verbs {
				got = s.do(b, verbOf(string(c)))
			}
			want := test.original
			if rules.name == "handbook" {
				want = test.handbook
			}
			proof.Is(t, got, want, "ns of %s on %q under %s", test.verbs, test.rows, rules.name)
		}
	}
}

func TestAttack(t *testing.T) {
	for _, rules := range []ruleSet{original(), handbook()} {
		t.Run(rules.name, func(t *testing.T) {
			facings := map[direction]int{}
			for i := range 300 {
				s := newStage(t, rules, "XXXX\nX01X\nXXXX")
				s.chances = &dice{engine.NewRandom(uint64(i))}
				b := s.first(firstSeat)
				for b.facing != east {
					s.do(b, turnLeft)
				}
				time := b.clock
				s.do(b, attack)
				if !b.done || s.population[firstSeat] != 2 || s.population[firstSeat+1] != 0 {
					t.Fatalf("done %v, population %v", b.done, s.population)
				}
				var born *body
				for i := range s.bodies {
					if c := &s.bodies[i]; c.alive && c != b {
						born = c
					}
				}
				want := time + delayCost
				if rules.inheritAll {
					want = b.clock
				}
				if born.clock != want+2*decisionCost {
					t.Fatalf("the newborn starts at %d, want %d", born.clock, want+2*decisionCost)
				}
				facings[born.facing]++
			}
			if rules.newbornFacesBack && facings[west] != 300 || facings[east] != 0 {
				t.Errorf("newborns face %v", facings)
			}
			if !rules.newbornFacesBack && (facings[west] < 130 || facings[north] < 30 ||
				facings[south] < 30) {
				t.Errorf("newborns face %v, want 60 %% west, 20 %% north and south", facings)
			}
		})
	}
}

func TestEnchantment(t *testing.T) {
	s := newStage(t, original(), "XXXXX\nX00 X\nXXXXX")
	a, b := s.first(firstSeat), &s.bodies[1]
	a.enchanted = true
	for a.facing != east {
		s.do(a, turnLeft)
	}
	if s.do(a, attack); !a.done || a.enchanted || !b.enchanted {
		t.Errorf("done %v, enchanted %v and %v; the enchantment should have been passed", a.done,
			a.enchanted, b.enchanted)
	}
	if s.do(a, attack); a.done || a.enchanted || !b.enchanted {
		t.Error("attacking a friend without an enchantment should fail")
	}
	proof.Is(t, s.population[firstSeat], 2, "creatures of the first species")
}

func TestHazard(t *testing.T) {
	s := newStage(t, original(), "XXXXX\nX0+1X\nXXXXX")
	b := s.first(firstSeat)
	b.enchanted = true
	for b.facing != east {
		s.do(b, turnLeft)
	}
	s.do(b, forward)
	a := s.first(apple)
	if s.population[firstSeat] != 0 || a.position() != (point{1, 1}) || !a.enchanted {
		t.Errorf("population %v, apple at %v, enchanted %v", s.population, a.position(), a.enchanted)
	}
	if !s.over() || s.endings() != [maxSeats]ending{lost, domination} {
		t.Errorf("over %v, endings %v", s.over(), s.endings())
	}
}

func TestAscension(t *testing.T) {
	seven := short(t, "arena", 1, func(s *settings) { s.Ascensions = 7 }).rules
	proof.Is(t, seven.ascensionsToWin, 7, "ascensions that win")
	for _, rules := range []ruleSet{original(), handbook(), seven} {
		for _, earlier := range []int{0, rules.ascensionsToWin - 1} {
			s := newStage(t, rules, "XXXXXXXXX\nX0s  0  X\nX1      X\nXXXXXXXXX")
			s.ascensions[0] = earlier
			b := s.first(firstSeat)
			b.enchanted, b.facing = true, east
			s.do(b, forward)
			if s.ascensions[0] != earlier+1 {
				t.Fatalf("%s: %d ascensions after %d", rules.name, s.ascensions[0], earlier)
			}
			if rules.reincarnate && (b.enchanted || !b.alive || s.population[apple] != 0) {
				t.Errorf("%s: an ascended creature should live on without the enchantment", rules.name)
			}
			if !rules.reincarnate && (s.population[firstSeat] != 1 || s.population[apple] != 1 ||
				!s.first(apple).enchanted) {
				t.Errorf("%s: an ascended creature should give way to an enchanted apple; "+
					"population %v",
					rules.name, s.population)
			}
			if won := earlier > 0; s.over() != won || won && s.endings() != [maxSeats]ending{ascension} {
				t.Errorf("%s: over %v, endings %v", rules.name, s.over(), s.endings())
			}
		}
	}
}

// Being on the shrine is not enough: one must move onto it.
func TestNoAscensionWithoutMove(t *testing.T) {
	s := newStage(t, original(), "XXXXX\nX0s1X\nXXXXX")
	b := s.first(firstSeat)
	b.facing = east
	s.do(b, forward)
	b.enchanted = true
	s.do(b, turnLeft)
	proof.Is(t, s.ascensions[0], 0, "ascensions of a turn")
	s.do(b, backward) // blocked
	if b.done || s.ascensions[0] != 0 {
		t.Error("a blocked move made an ascension")
	}
}

// Where an enchanted apple appears: on an empty square without a shrine, in the last inner column
// and row twice as often as in others, and nowhere after 40 tries.
func TestApplePlace(t *testing.T) {
	s := newStage(t, original(), "XXXXXX\nX0   X\nX  s X\nX    X\nXXXXXX")
	var columns, rows [6]int
	const n = 4000
	for range n {
		cell, ok := s.chances.applePlace(s.world)
		if !ok || s.cells[cell] != 0 || s.ground.terrain[cell]&shrine != 0 {
			t.Fatalf("an apple at %v, %v", s.ground.point(cell), ok)
		}
		p := s.ground.point(cell)
		columns[p.x]++
		rows[p.y]++
	}
	// Of 5 x 4 equally likely tries, one finds the creature and one the shrine.
	for _, c := range []struct {
		got   int
		share float64
	}{{columns[1], 3. / 18}, {columns[2], 4. / 18}, {columns[3], 3. / 18}, {columns[4], 8. / 18},
		{rows[1], 4. / 18}, {rows[2], 4. / 18}, {rows[3], 10. / 18}} {
		if math.Abs(float64(c.got)/n-c.share) > 0.04 { // five standard deviations
			t.Errorf("columns %v, rows %v", columns, rows)
			break
		}
	}
	crowded := newStage(t, original(), "XXXXXXXXXXXX\nX0aa aaaaaaX\nXaaaaaaaaaaX\nXXXXXXXXXXXX")
	found := 0
	for range n {
		if _, ok := crowded.chances.applePlace(crowded.world); ok {
			found++
		}
	}
	if share := float64(found) / n; math.Abs(share-(1-math.Pow(32./33, 40))) > 0.04 {
		t.Errorf("the only empty square was found %v of the time", share)
	}
}

func TestObserve(t *testing.T) {
	tests := []struct {
		rows               string
		original, handbook int // distance
		what               kind
	}{
		{"XXXXXXX\nX0    X\nX1    X\nXXXXXXX", 5, 5, kindWall},
		{"XXXXXXX\nX0  + X\nX1    X\nXXXXXXX", 3, 3, kindHazard},
		{"XXXXXXX\nX0  1 X\nX     X\nXXXXXXX", 3, 3, kindAnimal},
		{"XXXXXXX\nX0.s. X\nX1    X\nXXXXXXX", 5, 5, kindWall},
		{"XXXXXXX\nX0 :: X\nX1    X\nXXXXXXX", 5, 2, kindWall},
	}
	for _, test := range tests {
		for _, rules := range []ruleSet{original(), handbook()} {
			s := newStage(t, rules, test.rows)
			b := s.first(firstSeat)
			b.facing = east
			o := s.observe(b)
			want := test.original
			if rules.fogBlocks {
				want = test.handbook
			}
			if o.distance != want || want == test.original && o.seen.kind != test.what {
				t.Errorf("%q under %s: %d squares to %v", test.rows, rules.name, o.distance, o.seen)
			}
		}
	}
}

// Only the handbook's rules show which creatures are enchanted.
func TestSeeEnchantment(t *testing.T) {
	for _, rules := range []ruleSet{original(), handbook()} {
		s := newStage(t, rules, "XXXXXX\nX0e aX\nXXXXXX")
		for _, c := range []struct {
			x         int
			enchanted bool
		}{{2, true}, {4, false}} {
			proof.Is(t, s.square(s.ground.cell(c.x, 1)).enchanted, c.enchanted && rules.seeEnchantment,
				"%s, column %d: seen as enchanted", rules.name, c.x)
		}
	}
}

// Every species has a class of its own, in the original's range.
func TestClasses(t *testing.T) {
	// in 13 of which two of ten drawn without care would be equal
	for seed := range engine.Seed(3000) {
		w := world{seed: seed}
		w.drawClasses()
		for i, c := range w.classes[firstSeat:] {
			if c < 28 || c > 10028 || w.drawn(i+int(firstSeat)) {
				t.Fatalf("seed %d: classes %v", seed, w.classes)
			}
		}
	}
}

func TestShrineOwner(t *testing.T) {
	s := newStage(t, original(), "XXXXXXX\nX0 s 1X\nX     X\nX s   X\nXXXXXXX")
	// equally near: the smaller x
	for _, c := range []struct{ x, y, seat int }{{3, 1, 0}, {2, 3, 0}} {
		proof.Is(t, s.ground.terrain[s.ground.cell(c.x, c.y)].owner().seat(), c.seat,
			"the shrine at %d %d belongs to", c.x, c.y)
	}
	alone := newStage(t, original(), "XXXXX\nXa sX\nXXXXX")
	proof.Is(t, alone.ground.terrain[alone.ground.cell(3, 1)].owner(), none,
		"a shrine without species belongs to")
}

func TestEndings(t *testing.T) {
	const four = "XXXXXXXXXX\nX0 0 1 1 X\nX2 2 3 3 X\nXXXXXXXXXX"
	kill := func(s *stage, seats ...int) {
		for _, seat := range seats {
			s.kill(s.first(seatBreed(seat)))
		}
	}
	tests := []struct {
		name     string
		rules    ruleSet
		kill     []int
		late     bool
		over     bool
		original string
	}{
		{"start", original(), nil, false, false, ""},
		{"one gone", original(), []int{0, 0}, false, false, ""},
		{"two gone", original(), []int{0, 0, 3, 3}, false, true, "LDDL"},
		{"three gone", original(), []int{0, 0, 3, 3, 2, 2}, false, true, "LDLL"},
		{"all gone", original(), []int{0, 0, 3, 3, 2, 2, 1, 1}, false, true, "LLLL"},
		{"limit", original(), []int{1, 2}, true, true, "mssm"},
		{"limit, one gone", original(), []int{1, 1, 2}, true, true, "mLsm"},
		{"limit, three tie for a place", handbook(), []int{0, 1, 2}, true, true, "sssm"},
		{"limit, all tie", handbook(), nil, true, true, "ssss"},
	}
	for _, test := range tests {
		s := newStage(t, test.rules, four)
		kill(s, test.kill...)
		if test.late {
			s.clock = s.rules.timeLimit
		}
		got := ""
		if s.over() {
			for _, e := range s.endings() {
				got += "LsmDA"[e : e+1]
			}
			got = got[:4]
		}
		if s.over() != test.over || got != test.original {
			t.Errorf("%s: over %v, %q; want %v, %q", test.name, s.over(), got, test.over, test.original)
		}
	}
	for seed := range 20 { // lots: just one of three gets the place
		s := newStage(t, original(), four)
		s.seed = engine.Seed(seed)
		kill(s, 0, 1, 2)
		s.clock = s.rules.timeLimit
		count := map[ending]int{}
		for _, e := range s.endings() {
			count[e]++
		}
		if count[majority] != 2 || count[survival] != 2 || s.endings()[3] != majority {
			t.Errorf("endings %v", s.endings())
		}
	}
}

func TestBreath(t *testing.T) {
	for _, rules := range []ruleSet{original(), handbook()} {
		s := newStage(t, rules, "XXXXXX\nX0  1X\nX   0X\nXXXXXX")
		s.unit = 1000
		b := s.first(firstSeat)
		clock := s.clock
		b.effort = rules.decisionLimit / 1000
		s.act(b, action(delay))
		if !b.alive || s.clock-clock != rules.decisionLimit+delayCost {
			t.Errorf("%s: a decision just short enough: alive %v, charged %d", rules.name, b.alive,
				s.clock-clock)
		}
		clock, b.effort = s.clock, rules.decisionLimit/1000+1
		s.act(b, action(delay))
		if s.population[apple] != 1 || s.population[firstSeat] != 1 || s.clock-clock != 2*decisionCost {
			t.Errorf("%s: a creature that takes too long should become an apple; population %v, "+
				"charged %d",
				rules.name, s.population, s.clock-clock)
		}
	}
}

func TestUnwinding(t *testing.T) {
	before := runtime.NumGoroutine()
	g := short(t, "ns_arena", 0.5, nil)
	begun, ended, acted := 0, 0, 0
	watch := straight(func(briefing) program {
		return func(c *creature) {
			begun++
			defer func() { ended++ }()
			for {
				acted++
				c.turnLeft()
			}
		}
	})
	g.Play([]engine.Player{straight(pirate), watch}, 3, nil)
	if ended != begun || acted == 0 {
		t.Errorf("%d of %d programs were unwound", ended, begun)
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines were left over", n-before)
	}
}

// A panic of a program is its author's bug, and is not swallowed.
func TestProgramPanics(t *testing.T) {
	defer func() {
		proof.Is(t, recover(), "bug", "recovered")
	}()
	g := short(t, "ns_arena", 0.5, nil)
	p := straight(func(briefing) program { return func(c *creature) { c.turnLeft(); panic("bug") } })
	g.Play([]engine.Player{p, p}, 1, nil)
}

// outcome is a line of the reference: a game of the original.
type outcome struct {
	Map     string
	Species []string
	Time    float64 `json:"T_ms"`
	Result  string
	Codes   map[string]string
}

// readOutcomes reads the reference files of a pattern, and tells the folder of the recorded data.
func readOutcomes(t *testing.T, pattern string) (all []outcome, dir string) {
	for _, path := range enginetest.Recorded(t, "darwin", "reference/"+pattern) {
		dir = filepath.Dir(filepath.Dir(path))
		enginetest.EachRecord(t, path, func(_ string, o *outcome) { all = append(all, *o) })
	}
	return all, dir
}

// player returns a built-in player.
func player(t testing.TB, g engine.Game, name string) engine.Player {
	return enginetest.Player(t, g, name)
}

// on returns the game on a map.
func on(t testing.TB, mapName string) *game { return short(t, mapName, 0, nil) }

// The times are those of the original program. The creatures whose doing is fully known take them
// in every maze, but for the turns of treasures at the start and the end.
func TestConformanceMazeTimes(t *testing.T) {
	proof.Slow(t)
	outcomes, dir := readOutcomes(t, "mazes*.jsonl*")
	compared := 0
	for _, o := range outcomes {
		name := strings.ToLower(o.Species[0])
		if name != "rover" && name != "superrover" && name != "lefthand" {
			continue
		}
		g := on(t, filepath.Join(dir, "maps", o.Map+".map"))
		r := g.Play([]engine.Player{player(t, g, name)}, 1, nil)
		solved := strings.Contains(o.Result, "completed")
		if (r.Winner() == 0) != solved {
			t.Errorf("%s in %s: winner %d, recorded %q", name, o.Map, r.Winner(), o.Result)
		} else if ms := -1000 * r.Scores[0]; solved && math.Abs(ms-o.Time) > 0.001 {
			t.Errorf("%s in %s: %.4f ms, recorded %.4f", name, o.Map, ms, o.Time)
		}
		compared++
	}
	t.Logf("%d runs compared", compared)
}

// The opponents' times are those of the original program: the stalker ends games against its two
// sample creatures sooner than PsyduckATS and AntSSSW, two winners of the course's tournaments, did.
func TestConformanceStalker(t *testing.T) {
	proof.Slow(t)
	outcomes, dir := readOutcomes(t, "ns_faceoff_pairs*.jsonl*")
	sum, count := map[[2]string]float64{}, map[[2]string]float64{}
	for _, o := range outcomes {
		a, b := o.Species[0], o.Species[1]
		for _, pair := range [][2]string{{a, b}, {b, a}} {
			sum[pair] += o.Time / 1000
			count[pair]++
		}
	}
	g := on(t, filepath.Join(dir, "maps", "ns_faceoff.map"))
	for _, sample := range []string{"Rover", "SuperRover"} {
		const games = 10
		seconds := 0.0
		for seed := range uint64(games) {
			r := g.Play([]engine.Player{player(t, g, "stalker"), player(t, g, strings.ToLower(sample))},
				seed, nil)
			if r.Winner() != 0 || r.Marks[1][markPopulation] != 0 {
				t.Errorf("seed %d: stalker does not conquer %s: %v", seed, sample, r.Scores)
			}
			seconds += float64(r.Marks[0][markSeconds])
		}
		t.Logf("%s: %.1f s", sample, seconds/games)
		for _, winner := range []string{"PsyduckATS", "AntSSSW"} {
			pair := [2]string{winner, sample}
			if taken := sum[pair] / count[pair]; !(seconds/games < taken) { // also if none is recorded
				t.Errorf("stalker takes %.1f s against %s, %s %.1f", seconds/games, sample, winner, taken)
			}
		}
	}
}
