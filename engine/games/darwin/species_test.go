package darwin

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp/proof"
)

// A stepper and the program that it stands for do the same.
func TestSteppersArePrograms(t *testing.T) {
	g := short(t, "ns_faceoff", 3, nil)
	for seed := range uint64(5) {
		steppers := g.Play([]engine.Player{stepper(newRover), stepper(newSuperRover)}, seed, nil)
		programs := g.Play([]engine.Player{straight(straightRover), straight(straightSuperRover)},
			seed, nil)
		mixed := g.Play([]engine.Player{straight(straightRover), stepper(newSuperRover)}, seed, nil)
		if steppers != programs || steppers != mixed {
			t.Fatalf("seed %d: %v, %v, %v", seed, steppers, programs, mixed)
		}
	}
}

// The explorers solve every maze: our own and generated ones with loops and hazards.
func TestExplorersSolveMazes(t *testing.T) {
	proof.Slow(t)
	games := map[string]engine.Game{}
	for _, name := range handbookIndex {
		if strings.HasPrefix(name, "mz_") {
			games[name] = short(t, name, 0, nil)
		}
	}
	games["generated"] = short(t, "maze", 0, func(s *settings) { s.Maze.Hazards, s.Maze.Mud = 10, 5 })
	for name, g := range games {
		for _, p := range []string{"pilgrim", "surveyor", "stalker", "solver", "skunk"} {
			for seed := range uint64(3) {
				r := g.Play([]engine.Player{player(t, g, p)}, seed, nil)
				proof.Is(t, r.Winner(), 0, "%s in %s, seed %d: the winner", p, name, seed)
			}
		}
	}
}

// Where fog ends a look, the way does not end: a creature that walks up to fog walks into it.
func TestFogIsNoWall(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fog.map")
	proof.OK(t, os.WriteFile(path, []byte("9 4 fog\nXXXXXXXXX\nX0 ::::*X\nX      XX\nXXXXXXXXX\n"),
		0o600))
	for _, rules := range []string{"original", "handbook"} {
		g := short(t, path, 1, func(s *settings) { s.Rules = rules })
		players := map[string]engine.Player{}
		for _, name := range []string{"solver", "skunk", "lefthand", "tortoise", "rover", "pilgrim",
			"surveyor", "stalker"} {
			players[name] = player(t, g, name)
		}
		for name, trees := range map[string]string{
			"blocked": `
				(if blocked (const -1) (sub (constint 3) (visited (rect 0 -1 1 1))))
				(const -1)
				(sub (const 1) (visited (rect 0 -1 1 1)))
				(if preyNext (constint 5) (const -1))
				(if looked (const -1) (constint 4))
				(const -1)`,
			"trail": `trail (const -1) trail (if preyNext (constint 5) (const -1)) age (const -1)`,
		} {
			ge := proof.Must(g.Grammar().Parse(trees))(t)
			players[name] = must(g.Bind(ge))
		}
		for name, p := range players {
			r := g.Play([]engine.Player{p}, 1, nil)
			proof.Is(t, r.Winner(), 0, "%s, %s rules: the winner", name, rules)
		}
	}
}

// Who races is timed as if alone, and the fastest wins.
func TestRace(t *testing.T) {
	g := short(t, "maze", 2, nil)
	for seed := range uint64(10) {
		players := []engine.Player{player(t, g, "rover"), player(t, g, "solver"),
			player(t, g, "skunk"), player(t, g, "solver")}
		r := g.Play(players, seed, nil)
		for seat, p := range players {
			if alone := g.Play([]engine.Player{p}, seed, nil); alone.Scores[0] != r.Scores[seat] ||
				alone.Marks[0] != r.Marks[seat] {
				t.Errorf("seed %d, seat %d: %v in a race, %v alone", seed, seat, r.Scores[seat],
					alone.Scores[0])
			}
		}
		if r.Winner() != engine.Tie && r.Winner() != 2 || r.Winner() == engine.Tie &&
			r.Scores[1] < r.Scores[2] {
			t.Errorf("seed %d: winner %d of %v", seed, r.Winner(), r.Scores)
		}
	}
}

