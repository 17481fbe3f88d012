package amoebas

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"clade/engine"

	"clade/engine/enginetest"
	"clade/gp/proof"
)

// The recorded data are those of the original program; see their README for the formats.

// eachFile runs a subtest for each recorded file of a pattern.
func eachFile(t *testing.T, pattern string, check func(*testing.T, string)) {
	t.Helper()
	for _, f := range enginetest.Recorded(t, "amoebas", pattern) {
		t.Run(filepath.Base(f), func(t *testing.T) { check(t, f) })
	}
}

// recordedConstants have the names of the original's constants, which encoding/json matches with
// the fields of Constants.
type recordedConstants = constants

// recordedLine is a line of any file of steps.
type recordedLine struct {
	T           string
	Run         string
	Consts      recordedConstants
	Species     []string
	Fuel        json.RawMessage
	Amoebas     [][]json.RawMessage
	Order       [][2]int
	R           int
	P           [2]int
	A           map[string]json.RawMessage
	Ch          [][]json.RawMessage
	Cells       [][]json.RawMessage
	Size        map[string]int
	Energy      map[string]int
	AfterRounds int `json:"after_rounds"`
	PNG         *string
}

// recordedWorld is a world that follows a record.
type recordedWorld struct {
	t *testing.T
	*world
	names []string         // of species
	data  map[string]datum // numbers for the data of the record
}

func number(t *testing.T, m json.RawMessage) int {
	t.Helper()
	var n int
	proof.OK(t, json.Unmarshal(m, &n))
	return n
}

func newRecorded(t *testing.T, h *recordedLine) *recordedWorld {
	t.Helper()
	proof.OK(t, engine.CheckSettings("amoebas", &h.Consts))
	r := &recordedWorld{t: t, world: newWorld(newGeometry(h.Consts.WorldSize)), names: h.Species,
		data: map[string]datum{"1": alarm}}
	r.reset(&h.Consts, make([]decider, len(h.Species)))
	return r
}

// remember returns the number of a recorded datum. All that it keeps of their meaning is the alarm.
func (r *recordedWorld) remember(m json.RawMessage) datum {
	if len(m) == 0 || string(m) == "null" {
		return 0
	}
	if _, ok := r.data[string(m)]; !ok {
		r.data[string(m)] = datum(len(r.data) + 1)
	}
	return r.data[string(m)]
}

// load sets the world to an "init", "state" or "end" line.
func (r *recordedWorld) load(l *recordedLine) {
	r.reset(&r.constants, make([]decider, len(r.names)))
	var all []int
	if json.Unmarshal(l.Fuel, &all) != nil {
		all = slices.Repeat([]int{number(r.t, l.Fuel)}, r.g.size*r.g.size)
	}
	for i, v := range all {
		r.setFuel(r.g.cell(i%r.g.size, i/r.g.size), uint8(v))
	}
	for _, a := range l.Amoebas {
		n := func(i int) int { return number(r.t, a[i]) }
		r.put(r.g.cell(n(0), n(1)), occupant{int16(n(3)), int16(n(4)), uint16(n(2)), uint8(n(2))},
			r.remember(a[5]))
	}
}

// state is what a record says of a cell.
type state struct {
	fuel int
	who  seenAmoeba
	any  bool
}

func (r *recordedWorld) state(cell int) state {
	o, ok := r.occupant(cell)
	if !ok {
		o = seenAmoeba{}
	}
	return state{int(r.world.fuel[cell]), o, ok}
}

// parse reads a cell of a record: x, y, fuel, occupant.
func (r *recordedWorld) parse(c []json.RawMessage) (cell int, s state) {
	cell = r.g.cell(number(r.t, c[0]), number(r.t, c[1]))
	s.fuel = number(r.t, c[2])
	var o []json.RawMessage
	if json.Unmarshal(c[3], &o) == nil && o != nil {
		s.any = true
		s.who = seenAmoeba{number(r.t, o[0]), number(r.t, o[1]), number(r.t, o[2]), r.remember(o[3])}
	}
	return cell, s
}

