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

// newSpec returns the grammar of evolved species but for their senses.
func newSpec(s *Settings) gp.Spec {
	spec := gp.Spec{
		Slots: []gp.Slot{
			{Name: "rest", Type: gp.Float}, {Name: "move", Type: gp.Float},
			{Name: "move-diagonal", Type: gp.Float}, {Name: "hit", Type: gp.Float},
			{Name: "hit-diagonal", Type: gp.Float}, {Name: "divide", Type: gp.Float},
			{Name: "divide-diagonal", Type: gp.Float},
		},
		Operators: gp.Weighted(gp.Shared(), 3, 2),
		Window:    gp.Window{Side: side},
		Rects: gp.RectRange{Centre: int8(s.ViewDistance), Side: int8(2*s.ViewDistance + 1),
			Exact: true},
	}
	if s.Memory {
		spec.Slots = append(spec.Slots, gp.Slot{Name: "memory", Type: gp.Float})
	}
	return spec
}
