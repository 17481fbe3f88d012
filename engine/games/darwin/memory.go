package darwin

import "clade/gp"

// The boards of a memory: sets of squares.
const (
	boardKnown = iota
	boardWall
	boardHazard
	boardApple
	boardFlytrap
	boardVisited
	boardMud
	boardShrine // of the own species
	boardTreasure
	numBoards
)

// Limits of an evolved creature's memory.
const (
	reach      = 5 // squares of its window to each side
	windowSide = 2*reach + 1
	trailHalf  = 10               // visits after which memory.cold is 1/2
	sightings  = 32               // creatures remembered at once
	sightSpan  = 20 * millisecond // how long they are, in time that creatures spend
)

// memory is what one evolved creature, or all creatures of a species, have seen. A board is rows of
// bits, with a margin of reach squares around the map, so that reading a window takes eleven
// shifts. What lies outside the map is known to be wall.
type memory struct {
	width, height int
	words         int               // of a row
	version       uint64            // rises with every change of a board, and of the shrine
	changed       [numBoards]uint64 // the version that a board has since its last change
	boards        [numBoards][]uint64
	used          [numBoards]bool // whether a board may hold a square
	outside       []uint64        // the board of what lies outside the map
	trail         []uint32        // by square: the number of the last visit, 0 for never
	visits        uint32          // so far
	shrine        point           // an own shrine
	hasShrine     bool
	open          []uint64 // what keen creatures may walk on, see walkable
	opened        uint64   // the version of which open is
	seen          [sightings]sighting
	count         int
}

// sighting is a creature of a species, as last seen.
type sighting struct {
	at     point
	id     int32 // of the creature; negative where it is not known
	friend bool
	time   int64 // spent by the creature that saw it
}

func newMemory(width, height int) *memory {
	m := &memory{width: width, height: height, words: (width + 2*reach + 63) / 64}
	for i := range m.boards {
		m.boards[i] = make([]uint64, m.words*(height+2*reach))
	}
	m.trail = make([]uint32, width*height)
	m.outside = make([]uint64, len(m.boards[0]))
	for y := -reach; y < height+reach; y++ {
		for x := -reach; x < width+reach; x++ {
			if x < 0 || y < 0 || x >= width || y >= height {
				word, bit := m.place(x, y)
				m.outside[word] |= bit
			}
		}
	}
	m.clear()
	return m
}

// clear forgets everything.
func (m *memory) clear() {
	for i := range m.boards {
		if m.used[i] {
			clear(m.boards[i])
		}
	}
	copy(m.boards[boardKnown], m.outside)
	copy(m.boards[boardWall], m.outside)
	m.used = [numBoards]bool{boardKnown: true, boardWall: true}
	clear(m.trail)
	m.visits = 0
	m.hasShrine, m.count = false, 0
	for board := range m.changed {
		m.change(board)
	}
}

// change notes that a board has changed.
func (m *memory) change(board int) {
	m.version++
	m.changed[board] = m.version
}

// place returns the word and the bit of a square.
func (m *memory) place(x, y int) (word int, bit uint64) {
	x += reach
	return (y+reach)*m.words + x>>6, 1 << (x & 63)
}

// square is place of a point.
func (m *memory) square(p point) (word int, bit uint64) { return m.place(int(p.x), int(p.y)) }

func (m *memory) set(board, x, y int) {
	word, bit := m.place(x, y)
	m.raise(board, word, bit)
}

// raise puts squares of a word on a board. Usually they are there already, and then it notes no
// change.
func (m *memory) raise(board, word int, bits uint64) {
	if b := &m.boards[board][word]; bits&^*b != 0 {
		*b |= bits
		m.used[board] = true
		m.change(board)
	}
}

// lower takes squares of a word off a board.
func (m *memory) lower(board, word int, bits uint64) {
	if b := &m.boards[board][word]; *b&bits != 0 {
		*b &^= bits
		m.change(board)
	}
}

func (m *memory) has(board int, p point) bool {
	word, bit := m.square(p)
	return m.boards[board][word]&bit != 0
}

// walkable returns the board of squares that are known to be free.
func (m *memory) walkable() []uint64 {
	known, walls, hazards := boardKnown, boardWall, boardHazard
	if m.open == nil {
		m.open = make([]uint64, len(m.outside))
	} else if max(m.changed[known], m.changed[walls], m.changed[hazards]) <= m.opened {
		return m.open
	}
	for i := range m.open {
		m.open[i] = m.boards[known][i] &^ (m.boards[walls][i] | m.boards[hazards][i])
	}
	m.opened = m.version
	return m.open
}

// visit notes that a creature has come to a square.
func (m *memory) visit(p point) {
	m.set(boardVisited, int(p.x), int(p.y))
	m.visits++
	m.trail[int(p.y)*m.width+int(p.x)] = m.visits
}

// cold tells how long ago a creature came to a square, from 0 for just now to 1 for never. After
// trailHalf visits elsewhere it is 1/2. A creature that always goes to the coldest square beside it
// searches a maze depth first.
func (m *memory) cold(p point) float32 {
	if p.x < 0 || p.y < 0 || int(p.x) >= m.width || int(p.y) >= m.height {
		return 1
	}
	last := m.trail[int(p.y)*m.width+int(p.x)]
	if last == 0 {
		return 1
	}
	since := float32(m.visits - last)
	return since / (since + trailHalf)
}

