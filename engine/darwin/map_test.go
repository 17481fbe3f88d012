package darwin

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
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
	if got, want := strings.Join(MapNames(), " "), strings.Join(handbookIndex, " "); got != want {
		t.Errorf("maps %s\nwant %s", got, want)
	}
	for _, name := range handbookIndex {
		m, err := LoadMap(name)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, rules := range []Rules{Original(), Handbook()} {
			if err := m.Check(rules); err != nil {
				t.Errorf("under %s: %v", rules.Name, err)
			}
		}
		if m.Maze() != strings.HasPrefix(name, "mz_") {
			t.Errorf("%s: maze %v", name, m.Maze())
		}
		checkFair(t, name, m)
	}
}

// checkFair holds that a natural-selection map is the same for all species: turned for two,
// mirrored for four, shifted for three; and that four have shrines and enchanted apples to win.
func checkFair(t *testing.T, name string, m *Map) {
	if m.Maze() {
		return
	}
	seats := 2
	if c := name[len(name)-1]; c == '3' || c == '4' {
		seats = int(c - '0')
	}
	if m.Seats() != seats {
		t.Errorf("%s has %d seats", name, m.Seats())
	}
	w, h := m.Width-1, m.Height-1
	for y := range m.Height {
		for x := range m.Width {
			c := m.At(x, y)
			switch seats {
			case 2:
				fair(t, name, x, y, c, m.At(w-x, h-y), 1)
			case 4:
				fair(t, name, x, y, c, m.At(w-x, y), 1)
				fair(t, name, x, y, c, m.At(x, h-y), 2)
			case 3:
				if x < m.Width*2/3 {
					other := m.At(x+m.Width/3, y)
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
	if text := string(m.Text()); seats == 4 &&
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
		{"pack", "\"a.gfx\" 3 3 T\nXXX\nX0X\nXXX\n", "\"a.gfx\" 3 3 T\nXXX\nX0X\nXXX\n"},
		{"no title", "3 3\nXXX\nX0X\nXXX\n", "3 3 no title\nXXX\nX0X\nXXX\n"},
		{"long rows, many rows", "3 3 T\nXXXaaa\nX0X*\nXXX1\nXXX\n", "3 3 T\nXXX\nX0X\nXXX\n"},
		{"short rows, few rows", "4 3 T\nX\n", "4 3 T\nX   \n    \n    \n"},
		{"carriage returns", "3 3 T\r\nX0\r\nX0X\r\n", "3 3 T\nX0 \nX0X\n   \n"},
		{"letters", "5 3 a b  c\nxS?\t_\nfFaAe\nETs:.\n", "5 3 a b  c\nXs   \nfFaAe\nETs:.\n"},
		{"blanks", "  3   3   T\n", "3 3 T\n   \n   \n   \n"},
	}
	for _, test := range tests {
		m, err := ParseMap(test.name, []byte(test.text))
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		} else if got := string(m.Text()); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
	for _, text := range []string{"", "\n", "3", "3 x T\n", "x 3 T\n", "\"a 3 3\n", "\"a b\" 3 3\n",
		"2 3 T\n", "3 513 T\n", "-3 3 T\n", "99999999999999999999 3\n"} {
		if _, err := ParseMap("bad.map", []byte(text)); err == nil ||
			!strings.HasPrefix(err.Error(), "darwin: map bad.map, line 1: ") {
			t.Errorf("%q: error %v", text, err)
		}
	}
}

func TestBorder(t *testing.T) {
	m := must(ParseMap("b", []byte("5 4 b\n +a T\n+ 0 s\n:   .\n 1f* \n")))
	for _, c := range []struct {
		rules Rules
		want  string
	}{{Original(), "X+XX+\n+   X\nX   X\nXXXXX\n"}, {Handbook(), "XXXXX\nX   X\nX   X\nXXXXX\n"}} {
		g := newGround(m, &c.rules, MaxSeats)
		got := ""
		for y := range m.Height {
			for x := range m.Width {
				got += string(staticLetter(g, g.cell(x, y)))
			}
			got += "\n"
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.rules.Name, got, c.want)
		}
		if len(g.starts) != 5 { // ghosts are counted
			t.Errorf("%s: starts %v", c.rules.Name, g.starts)
		}
	}
	if g := newGround(m, &Rules{}, 1); len(g.starts) != 4 || g.seats != 1 {
		t.Errorf("a digit without a player should be empty: %v", g.starts)
	}
}

func TestCheckMap(t *testing.T) {
	tests := []struct{ text, want string }{
		{"5 3 t\nXXXXX\nX0 *X\nXXXXX", ""},
		{"5 3 t\nXXXXX\nX   X\nXXXXX", "no digit"},
		{"5 3 t\nXXXXX\nX1  X\nXXXXX", "digit 0 has no creature"},
		{"5 3 t\nXX0XX\nX   X\nXXXXX", "on the border at column 2, row 0"},
		{"5 3 t\nXXsXX\nX0  X\nXXXXX", "below a wall"},
		{"5 3 t\nXXXXX\nX0X*X\nXXXXX", "cannot be reached"},
		{"5 3 t\nXXXXX\nX0+*X\nXXXXX", "cannot be reached"},
		{"5 3 t\nXXXXX\nX0X1X\nXXXXX", "cannot be reached"},
	}
	for _, test := range tests {
		err := must(ParseMap("t", []byte(test.text))).Check(Original())
		if test.want == "" && err != nil || test.want != "" &&
			(err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%q: error %v, want %q", test.text, err, test.want)
		}
	}
}

// A map may hold so many creatures that the last slot, and one, just fits into a cell.
func TestCrowdedMap(t *testing.T) {
	crowd := func(creatures int) *Map {
		m := blank(202, 202, ' ')
		m.Title = "crowded"
		for i := range creatures {
			m.set(1+i%200, 1+i/200, "01a"[min(i, 2)])
		}
		return m
	}
	rules := Original()
	most := crowd(maxCreatures)
	if err := most.Check(rules); err != nil {
		t.Error(err)
	}
	w := new(world)
	w.begin(newGround(most, &rules, 2), &rules, 1, &dice{engine.NewRandom(1)}, func(*Body) {},
		func(*Body) {})
	if c := w.census(); c.creatures != maxCreatures || c.hurt != 0 {
		t.Errorf("%d creatures, %d of them not where they say", c.creatures, c.hurt)
	}
	more := crowd(maxCreatures + 1)
	s := Defaults()
	s.Map = filepath.Join(t.TempDir(), "crowded.map")
	if err := os.WriteFile(s.Map, more.Text(), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := New().(engine.Adjustable).With(&s)
	for _, err := range []error{err, more.Check(rules)} {
		if err == nil ||
			!strings.Contains(err.Error(), "has 32767 creatures, more than 32766; leave some out") {
			t.Errorf("error %v", err)
		}
	}
}

func FuzzParseMap(f *testing.F) {
	for _, name := range handbookIndex[:3] {
		f.Add(must(files.ReadFile("maps/" + name + ".map")))
	}
	f.Add([]byte("\"p.gfx\" 4 4 \xff\r\n0Ss*\r\n+++\r\nETAF"))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := ParseMap("fuzz", text)
		if err != nil {
			return
		}
		again, err := ParseMap("fuzz", m.Text())
		if err != nil || !bytes.Equal(again.Text(), m.Text()) {
			t.Fatalf("%q reads back as %v, error %v", m.Text(), again, err)
		}
		for _, rules := range []Rules{Original(), Handbook()} {
			_ = m.Check(rules)
		}
	})
}

// Every map of the original is read, and reads back.
func TestConformanceMaps(t *testing.T) {
	for _, path := range enginetest.Recorded(t, "darwin", "maps/*.map") {
		m, err := ParseMap(filepath.Base(path), must(os.ReadFile(path)))
		if err != nil {
			t.Error(err)
			continue
		}
		if again := must(ParseMap("again", m.Text())); !bytes.Equal(again.rows, m.rows) {
			t.Errorf("%s does not read back", path)
		}
		if name := filepath.Base(path); m.Maze() != strings.HasPrefix(name, "mz_") {
			t.Errorf("%s: maze %v", name, m.Maze())
		}
	}
}

func TestGenerateMaze(t *testing.T) {
	for _, s := range []MazeSettings{
		{Width: 5, Height: 5}, {Width: 21, Height: 21, Loops: 10},
		{Width: 41, Height: 7, Loops: 100, Hazards: 1000, Mud: 50},
		{Width: 31, Height: 31, Hazards: 20},
	} {
		for seed := range engine.Seed(50) {
			m := GenerateMaze(s, seed)
			if err := m.Check(Original()); err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, m.Text())
			}
			start := bytes.IndexByte(m.rows, '0')
			for _, step := range []int{-m.Width, -1, 1, m.Width} {
				if m.rows[start+step] == '+' {
					t.Fatalf("seed %d: a hazard beside the start\n%s", seed, m.Text())
				}
			}
			if again := GenerateMaze(s, seed); !bytes.Equal(again.Text(), m.Text()) {
				t.Fatalf("seed %d gives two mazes", seed)
			}
			if n := bytes.Count(m.rows, []byte("*")); n != 1 || m.Seats() != 1 {
				t.Fatalf("seed %d: %d treasures, %d seats", seed, n, m.Seats())
			}
		}
		if bytes.Equal(GenerateMaze(s, 1).rows, GenerateMaze(s, 2).rows) && s.Width > 5 {
			t.Error("two seeds give the same maze")
		}
	}
}

