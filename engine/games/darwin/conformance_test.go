package darwin

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp/proof"
)

// trace is any line of a record.
type trace struct {
	K          string
	Map        string
	Species    []string
	Creatures  [][]any
	Shrines    [][]any
	Static     []string
	N          int
	ID         int
	C          string
	P, Q       []any
	E          int
	Obs        [][]any
	A, Arg     string
	R          *int
	Pass       int
	T0         *int64
	SmallT     *int64 `json:"t"` // keys t and T differ only in case
	T          *int64 `json:"T"`
	Die        []int
	Spawn      [][]any
	Pheromones [][]any
	Ascensions map[string]int
	Cut        bool
	Codes      map[string]string
	Population map[string]int
}

// readTrace reads a record.
func readTrace(t *testing.T, path string) (lines []trace) {
	enginetest.EachRecord(t, path, func(_ string, l *trace) { lines = append(lines, *l) })
	return lines
}

// replayer leads a world along a record and takes the random outcomes from it.
type replayer struct {
	t      *testing.T
	w      *world
	names  map[breed]string
	starts map[int]int64
	births [][]any // of the present turn
	died   []int
}

func (r *replayer) startTime(cell int) int64 { return r.starts[cell] }

// born returns the recorded birth of the present turn.
func (r *replayer) born() []any {
	if len(r.births) == 0 {
		r.t.Fatal("a birth that is not recorded")
	}
	return r.births[0]
}

func (r *replayer) facing() direction { return directionOfLetter(r.born()[4]) }

func (r *replayer) newborn(maker direction) direction {
	d := r.facing()
	if d == maker {
		r.t.Fatal("a newborn faces as its maker does")
	}
	return d
}

func (r *replayer) applePlace(w *world) (int, bool) {
	if len(r.births) == 0 {
		return 0, false
	}
	cell := w.ground.cell(num(r.births[0][2]), num(r.births[0][3]))
	if w.cells[cell] != 0 || w.ground.terrain[cell]&shrine != 0 {
		r.t.Fatal("an apple in an impossible place")
	}
	return cell, true
}

// endingNames are the names of the endings in the records of the original.
var endingNames = [...]string{"LOSE", "SURVIVAL", "MAJORITY", "DOMINATION", "ASCENSION"}

// verbOf returns the verb of a letter in the records of the original, end for any other text.
func verbOf(letter string) verb {
	return verb(slices.Index([]string{"F", "B", "L", "R", "A", "O", "D", "P"}, letter) + 1)
}

func num(v any) int { return int(v.(float64)) }

func directionOfLetter(v any) direction {
	for d := north; d <= east; d++ {
		if d.String() == v.(string) {
			return d
		}
	}
	panic("no direction")
}

func (r *replayer) name(b breed) string { return r.names[b] }

// creature writes a creature as a record does, without what follows the enchantment.
func (r *replayer) creature(b *body) string {
	p, e := b.position(), 0
	if b.enchanted {
		e = 1
	}
	return fmt.Sprint([]any{b.id, r.name(b.breed), p.x, p.y, b.facing, e})
}

// Games recorded in the original simulator are replayed from its actions, and compared turn by
// turn.
func TestConformanceGames(t *testing.T) {
	for _, file := range enginetest.Recorded(t, "darwin", "*.jsonl*") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			if proof.Must(os.Stat(file))(t).Size() > 50_000 {
				proof.Slow(t)
			}
			t.Parallel()
			replay(t, filepath.Dir(file), readTrace(t, file))
		})
	}
}

// replay plays a record and compares every step.
func replay(t *testing.T, dir string, lines []trace) {
	head, first := lines[0], lines[1]
	m := must(parseMap(head.Map, must(os.ReadFile(filepath.Join(dir, "maps", head.Map+".map")))))
	rules := original()
	g := newGround(m, &rules, len(head.Species))
	r := &replayer{t: t, starts: map[int]int64{},
		names: map[breed]string{apple: "Apple", flytrap: "Flytrap", treasure: "Treasure"}}
	for i, s := range head.Species {
		r.names[seatBreed(i)] = s
	}
	for _, c := range first.Creatures {
		r.starts[g.cell(num(c[2]), num(c[3]))] = int64(num(c[6]))
	}
	minds := map[int32]mind{}
	r.w = new(world)
	r.w.begin(g, &rules, engine.Seed(0), r, func(b *body) { minds[b.id] = neutralMind(b.breed) },
		func(b *body) { r.died = append(r.died, int(b.id)) })
	r.checkStart(first)
	for _, l := range lines[2:] {
		switch l.K {
		case "snap":
			r.checkSnap(l)
		case "end":
			r.checkEnd(l)
		case "":
			r.turn(l, minds)
		default:
			t.Fatalf("unknown line %q", l.K)
		}
		if t.Failed() {
			t.Fatalf("at turn %d", l.N)
		}
	}
}