// A creature that arrives by an action that began before the time limit has won, though the clock
// stands beyond it afterwards: alone, in a race and in points.
func TestArrivalAtTheLimit(t *testing.T) {
	arrival := -short(t, "mz_1", 0, nil).Play([]engine.Player{stepper(newRover)}, 1, nil).Scores[0]
	g := short(t, "mz_1", arrival-1e-6, nil)
	rover, apple := player(t, g, "rover"), player(t, g, "apple")
	if r := g.Play([]engine.Player{rover}, 1, nil); r.Winner() != 0 || r.Scores[0] != -arrival {
		t.Errorf("alone: winner %d, score %v, want 0 and %v", r.Winner(), r.Scores[0], -arrival)
	}
	if r := g.Play([]engine.Player{apple, rover}, 1, nil); r.Winner() != 1 ||
		r.Scores[1] <= r.Scores[0] {
		t.Errorf("in a race: winner %d of %v, want 1", r.Winner(), r.Scores[:2])
	}
	r := g.Play([]engine.Player{rover, rover}, 1, nil)
	proof.Is(t, r.Winner(), engine.Tie, "against itself: the winner of %v", r.Scores[:2])
}

// Results are those of the original's tournaments, in broad order: in its duels on Faceoff
// SuperRover beats Rover, and the published hunters beat both. Here the built-in hunters stand in
// for those.
func TestConformanceOrder(t *testing.T) {
	proof.Slow(t)
	theirs := enginetest.Recorded(t, "darwin", "maps/ns_faceoff.map")[0]
	outcomes, _ := readOutcomes(t, "ns_faceoff_pairs*.jsonl*")
	rank := map[string]int{"rover": 0, "superrover": 1} // hunters: 2
	rankOf := func(name string) int {
		if r, ok := rank[strings.ToLower(name)]; ok {
			return r
		}
		return 2
	}
	decided := 0
	for _, o := range outcomes {
		a, b := rankOf(o.Species[0]), rankOf(o.Species[1])
		if a == b || o.Codes == nil { // hunters among themselves, or cut short
			continue
		}
		better := o.Species[0]
		if b > a {
			better = o.Species[1]
		}
		if o.Codes[better] != "DOMINATION" && o.Codes[better] != "MAJORITY" {
			t.Skipf("the reference has no such order: %v ended %v", o.Species, o.Codes)
		}
		decided++
	}
	if decided < 10 {
		t.Skipf("only %d games of the reference tell the order", decided)
	}
	hunters := []string{"pirate", "herd", "follower"}
	for _, c := range []struct {
		maps   string
		better []string
		worse  string
		least  int // of four games each
	}{
		{theirs, []string{"superrover"}, "rover", 3},
		{"ns_faceoff", []string{"superrover"}, "rover", 3},
		{theirs, hunters, "rover", 10},
		{theirs, hunters, "superrover", 7},
	} {
		g := on(t, c.maps)
		won := 0
		for _, name := range c.better {
			a, b := player(t, g, name), player(t, g, c.worse)
			won += (engine.Match{Boards: 2, Whole: true}).Play(g, a, b, 0).Wins[0]
		}
		if won < c.least {
			t.Errorf("on %s %v won %d of %d games against %s", c.maps, c.better, won,
				4*len(c.better), c.worse)
		}
	}
}

// Results are those of the original's games of four on Arena, in broad order: SuperRover has more
// points than Rover, and all published hunters have more than SuperRover; here the hunters do
// together.
func TestConformanceOrderOfFour(t *testing.T) {
	theirs := enginetest.Recorded(t, "darwin", "maps/ns_arena4.map")[0]
	outcomes, _ := readOutcomes(t, "ns_arena4_quads*.jsonl*")
	points, games := map[string]float64{}, map[string]float64{}
	for _, o := range outcomes {
		for name, code := range o.Codes {
			for e := lost; e <= ascension; e++ {
				if endingNames[e] == code {
					points[name] += float64(e.points())
				}
			}
			games[name]++
		}
	}
	mean := func(name string) float64 { return points[name] / games[name] }
	for name := range games {
		if name != "Rover" && name != "SuperRover" && mean(name) <= mean("SuperRover") ||
			mean("SuperRover") <= mean("Rover") {
			t.Skipf("the reference has no such order: %v points in %v games", points, games)
		}
	}
	g := on(t, theirs)
	var entrants []entrant
	for _, name := range []string{"rover", "superrover", "pirate", "herd", "follower"} {
		entrants = append(entrants, entrant{name, player(t, g, name)})
	}
	hunters, super, rover := 0, 0, 0
	for seed := range engine.Seed(4) {
		for _, s := range must(g.naturalSelection(t.Context(), contest(entrants, seed))) {
			switch s.name {
			case "rover":
				rover += s.points
			case "superrover":
				super += s.points
			default:
				hunters += s.points
			}
		}
	}
	if super <= rover || hunters <= 3*super {
		t.Errorf("rover has %d points, superrover %d, three hunters %d", rover, super, hunters)
	}
}

