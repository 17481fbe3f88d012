package amoebas

import (
	"fmt"

	"clade/gp"
	"clade/gp/export"
)

// sense is a row of the table of senses: a word of evolved species, and how each executor and
// exporter computes it.
type sense struct {
	name   string
	about  string // what it tells, for README.md
	form   gp.Form
	layer  int  // what an area counts or adds up
	memory bool // only with Settings.Memory

	// A scalar is a count in a unit. Those of the first rows are View.counts, which kernels take.
	unit  float32
	count func(*view) int32
	// runtime is the count as export/player.go computes it, in its part of Go, and clojure as
	// view-of of export/amoeba.clj does.
	runtime, clojure string
}

// Units that scale what trees read, so that large numbers come near the constants of a tree, which
// lie in -1..1 and 0..5. The round is scaled like energy.
const (
	unitEnergy = 0.01
	unitHealth = 0.1
	unitData   = 1.0 / 256
)

// senses are the words of evolved species after gp.Shared. Grammar, executors, exporters and
// README.md are made of them. Saved genomes refer to words by number: rows must keep their order,
// and a new one goes last.
var senses = []sense{
	{name: "energy", about: "the amoeba's energy / 100", form: gp.Scalar, unit: unitEnergy,
		runtime: "given(0)", clojure: "energy"},
	{name: "health", about: "its health / 10", form: gp.Scalar, unit: unitHealth,
		runtime: "given(1)", clojure: "health"},
	{name: "ownFuel", about: "the fuel of its cell / 100", form: gp.Scalar, unit: unitEnergy,
		runtime: "cell(cells/2, 0)", clojure: "(:fuel (get cells [0 0]))"},
	{name: "round", about: "the round / 100, from 0", form: gp.Scalar, unit: unitEnergy,
		runtime: "given(2)", clojure: "round"},
	{name: "fuel", about: "the fuel of visible cells", form: gp.Sum, layer: layerFuel},
	{name: "empty", about: "cells without an amoeba", form: gp.Count, layer: layerEmpty},
	{name: "friends", about: "amoebas of its species, itself not counted", form: gp.Count,
		layer: layerFriends},
	{name: "hostiles", about: "amoebas of other species", form: gp.Count, layer: layerHostiles},
	{name: "friendEnergy", about: "the energy of friends", form: gp.Sum, layer: layerFriends},
	{name: "hostileEnergy", about: "the energy of hostiles", form: gp.Sum, layer: layerHostiles},
	{name: "weakest", about: "the least health of a hostile, 0 without any", form: gp.Least,
		layer: layerInjured},
	{name: "data", about: "its data / 256", form: gp.Scalar, unit: unitData, memory: true,
		count:   func(v *view) int32 { return fromData(v.Data) },
		runtime: "max(min(given(4+4*cells), limit), -limit)", clojure: "memory"},
	{name: "friendData", about: "the data of friends", form: gp.Sum, layer: layerCalls, memory: true},
}

// numCounts is the number of the first rows, which View.counts computes and which have no count of
// their own.
const numCounts = 4

// counts returns what the first rows count.
func (v *view) counts() [numCounts]int32 {
	return [...]int32{int32(v.Energy), int32(v.Health), int32(v.ownFuel()), int32(v.round)}
}

// value returns the value of a scalar that has a count of its own.
func (r *sense) value(v *view) float32 { return float32(r.count(v)) * r.unit }

// layerRow is a row of the table of layers.
type layerRow struct {
	name   string
	among  int     // group of its cells
	weight int     // of a cell
	unit   float32 // of the weight
	memory bool    // only with Settings.Memory
}

// The layers, by row. A frame has those that the settings allow.
const (
	layerFuel = iota
	layerEmpty
	layerFriends
	layerHostiles
	layerInjured
	layerCalls
)

var layerRows = []layerRow{
	{name: "fuel", among: groupVisible, weight: weightFuel, unit: unitEnergy},
	{name: "empty", among: groupEmpty},
	{name: "friends", among: groupFriends, weight: weightEnergy, unit: unitEnergy},
	{name: "hostiles", among: groupHostiles, weight: weightEnergy, unit: unitEnergy},
	{name: "injured", among: groupHostiles, weight: weightHealth, unit: unitHealth},
	{name: "calls", among: groupFriends, weight: weightData, unit: unitData, memory: true},
}

// Groups of visible cells.
const (
	groupVisible  = iota
	groupEmpty    // without an amoeba
	groupFriends  // of the own species, the actor not counted
	groupHostiles // of other species
	numGroups
)

