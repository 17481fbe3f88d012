package enginetest

import (
	"math/bits"
	"slices"
	"testing"

	"clade/engine"
	"clade/gp"
	"clade/gp/proof"
)

// snakes is a game on a board with walls, and the example of one: two to four snakes on 24 x 24
// cells move at once, grow by food and starve without it. Who runs into a wall or a body dies, and
// so does who meets the head of a snake that is not shorter. Each turn lived and each piece of food
// is a point.
type snakes struct{ *engine.Lockstep }

const (
	snakeSide   = 24
	snakeCells  = snakeSide * snakeSide
	snakeWindow = 11
	snakeTurns  = 160
	snakeHealth = 60 // turns without food
	snakeFood   = 12 // pieces on the board
	snakeSeats  = 4
	snakeFar    = snakeCells // no way to food
)

// Layers, scalars and marks.
const (
	snakeLayerBlocked = iota
	snakeLayerFood
	snakeLayerStrong
	snakeLayerWeak
)

const (
	snakeScalarHealth = iota
	snakeScalarLength
	snakeScalarRoom
	snakeScalarWay
)

const (
	snakeMarkFood = iota
	snakeMarkWalls
	snakeMarkBodies
	snakeMarkHeads
	snakeMarkHunger
)

func newSnakes(begin func() engine.Stepper) engine.Game {
	return snakes{engine.NewLockstep("snakes", gp.MustGrammar(gp.Spec{
		Slots:  []gp.Slot{{Name: "go", Type: gp.Float}},
		Window: gp.Window{Side: snakeWindow}, Rects: gp.PaperRects, Scalars: 4,
		Layers: []gp.Layer{
			snakeLayerBlocked: {Name: "blocked", Walls: true},
			snakeLayerFood:    {Name: "food"},
			snakeLayerStrong:  {Name: "strong"},
			snakeLayerWeak:    {Name: "weak"},
		},
		Operators: append(gp.Shared(),
			gp.AreaSensor("blocked", gp.Count, snakeLayerBlocked),
			gp.AreaSensor("food", gp.Count, snakeLayerFood),
			gp.AreaSensor("isStrong", gp.Any, snakeLayerStrong),
			gp.AreaSensor("isWeak", gp.Any, snakeLayerWeak),
			gp.ScalarSensor("health", snakeScalarHealth),
			gp.ScalarSensor("length", snakeScalarLength),
			gp.ScalarSensor("room", snakeScalarRoom), gp.ScalarSensor("way", snakeScalarWay)),
	}), engine.Compass(0), begin)}
}

// byField senses by gp.Field.
func byField() engine.Stepper { return &pit{field: gp.NewField(snakeSide, snakeSide)} }

func (snakes) Info() engine.Info {
	return engine.Info{Name: "snakes", Title: "Snakes", About: "snakes in a walled pit", Version: 1,
		MinSeats: 2, MaxSeats: snakeSeats, Decisions: snakeTurns, Chance: true,
		Marks: []string{"food", "walls", "bodies", "heads", "hunger"}, Scores: engine.Counts()}
}

func (g snakes) Using(executor string) (engine.Game, error) {
	l, err := g.At(executor)
	return snakes{l}, err
}

// pit is one game under way.
type pit struct {
	field  *gp.Field
	random engine.Random
	seats  int
	turn   int
	alive  uint32
	food   gp.Cells
	bodies gp.Cells // of those that live, heads among them
	each   [snakeSeats]snake
}

type snake struct {
	cells  [snakeCells]uint16 // a ring
	head   int                // the index of the head
	length int
	health int
	lived  int
	marks  [engine.MaxMarks]float32
}

func (s *snake) at() int { return int(s.cells[s.head]) }

// tail returns the index of the last cell.
func (s *snake) tail() int { return (s.head - s.length + 1 + snakeCells) % snakeCells }

func (p *pit) Begin(seats int, seed uint64) {
	*p = pit{field: p.field, random: engine.NewRandom(seed), seats: seats, alive: 1<<seats - 1}
	for seat := range seats {
		s := &p.each[seat]
		s.length, s.health = 1, snakeHealth
		for s.cells[0] = uint16(p.anywhere()); p.bodies.Has(s.at()); {
			s.cells[0] = uint16(p.anywhere())
		}
		p.bodies.Set(s.at())
	}
	p.sow()
}

func (p *pit) anywhere() int {
	n := p.random.Below(snakeCells)
	cell, _ := p.field.Cell(0, n%snakeSide, n/snakeSide)
	return cell
}

// sow brings food back where there is less than there should be.
func (p *pit) sow() {
	for p.food.Count() < snakeFood {
		if at := p.anywhere(); !p.bodies.Has(at) {
			p.food.Set(at)
		}
	}
}