// entrant takes part in a tournament.
type entrant struct {
	name   string
	player engine.Player
}

// contest is a tournament of one round.
func contest(entrants []entrant, seed engine.Seed) *engine.Tournament {
	t := &engine.Tournament{Rounds: 1, Seed: seed}
	for _, e := range entrants {
		t.Names, t.Players = append(t.Names, e.name), append(t.Players, e.player)
	}
	return t
}

// tournament holds a tournament as commands do.
func tournament(g *game, entrants []entrant) ([][]string, error) {
	return g.Tournament(context.Background(), *contest(entrants, 1))
}

func TestTournament(t *testing.T) {
	g := short(t, "ns_arena4", 2, nil)
	var entrants []entrant
	for _, name := range []string{"rover", "superrover", "pirate", "flytrap", "lefthand"} {
		entrants = append(entrants, entrant{name, player(t, g, name)})
	}
	table := must(g.naturalSelection(t.Context(), contest(entrants, 1)))
	again := must(g.naturalSelection(t.Context(), contest(entrants, 1)))
	points, majorities := 0, 0
	for i, s := range table {
		if s != again[i] || s.games != 4 {
			t.Errorf("line %d: %v, then %v", i, s, again[i])
		}
		want := 3*s.endings[ascension] + 3*s.endings[domination] + 2*s.endings[majority] +
			s.endings[survival]
		if s.points != want || i > 0 && s.points > table[i-1].points {
			t.Errorf("line %d: %v, want %d points", i, s, want)
		}
		points += s.points
		majorities += s.endings[majority]
	}
	if points == 0 {
		t.Error("no player has a point")
	}
	lines, err := tournament(g, entrants)
	if err != nil || len(lines) != 6 || lines[0][2] != "points" || lines[1][1] != table[0].name ||
		lines[1][2] != strconv.Itoa(table[0].points) {
		t.Errorf("%v: %q", err, lines)
	}
	if lines, err := tournament(g, entrants[:3]); err == nil || lines != nil {
		t.Errorf("%v: %q", err, lines)
	}
	proof.Fails(g.naturalSelection(t.Context(), contest(entrants[:3], 1)))(t, "at least 4")
	proof.Fails(New().(*game).naturalSelection(t.Context(), contest(entrants, 1)))(t, "4 species")
}

func TestByPoints(t *testing.T) {
	ascended, dominated, more := standing{points: 3, endings: [5]int{ascension: 1}},
		standing{points: 3, endings: [5]int{domination: 1}},
		standing{points: 4, endings: [5]int{majority: 2}}
	table := []standing{ascended, dominated, more}
	slices.SortStableFunc(table, byPoints)
	proof.Are(t, table, []standing{more, dominated, ascended}, "the table")
}

// settler notes the seats that it gets: as many species are founded before it in the game.
type settler struct {
	seats *[groupSize]atomic.Int32
	count *atomic.Int32 // species founded, of all games: the games must be played one at a time
}

func (s settler) found(briefing) colony {
	s.seats[(s.count.Add(1)-1)%groupSize].Add(1)
	return stepper(func() mind { return inert{} })
}

// Every entrant gets every seat about as often.
func TestTournamentSeats(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	g := short(t, "arena", 0.0001, func(s *settings) {
		s.Arena = arenaSettings{Width: 9, Height: 9, Species: 4, Creatures: 1}
	})
	entrants := make([]entrant, 8)
	seats := make([][groupSize]atomic.Int32, len(entrants))
	var count atomic.Int32
	for i := range entrants {
		entrants[i] = entrant{strconv.Itoa(i), settler{&seats[i], &count}}
	}
	const seeds = 5
	for seed := range engine.Seed(seeds) {
		must(g.naturalSelection(t.Context(), contest(entrants, seed)))
	}
	for i := range seats {
		for k := range groupSize { // 35 games a tournament for each entrant
			if n := seats[i][k].Load(); n < 25 || n > 65 {
				t.Errorf("entrant %d had seat %d in %d of %d games", i, k, n, 35*seeds)
			}
		}
	}
}