// action reads a recorded action.
func (r *recordedWorld) action(a map[string]json.RawMessage) action {
	commands := map[string]command{`"rest"`: doRest, `"move"`: doMove, `"hit"`: doHit,
		`"divide"`: doDivide}
	command, ok := commands[string(a["cmd"])]
	if !ok {
		return invalid
	}
	act := action{Command: command, Data: r.remember(a["data"]),
		heritage: heritage{ChildData: r.remember(a["child_data"])}}
	if command != doRest {
		d, ok := map[string]direction{"0": 0, "1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6,
			"7": 7}[string(a["dir"])]
		if !ok {
			return invalid
		}
		act.Direction = d
	}
	return act
}

// step carries out a recorded step and compares what changed.
func (r *recordedWorld) step(l *recordedLine) {
	before := r.all()
	a := r.action(l.A)
	if decoded := decode(a.encode()); decoded.encode() != a.encode() || decoded.Command != a.Command {
		r.t.Errorf("%+v is recorded as %+v", a, decoded)
	}
	r.act(r.g.cell(l.P[0], l.P[1]), a)
	changed := map[int]state{}
	for cell, s := range r.all() {
		if s != before[cell] {
			changed[cell] = s
		}
	}
	want := map[int]state{}
	for _, c := range l.Ch {
		cell, s := r.parse(c)
		want[cell] = s
	}
	if fmt.Sprint(changed) != fmt.Sprint(want) {
		r.t.Errorf("%v at %v changed %v; recorded %v", l.A, l.P, changed, want)
	}
}

func (r *recordedWorld) all() map[int]state {
	m := map[int]state{}
	for _, c := range r.g.order {
		m[int(c)] = r.state(int(c))
	}
	return m
}

// Whole games recorded in the original engine are replayed action by action, with the energy and
// the cells that it has after each.
func TestConformanceTraces(t *testing.T) {
	proof.Long(t)
	eachFile(t, "trace-*.jsonl*", func(t *testing.T, file string) {
		var w *recordedWorld
		var queue []uint16
		steps := 0
		enginetest.EachRecord(t, file, func(_ string, l *recordedLine) {
			switch l.T {
			case "header":
				w = newRecorded(t, l)
			case "init":
				w.load(l)
			case "o":
				w.schedule()
				queue = slices.Clone(w.queue)
				var want []uint16
				for _, p := range l.Order {
					want = append(want, uint16(w.g.cell(p[0], p[1])))
				}
				proof.Are(t, queue, want, "the order")
			case "s":
				for w.who[queue[0]].species == free {
					queue = queue[1:]
				}
				proof.Is(t, int(queue[0]), w.g.cell(l.P[0], l.P[1]), "the cell that acts")
				queue = queue[1:]
				w.compareDecision(l)
				w.step(l)
				steps++
			case "r":
				for len(queue) > 0 && w.who[queue[0]].species == free {
					queue = queue[1:]
				}
				if len(queue) > 0 {
					t.Errorf("%v has not acted", queue)
				}
				w.shine()
				w.compareTotals(l)
			case "end":
				end := newRecorded(t, &recordedLine{Consts: w.constants, Species: w.names})
				end.data = w.data
				end.load(l)
				if fmt.Sprint(end.all()) != fmt.Sprint(w.all()) {
					t.Errorf("the world at the end differs")
				}
				compareCopies(t, w.world)
			}
		})
		t.Logf("%d steps", steps)
	})
}

// compareDecision lets the species decide if it is built in.
func (r *recordedWorld) compareDecision(l *recordedLine) {
	cell := r.g.cell(l.P[0], l.P[1])
	name := r.names[r.who[cell].species]
	if _, ok := studentData[name]; !ok || name == "covid" { // whose data are a count
		return
	}
	v := view{w: r.world}
	v.look(cell)
	got, want := stock(r.t, name).Act(&v), r.action(l.A)
	if got.Command != want.Command || got.Direction != want.Direction {
		r.t.Errorf("%s decides %+v; recorded %+v; energy %d, fuel %d, free %08b, targets %08b, "+
			"friends %d %v, hostiles %v", name, got, want, v.Energy, v.ownFuel(), v.free(),
			v.targets(), v.friends().count(), sectionCounts(v.friends()),
			sectionCounts(v.hostiles()))
	}
}

func (r *recordedWorld) compareTotals(l *recordedLine) {
	fuel := 0
	for _, c := range r.g.order {
		fuel += int(r.world.fuel[c])
	}
	var want int
	proof.OK(r.t, json.Unmarshal(l.Fuel, &want))
	proof.Is(r.t, fuel, want, "fuel")
	for s, name := range r.names {
		if r.sizes[s] != l.Size[name] || r.energies[s] != l.Energy[name] {
			r.t.Errorf("%s: %d amoebas with energy %d; recorded %d, %d", name, r.sizes[s],
				r.energies[s], l.Size[name], l.Energy[name])
		}
	}
}