func (p *pit) Live() uint32 {
	if p.turn == snakeTurns || p.alive&(p.alive-1) == 0 {
		return 0
	}
	return p.alive
}

// heads returns those of others, by whether they are shorter.
func (p *pit) heads(seat int) (strong, weak gp.Cells) {
	for left := p.alive &^ (1 << seat); left != 0; left &= left - 1 {
		s := &p.each[bits.TrailingZeros32(left)]
		if s.length >= p.each[seat].length {
			strong.Set(s.at())
		} else {
			weak.Set(s.at())
		}
	}
	return strong, weak
}

func (p *pit) Sense(seat int, f *gp.Frame) (possible uint64) {
	s := &p.each[seat]
	strong, weak := p.heads(seat)
	f.CentreField(p.field, s.at())
	f.DrawField(snakeLayerBlocked, &p.bodies)
	f.DrawField(snakeLayerFood, &p.food)
	f.DrawField(snakeLayerStrong, &strong)
	f.DrawField(snakeLayerWeak, &weak)
	f.SetScalar(snakeScalarHealth, float32(s.health))
	f.SetScalar(snakeScalarLength, float32(s.length))
	reads := f.Reads().Scalars
	free := p.field.All().AndNot(&p.bodies)
	var region gp.Cells
	for d := range gp.Lanes {
		var next gp.Cells
		to := p.field.Towards(s.at(), d)
		if free.Has(to) {
			next.Set(to)
		}
		if reads>>snakeScalarRoom&1 != 0 {
			room := 0
			if free.Has(to) {
				if !region.Has(to) {
					region = p.field.Flood(next, &free)
				}
				room = region.Count()
			}
			f.Scalar(snakeScalarRoom)[d] = float32(room)
		}
		if reads>>snakeScalarWay&1 != 0 {
			f.Scalar(snakeScalarWay)[d] = snakeFar
			if steps, ok := p.field.Distance(next, &p.food, &free); ok {
				f.Scalar(snakeScalarWay)[d] = float32(steps)
			}
		}
	}
	return 15
}

func (p *pit) Step(chosen *[engine.MaxSeats]int) {
	p.turn++
	dead := uint32(0)
	die := func(seat, mark int) {
		p.each[seat].marks[mark]++
		dead |= 1 << seat
	}
	var to [snakeSeats]int
	for left := p.alive; left != 0; left &= left - 1 {
		seat := bits.TrailingZeros32(left)
		s := &p.each[seat]
		s.lived++
		to[seat] = p.field.Towards(s.at(), chosen[seat])
		if s.health--; p.food.Has(to[seat]) {
			s.health = snakeHealth
			s.marks[snakeMarkFood]++
		} else {
			p.bodies.Clear(int(s.cells[s.tail()]))
			s.length--
		}
		switch {
		case to[seat] == s.at():
			die(seat, snakeMarkWalls)
		case s.health == 0:
			die(seat, snakeMarkHunger)
		}
	}
	for left := p.alive &^ dead; left != 0; left &= left - 1 {
		seat := bits.TrailingZeros32(left)
		if p.bodies.Has(to[seat]) {
			die(seat, snakeMarkBodies)
			continue
		}
		for others := p.alive &^ (1 << seat); others != 0; others &= others - 1 {
			other := bits.TrailingZeros32(others)
			if to[other] == to[seat] && p.each[other].length >= p.each[seat].length {
				die(seat, snakeMarkHeads)
				break
			}
		}
	}
	for left := p.alive; left != 0; left &= left - 1 {
		seat := bits.TrailingZeros32(left)
		s := &p.each[seat]
		p.food.Clear(to[seat])
		if dead>>seat&1 == 0 {
			s.head = (s.head + 1) % snakeCells
			s.length++
			s.cells[s.head] = uint16(to[seat])
			p.bodies.Set(to[seat])
			continue
		}
		for range s.length {
			p.bodies.Clear(int(s.cells[s.tail()]))
			s.length--
		}
	}
	p.alive &^= dead
	p.sow()
}

func (p *pit) Result() engine.Result {
	r := engine.Result{Steps: p.turn}
	for seat := range p.seats {
		s := &p.each[seat]
		r.Marks[seat] = s.marks
		r.Scores[seat] = float64(s.lived) + float64(s.marks[snakeMarkFood])
	}
	r.WinBest(p.seats)
	return r
}