func TestMazeTournament(t *testing.T) {
	for _, rules := range []string{"original", "handbook"} {
		g := short(t, "mz_3", 0, func(s *settings) { s.Rules = rules })
		entrants := []entrant{{"superrover", player(t, g, "superrover")},
			{"rover", player(t, g, "rover")}, {"lefthand", player(t, g, "lefthand")}}
		table := must(g.mazeTournament(t.Context(), contest(entrants, 1)))
		names := ""
		for _, s := range table {
			names += s.name + " "
		}
		if names != "rover lefthand superrover " || table[2].failed != mazeRuns ||
			table[2].mean != mazePenalty {
			t.Errorf("%s: %+v", rules, table)
		}
		if lines, err := tournament(g, entrants); err != nil || len(lines) != 4 ||
			lines[3][1] != "superrover" || lines[3][2] != "6.0000000" {
			t.Errorf("%v: %q", err, lines)
		}
	}
	g := short(t, "mz_3", 1, nil) // a failure counts six seconds also where games are shorter
	if s := must(g.mazeTournament(t.Context(),
		contest([]entrant{{"superrover", player(t, g, "superrover")}}, 1)))[0]; s.failed != mazeRuns ||
		s.mean != mazePenalty {
		t.Errorf("%+v", s)
	}
	proof.Fails(New().(*game).mazeTournament(t.Context(), contest(nil, 1)))(t, "treasure")
}

// A run counts six seconds at most, also that of a late arrival; the original's rules drop the
// worst of six, the handbook's none; and only a species that never arrives has failed.
func TestMazeTournamentCounts(t *testing.T) {
	waiter := straight(func(briefing) program {
		return func(c *creature) {
			for range c.random.Below(40) { // eight seconds
				c.effort += 200
				c.delay()
			}
			straightRover(briefing{})(c)
		}
	})
	for _, rules := range []string{"original", "handbook"} {
		g := short(t, "mz_1", 10, func(s *settings) { s.Rules, s.EffortCost = rules, int(millisecond) })
		late, most := 0, 0.0
		for seed := range engine.Seed(4) {
			table := must(g.mazeTournament(t.Context(),
				contest([]entrant{{"waiter", waiter}, {"again", waiter}}, seed)))
			s := table[0]
			proof.Is(t, table[1].runs, s.runs, "%s: the chances of the same entrant", rules)
			sum, worst := 0.0, 0.0
			for run, got := range s.runs {
				time := -g.Play([]engine.Player{waiter}, uint64(seed.Name("run").Num(uint64(run))),
					nil).Scores[0]
				if time > mazePenalty {
					late++
				}
				time = min(time, mazePenalty)
				proof.Is(t, got, time, "%s, run %d: the seconds", rules, run)
				sum, worst = sum+time, max(worst, time)
			}
			want := (sum - worst) / (mazeRuns - 1)
			if rules == "handbook" {
				want = sum / mazeRuns
			}
			if math.Abs(s.mean-want) > 1e-9 || s.failed != 0 {
				t.Errorf("%s: mean %v, want %v; failed %d of %v", rules, s.mean, want, s.failed, s.runs)
			}
			most = max(most, s.mean)
		}
		if late == 0 || most == mazePenalty {
			t.Errorf("%s: the test needs late arrivals, and others", rules)
		}
	}
}

// camera takes the text, a picture and an inspection at one step.
type camera struct {
	step  int
	scale int
	text  string
	image *image.Paletted
	saw   []string
}

func (c *camera) look(s engine.Scene) {
	if s.Step() != c.step {
		return
	}
	c.text = s.(engine.Speaker).Text()
	c.image = engine.Picture(s, c.scale)
	seen := map[string]bool{}
	for y := 0; y < c.image.Rect.Max.Y; y += 5 {
		for x := 0; x < c.image.Rect.Max.X; x += 5 {
			if what := s.(engine.Inspector).Inspect(image.Pt(x, y), c.scale); !seen[what] {
				seen[what] = true
				c.saw = append(c.saw, what)
			}
		}
	}
}

