package darwin

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp/proof"
)

// handbookIndex are the names of the handbook's index of maps (section 9).
var handbookIndex = []string{
	"mz_1", "mz_2", "mz_3", "mz_4", "mz_5", "mz_6", "mz_central", "mz_hyperion", "mz_pacman",
	"mz_small", "mz_spyrus", "mz_spyrus3", "mz_teamcentral",
	"ns_arena", "ns_arena4", "ns_chaos", "ns_chaos4", "ns_choke", "ns_doubletime", "ns_dust",
	"ns_empty", "ns_faceoff", "ns_fish", "ns_fortress4",
	"ns_harvest3", "ns_insurgency", "ns_insurgency4", "ns_labyrinth4", "ns_maelstrom",
	"ns_metropolis4", "ns_pathfinding", "ns_resource",
	"ns_tanhauser", "ns_tunnel",
}

func TestOwnMaps(t *testing.T) {
	proof.Is(t, strings.Join(mapNames(), " "), strings.Join(handbookIndex, " "), "the maps")
	for _, name := range handbookIndex {
		m, err := loadMap(name)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, rules := range []ruleSet{original(), handbook()} {
			check(t, m, &rules)
		}
		proof.Is(t, m.maze(), strings.HasPrefix(name, "mz_"), "%s: maze", name)
		checkFair(t, name, m)
	}
}

// checkFair holds that a natural-selection map is the same for all species: turned for two,
// mirrored for four, shifted for three; and that four have shrines and enchanted apples to win.
func checkFair(t *testing.T, name string, m *rawMap) {
	if m.maze() {
		return
	}
	seats := 2
	if c := name[len(name)-1]; c == '3' || c == '4' {
		seats = int(c - '0')
	}
	proof.Is(t, m.seats(), seats, "seats of %s", name)
	w, h := m.width-1, m.height-1
	for y := range m.height {
		for x := range m.width {
			c := m.at(x, y)
			switch seats {
			case 2:
				fair(t, name, x, y, c, m.at(w-x, h-y), 1)
			case 4:
				fair(t, name, x, y, c, m.at(w-x, y), 1)
				fair(t, name, x, y, c, m.at(x, h-y), 2)
			case 3:
				if x < m.width*2/3 {
					other := m.at(x+m.width/3, y)
					if c >= '0' && c < '2' {
						c++
					}
					if c != other {
						t.Errorf("%s is unfair at column %d, row %d: %q, %q", name, x, y, c, other)
					}
				}
			}
		}
	}
	if text := string(m.text()); seats == 4 &&
		(!strings.Contains(text, "s") || !strings.Contains(text, "e")) {
		t.Errorf("%s has no shrines or no enchanted apples", name)
	}
}

// fair compares a square with its image, on which digits change by exclusive or.
func fair(t *testing.T, name string, x, y int, c, image, change byte) {
	if c >= '0' && c <= '9' {
		c = '0' + (c - '0') ^ change
	}
	if c != image {
		t.Errorf("%s is unfair at column %d, row %d: %q, %q", name, x, y, c, image)
	}
}

func TestParseMap(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"plain", "3 3 T\nXXX\nX0X\nXXX\n", "3 3 T\nXXX\nX0X\nXXX\n"},
		{"pack", "\"a.gfx\" 3 3 T\nXXX\nX0X\nXXX\n", "3 3 T\nXXX\nX0X\nXXX\n"},
		{"no title", "3 3\nXXX\nX0X\nXXX\n", "3 3 no title\nXXX\nX0X\nXXX\n"},
		{"long rows, many rows", "3 3 T\nXXXaaa\nX0X*\nXXX1\nXXX\n", "3 3 T\nXXX\nX0X\nXXX\n"},
		{"short rows, few rows", "4 3 T\nX\n", "4 3 T\nX   \n    \n    \n"},
		{"carriage returns", "3 3 T\r\nX0\r\nX0X\r\n", "3 3 T\nX0 \nX0X\n   \n"},
		{"letters", "5 3 a b  c\nxS?\t_\nfFaAe\nETs:.\n", "5 3 a b  c\nXs   \nfFaAe\nETs:.\n"},
		{"blanks", "  3   3   T\n", "3 3 T\n   \n   \n   \n"},
	}
	for _, test := range tests {
		m := proof.Must(parseMap(test.name, []byte(test.text)))(t)
		proof.Is(t, string(m.text()), test.want, "%s", test.name)
	}
	for _, text := range []string{"", "\n", "3", "3 x T\n", "x 3 T\n", "\"a 3 3\n", "\"a b\" 3 3\n",
		"2 3 T\n", "3 513 T\n", "-3 3 T\n", "99999999999999999999 3\n"} {
		if _, err := parseMap("bad.map", []byte(text)); err == nil ||
			!strings.HasPrefix(err.Error(), "darwin: map bad.map, line 1: ") {
			t.Errorf("%q: error %v", text, err)
		}
	}
}