func (p *pit) Scene() engine.Scene {
	b := engine.Board{At: p.turn, Columns: snakeSide, Letters: slices.Repeat([]byte{'.'}, snakeCells),
		Colours: map[byte]uint8{'.': engine.Paper, 'o': engine.Goods},
		Kinds:   []string{"food", "walls", "bodies", "heads", "hunger"}}
	for cell := range p.food.Each {
		b.Letters[p.field.Index(cell)] = 'o'
	}
	for seat := range p.seats {
		s, letter := &p.each[seat], byte('1'+seat)
		b.Colours[letter] = uint8(engine.Seats + seat)
		for i := range s.length {
			b.Letters[p.field.Index(int(s.cells[(s.tail()+i)%snakeCells]))] = letter
		}
		b.Points = append(b.Points, float64(s.lived)+float64(s.marks[snakeMarkFood]))
		counts := make([]int, len(b.Kinds))
		for i := range counts {
			counts[i] = int(s.marks[i])
		}
		b.Counts = append(b.Counts, counts)
	}
	return &b
}

// byHand senses the same cell by cell and with a queue, as a game was written from outside.
type byHand struct{ *pit }

func cellByCell() engine.Stepper { return byHand{&pit{field: gp.NewField(snakeSide, snakeSide)}} }

func (p byHand) Sense(seat int, f *gp.Frame) (possible uint64) {
	s := &p.each[seat]
	at := s.at()
	f.CentreField(p.field, at)
	strong, weak := p.heads(seat)
	for l, board := range []*gp.Cells{&p.bodies, &p.food, &strong, &weak} {
		var seen gp.Bits
		for i := range snakeWindow * snakeWindow {
			cell, ok := p.field.Cell(at, i%snakeWindow-snakeWindow/2, i/snakeWindow-snakeWindow/2)
			if ok && board.Has(cell) || !ok && l == snakeLayerBlocked {
				seen.Set(i)
			}
		}
		f.Layers[l] = seen
	}
	f.SetScalar(snakeScalarHealth, float32(s.health))
	f.SetScalar(snakeScalarLength, float32(s.length))
	reads := f.Reads().Scalars
	for d := range gp.Lanes {
		from := p.field.Towards(at, d)
		room, way := 0, snakeFar
		if !p.bodies.Has(from) {
			room, way = p.flood(from)
		}
		if reads>>snakeScalarRoom&1 != 0 {
			f.Scalar(snakeScalarRoom)[d] = float32(room)
		}
		if reads>>snakeScalarWay&1 != 0 {
			f.Scalar(snakeScalarWay)[d] = float32(way)
		}
	}
	return 15
}

// flood returns how many free cells can be reached from one, and how far the nearest food is.
func (p byHand) flood(from int) (room, way int) {
	way = snakeFar
	var around [32 * snakeSide]int // 1 and the steps
	var queue [snakeCells]int
	around[from], queue[0] = 1, from
	n := 1
	for i := 0; i < n; i++ {
		at := queue[i]
		if p.food.Has(at) {
			way = min(way, around[at]-1)
		}
		for d := range gp.Lanes {
			if to := p.field.Towards(at, d); around[to] == 0 && !p.bodies.Has(to) {
				around[to] = around[at] + 1
				queue[n] = to
				n++
			}
		}
	}
	return n, way
}

func TestSnakesPass(t *testing.T) {
	proof.Slow(t)
	Run(t, newSnakes(byField))
}

// Games by gp.Field, in batches, are those by loops over cells, one by one.
func TestSnakesByHand(t *testing.T) {
	proof.Slow(t)
	proof.Alone(t)
	field, hand := newSnakes(byField), newSnakes(cellByCell)
	genomes := Bred(field, 8)
	fast := proof.Must(bindAll(field, genomes))(t)
	slow := proof.Must(bindAll(hand, genomes))(t)
	for i := range genomes {
		for seats := 2; seats <= snakeSeats; seats++ {
			var jobs []engine.Job
			for n := range 4 {
				job := engine.Job{Seed: uint64(engine.Seed(i).Num(uint64(n)))}
				for seat := range seats {
					job.Players = append(job.Players, fast[(i+seat*(n%2))%len(fast)])
				}
				jobs = append(jobs, job)
			}
			results := make([]engine.Result, len(jobs))
			field.(engine.Batcher).PlayBatch(jobs, results)
			for n, job := range jobs {
				for seat := range job.Players {
					job.Players[seat] = slow[slices.Index(fast, job.Players[seat])]
				}
				if want := hand.Play(job.Players, job.Seed, nil); results[n] != want {
					t.Fatalf("game %d of %d: %+v, by hand %+v", n, seats, results[n], want)
				}
			}
		}
	}
}

// BenchmarkSnakes plays snakes by gp.Field with each executor, and by hand; see Bench.
func BenchmarkSnakes(b *testing.B) {
	b.Run("field", func(b *testing.B) { Bench(b, newSnakes(byField)) })
	b.Run("hand", func(b *testing.B) { Bench(b, newSnakes(cellByCell)) })
}