// window returns the squares of a board around a point, row by row. Shifts are written so that none
// can exceed 63, which is twice as fast as a plain loop over the rows.
func (m *memory) window(board int, p point) gp.Bits {
	if !m.used[board] {
		return gp.Bits{}
	}
	rows := m.boards[board][int(p.y)*m.words+int(p.x)>>6:]
	shift := uint(p.x) & 63
	var low, high uint64
	for k := 4; k >= 0; k-- {
		low = low<<windowSide | m.row(rows, k, shift)
	}
	for k := 10; k >= 6; k-- {
		high = high<<windowSide | m.row(rows, k, shift)
	}
	middle := m.row(rows, 5, shift)
	return gp.Bits{Low: low | middle<<(5*windowSide),
		High: high<<(6*windowSide-64) | middle>>(64-5*windowSide)}
}

// row returns the bits of the k-th row from a shift on.
func (m *memory) row(rows []uint64, k int, shift uint) uint64 {
	row := rows[k*m.words] >> (shift & 63)
	if shift > 64-windowSide {
		row |= rows[k*m.words+1] << (-shift & 63)
	}
	return row & (1<<windowSide - 1)
}

// note enters an observation. Its squares may be known to be on the boards as they are seen.
func (m *memory) note(b *body, o *observation, known bool) {
	w, s, last := b.w, &o.seen, o.cell+o.distance*o.step
	p, q := b.position(), s.point
	if m.count > 0 {
		m.forgetLine(p, q)
	}
	if !known {
		m.sweep(p, q)
		if w.cells[o.cell] < 0 { // a ghost
			m.set(boardWall, int(p.x), int(p.y))
		}
		m.enter(q, w.cells[last], s.class, 0, b.breed)
		if !w.ground.bare {
			for at, cell := p, o.cell; cell != last+o.step; at, cell = at.toward(b.facing), cell+o.step {
				m.tread(at, w.ground.terrain[cell], b.breed)
			}
		}
	}
	if s.kind == kindAnimal && s.class >= firstClass {
		m.sight(sighting{at: q, id: s.id, friend: s.class == b.class(), time: b.clock})
	}
}

// sweep enters the squares of a row or a column, from one to before another, as empty ones.
func (m *memory) sweep(from, to point) {
	word, bit := m.square(from)
	last, end := m.square(to)
	switch step := m.words; {
	case from.x == to.x:
		if last < word {
			step = -step
		}
		for ; word != last; word += step {
			m.free(word, bit)
		}
	case from.x < to.x: // from a bit on to before another
		for ; word != last; word++ {
			m.free(word, -bit)
			bit = 1
		}
		m.free(word, end-bit)
	default:
		for ; word != last; word-- {
			m.free(word, bit<<1-1)
			bit = 1 << 63
		}
		m.free(word, bit<<1-end<<1)
	}
}

// things are the boards of what may be gone at the next look, thingClasses its classes.
var (
	things       = [...]int{boardApple, boardFlytrap, boardTreasure}
	thingClasses = [len(things)]class{appleClass, flytrapClass, treasureClass}
)

// free enters squares of a word as empty ones.
func (m *memory) free(word int, bits uint64) {
	m.raise(boardKnown, word, bits)
	for _, board := range things {
		if m.used[board] {
			m.lower(board, word, bits)
		}
	}
}

// enter enters what stands on a square: what as in world.cells, and its class.
func (m *memory) enter(at point, what int16, c class, t terrain, own breed) {
	word, bit := m.square(at)
	m.raise(boardKnown, word, bit)
	for i, board := range things {
		if c == thingClasses[i] {
			m.raise(board, word, bit)
		} else if m.used[board] {
			m.lower(board, word, bit)
		}
	}
	if what == hazard {
		m.raise(boardHazard, word, bit)
	} else if what < 0 {
		m.raise(boardWall, word, bit)
	}
	m.tread(at, t, own)
}

// tread enters the floor of a square.
func (m *memory) tread(at point, t terrain, own breed) {
	if t&mud != 0 {
		m.set(boardMud, int(at.x), int(at.y))
	}
	if t.owner() == own {
		m.set(boardShrine, int(at.x), int(at.y))
		m.findShrine(at)
	}
}

// findShrine notes where an own shrine is: the one seen last.
func (m *memory) findShrine(at point) {
	if m.shrine != at || !m.hasShrine {
		m.shrine, m.hasShrine = at, true
		m.change(boardShrine)
	}
}

// sight remembers a creature, in place of its sighting before or of the oldest of all.
func (m *memory) sight(s sighting) {
	oldest := 0
	for i := range m.count {
		if m.seen[i].id == s.id && s.id > 0 {
			m.seen[i] = s
			return
		}
		if m.seen[i].time < m.seen[oldest].time {
			oldest = i
		}
	}
	if m.count < sightings {
		oldest = m.count
		m.count++
	}
	m.seen[oldest] = s
}

// forgetLine forgets the creatures on a line of squares that has been seen again.
func (m *memory) forgetLine(p, q point) {
	x0, x1, y0, y1 := min(p.x, q.x), max(p.x, q.x), min(p.y, q.y), max(p.y, q.y)
	for i := 0; i < m.count; {
		if at := m.seen[i].at; at.x >= x0 && at.x <= x1 && at.y >= y0 && at.y <= y1 {
			m.count--
			m.seen[i] = m.seen[m.count]
		} else {
			i++
		}
	}
}

// creatures returns the squares of the window with remembered friends, and those with enemies. It
// forgets those that were seen too long ago.
func (m *memory) creatures(p point, now int64) (friends, enemies gp.Bits) {
	for i := 0; i < m.count; {
		s := &m.seen[i]
		if now-s.time > sightSpan {
			m.count--
			m.seen[i] = m.seen[m.count]
			continue
		}
		x, y := int(s.at.x-p.x)+reach, int(s.at.y-p.y)+reach
		if uint(x) < windowSide && uint(y) < windowSide && s.at != p {
			if s.friend {
				friends.Set(y*windowSide + x)
			} else {
				enemies.Set(y*windowSide + x)
			}
		}
		i++
	}
	return friends, enemies
}
