package antwars

import (
	"fmt"
	"slices"

	"clade/gp"
)

// sensor is a row of the table of sensors.
type sensor struct {
	name  string
	form  gp.Form
	index int // scalar or layer
	// A scalar is from, plus sign times its source.
	from, sign int32
	of         source
	// c is the name of a scalar in C. Of a layer it is what C does with cell z, which stands X to the
	// right of the ant and Y below it, to compute the result a.
	c string
}

// source is what a scalar is computed from.
type source uint8

const (
	countMoves  source = iota // that the ant has made
	countPoints               // pieces of food that it has eaten
	foodAhead                 // food within two moves; see sense.hope
)

const scalarFoodHope = 3

// Senses of keen ants, beside those of the paper.
const (
	layerUnseen = layerVisited + 1 // cells that have never been in view
	layerHunter = layerVisited + 2 // cells on which the opponent may be

	scalarUnfound = scalarFoodHope + 1 // pieces of food that have never been in view
	scalarRoute   = scalarFoodHope + 2 // worth of the best route; see sense.perceive
	scalarDecides = scalarFoodHope + 3 // with foresight: worth of winning with this move
)

// sensors is the function set of the paper ("Ant representation"), after gp.Shared. The scalar
// executor, the lockstep executor, the generator of its kernels and the writer of C read it. Saved
// genomes hold the numbers of operators, so that rows keep their order.
var sensors = []sensor{
	{name: "timeLeft", form: gp.Scalar, index: 0, from: rounds, sign: -1, of: countMoves, c: "T"},
	{name: "points", form: gp.Scalar, index: 1, sign: 1, of: countPoints, c: "P"},
	{name: "pointsLeft", form: gp.Scalar, index: 2, from: pieces, sign: -1, of: countPoints,
		c: "L"},
	{name: "foodHope", form: gp.Scalar, index: scalarFoodHope, of: foodAhead, c: "H"},
	{name: "isFood", form: gp.Any, index: layerFood, c: "if(m.f[z])return 1;"},
	{name: "isEnemy", form: gp.Any, index: layerEnemy, c: "if(z==e)return 1;"},
	{name: "noFood", form: gp.Sum, index: layerFood, c: "if(m.f[z])a+=w(z);"},
	{name: "noEmpty", form: gp.Count, index: layerEmpty,
		c: "a+=X*X<5&&Y*Y<5&&!m.f[z]&&z!=e;"},
	{name: "noVisited", form: gp.Count, index: layerVisited, c: "a+=m.v[z];"},
}

// counts are the scalars that are computed from a count.
var counts = slices.DeleteFunc(slices.Clone(sensors),
	func(s sensor) bool { return s.form != gp.Scalar || s.of == foodAhead })

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

// vocabulary makes the grammar of a table of sensors. It refuses a sensor that no executor fills or
// that has no text in C.
func vocabulary(sensors []sensor, with settings) (*gp.Grammar, error) {
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
	for _, s := range sensors {
		counted := s.of < foodAhead && (s.sign == 1 || s.sign == -1)
		switch {
		case s.c == "":
			return nil, fmt.Errorf("antwars: sensor %q has no text in C", s.name)
		case s.form == gp.Scalar && (counted || s.of == foodAhead && s.index == scalarFoodHope):
			spec.Operators = append(spec.Operators, gp.ScalarSensor(s.name, s.index))
			spec.Scalars++
		case s.form == gp.Any, s.form == gp.Count, s.form == gp.Sum:
			spec.Operators = append(spec.Operators, gp.AreaSensor(s.name, s.form, s.index))
		default:
			return nil, fmt.Errorf("antwars: no executor fills sensor %q", s.name)
		}
	}
	if with.KeenSenses {
		spec.Operators = append(spec.Operators, keenSenses...)
		spec.Layers = append(spec.Layers, gp.Layer{Name: "unseen"}, gp.Layer{Name: "hunter"})
		spec.Scalars = scalarRoute + 1
	}
	if with.Foresight {
		spec.Operators = append(spec.Operators, foresight)
		spec.Scalars = scalarDecides + 1
	}
	return gp.NewGrammar(spec)
}