func (r *replayer) checkStart(l trace) {
	w := r.w
	for i, c := range l.Creatures {
		proof.Is(r.t, r.creature(&w.bodies[i]), fmt.Sprint(c[:6]), "creature %d", i)
	}
	shrines := map[int]string{}
	for _, s := range l.Shrines {
		shrines[w.ground.cell(num(s[0]), num(s[1]))] = s[2].(string)
	}
	for y, row := range l.Static {
		for x := range row {
			i := w.ground.cell(x, y)
			if got := staticLetter(w.ground, i); got != row[x] {
				r.t.Errorf("square %d %d is %q, recorded %q", x, y, got, row[x])
			}
			if got := r.name(w.ground.terrain[i].owner()); got != shrines[i] {
				r.t.Errorf("the shrine of %d %d is %q's, recorded %q", x, y, got, shrines[i])
			}
		}
	}
	proof.Is(r.t, w.clock, *l.T, "the clock")
}

// staticLetter writes a cell without creatures as a record does.
func staticLetter(g *ground, i int) byte {
	switch what := g.cells[i]; {
	case what < 0:
		return "X#%+"[-what-1]
	case g.terrain[i]&mud != 0:
		return '.'
	case g.terrain[i]&fog != 0:
		return ':'
	case g.terrain[i]&shrine != 0:
		return 's'
	}
	return ' '
}

func (r *replayer) turn(l trace, minds map[int32]mind) {
	w, t := r.w, r.t
	if w.over() {
		t.Fatalf("turn %d: the game is over", l.N)
	}
	b := w.next()
	if int(b.id) != l.ID {
		t.Fatalf("turn %d: creature %d acts, recorded %d", l.N, b.id, l.ID)
	}
	if l.P != nil &&
		fmt.Sprint(l.P) != fmt.Sprint([]any{b.position().x, b.position().y, b.facing}) ||
		b.enchanted != (l.E == 1) {
		t.Errorf("%s stands elsewhere, recorded %v enchanted %d", r.creature(b), l.P, l.E)
	}
	if l.T0 != nil && *l.T0 != b.clock {
		t.Errorf("time before %d, recorded %d", b.clock, *l.T0)
	}
	o, looked := w.observe(b), b.last == observe
	if l.T != nil && looked != (l.Obs != nil) {
		t.Errorf("observed %v, recorded %v", looked, l.Obs)
	}
	if l.Obs != nil {
		r.checkObservation(o, l.Obs)
	}
	verb := verbOf(l.A)
	action := action(verb)
	if verb == emit {
		action = emitText(l.Arg)
	}
	if m := minds[b.id]; m != nil {
		if a := m.decide(b); a != action {
			t.Errorf("%s of its own does %v, recorded %s", r.creature(b), a.verb(), l.A)
		}
	}
	r.births, r.died = l.Spawn, nil
	position, facing, charm := b.position(), b.facing, b.enchanted
	free := len(w.free)
	w.act(b, action)
	if l.R != nil && b.alive && int(b.id) == l.ID && b.done != (*l.R == 1) {
		t.Errorf("result %v, recorded %d", b.done, *l.R)
	}
	if b.alive && int(b.id) == l.ID {
		if l.Q != nil {
			if fmt.Sprint(l.Q) != fmt.Sprint([]any{b.position().x, b.position().y, b.facing}) {
				t.Errorf("%s, recorded at %v", r.creature(b), l.Q)
			}
		} else if position != b.position() || facing != b.facing {
			t.Errorf("%s moved, and is recorded as still", r.creature(b))
		}
		proof.Is(t, b.clock, *l.SmallT, "the time")
		if (charm && !b.enchanted) != (l.Pass == 1) {
			t.Errorf("passed the enchantment %v, recorded %d", charm && !b.enchanted, l.Pass)
		}
	}
	if fmt.Sprint(r.died) != fmt.Sprint(l.Die) && len(r.died)+len(l.Die) > 0 {
		t.Errorf("died %v, recorded %v", r.died, l.Die)
	}
	proof.Is(t, free-len(w.free)+len(l.Die), len(l.Spawn), "births of %v", l.Spawn)
	for _, s := range l.Spawn {
		c := w.creature(int32(num(s[0])))
		if c == nil || r.creature(c) != fmt.Sprint(s[:6]) || c.clock != int64(num(s[6]))+2*decisionCost {
			t.Errorf("born %v, recorded %v", c, s)
		}
	}
	if l.T != nil && w.clock != *l.T {
		t.Errorf("clock %d, recorded %d", w.clock, *l.T)
	}
}

