package darwin

import (
	"bytes"
	"cmp"
	"fmt"

	"clade/engine"
)

// mazeSettings are the kind of maze that a seed draws.
type mazeSettings struct {
	Width   int `toml:"width"`
	Height  int `toml:"height"`
	Loops   int `toml:"loops"`
	Hazards int `toml:"hazards"`
	Mud     int `toml:"mud"`
}

func (s *mazeSettings) table() []engine.Setting {
	return []engine.Setting{
		engine.Whole("maze.width", &s.Width, 5, 127, "squares", "width of a maze, odd"),
		engine.Whole("maze.height", &s.Height, 5, 127, "squares", "height of a maze, odd"),
		engine.Whole("maze.loops", &s.Loops, 0, 100, "percent",
			"inner walls opened; 0 makes a perfect maze"),
		engine.Whole("maze.hazards", &s.Hazards, 0, 1000, "hazards", "off the shortest way from "+
			"the start to the treasure, as far as there is room"),
		engine.Whole("maze.mud", &s.Mud, 0, 100, "percent", "of empty squares that are mud"),
	}
}

// arenaSettings are the kind of natural-selection map that a seed draws: the same for every
// species, turned or mirrored.
type arenaSettings struct {
	Width     int `toml:"width"`
	Height    int `toml:"height"`
	Species   int `toml:"species"`
	Creatures int `toml:"creatures"`
	Walls     int `toml:"walls"`
	Apples    int `toml:"apples"`
	Enchanted int `toml:"enchanted"`
	Flytraps  int `toml:"flytraps"`
	Hazards   int `toml:"hazards"`
	Mud       int `toml:"mud"`
	Shrines   int `toml:"shrines"`
}

func (s *arenaSettings) table() []engine.Setting {
	return []engine.Setting{
		engine.Whole("arena.width", &s.Width, 9, 127, "squares", "width of an arena, odd"),
		engine.Whole("arena.height", &s.Height, 9, 127, "squares", "height of an arena, odd"),
		engine.Whole("arena.species", &s.Species, 2, 4, "species", "seats: 2 or 4"),
		engine.Whole("arena.creatures", &s.Creatures, 1, 40, "creatures", "of each species"),
		engine.Whole("arena.walls", &s.Walls, 0, 40, "percent", "of squares that are walls"),
		engine.Whole("arena.apples", &s.Apples, 0, 100, "apples", "for each species"),
		engine.Whole("arena.enchanted", &s.Enchanted, 0, 100, "enchanted apples",
			"for each species"),
		engine.Whole("arena.flytraps", &s.Flytraps, 0, 100, "flytraps", "for each species"),
		engine.Whole("arena.hazards", &s.Hazards, 0, 100, "hazards", "for each species"),
		engine.Whole("arena.mud", &s.Mud, 0, 1000, "squares", "of mud for each species"),
		engine.Whole("arena.shrines", &s.Shrines, 0, 10, "shrines", "for each species"),
	}
}

func checkOdd(name string, n int) error {
	if n%2 == 0 {
		return fmt.Errorf("darwin: %s must be odd, not %d", name, n)
	}
	return nil
}

func (s *mazeSettings) check() error {
	return cmp.Or(checkOdd("maze.width", s.Width), checkOdd("maze.height", s.Height))
}

func (s *arenaSettings) check() error {
	var three, full error
	if s.Species == 3 {
		three = fmt.Errorf("darwin: arena.species must be 2 or 4, not 3: three cannot have equal " +
			"shares of a rectangle")
	}
	things := s.Creatures + s.Apples + s.Enchanted + s.Flytraps + s.Hazards + s.Mud + s.Shrines
	room := (s.Width - 2) * (s.Height - 2) * (60 - s.Walls) / 100 / max(1, s.Species)
	if things > room {
		full = fmt.Errorf("darwin: arena: %d things for each species do not fit into %d x %d "+
			"squares with %d %% walls; there is room for about %d",
			things, s.Width, s.Height, s.Walls, room)
	}
	return cmp.Or(three, checkOdd("arena.width", s.Width), checkOdd("arena.height", s.Height), full)
}

