package amoebas

import "clade/gp"

// The slots of a genome. A move, a hit or a division is scored by one of two trees, for straight
// and for diagonal directions.
const (
	slotRest = iota
	slotMove
	slotMoveDiagonal
	slotHit
	slotHitDiagonal
	slotDivide
	slotDivideDiagonal
	slotMemory // only with Settings.Memory
	numSlots
)

// The layers of a frame.
const (
	layerFuel     = iota // every visible cell; weights: its fuel
	layerEmpty           // cells without an amoeba
	layerFriends         // the own species, the actor not counted; weights: energy
	layerHostiles        // other species; weights: energy
	layerInjured         // the same cells; weights: health
	layerCalls           // as layerFriends; weights: data. Only with Settings.Memory
)

// The scalars of a frame.
const (
	scalarEnergy = iota
	scalarHealth
	scalarFuel
	scalarRound
	scalarData // only with Settings.Memory
)

// Units of what trees read: large enough numbers come near the constants of a tree, which lie in
// -1..1 and 0..5. The round is scaled like energy.
const (
	unitEnergy = 0.01
	unitHealth = 0.1
	unitData   = 1.0 / 256
)

// newGrammar returns the vocabulary of evolved species.
func newGrammar(s *Settings) *gp.Grammar {
	rows := s.byteEnergy()
	window, sides := gp.Window{Side: side}, 2*s.ViewDistance+1
	extent := window.Square(s.ViewDistance)
	spec := gp.Spec{
		Slots: []gp.Slot{
			{Name: "rest", Type: gp.Float}, {Name: "move", Type: gp.Float},
			{Name: "move-diagonal", Type: gp.Float}, {Name: "hit", Type: gp.Float},
			{Name: "hit-diagonal", Type: gp.Float}, {Name: "divide", Type: gp.Float},
			{Name: "divide-diagonal", Type: gp.Float},
		},
		Operators: append(gp.Weighted(gp.Shared(), 3, 2),
			gp.ScalarSensor("energy", scalarEnergy), gp.ScalarSensor("health", scalarHealth),
			gp.ScalarSensor("ownFuel", scalarFuel), gp.ScalarSensor("round", scalarRound),
			gp.AreaSensor("fuel", gp.Sum, layerFuel), gp.AreaSensor("empty", gp.Count, layerEmpty),
			gp.AreaSensor("friends", gp.Count, layerFriends),
			gp.AreaSensor("hostiles", gp.Count, layerHostiles),
			gp.AreaSensor("friendEnergy", gp.Sum, layerFriends),
			gp.AreaSensor("hostileEnergy", gp.Sum, layerHostiles),
			gp.AreaSensor("weakest", gp.Least, layerInjured)),
		Scalars: scalarData,
		Layers: []gp.Layer{
			{Name: "fuel", Extent: extent, Unit: unitEnergy, Rows: true},
			{Name: "empty", Extent: extent},
			{Name: "friends", Extent: extent, Unit: unitEnergy, Rows: rows},
			{Name: "hostiles", Extent: extent, Unit: unitEnergy, Rows: rows},
			{Name: "injured", Extent: extent, Unit: unitHealth},
		},
		Window: window,
		Rects:  gp.RectRange{Centre: int8(s.ViewDistance), Side: int8(sides), Exact: true},
	}
	if s.Memory {
		spec.Slots = append(spec.Slots, gp.Slot{Name: "memory", Type: gp.Float})
		spec.Operators = append(spec.Operators, gp.ScalarSensor("data", scalarData),
			gp.AreaSensor("friendData", gp.Sum, layerCalls))
		spec.Layers = append(spec.Layers, gp.Layer{Name: "calls", Extent: extent, Unit: unitData})
		spec.Scalars++
	}
	return gp.MustGrammar(spec)
}
