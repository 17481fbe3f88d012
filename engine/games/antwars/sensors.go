package antwars

import (
	"fmt"

	"clade/gp"
	"clade/gp/export"
)

// sensor is a row of the table of sensors.
type sensor struct {
	name string
	with ants // the least that have it
	form gp.Form
	// the layer, or the scalar of the paper's ants, which kernels fill by this number; keen ants
	// number scalars anew
	index int
	// A scalar is from, plus sign times its source.
	from, sign int32
	of         source
	// c is the name of a scalar in C. Of a layer it is what C does with cell z, which stands X to
	// the right of the ant and Y below it, to compute the result a.
	c     string
	about string // what it says
}

// ants are the kinds of evolved ants; each has all sensors of the kinds before it.
type ants uint8

const (
	ofPaper ants = iota
	keen
	foresighted
)

// ants returns the kind that the settings ask for.
func (s *settings) ants() ants {
	switch {
	case s.Foresight:
		return foresighted
	case s.KeenSenses:
		return keen
	}
	return ofPaper
}

// source is what a scalar is computed from.
type source uint8

const (
	countMoves  source = iota // that the ant has made
	countPoints               // pieces of food that it has eaten
	countFound                // pieces of food that have been in view
	foodAhead                 // food within two moves; see sense.hope
	routeAhead                // worth of the best route; see sense.expect
	winAhead                  // worth of winning with this move
	numSources
)

// sources says of each source which ants have it, and how it is computed: counts in C, all in
// exported programs.
var sources = [numSources]struct {
	with       ants
	c, runtime string
}{
	countMoves: {c: "m.t", runtime: "moves"}, countPoints: {c: "m.p", runtime: "points"},
	countFound: {keen, "m.n", "found"},
	foodAhead:  {runtime: "hope(heading)"}, routeAhead: {with: keen, runtime: "routeFrom(target)"},
	winAhead: {with: foresighted, runtime: "decides(target)"},
}

// isCount tells whether a scalar is the same for all moves.
func (s *sensor) isCount() bool { return s.form == gp.Scalar && s.of < foodAhead }

// isAhead tells whether a scalar differs from move to move.
func (s *sensor) isAhead() bool { return s.form == gp.Scalar && s.of >= foodAhead }

// exported returns how an exported program computes a scalar: counts once a move, others for each
// candidate.
func (s *sensor) exported() export.Sense {
	text := sources[s.of].runtime
	if s.isAhead() {
		return export.Sense{Word: s.name, Expression: text, Stage: "Ahead"}
	}
	if s.sign < 0 {
		text = "-" + text
	}
	return export.Sense{Word: s.name, Expression: fmt.Sprintf("float32(%d + %s)", s.from, text),
		Stage: "Counts"}
}

const scalarFoodHope = 3

// Layers that keen ants have, beside those of the paper.
const (
	layerUnseen = layerVisited + 1 // cells that have never been in view
	layerHunter = layerVisited + 2 // cells on which the opponent may be
)

// sensors is the function set of the paper ("Ant representation"), after gp.Shared, and what keen
// ants have beside it. The executors, the generator of kernels and the exporters are made of it.
// Saved genomes refer to operators by number, so rows must keep their order.
var sensors = []sensor{
	{name: "timeLeft", form: gp.Scalar, index: 0, from: rounds, sign: -1, of: countMoves, c: "T",
		about: "moves that the ant has left"},
	{name: "points", form: gp.Scalar, index: 1, sign: 1, of: countPoints, c: "P",
		about: "pieces of food that it has eaten"},
	{name: "pointsLeft", form: gp.Scalar, index: 2, from: pieces, sign: -1, of: countPoints,
		c: "L", about: "pieces of food that it has not eaten"},
	{name: "foodHope", form: gp.Scalar, index: scalarFoodHope, of: foodAhead, c: "H",
		about: "food within two moves, by the chance that it is still there"},
	{name: "isFood", form: gp.Any, index: layerFood, c: "if(m.f[z])return 1;",
		about: "food was seen in the area"},
	{name: "isEnemy", form: gp.Any, index: layerEnemy, c: "if(z==e)return 1;",
		about: "the opponent is seen in the area"},
	{name: "noFood", form: gp.Sum, index: layerFood, c: "if(m.f[z])a+=w(z);",
		about: "pieces of food in the area, by the chance that they are still there"},
	{name: "noEmpty", form: gp.Count, index: layerEmpty,
		c:     "a+=X*X<5&&Y*Y<5&&!m.f[z]&&z!=e;",
		about: "cells in view in the area that are empty"},
	{name: "noVisited", form: gp.Count, index: layerVisited, c: "a+=m.v[z];",
		about: "cells of the area where the ant has been"},
	{name: "noUnseen", with: keen, form: gp.Count, index: layerUnseen, c: "a+=U(z);",
		about: "cells of the area that have never been in view"},
	{name: "noHunted", with: keen, form: gp.Count, index: layerHunter, c: "a+=m.g[z];",
		about: "cells of the area on which the opponent may be"},
	{name: "foodUnfound", with: keen, form: gp.Scalar, from: pieces, sign: -1, of: countFound,
		c: "N", about: "pieces of food that have never been in view"},
	{name: "foodRoute", with: keen, form: gp.Scalar, of: routeAhead, c: "R",
		about: "worth of the best route over known food that begins with the move"},
	{name: "foodDecides", with: foresighted, form: gp.Scalar, of: winAhead, c: "E",
		about: "worth of winning with the move"},
}