func TestBorder(t *testing.T) {
	m := must(parseMap("b", []byte("5 4 b\n +a T\n+ 0 s\n:   .\n 1f* \n")))
	for _, c := range []struct {
		rules ruleSet
		want  string
	}{{original(), "X+XX+\n+   X\nX   X\nXXXXX\n"}, {handbook(), "XXXXX\nX   X\nX   X\nXXXXX\n"}} {
		g := newGround(m, &c.rules, maxSeats)
		got := ""
		for y := range m.height {
			for x := range m.width {
				got += string(staticLetter(g, g.cell(x, y)))
			}
			got += "\n"
		}
		proof.Is(t, got, c.want, "%s", c.rules.name)
		proof.Is(t, len(g.starts), 5, "%s: starts, of ghosts too, %v", c.rules.name, g.starts)
	}
	if g := newGround(m, &ruleSet{}, 1); len(g.starts) != 4 || g.seats != 1 {
		t.Errorf("a digit without a player should be empty: %v", g.starts)
	}
}

// check holds that a map is fit for play: seats without gaps, owned shrines, no creature on the
// border, and all that a creature has to reach within its reach.
func check(t *testing.T, m *rawMap, rules *ruleSet) {
	t.Helper()
	g := newGround(m, rules, maxSeats)
	if err := g.playable(m.title); err != nil {
		t.Fatalf("%v\n%s", err, m.text())
	}
	var starts [numBreeds]int
	for _, s := range g.starts {
		starts[s.breed]++
	}
	for seat := range max(1, g.seats) {
		if starts[seatBreed(seat)] == 0 {
			t.Fatalf("digit %d has no creature\n%s", seat, m.text())
		}
	}
	for i, terrain := range g.terrain {
		if terrain&shrine != 0 && g.cells[i] != 0 {
			t.Fatalf("a shrine lies below a wall\n%s", m.text())
		}
	}
	if !g.connected() {
		t.Fatalf("a creature is shut in\n%s", m.text())
	}
}

// text returns the map as a file.
func (m *rawMap) text() []byte {
	text := fmt.Appendf(nil, "%d %d %s\n", m.width, m.height, m.title)
	for row := range slices.Chunk(m.rows, m.width) {
		text = append(append(text, row...), '\n')
	}
	return text
}

func TestReach(t *testing.T) {
	for _, test := range []struct {
		text      string
		connected bool
	}{
		{"5 3 t\nXXXXX\nX0 *X\nXXXXX", true},
		{"5 3 t\nXXXXX\nX0XaX\nXXXXX", true},
		{"5 3 t\nXXXXX\nX*X*X\nXXXXX", true},
		{"5 3 t\nXXXXX\nX0X*X\nXXXXX", false},
		{"5 3 t\nXXXXX\nX0+*X\nXXXXX", false},
		{"5 3 t\nXXXXX\nX0X1X\nXXXXX", false},
	} {
		g := newGround(must(parseMap("t", []byte(test.text))), new(original()), maxSeats)
		proof.OK(t, g.playable("t"))
		proof.Is(t, g.connected(), test.connected, "%q is connected", test.text)
	}
	g := newGround(must(parseMap("t", []byte("5 3 t\nXX0XX\nX   X\nXXXXX"))), new(original()), 1)
	proof.Says(t, g.playable("t"), "on the border at column 2, row 0")
}

// A map may hold maxCreatures: the last slot, and one, just fits into a cell.
func TestCrowdedMap(t *testing.T) {
	crowd := func(creatures int) *rawMap {
		m := blank(202, 202, ' ')
		m.title = "crowded"
		for i := range creatures {
			m.set(1+i%200, 1+i/200, "01a"[min(i, 2)])
		}
		return m
	}
	rules := original()
	most := newGround(crowd(maxCreatures), &rules, 2)
	proof.OK(t, most.playable("crowded"))
	w := new(world)
	w.begin(most, &rules, 1, &dice{engine.NewRandom(1)}, func(*body) {}, func(*body) {})
	if c := w.census(); c.creatures != maxCreatures || c.hurt != 0 {
		t.Errorf("%d creatures, %d of them not where they say", c.creatures, c.hurt)
	}
	more := crowd(maxCreatures + 1)
	s := defaults()
	s.Map = filepath.Join(t.TempDir(), "crowded.map")
	proof.OK(t, os.WriteFile(s.Map, more.text(), 0o600))
	proof.Fails(New().(engine.Adjustable).With(&s))(t,
		"has 32767 creatures, more than 32766; leave some out")
}