// Single steps at the bounds of the rules were recorded in the original engine.
func TestConformanceSteps(t *testing.T) {
	proof.Slow(t)
	eachFile(t, "micro*.jsonl*", func(t *testing.T, file string) {
		var w *recordedWorld
		enginetest.EachRecord(t, file, func(_ string, l *recordedLine) {
			if l.T == "header" {
				w = newRecorded(t, l)
				return
			}
			w.load(&recordedLine{Fuel: json.RawMessage("0")})
			for _, c := range l.Cells {
				cell, s := w.parse(c)
				w.setFuel(cell, uint8(s.fuel))
				if s.any {
					w.put(cell, occupant{int16(s.who.Energy), int16(s.who.Health),
						uint16(s.who.Species), uint8(s.who.Species)}, s.who.Data)
				}
			}
			w.step(l)
			compareCopies(t, w.world)
		})
	})
}

// compareCopies checks that the margins hold copies, that the bit planes show who is where, and
// that the totals are right.
func compareCopies(t *testing.T, w *world) {
	t.Helper()
	var sizes, energies [16]int
	n := w.g.size
	bit := func(plane []uint8, cell int) bool { return plane[cell>>3]>>(cell&7)&1 != 0 }
	for y := -margin; y < n+margin; y++ {
		for x := -margin; x < n+margin; x++ {
			i := (y+margin)*w.g.pitch + x + margin
			home := w.g.home(i)
			if w.fuel[i] != w.fuel[home] {
				t.Errorf("the copy of cell (%d, %d) has fuel %d instead of %d", x, y, w.fuel[i], w.fuel[home])
			}
			o := w.who[home]
			if bit(w.occupied, i) != (o.species != free) {
				t.Errorf("cell (%d, %d): occupied is %v", x, y, bit(w.occupied, i))
			}
			for s := range w.seats {
				if bit(w.species[s], i) != (int(o.species) == s) {
					t.Errorf("cell (%d, %d): species %d is %v", x, y, s, bit(w.species[s], i))
				}
			}
			if i == home && o.species != free {
				sizes[o.species]++
				energies[o.species] += int(o.energy)
			}
		}
	}
	if sizes != w.sizes || energies != w.energies {
		t.Errorf("sizes %v, energies %v; counted %v, %v", w.sizes, w.energies, sizes, energies)
	}
}

// The order in which amoebas act is that of the original's hashes, recorded in Clojure.
func TestConformanceOrder(t *testing.T) {
	eachFile(t, "order*.jsonl*", func(t *testing.T, file string) {
		type line struct {
			T     string
			World int
			Order [][2]int
			P     [2]int
			Hash  int32 `json:"hasheq"`
		}
		enginetest.EachRecord(t, file, func(_ string, raw *json.RawMessage) {
			var l line
			// one holds a comma, which a field's tag cannot name
			var keys map[string]json.RawMessage
			if json.Unmarshal(*raw, &l) != nil || json.Unmarshal(*raw, &keys) != nil {
				t.Fatalf("%s", *raw)
			}
			switch l.T {
			case "order":
				w := newWorld(newGeometry(l.World))
				c := defaultConstants()
				w.reset(&c, make([]decider, 1))
				var want []uint16
				for _, p := range l.Order {
					w.put(w.g.cell(p[0], p[1]), occupant{}, 0)
					want = append(want, uint16(w.g.cell(p[0], p[1])))
				}
				w.schedule()
				proof.Are(t, w.queue, want, "the order")
			case "order-full":
				g := newGeometry(l.World)
				var lines []string
				for _, c := range g.order {
					x, y := g.position(int(c))
					lines = append(lines, fmt.Sprintf("%d,%d", x, y))
				}
				var want string
				json.Unmarshal(keys["sha256_of_newline_joined_x,y"], &want)
				sum := fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(lines, "\n"))))
				proof.Is(t, sum, want, "the sum of the order of all cells")
			case "hash":
				proof.Is(t, hashPosition(l.P[0], l.P[1]), uint32(l.Hash), "the hash of %v", l.P)
			}
		})
	})
}
