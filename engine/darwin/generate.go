package darwin

import (
	"fmt"

	"clade/engine"
)

// MazeSettings are the kind of maze that a seed draws.
type MazeSettings struct {
	Width  int `toml:"width"`  // squares, odd, 5..127
	Height int `toml:"height"` // squares, odd, 5..127
	// of 100 inner walls, how many are opened: 0 makes a perfect maze, 0..100
	Loops int `toml:"loops"`
	// off the shortest way from the start to the treasure, as far as there is room, 0..1000
	Hazards int `toml:"hazards"`
	Mud     int `toml:"mud"` // of 100 empty squares, how many are mud, 0..100
}

// ArenaSettings are the kind of natural-selection map that a seed draws: the same for every
// species, turned or mirrored.
type ArenaSettings struct {
	Width     int `toml:"width"`     // squares, odd, 9..127
	Height    int `toml:"height"`    // squares, odd, 9..127
	Species   int `toml:"species"`   // 2 or 4
	Creatures int `toml:"creatures"` // of each species, 1..40
	Walls     int `toml:"walls"`     // of 100 squares, how many are walls, 0..40
	Apples    int `toml:"apples"`    // for each species, 0..100
	Enchanted int `toml:"enchanted"` // enchanted apples for each species, 0..100
	Flytraps  int `toml:"flytraps"`  // for each species, 0..100
	Hazards   int `toml:"hazards"`   // for each species, 0..100
	Mud       int `toml:"mud"`       // squares for each species, 0..1000
	Shrines   int `toml:"shrines"`   // for each species, 0..10
}

// field is a named number of settings with its range.
type field struct {
	name           string
	value, low, up int
}

// checkFields tells the first number that is out of its range.
func checkFields(fields []field) error {
	for _, f := range fields {
		if f.value < f.low || f.value > f.up {
			return fmt.Errorf("darwin: %s must be in %d..%d, not %d", f.name, f.low, f.up, f.value)
		}
	}
	return nil
}

func checkOdd(name string, n int) error {
	if n%2 == 0 {
		return fmt.Errorf("darwin: %s must be odd, not %d", name, n)
	}
	return nil
}

func (s *MazeSettings) check() error {
	err := checkFields([]field{
		{"maze.width", s.Width, 5, 127}, {"maze.height", s.Height, 5, 127},
		{"maze.loops", s.Loops, 0, 100},
		{"maze.hazards", s.Hazards, 0, 1000}, {"maze.mud", s.Mud, 0, 100},
	})
	if err == nil {
		err = checkOdd("maze.width", s.Width)
	}
	if err == nil {
		err = checkOdd("maze.height", s.Height)
	}
	return err
}

func (s *ArenaSettings) check() error {
	err := checkFields([]field{
		{"arena.width", s.Width, 9, 127}, {"arena.height", s.Height, 9, 127},
		{"arena.species", s.Species, 2, 4},
		{"arena.creatures", s.Creatures, 1, 40}, {"arena.walls", s.Walls, 0, 40},
		{"arena.apples", s.Apples, 0, 100},
		{"arena.enchanted", s.Enchanted, 0, 100}, {"arena.flytraps", s.Flytraps, 0, 100},
		{"arena.hazards", s.Hazards, 0, 100},
		{"arena.mud", s.Mud, 0, 1000}, {"arena.shrines", s.Shrines, 0, 10},
	})
	if err == nil && s.Species == 3 {
		err = fmt.Errorf("darwin: arena.species must be 2 or 4, not 3: three cannot have equal " +
			"shares of a rectangle")
	}
	if err == nil {
		err = checkOdd("arena.width", s.Width)
	}
	if err == nil {
		err = checkOdd("arena.height", s.Height)
	}
	things := s.Creatures + s.Apples + s.Enchanted + s.Flytraps + s.Hazards + s.Mud + s.Shrines
	if room := (s.Width - 2) * (s.Height - 2) * (60 - s.Walls) / 100 / max(1,
		s.Species); err == nil && things > room {
		err = fmt.Errorf("darwin: arena: %d things for each species do not fit into %d x %d "+
			"squares with %d %% walls; there is room for about %d",
			things, s.Width, s.Height, s.Walls, room)
	}
	return err
}

