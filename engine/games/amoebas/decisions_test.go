package amoebas

import (
	"encoding/json"
	"strings"
	"testing"

	"clade/engine/enginetest"
	"clade/gp/proof"
)

// recordedDecision is a line of the files of decisions.
type recordedDecision struct {
	T              string
	WS             int
	Species        string
	Energy, Health int
	Data           json.RawMessage
	Fuel           [side * side]int
	Occ            [][]json.RawMessage
	Decisions      map[string]recordedAnswer // of the stock species
	Fn             string                    // of the students
	recordedAnswer
}

type recordedAnswer struct {
	A struct {
		Cmd    string
		Dir    direction
		Data   json.RawMessage
		Child  json.RawMessage `json:"child_data"`
		Fn     bool
		Params map[string]int `json:"child_params"`
	}
	Draws [][3]any
}

// script is a source of draws that gives recorded ones.
type script struct {
	t    *testing.T
	rest [][3]any
}

func (s *script) next(kinds string) [3]any {
	if len(s.rest) == 0 {
		s.t.Fatal("more draws than recorded")
	}
	d := s.rest[0]
	s.rest = s.rest[1:]
	if !strings.Contains(kinds, d[0].(string)+";") {
		s.t.Fatalf("drew %s; recorded %v", kinds, d)
	}
	return d
}

func (s *script) Float() float64 { return s.next("rand;")[2].(float64) }

func (s *script) Below(n int) int {
	d := s.next("rand-int;rand-nth;")
	if int(d[1].(float64)) != n {
		s.t.Fatalf("drew below %d; recorded %v", n, d)
	}
	return int(d[2].(float64))
}

// view builds the position of a recorded decision.
func (d *recordedDecision) view(t *testing.T, data func(json.RawMessage) datum) *view {
	c := defaultConstants()
	c.WorldSize = max(d.WS, 20)
	w := newWorld(newGeometry(c.WorldSize))
	w.reset(&c, make([]decider, 2))
	const x0, y0 = 1, 9 // near an edge
	for i, fuel := range d.Fuel {
		w.setFuel(w.g.cell(x0+i%side-maxView, y0+i/side-maxView), uint8(fuel))
	}
	for _, o := range d.Occ {
		n := func(i int) int { return number(t, o[i]) }
		var name string
		json.Unmarshal(o[2], &name)
		species := 0
		if name != d.Species {
			species = 1
		}
		w.put(w.g.cell(x0+n(0), y0+n(1)), occupant{int16(n(3)), int16(n(4)), uint16(species),
			uint8(species)}, data(o[5]))
	}
	v := &view{w: w}
	v.look(w.g.cell(x0, y0))
	v.Data = data(d.Data)
	return v
}

func noData(json.RawMessage) datum { return 0 }

// compare lets a function decide and compares the answer with the recorded one.
func (r *recordedAnswer) compare(t *testing.T, name string, f decider, v *view) action {
	t.Helper()
	draws := &script{t, r.Draws}
	v.Random = draws
	a := f.Act(v)
	if got := commandNames[a.Command]; got != r.A.Cmd || got != "rest" && a.Direction != r.A.Dir {
		t.Errorf("%s decides %+v; recorded %+v", name, a, r.A)
	}
	proof.Is(t, len(draws.rest), 0, "what %s leaves undrawn", name)
	proof.Is(t, a.Child != nil, r.A.Fn, "%s gives its child a function", name)
	if child, ok := a.Child.(mutating); ok &&
		(child.low != r.A.Params["low_energy"] || child.divide != r.A.Params["divide_energy"]) {
		t.Errorf("%s has the child %+v; recorded %v", name, child, r.A.Params)
	}
	return a
}

// stockNames are the roster's names for those of the record.
var stockNames = map[string]string{"md": "mindless-divider", "sb": "slightlybrainy",
	"msb": "mutating-slightlybrainy"}

// stock returns the function of a name of the record.
func stock(t testing.TB, name string) decider {
	t.Helper()
	name, args, _ := strings.Cut(strings.TrimSuffix(name, ")"), "(")
	if name == "soa" { // slightlybrainy with the meal, always ten, as an additional argument
		name, args = "sb", strings.Replace(args, ",10,", ",", 1)
	}
	if full, ok := stockNames[name]; ok {
		name = full
	}
	for _, e := range (*game)(nil).Players() {
		if e.Name == strings.ToLower(name) {
			p := proof.Must(e.New(args))(t)
			return p.(decider)
		}
	}
	t.Fatalf("no player %q", name)
	return nil
}

// Situations and decisions were recorded in the original engine, of its own four species.
func TestConformanceStockDecisions(t *testing.T) {
	proof.Slow(t)
	eachFile(t, "decisions-stock*.jsonl*", func(t *testing.T, file string) {
		n := 0
		enginetest.EachRecord(t, file, func(_ string, d *recordedDecision) {
			v := d.view(t, noData)
			for name, r := range d.Decisions {
				r.compare(t, name, stock(t, name), v)
				n++
			}
		})
		t.Logf("%d decisions", n)
	})
}

// caesarData turns recorded data into caesar's.
func caesarData(m json.RawMessage) datum {
	var d struct {
		Round int
		Count int `json:"hostiles-count"`
	}
	if len(m) == 0 || json.Unmarshal(m, &d) != nil {
		return 0
	}
	return datum(d.Round*caesarCount + d.Count)
}

// alarmData turns recorded data into those of philip and berit2. Nothing is not an alarm.
func alarmData(m json.RawMessage) datum {
	if string(m) == "1" {
		return alarm
	}
	return 0
}

// covidData turns recorded data into covid's counter.
func covidData(m json.RawMessage) datum {
	var d []json.RawMessage
	var count datum
	if json.Unmarshal(m, &d) != nil || len(d) != 2 || json.Unmarshal(d[1], &count) != nil {
		return 0 // the first is where it killed, which decides nothing
	}
	return count
}

// studentData are the students' readings of recorded data.
var studentData = map[string]func(json.RawMessage) datum{"theroots": noData, "Untitled": noData,
	"caesar": caesarData, "Amoeboiz": noData, "Necrosis": noData, "berit2": alarmData,
	"philip": alarmData, "covid": covidData}

// Situations and decisions were recorded in the original engine, of its students' species.
func TestConformanceStudentDecisions(t *testing.T) {
	eachFile(t, "decisions-student*.jsonl*", func(t *testing.T, file string) {
		n := map[string]int{}
		enginetest.EachRecord(t, file, func(_ string, d *recordedDecision) {
			data, ok := studentData[d.Fn]
			if !ok {
				return // of a species that is not built in
			}
			v := d.view(t, data)
			a := d.compare(t, d.Fn, stock(t, d.Fn), v)
			proof.Is(t, a.Data, data(d.A.Data), "%s remembers", d.Fn)
			if want := data(d.A.Child); a.Command == doDivide && a.ChildData != want {
				t.Errorf("%s tells its child %d; recorded %d", d.Fn, a.ChildData, want)
			}
			n[d.Fn]++
		})
		t.Log(n)
	})
}