// generate draws the map of one game.
func (s *settings) generate(seed engine.Seed) *rawMap {
	if s.Map == "maze" {
		return generateMaze(s.Maze, seed)
	}
	return generateArena(s.Arena, seed)
}

// letters returns the letters of the maps that are drawn.
func (s *settings) letters() (all string) {
	things := s.Arena.things()
	if s.Map == "maze" {
		things = []thing{{'*', 1}, {'+', s.Maze.Hazards}, {'.', s.Maze.Mud}}
	}
	for _, t := range things {
		if t.count > 0 {
			all += string(t.letter)
		}
	}
	return all
}

// thing is a kind of thing on an arena, for each species.
type thing struct {
	letter rune
	count  int
}

// things returns what is put on an arena, in order.
func (s *arenaSettings) things() []thing {
	return []thing{{'0', s.Creatures}, {'s', s.Shrines}, {'a', s.Apples}, {'e', s.Enchanted},
		{'f', s.Flytraps}, {'+', s.Hazards}, {'.', s.Mud}}
}

// blank returns a map of one letter.
func blank(width, height int, c byte) *rawMap {
	return &rawMap{width: width, height: height, rows: bytes.Repeat([]byte{c}, width*height)}
}

func (m *rawMap) set(x, y int, c byte) { m.rows[y*m.width+x] = c }

func (m *rawMap) setPoint(p point, c byte) { m.set(int(p.x), int(p.y), c) }

// generateMaze draws a maze: a random tree of corridors by backtracking, with some walls opened to
// make loops. The start is random, and the treasure is the place farthest from it.
func generateMaze(s mazeSettings, seed engine.Seed) *rawMap {
	random := engine.NewRandom(uint64(seed))
	m := blank(s.Width, s.Height, 'X')
	m.title = "Maze"
	m.carve(&random)
	m.open(&random, s.Loops)
	x, y := 1+2*random.Below(s.Width/2), 1+2*random.Below(s.Height/2)
	m.set(x, y, '0')
	rules := original()
	g := newGround(m, &rules, 1)
	steps := g.distances(g.cell(x, y))
	far := g.cell(x, y)
	for i, d := range steps {
		if d > steps[far] {
			far = i
		}
	}
	m.setPoint(g.point(far), '*')
	m.strew(&random, s, g, steps, far)
	return m
}

// carve digs corridors between the squares with odd coordinates until all are connected in one way
// only.
func (m *rawMap) carve(random *engine.Random) {
	stack := []point{{1, 1}}
	m.set(1, 1, ' ')
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		var ways [4]direction
		n := 0
		for d := north; d <= east; d++ {
			q := p.ahead(d, 2)
			if q.x > 0 && q.y > 0 && int(q.x) < m.width && int(q.y) < m.height &&
				m.at(int(q.x), int(q.y)) != ' ' {
				ways[n] = d
				n++
			}
		}
		if n == 0 {
			stack = stack[:len(stack)-1]
			continue
		}
		d := ways[random.Below(n)]
		for range 2 {
			p = p.toward(d)
			m.setPoint(p, ' ')
		}
		stack = append(stack, p)
	}
}

// open removes some of the walls between two neighbouring corridors.
func (m *rawMap) open(random *engine.Random, percent int) {
	for y := 1; y < m.height-1; y++ {
		for x := 1; x < m.width-1; x++ {
			if (x+y)%2 == 1 && m.at(x, y) == 'X' && random.Below(100) < percent {
				m.set(x, y, ' ')
			}
		}
	}
}

// strew puts mud anywhere, and hazards on free squares that are neither on one shortest path nor
// beside the start. They can block other paths.
func (m *rawMap) strew(random *engine.Random, s mazeSettings, g *ground, steps []int32, far int) {
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
		if p := g.point(i); d > 0 && m.at(int(p.x), int(p.y)) == ' ' && random.Below(100) < s.Mud {
			m.setPoint(p, '.')
		}
	}
	for range min(s.Hazards, len(free)) {
		k := random.Below(len(free))
		m.setPoint(g.point(free[k]), '+')
		free[k] = free[len(free)-1]
		free = free[:len(free)-1]
	}
}