// creature returns the living creature of a number, nil if there is none.
func (w *world) creature(id int32) *body {
	for i := range w.bodies {
		if b := &w.bodies[i]; b.alive && b.id == id {
			return b
		}
	}
	return nil
}

func (r *replayer) checkObservation(o observation, want [][]any) {
	if o.distance+1 != len(want) {
		r.t.Errorf("observed %d squares, recorded %v", o.distance+1, want)
		return
	}
	if o.at(o.distance) != o.seen {
		r.t.Error("the last square of an observation differs from what it saw")
	}
	for i, line := range want {
		s := o.at(o.distance - i)
		got := []any{s.point.x, s.point.y}
		switch s.kind {
		case kindEmpty:
			got = append(got, " ")
		case kindWall:
			got = append(got, "X")
		case kindHazard:
			got = append(got, "+")
		case kindAnimal:
			got = append(got, r.className(s.class), s.id, s.facing)
		}
		flags := ""
		if s.fog {
			flags += "f"
		}
		if s.mud {
			flags += "m"
		}
		if s.shrine != noClass {
			flags += "s:" + r.className(s.shrine)
		}
		if flags != "" {
			got = append(got, flags)
		}
		if fmt.Sprint(got) != fmt.Sprint(line) {
			r.t.Errorf("observed %v, recorded %v", got, line)
		}
	}
}

func (r *replayer) className(c class) string {
	for b, n := range r.names {
		if r.w.classes[b] == c {
			return n
		}
	}
	return "?"
}

func (r *replayer) checkSnap(l trace) {
	w := r.w
	proof.Is(r.t, w.clock, *l.T, "the clock")
	alive := 0
	for i := range w.bodies {
		if w.bodies[i].alive {
			alive++
		}
	}
	proof.Is(r.t, alive, len(l.Creatures), "creatures that live")
	for _, c := range l.Creatures {
		b := w.creature(int32(num(c[0])))
		if b == nil || r.creature(b) != fmt.Sprint(c[:6]) || b.clock != int64(num(c[6])) {
			r.t.Errorf("creature %+v, recorded %v", b, c)
			continue
		}
		queued := 0
		for _, e := range w.queue {
			if e.slot == b.slot {
				queued = 1
			}
		}
		proof.Is(r.t, queued, num(c[7]), "creature %d queued", b.id)
	}
	texts := map[int]string{}
	for _, p := range l.Pheromones {
		texts[w.ground.cell(num(p[0]), num(p[1]))] = p[2].(string)
	}
	for i, s := range w.scents {
		if scentText(s) != texts[i] {
			r.t.Errorf("text %q on %v, recorded %q", scentText(s), w.ground.point(i), texts[i])
		}
	}
}

func (r *replayer) checkEnd(l trace) {
	w := r.w
	if w.over() == l.Cut {
		r.t.Errorf("over: %v, recorded as cut: %v", w.over(), l.Cut)
	}
	if w.clock != *l.T || w.turns != l.N {
		r.t.Errorf("clock %d after %d turns, recorded %d after %d", w.clock, w.turns, *l.T, l.N)
	}
	if l.Cut {
		return
	}
	endings := w.endings()
	for b, name := range r.names {
		proof.Is(r.t, w.population[b], l.Population[name], "%s", name)
		if seat := b.seat(); seat >= 0 {
			proof.Is(r.t, endingNames[endings[seat]], l.Codes[name], "the end of %s", name)
			proof.Is(r.t, w.ascensions[seat], l.Ascensions[name], "ascensions of %s", name)
		}
	}
}