func TestGenerateArena(t *testing.T) {
	for _, s := range []ArenaSettings{
		{Width: 9, Height: 9, Species: 2, Creatures: 1}, Defaults().Arena,
		// in some drawings a shrine is equally near to both
		{Width: 11, Height: 11, Species: 2, Creatures: 2, Shrines: 2},
		{Width: 41, Height: 35, Species: 4, Creatures: 6, Walls: 35, Apples: 5, Enchanted: 3,
			Flytraps: 2, Hazards: 4, Mud: 20, Shrines: 2},
	} {
		for seed := range engine.Seed(30) {
			m := GenerateArena(s, seed)
			if err := m.Check(Original()); err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, m.Text())
			}
			counts := map[byte]int{}
			for _, c := range m.rows {
				counts[c]++
			}
			for c, n := range map[byte]int{'0': s.Creatures, '1': s.Creatures,
				'a': s.Apples * s.Species, 'e': s.Enchanted * s.Species,
				'f': s.Flytraps * s.Species, '+': s.Hazards * s.Species, '.': s.Mud * s.Species,
				's': s.Shrines * s.Species} {
				if counts[c] != n {
					t.Fatalf("seed %d: %d of %q, want %d\n%s", seed, counts[c], c, n, m.Text())
				}
			}
			rules := Original()
			shrines := map[breed]int{none: 0}
			for _, square := range newGround(m, &rules, MaxSeats).terrain {
				shrines[square.owner()]++
			}
			for seat := range s.Species {
				if n := shrines[seatBreed(seat)]; n != s.Shrines {
					t.Fatalf("seed %d: species %d has %d shrines, want %d\n%s", seed, seat, n,
						s.Shrines, m.Text())
				}
			}
			w, h := m.Width-1, m.Height-1
			for y := range m.Height {
				for x := range m.Width {
					if s.Species == 2 {
						fair(t, "arena", x, y, m.At(x, y), m.At(w-x, h-y), 1)
					} else {
						fair(t, "arena", x, y, m.At(x, y), m.At(w-x, y), 1)
						fair(t, "arena", x, y, m.At(x, y), m.At(x, h-y), 2)
					}
				}
			}
		}
	}
}