// arenaTries is how often an arena is drawn again because a creature was shut in or a species
// lacked a shrine.
const arenaTries = 100

// generateArena draws a natural-selection map. For two species the map, but for its digits, and the
// owners of its shrines have rotational symmetry by half a turn; for four, they are the same when
// mirrored either way. All creatures can reach each other: after arenaTries drawings walls are left
// out, and after as many more also hazards.
func generateArena(s arenaSettings, seed engine.Seed) *rawMap {
	rules := original()
	for try := 0; ; try++ {
		switch try {
		case arenaTries:
			s.Walls = 0
		case 2 * arenaTries:
			s.Hazards = 0
		}
		m := drawArena(s, seed.Num(uint64(try)))
		if m == nil {
			continue
		}
		if g := newGround(m, &rules, s.Species); g.connected() && g.sharesShrines(s) {
			return m
		}
	}
}

// sharesShrines tells whether every species owns as many shrines as the settings say. A map may
// fail: a shrine that is equally near to creatures of two species goes to that with the smaller
// coordinates, on both sides of the map.
func (g *ground) sharesShrines(s arenaSettings) bool {
	var owned [maxSeats]int
	if s.Shrines > 0 {
		for _, t := range g.terrain {
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

// drawArena draws a map, or returns nil if there was no room for something.
func drawArena(s arenaSettings, seed engine.Seed) *rawMap {
	random := engine.NewRandom(uint64(seed))
	m := blank(s.Width, s.Height, ' ')
	m.title = "Arena"
	for x := range m.width {
		m.set(x, 0, 'X')
		m.set(x, m.height-1, 'X')
	}
	for y := range m.height {
		m.set(0, y, 'X')
		m.set(m.width-1, y, 'X')
	}
	m.build(&random, s)
	for _, thing := range s.things() {
		for range thing.count {
			if !m.settle(&random, s.Species, byte(thing.letter)) {
				return nil
			}
		}
	}
	return m
}

// build adds short walls up to the share that the settings ask for.
func (m *rawMap) build(random *engine.Random, s arenaSettings) {
	want := (m.width - 2) * (m.height - 2) * s.Walls / 100
	for built := 0; built < want; {
		p := point{int16(1 + random.Below(m.width-2)), int16(1 + random.Below(m.height-2))}
		d := direction(random.Below(4))
		for range 1 + random.Below(5) {
			if p.x <= 0 || p.y <= 0 || int(p.x) >= m.width-1 || int(p.y) >= m.height-1 {
				break
			}
			built += m.mirror(p, s.Species, 'X')
			p = p.toward(d)
		}
	}
}

// settle puts a thing, and its images for the other species, into empty squares. Creatures start in
// their own part of the map. It returns false if there was no room.
func (m *rawMap) settle(random *engine.Random, species int, c byte) bool {
	for range 1000 {
		x, y := 1+random.Below(m.width/2-1), 1+random.Below(m.height-2)
		if species == 4 {
			y = 1 + random.Below(m.height/2-1)
		}
		if m.at(x, y) != ' ' {
			continue
		}
		m.mirror(point{int16(x), int16(y)}, species, c)
		return true
	}
	return false
}

// mirror puts a letter on a square and on its images, and returns how many of them were empty.
func (m *rawMap) mirror(p point, species int, c byte) int {
	w, h := int16(m.width-1), int16(m.height-1)
	images := [4]point{p, {w - p.x, h - p.y}}
	if species == 4 {
		images = [4]point{p, {w - p.x, p.y}, {p.x, h - p.y}, {w - p.x, h - p.y}}
	}
	changed := 0
	for i, q := range images[:species] {
		if m.at(int(q.x), int(q.y)) == ' ' {
			changed++
		}
		letter := c
		if c == '0' {
			letter = '0' + byte(i)
		}
		m.setPoint(q, letter)
	}
	return changed
}