func FuzzParseMap(f *testing.F) {
	for _, name := range handbookIndex[:3] {
		f.Add(must(files.ReadFile("maps/" + name + ".map")))
	}
	f.Add([]byte("\"p.gfx\" 4 4 \xff\r\n0Ss*\r\n+++\r\nETAF"))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := parseMap("fuzz", text)
		if err != nil {
			return
		}
		again := proof.Must(parseMap("fuzz", m.text()))(t)
		proof.Is(t, string(again.text()), string(m.text()), "what is read back")
		for _, rules := range []ruleSet{original(), handbook()} {
			newGround(m, &rules, maxSeats).connected()
		}
	})
}

// Every map of the original's distribution is read, and reads back.
func TestConformanceMaps(t *testing.T) {
	for _, path := range enginetest.Recorded(t, "darwin", "maps/*.map") {
		m, err := parseMap(filepath.Base(path), must(os.ReadFile(path)))
		if err != nil {
			t.Error(err)
			continue
		}
		again := must(parseMap("again", m.text()))
		proof.Is(t, string(again.rows), string(m.rows), "%s read back", path)
		name := filepath.Base(path)
		proof.Is(t, m.maze(), strings.HasPrefix(name, "mz_"), "%s: a maze", name)
	}
}

// Every map of the original is played from the folder that holds it, by its name and by that of its
// file; its plan is not that of the built-in map. The folder is the original's distribution's.
func TestConformanceMapsFolder(t *testing.T) {
	for _, path := range enginetest.Recorded(t, "darwin", "maps/*.map") {
		name := strings.TrimSuffix(filepath.Base(path), mapSuffix)
		want := must(parseMap(path, must(os.ReadFile(path))))
		for _, named := range []string{name, name + mapSuffix} {
			s := defaults()
			s.Maps, s.Map = filepath.Dir(path), named
			g, err := New().(engine.Adjustable).With(&s)
			if err != nil {
				t.Error(err)
				continue
			}
			proof.Is(t, string(g.(*game).fixed.rows), string(want.rows), "%s", named)
		}
		if own, err := loadMap(name); err == nil && bytes.Equal(own.rows, want.rows) {
			t.Errorf("%s is the original's plan", name)
		}
	}
}

func TestGenerateMaze(t *testing.T) {
	for _, s := range []mazeSettings{
		{Width: 5, Height: 5}, {Width: 21, Height: 21, Loops: 10},
		{Width: 41, Height: 7, Loops: 100, Hazards: 1000, Mud: 50},
		{Width: 31, Height: 31, Hazards: 20},
	} {
		for seed := range engine.Seed(50) {
			m := generateMaze(s, seed)
			check(t, m, new(original()))
			start := bytes.IndexByte(m.rows, '0')
			for _, step := range []int{-m.width, -1, 1, m.width} {
				if m.rows[start+step] == '+' {
					t.Fatalf("seed %d: a hazard beside the start\n%s", seed, m.text())
				}
			}
			if again := generateMaze(s, seed); !bytes.Equal(again.text(), m.text()) {
				t.Fatalf("seed %d gives two mazes", seed)
			}
			if n := bytes.Count(m.rows, []byte("*")); n != 1 || m.seats() != 1 {
				t.Fatalf("seed %d: %d treasures, %d seats", seed, n, m.seats())
			}
		}
		if bytes.Equal(generateMaze(s, 1).rows, generateMaze(s, 2).rows) && s.Width > 5 {
			t.Error("two seeds give the same maze")
		}
	}
}

func TestGenerateArena(t *testing.T) {
	for _, s := range []arenaSettings{
		{Width: 9, Height: 9, Species: 2, Creatures: 1}, defaults().Arena,
		// in some drawings a shrine is equally near to both
		{Width: 11, Height: 11, Species: 2, Creatures: 2, Shrines: 2},
		{Width: 41, Height: 35, Species: 4, Creatures: 6, Walls: 35, Apples: 5, Enchanted: 3,
			Flytraps: 2, Hazards: 4, Mud: 20, Shrines: 2},
	} {
		for seed := range engine.Seed(30) {
			m := generateArena(s, seed)
			check(t, m, new(original()))
			counts := map[byte]int{}
			for _, c := range m.rows {
				counts[c]++
			}
			for c, n := range map[byte]int{'0': s.Creatures, '1': s.Creatures,
				'a': s.Apples * s.Species, 'e': s.Enchanted * s.Species,
				'f': s.Flytraps * s.Species, '+': s.Hazards * s.Species, '.': s.Mud * s.Species,
				's': s.Shrines * s.Species} {
				if counts[c] != n {
					t.Fatalf("seed %d: %d of %q, want %d\n%s", seed, counts[c], c, n, m.text())
				}
			}
			rules := original()
			shrines := map[breed]int{none: 0}
			for _, square := range newGround(m, &rules, maxSeats).terrain {
				shrines[square.owner()]++
			}
			for seat := range s.Species {
				if n := shrines[seatBreed(seat)]; n != s.Shrines {
					t.Fatalf("seed %d: species %d has %d shrines, want %d\n%s", seed, seat, n, s.Shrines, m.text())
				}
			}
			w, h := m.width-1, m.height-1
			for y := range m.height {
				for x := range m.width {
					if s.Species == 2 {
						fair(t, "arena", x, y, m.at(x, y), m.at(w-x, h-y), 1)
					} else {
						fair(t, "arena", x, y, m.at(x, y), m.at(w-x, y), 1)
						fair(t, "arena", x, y, m.at(x, y), m.at(x, h-y), 2)
					}
				}
			}
		}
	}
}