// Where somebody is shut in again and again, walls are left out, and if need be hazards too.
func TestCrowdedArena(t *testing.T) {
	s := ArenaSettings{Width: 29, Height: 29, Species: 4, Creatures: 30, Walls: 5, Hazards: 70}
	for seed := range engine.Seed(4) {
		m := GenerateArena(s, seed)
		if err := m.Check(Original()); err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, m.Text())
		}
	}
}

func TestSettingsErrors(t *testing.T) {
	tests := []struct {
		change func(*Settings)
		want   string
	}{
		{func(s *Settings) { s.Map = "ns_faceof" }, `did you mean "ns_faceoff"?`},
		{func(s *Settings) { s.Map = "nowhere.map" }, "nowhere.map"},
		{func(s *Settings) { s.Rules = "orginal" }, `did you mean "original"?`},
		{func(s *Settings) { s.View = "3d" }, "isometric"},
		{func(s *Settings) { s.TimeLimit = -1 }, "time-limit must be in 0..1000"},
		{func(s *Settings) { s.Map, s.TimeLimit = "maze", 1e-10 },
			"time-limit must be 0 or at least a nanosecond"},
		{func(s *Settings) { s.EffortCost = -1 }, "effort-cost"},
		{func(s *Settings) { s.Map, s.Maze.Width = "maze", 20 }, "maze.width must be odd"},
		{func(s *Settings) { s.Map, s.Maze.Height = "maze", 3 }, "maze.height must be in 5..127"},
		{func(s *Settings) { s.Map, s.Arena.Species = "arena", 3 }, "arena.species must be 2 or 4"},
		{func(s *Settings) { s.Map, s.Arena.Apples = "arena", 100; s.Arena.Mud = 1000 },
			"do not fit"},
	}
	for _, test := range tests {
		s := Defaults()
		test.change(&s)
		if _, err := New().(engine.Adjustable).With(&s); err == nil ||
			!strings.HasPrefix(err.Error(), "darwin: ") ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want %q", err, test.want)
		}
	}
}