// groups holds, for each group, the condition on cell i in exported programs, that on a cell in
// Clojure, and the situation in which the group is empty.
var groups = [numGroups]struct {
	runtime, clojure string
	without          int
}{
	groupVisible: {"cell(i, 0) >= 0", "true", 0},
	groupEmpty:   {"cell(i, 0) >= 0 && cell(i, 1) == 0", "(= (:who cell) :nobody)", 0},
	groupFriends: {"cell(i, 0) >= 0 && cell(i, 1) == 1 && i != cells/2",
		"(= (:who cell) :friend)", noFriend},
	groupHostiles: {"cell(i, 0) >= 0 && cell(i, 1) == 2", "(= (:who cell) :hostile)", noHostile},
}

// grouped returns the cells of each group.
func grouped(sight, occupied, friends cellSet) [numGroups]cellSet {
	return [...]cellSet{groupVisible: sight, groupEmpty: sight &^ occupied,
		groupFriends: friends &^ own, groupHostiles: occupied &^ friends}
}

// Weights of cells. Those of peek.planes come first.
const (
	weightNone = iota
	weightFuel
	weightEnergy
	weightHealth
	weightData
)

// weightings are how executors and exported programs weigh a cell, and the most that it can weigh.
var weightings = [...]struct {
	of               func(w *world, cell int) int32
	most             func(*constants) int
	runtime, clojure string
}{
	weightNone: {clojure: "1"},
	weightFuel: {func(w *world, cell int) int32 { return int32(w.fuel[cell]) },
		func(*constants) int { return maxFuel }, "cell(i, 0)", "(:fuel cell)"},
	weightEnergy: {func(w *world, cell int) int32 { return int32(w.who[cell].energy) },
		func(c *constants) int {
			if c.byteEnergy() {
				return c.MaxAmoebaEnergy
			}
			return maxUnits
		}, "cell(i, 2)", "(:energy cell)"},
	weightHealth: {func(w *world, cell int) int32 { return int32(w.who[cell].health) },
		func(c *constants) int { return c.MaxAmoebaHealth }, "cell(i, 3)", "(:health cell)"},
	weightData: {func(w *world, cell int) int32 { return fromData(w.data[cell]) },
		func(*constants) int { return maxMemory },
		"max(min(given(5+4*cells+i), limit), -limit)", "(:memory cell)"},
}

// vocabulary is the words of a game.
type vocabulary struct {
	*gp.Grammar
	scalars  []sense    // by scalar
	layers   []layerRow // by layer
	weighted uint32     // set of the layers with weights
	bytes    bool       // the weights are what gp.SoloLayer can take
}

// newVocabulary returns the vocabulary of two tables. It returns an error for a row that lacks what
// an executor or exporter needs, whether or not this machine uses it.
func newVocabulary(senses []sense, layers []layerRow, s *Settings) (*vocabulary, error) {
	v := &vocabulary{bytes: true}
	spec := newSpec(s)
	extent := spec.Window.Square(s.ViewDistance)
	places := make([]int, len(layers)) // in the frame
	for i, r := range layers {
		if err := r.check(); err != nil {
			return nil, fmt.Errorf("amoebas: layer %q %w", r.name, err)
		}
		if r.memory && !s.Memory {
			continue
		}
		places[i] = len(v.layers)
		l := gp.Layer{Name: r.name, Extent: extent, Unit: r.unit}
		if r.weight != weightNone {
			most, extremes := weightings[r.weight].most(&s.constants), extremesOf(senses, i)
			v.weighted |= 1 << places[i]
			v.bytes = v.bytes && most <= maxFuel && !(extremes && most >= gp.NoWeight)
			l.Rows = most <= maxFuel && !extremes
		}
		v.layers, spec.Layers = append(v.layers, r), append(spec.Layers, l)
	}
	for i := range senses {
		r := &senses[i]
		if err := r.check(i < numCounts, layers); err != nil {
			return nil, fmt.Errorf("amoebas: sense %q %w", r.name, err)
		}
		switch {
		case r.memory && !s.Memory:
		case r.form == gp.Scalar:
			spec.Operators = append(spec.Operators,
				gp.ScalarSensor(r.name, len(v.scalars)).Saying(r.about))
			v.scalars = append(v.scalars, *r)
		default:
			spec.Operators = append(spec.Operators,
				gp.AreaSensor(r.name, r.form, places[r.layer]).Saying(r.about))
		}
	}
	spec.Scalars = len(v.scalars)
	var err error
	if v.Grammar, err = gp.NewGrammar(spec); err != nil {
		return nil, fmt.Errorf("amoebas: %w", err)
	}
	return v, nil
}