// generate draws the map of one game.
func (s *Settings) generate(seed engine.Seed) *Map {
	if s.Map == "maze" {
		return GenerateMaze(s.Maze, seed)
	}
	return GenerateArena(s.Arena, seed)
}

// blank returns a map of one letter.
func blank(width, height int, c byte) *Map {
	m := &Map{Width: width, Height: height, rows: make([]byte, width*height)}
	for i := range m.rows {
		m.rows[i] = c
	}
	return m
}

func (m *Map) set(x, y int, c byte) { m.rows[y*m.Width+x] = c }

// GenerateMaze draws a maze from a seed: a random tree of corridors by backtracking, with some
// walls opened to make loops. The start and the treasure are far from each other: the treasure is
// the place that is farthest from the start, and the start is random. The same seed gives the same
// maze. It panics if the settings are out of range.
func GenerateMaze(s MazeSettings, seed engine.Seed) *Map {
	if err := s.check(); err != nil {
		panic(err.Error())
	}
	random := engine.NewRandom(uint64(seed))
	m := blank(s.Width, s.Height, 'X')
	m.Title = "Maze"
	m.carve(&random)
	m.open(&random, s.Loops)
	x, y := 1+2*random.Below(s.Width/2), 1+2*random.Below(s.Height/2)
	m.set(x, y, '0')
	rules := Original()
	g := newGround(m, &rules, 1)
	steps := g.distances(g.cell(x, y))
	far := g.cell(x, y)
	for i, d := range steps {
		if d > steps[far] {
			far = i
		}
	}
	goal := g.point(far)
	m.set(int(goal.X), int(goal.Y), '*')
	m.strew(&random, s, g, steps, far)
	return m
}

// carve digs corridors between the squares with odd coordinates until all are connected in one way
// only.
func (m *Map) carve(random *engine.Random) {
	type square struct{ x, y int }
	stack := []square{{1, 1}}
	m.set(1, 1, ' ')
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		var ways [4]Direction
		n := 0
		for d := North; d <= East; d++ {
			p := Point{int16(at.x), int16(at.y)}.Ahead(d, 2)
			if p.X > 0 && p.Y > 0 && int(p.X) < m.Width && int(p.Y) < m.Height &&
				m.At(int(p.X), int(p.Y)) != ' ' {
				ways[n] = d
				n++
			}
		}
		if n == 0 {
			stack = stack[:len(stack)-1]
			continue
		}
		p := Point{int16(at.x), int16(at.y)}
		d := ways[random.Below(n)]
		for range 2 {
			p = p.Toward(d)
			m.set(int(p.X), int(p.Y), ' ')
		}
		stack = append(stack, square{int(p.X), int(p.Y)})
	}
}

// open removes some of the walls between two neighbouring corridors.
func (m *Map) open(random *engine.Random, percent int) {
	for y := 1; y < m.Height-1; y++ {
		for x := 1; x < m.Width-1; x++ {
			if (x+y)%2 == 1 && m.At(x, y) == 'X' && random.Below(100) < percent {
				m.set(x, y, ' ')
			}
		}
	}
}

// strew puts mud anywhere, and hazards on free squares off one shortest way and not beside the
// start. They can bar other ways.
func (m *Map) strew(random *engine.Random, s MazeSettings, g *ground, steps []int32, far int) {
	onWay := make([]bool, len(steps))
	for i := far; steps[i] > 0; {
		onWay[i] = true
		for _, step := range g.steps {
			if steps[i+step] == steps[i]-1 {
				i += step
				break
			}
		}
	}
	var free []int
	for i, d := range steps {
		if d > 1 && !onWay[i] {
			free = append(free, i)
		}
		if p := g.point(i); d > 0 && m.At(int(p.X), int(p.Y)) == ' ' && random.Below(100) < s.Mud {
			m.set(int(p.X), int(p.Y), '.')
		}
	}
	for range min(s.Hazards, len(free)) {
		k := random.Below(len(free))
		p := g.point(free[k])
		free[k] = free[len(free)-1]
		free = free[:len(free)-1]
		m.set(int(p.X), int(p.Y), '+')
	}
}

// arenaTries bounds how often an arena is drawn anew because somebody was shut in or a shrine was
// unfair.
const arenaTries = 100