func TestScene(t *testing.T) {
	var golden bytes.Buffer
	for _, view := range []string{"flat", "isometric"} {
		g := short(t, "ns_arena4", 1, func(s *settings) { s.View = view })
		c := camera{step: 150, scale: 2}
		g.Play([]engine.Player{player(t, g, "rover"), player(t, g, "superrover"),
			player(t, g, "pilgrim"), player(t, g, "pirate")}, 1,
			engine.OnStep(c.look))
		hash := uint64(0)
		for _, ink := range c.image.Pix {
			hash = engine.Hash(hash, uint64(ink))
		}
		fmt.Fprintf(&golden, "%s\n%s%v %016x\n", view, c.text, c.image.Rect.Max, hash)
		squares := 0
		for _, what := range c.saw {
			if strings.HasPrefix(what, "column") {
				squares++
			}
			if strings.Contains(what, "creature") || strings.Contains(what, "shrine of") {
				fmt.Fprintln(&golden, what)
			}
		}
		proof.Is(t, squares, 21*21, "%s: squares that the inspector found", view)
	}
	proof.Golden(t, "testdata/scene.golden", golden.String())
}

// In a race every runner is shown in the colour of its seat, though each is alone in its maze.
func TestSceneOfRace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "race.map")
	proof.OK(t, os.WriteFile(path, []byte("7 3 race\nXXXXXXX\nX0 s *X\nXXXXXXX\n"), 0o600))
	for _, view := range []string{"flat", "isometric"} {
		g := short(t, path, 1, func(s *settings) { s.View = view })
		rover := player(t, g, "rover")
		alone := g.Play([]engine.Player{rover}, 1, nil).Steps
		c := camera{step: alone + 2, scale: 1}
		g.Play([]engine.Player{rover, rover}, 1, engine.OnStep(c.look))
		if want := fmt.Sprintf("turn %d  ", c.step); !strings.Contains(c.text, want) ||
			!strings.Contains(c.text, "1: 1 creatures") ||
			!strings.Contains(c.text, "1 B *X") && !strings.Contains(c.text, " 1B *X") {
			t.Errorf("text %q", c.text)
		}
		saw := strings.Join(c.saw, "\n")
		if !strings.Contains(saw, "of species 1, faces") ||
			!strings.Contains(saw, "shrine of species 1") || strings.Contains(saw, "species 0") {
			t.Errorf("the inspector says %s", saw)
		}
		inks := map[uint8]int{}
		for _, ink := range c.image.Pix {
			inks[ink]++
		}
		if inks[engine.Seats] != 0 || inks[engine.Seats+1] == 0 {
			t.Errorf("%s: %d pixels of seat 0, %d of seat 1", view, inks[engine.Seats],
				inks[engine.Seats+1])
		}
	}
}

// The fingerprints of some games: they change when and only when Info.Version rises.
func TestFingerprints(t *testing.T) {
	tests := []struct {
		maps, rules string
		players     string
	}{
		{"ns_faceoff", "original", "rover superrover"},
		{"ns_arena4", "handbook", "pirate herd follower ambusher"},
		{"arena", "original", "surveyor pilgrim"},
		{"arena", "handbook", "stalker herd"},
		{"maze", "handbook", "lefthand"},
		{"mz_teamcentral", "original", "solver"},
		{"arena", "original", "fighter.species past-seed31.species"},
		{"ns_arena4", "original", "ascender.species flytraps-seed42.species herd superrover"},
		{"maze", "original", "runner.species"},
	}
	var golden bytes.Buffer
	for _, test := range tests {
		g := short(t, test.maps, 1, func(s *settings) { s.Rules = test.rules })
		var players []engine.Player
		for _, name := range strings.Fields(test.players) {
			if kept, ok := strings.CutSuffix(name, ".species"); ok {
				players = append(players, must(g.Bind(enginetest.Kept(t, g, kept))))
			} else {
				players = append(players, player(t, g, name))
			}
		}
		r := g.Play(players, 1, nil)
		fmt.Fprintf(&golden, "%s %s %s: %d steps, %016x\n", test.maps, test.rules, test.players,
			r.Steps, r.Fingerprint)
	}
	t.Log("if games differ, raise Info.Version")
	proof.Golden(t, "testdata/fingerprints.golden", golden.String())
}