// Where a creature is shut in again and again, walls are left out, and if need be hazards too.
func TestCrowdedArena(t *testing.T) {
	s := arenaSettings{Width: 29, Height: 29, Species: 4, Creatures: 30, Walls: 5, Hazards: 70}
	for seed := range engine.Seed(4) {
		check(t, generateArena(s, seed), new(original()))
	}
}

func TestSettingsErrors(t *testing.T) {
	tests := []struct {
		change func(*settings)
		want   string
	}{
		{func(s *settings) { s.Map = "ns_faceof" }, `did you mean "ns_faceoff"?`},
		{func(s *settings) { s.Map = "nowhere.map" }, "nowhere.map"},
		{func(s *settings) { s.Maps = "nowhere" }, "maps: open nowhere: "},
		{func(s *settings) { s.Maps = "testdata" }, "maps: testdata has no file that ends in .map"},
		{func(s *settings) { s.Maps, s.Map = "maps", "ns_faceof" },
			`unknown map "ns_faceof", did you mean "ns_faceoff"? in maps`},
		{func(s *settings) { s.Maps, s.Map = "maps", "maps/ns_faceoff.map" }, "unknown map"},
		{func(s *settings) { s.Maps, s.Map = "maps", "arena" }, "leave maps out"},
		{func(s *settings) { s.Rules = "orginal" }, `did you mean "original"?`},
		{func(s *settings) { s.View = "3d" }, "isometric"},
		{func(s *settings) { s.TimeLimit = -1 }, "time-limit must be in 0..1000"},
		{func(s *settings) { s.Map, s.TimeLimit = "maze", 1e-10 },
			"time-limit must be 0 or at least a nanosecond"},
		{func(s *settings) { s.EffortCost = -1 }, "effort-cost"},
		{func(s *settings) { s.Map, s.Maze.Width = "maze", 20 }, "maze.width must be odd"},
		{func(s *settings) { s.Map, s.Maze.Height = "maze", 3 }, "maze.height must be in 5..127"},
		{func(s *settings) { s.Map, s.Arena.Species = "arena", 3 }, "arena.species must be 2 or 4"},
		{func(s *settings) { s.Map, s.Arena.Apples = "arena", 100; s.Arena.Mud = 1000 }, "do not fit"},
	}
	for _, test := range tests {
		s := defaults()
		test.change(&s)
		if _, err := New().(engine.Adjustable).With(&s); err == nil ||
			!strings.HasPrefix(err.Error(), "darwin: ") ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want %q", err, test.want)
		}
	}
}

// Settings say which letters the maps have that they draw, but for walls, digits and empty squares.
func TestLetters(t *testing.T) {
	things := []func(*settings){
		func(*settings) {},
		func(s *settings) { s.Arena.Enchanted, s.Arena.Shrines = 1, 1 },
		func(s *settings) { s.Arena.Flytraps, s.Arena.Hazards, s.Maze.Hazards = 2, 0, 3 },
		func(s *settings) { s.Arena.Mud, s.Arena.Apples, s.Maze.Mud = 9, 0, 20 },
	}
	for _, s := range []string{"maze", "arena"} {
		for _, change := range things {
			drawn := defaults()
			drawn.Map = s
			change(&drawn)
			found := map[rune]bool{}
			for seed := range engine.Seed(5) {
				for _, c := range string(drawn.generate(seed).rows) {
					found[c] = found[c] || !strings.ContainsRune(" X0123456789", c)
				}
			}
			for _, c := range letters {
				said := strings.ContainsRune(strings.Trim(drawn.letters(), "0"), c)
				proof.Is(t, said, found[c], "%s with %+v, %+v: the letter %q", s, drawn.Maze, drawn.Arena, c)
			}
		}
	}
}