// GenerateArena draws a natural-selection map from a seed. For two species the map is the same when
// turned by half a turn, for four when mirrored either way, but for the digits, and so are the
// owners of its shrines. Everybody can reach everybody: after arenaTries drawings walls are left
// out, and after as many more hazards are. The same seed gives the same map. It panics if the
// settings are out of range.
func GenerateArena(s ArenaSettings, seed engine.Seed) *Map {
	if err := s.check(); err != nil {
		panic(err.Error())
	}
	rules := Original()
	for try := 0; ; try++ {
		switch try {
		case arenaTries:
			s.Walls = 0
		case 2 * arenaTries:
			s.Hazards = 0
		}
		if m := drawArena(s, seed.Num(uint64(try))); m != nil && m.Check(rules) == nil &&
			m.sharesShrines(&rules, s) {
			return m
		}
	}
}

// sharesShrines tells whether every species owns as many shrines as the settings say. One that is
// equally near to creatures of two species goes to that with the smaller coordinates, on either
// side of the map.
func (m *Map) sharesShrines(rules *Rules, s ArenaSettings) bool {
	var owned [MaxSeats]int
	if s.Shrines > 0 {
		for _, t := range newGround(m, rules, s.Species).terrain {
			if owner := t.owner(); owner != none {
				owned[owner.seat()]++
			}
		}
	}
	for _, n := range owned[:s.Species] {
		if n != s.Shrines {
			return false
		}
	}
	return true
}

// drawArena draws once; nil if something found no place.
func drawArena(s ArenaSettings, seed engine.Seed) *Map {
	random := engine.NewRandom(uint64(seed))
	m := blank(s.Width, s.Height, ' ')
	m.Title = "Arena"
	for x := range m.Width {
		m.set(x, 0, 'X')
		m.set(x, m.Height-1, 'X')
	}
	for y := range m.Height {
		m.set(0, y, 'X')
		m.set(m.Width-1, y, 'X')
	}
	m.build(&random, s)
	for _, thing := range []struct {
		letter byte
		count  int
	}{{'0', s.Creatures}, {'s', s.Shrines}, {'a', s.Apples}, {'e', s.Enchanted}, {'f', s.Flytraps},
		{'+', s.Hazards}, {'.', s.Mud}} {
		for range thing.count {
			if !m.settle(&random, s.Species, thing.letter) {
				return nil
			}
		}
	}
	return m
}

// build raises short walls until the share that the settings ask for is reached.
func (m *Map) build(random *engine.Random, s ArenaSettings) {
	want := (m.Width - 2) * (m.Height - 2) * s.Walls / 100
	for built := 0; built < want; {
		p := Point{int16(1 + random.Below(m.Width-2)), int16(1 + random.Below(m.Height-2))}
		d := Direction(random.Below(4))
		for range 1 + random.Below(5) {
			if p.X <= 0 || p.Y <= 0 || int(p.X) >= m.Width-1 || int(p.Y) >= m.Height-1 {
				break
			}
			built += m.stamp(p, s.Species, 'X')
			p = p.Toward(d)
		}
	}
}

// settle puts a thing, and its images for the other species, into empty squares. Creatures start in
// their own part of the map. It tells whether there was room.
func (m *Map) settle(random *engine.Random, species int, c byte) bool {
	for range 1000 {
		x, y := 1+random.Below(m.Width/2-1), 1+random.Below(m.Height-2)
		if species == 4 {
			y = 1 + random.Below(m.Height/2-1)
		}
		if m.At(x, y) != ' ' {
			continue
		}
		m.stamp(Point{int16(x), int16(y)}, species, c)
		return true
	}
	return false
}

// stamp puts a letter on a square and on its images, and returns how many of them were empty.
func (m *Map) stamp(p Point, species int, c byte) int {
	w, h := int16(m.Width-1), int16(m.Height-1)
	images := [4]Point{p, {w - p.X, h - p.Y}}
	if species == 4 {
		images = [4]Point{p, {w - p.X, p.Y}, {p.X, h - p.Y}, {w - p.X, h - p.Y}}
	}
	changed := 0
	for i, q := range images[:species] {
		if m.At(int(q.X), int(q.Y)) == ' ' {
			changed++
		}
		letter := c
		if c == '0' {
			letter = '0' + byte(i)
		}
		m.set(int(q.X), int(q.Y), letter)
	}
	return changed
}