// extremesOf tells whether some sense asks for a layer's least or greatest weight.
func extremesOf(senses []sense, layer int) bool {
	for _, r := range senses {
		if (r.form == gp.Least || r.form == gp.Greatest) && r.layer == layer {
			return true
		}
	}
	return false
}

// check returns an error for a row that lacks something. first says that it is one of the first
// numCounts.
func (r *sense) check(first bool, layers []layerRow) error {
	if first && (r.form != gp.Scalar || r.memory || r.count != nil) {
		return fmt.Errorf("stands among the first rows, whose order is that of View.counts: make it " +
			"the last row in senses.go")
	}
	switch r.form {
	case gp.Scalar:
		for _, need := range []struct {
			what   string
			lacked bool
		}{{"unit", r.unit == 0}, {"count, by which amoebas know it", !first && r.count == nil},
			{"runtime, the count in exported programs", r.runtime == ""},
			{"clojure, the count in Clojure", r.clojure == ""}} {
			if need.lacked {
				return fmt.Errorf("lacks its %s: add it to the row in senses.go", need.what)
			}
		}
		if err := r.exported().Check(); err != nil {
			return fmt.Errorf("has a runtime that no program can compute: %w", err)
		}
	case gp.Count, gp.Any, gp.Sum, gp.Least, gp.Greatest:
		switch {
		case r.layer < 0 || r.layer >= len(layers):
			return fmt.Errorf("reads layer %d of %d: add the layer's row in senses.go", r.layer,
				len(layers))
		case layers[r.layer].memory && !r.memory:
			return fmt.Errorf("reads layer %q, which only games with memory have: set memory in "+
				"its row", layers[r.layer].name)
		case r.form != gp.Count && r.form != gp.Any && layers[r.layer].weight == weightNone:
			return fmt.Errorf("reads weights of layer %q, which has none: give that row a weight "+
				"in senses.go", layers[r.layer].name)
		case clojureAreas[r.form] == "":
			return fmt.Errorf("has a form of sensor that export/amoeba.clj lacks: add a function " +
				"there, and its name to clojureAreas")
		}
	default:
		return fmt.Errorf("is neither a scalar nor of an area, which is all that amoebas fill")
	}
	if r.about == "" {
		return fmt.Errorf("lacks its about, which README.md tells of it: add it to the row in " +
			"senses.go")
	}
	return nil
}

// check returns an error for a row that lacks something.
func (r *layerRow) check() error {
	switch {
	case r.among < 0 || r.among >= numGroups:
		return fmt.Errorf("is of a group of cells that does not exist: add it to groups in senses.go")
	case r.weight < 0 || r.weight >= len(weightings):
		return fmt.Errorf("has a weight that does not exist: add it to weightings in senses.go")
	case r.weight > weightFuel && r.among != groupFriends && r.among != groupHostiles:
		return fmt.Errorf("weighs cells in which there may be no amoeba: only friends and hostiles " +
			"have more than fuel")
	case (r.weight == weightNone) != (r.unit == 0):
		return fmt.Errorf("needs a unit and a weight, or neither: mend its row in senses.go")
	}
	return nil
}

// exported returns how exported programs compute a scalar.
func (r *sense) exported() export.Sense {
	return export.Sense{Word: r.name, Stage: "Self",
		Expression: fmt.Sprintf("float32(%s) * %v", r.runtime, r.unit)}
}

// exported returns how exported programs compute scalars, cells of layers and their weights.
func (v *vocabulary) exported() (scalars, cells, weights []export.Sense) {
	for _, r := range v.scalars {
		scalars = append(scalars, r.exported())
	}
	for _, r := range v.layers {
		cells = append(cells, export.Sense{Word: r.name, Expression: groups[r.among].runtime})
		if r.weight != weightNone {
			weights = append(weights, export.Sense{Word: r.name,
				Expression: weightings[r.weight].runtime})
		}
	}
	return scalars, cells, weights
}

// situations returns what is certain in each situation.
func (v *vocabulary) situations() []gp.Situation {
	s := make([]gp.Situation, numSituations)
	for i := range s {
		for l, r := range v.layers {
			if i&groups[r.among].without != 0 {
				s[i].Empty |= 1 << l
			}
		}
	}
	return s
}