// Layers, and their planes in the order of sight.planes. Layers that hold only cells in view have
// cells in the first plane only; see gp.Grammar.PlaneBit.
const (
	layerFood = iota
	layerEnemy
	layerEmpty
	layerVisited

	planeFood    = 0
	planeVisited = 4
	planeEmpty   = 8
	planeEnemy   = 9
)

var planes = [...]struct{ layer, plane int }{
	{layerFood, 0}, {layerFood, 1}, {layerFood, 2}, {layerFood, 3},
	{layerVisited, 0}, {layerVisited, 1}, {layerVisited, 2}, {layerVisited, 3},
	{layerEmpty, 0},
	{layerEnemy, 0},
}

// Slots.
const (
	slotStraight = iota
	slotDiagonal
)

// The compiler makes two programs of each tree: one for when no enemy is in view, which is most of
// the time, and one for when it is.
const (
	enemyAway = iota
	enemyNear
)

var situations = [...]gp.Situation{enemyAway: {Empty: 1 << layerEnemy},
	enemyNear: {Present: 1 << layerEnemy}}

// window is the whole torus, recentred on the ant.
var window = gp.Window{Side: width, Wrap: true}

// vocabulary returns the grammar of a table of sensors, and the rows that the ants have. It returns
// an error for a sensor that no executor fills, or that has no text in C or in exported programs.
func vocabulary(sensors []sensor, with ants, sight string) (*gp.Grammar, []sensor, error) {
	spec := gp.Spec{
		Slots: []gp.Slot{
			slotStraight: {Name: "straight", Type: gp.Float, Family: "move"},
			slotDiagonal: {Name: "diagonal", Type: gp.Float, Family: "move", Heading: -1},
		},
		Operators: gp.Shared(),
		Layers: []gp.Layer{
			layerFood:    {Name: "food", Unit: certaintyUnit, Near: certainty[0]},
			layerEnemy:   {Name: "enemy", Extent: inView, Single: true},
			layerEmpty:   {Name: "empty", Extent: inView},
			layerVisited: {Name: "visited"},
		},
		Window: window,
		Rects:  gp.PaperRects,
	}
	if sight != "" {
		spec.Layers[layerEnemy].Extent = gp.Bits{}
	}
	if sight == sightBoard {
		spec.Layers[layerEmpty].Extent = gp.Bits{}
	}
	if with >= keen {
		spec.Layers = append(spec.Layers, gp.Layer{Name: "unseen"}, gp.Layer{Name: "hunter"})
	}
	var rows []sensor
	for _, s := range sensors {
		if err := s.check(); err != nil {
			return nil, nil, err
		}
		switch {
		case s.with > with:
			continue
		case s.form == gp.Scalar:
			if with == ofPaper && s.index != spec.Scalars {
				return nil, nil, fmt.Errorf("antwars: sensor %q is scalar %d, not %d: mend the index "+
					"of its row in sensors.go", s.name, spec.Scalars, s.index)
			}
			s.index = spec.Scalars
			spec.Operators = append(spec.Operators, gp.ScalarSensor(s.name, s.index).Saying(s.about))
			spec.Scalars++
		default:
			spec.Operators = append(spec.Operators, gp.AreaSensor(s.name, s.form, s.index).Saying(s.about))
		}
		rows = append(rows, s)
	}
	grammar, err := gp.NewGrammar(spec)
	return grammar, rows, err
}

// check returns an error for a sensor that lacks something.
func (s *sensor) check() error {
	known := s.form == gp.Any || s.form == gp.Count || s.form == gp.Sum
	if s.form == gp.Scalar && s.of < numSources && s.with >= sources[s.of].with {
		known = s.isCount() && (s.sign == 1 || s.sign == -1) ||
			s.isAhead() && (s.of == foodAhead) == (s.with == ofPaper && s.index == scalarFoodHope)
	}
	if !known {
		return fmt.Errorf("antwars: no executor fills sensor %q: see sense.fill and sense.hope", s.name)
	}
	if s.c == "" {
		return fmt.Errorf("antwars: sensor %q has no text in C: add c to its row in sensors.go", s.name)
	}
	if s.form == gp.Scalar {
		return s.exported().Check()
	}
	return nil
}
