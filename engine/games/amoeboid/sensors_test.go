package amoeboid

import (
	"testing"

	"clade/engine"
)

// plainScene is a position after a move, for the definitions of the sensors.
type plainScene struct {
	*Position
	g          *Graph
	seat, die  int
	end        int // cell where the move ended
	mine       []int
	theirs     []int
	rest, room int
}

func newPlainScene(p *Position, g *Graph, seat, die, end int) *plainScene {
	s := &plainScene{Position: p, g: g, seat: seat, die: die, end: end}
	for c := range g.Cells() {
		piece := p.Piece(c)
		switch more := piece[seat] - piece[1-seat]; {
		case more > 0:
			s.mine = append(s.mine, c)
		case more < 0:
			s.theirs = append(s.theirs, c)
		case piece.Size() > 0:
			s.rest++
		default:
			s.room++
		}
	}
	return s
}

func (s *plainScene) size(c int) int { return int(s.Piece(c).Size()) }

// sum adds up what the function says of cells.
func sum(cells []int, f func(c int) int) (n int) {
	for _, c := range cells {
		n += f(c)
	}
	return n
}

// largest returns the size of the largest of the cells' pieces that some hunter next to it can eat
// with so much more than it has, 0 without.
func (s *plainScene) largest(prey, hunters []int, more int) (n int) {
	for _, c := range prey {
		for _, h := range hunters {
			if s.g.adjacent(c, h) && s.size(h)+more >= s.size(c) {
				n = max(n, s.size(c))
			}
		}
	}
	return n
}

// mean is that, averaged over the rolls.
func (s *plainScene) mean(prey, hunters []int) float32 {
	total := 0
	for roll := 1; roll <= s.die; roll++ {
		total += s.largest(prey, hunters, roll)
	}
	return float32(total) / float32(s.die)
}

// scalars are those that are read off the position after the move.
func (s *plainScene) scalars() map[int]float32 {
	units := s.Units()
	threat, most := 0, 0
	for _, c := range s.theirs {
		most = max(most, s.size(c))
	}
	if s.Owned(s.seat)>>s.end&1 != 0 {
		for _, c := range s.theirs {
			if s.g.adjacent(c, s.end) && s.size(c)+s.die >= s.size(s.end) {
				threat = max(threat, s.size(c))
			}
		}
	}
	mine, theirs := sum(s.mine, s.size), sum(s.theirs, s.size)
	piece := s.Piece(s.end)
	return map[int]float32{
		scalarSize: float32(piece.Size()), scalarUnits: float32(piece[s.seat]),
		scalarForeign: float32(piece[1-s.seat]),
		scalarLead:    float32(units[s.seat] - units[1-s.seat]),
		scalarControl: float32(mine - theirs),
		scalarMine:    float32(mine), scalarTheirs: float32(theirs),
		scalarMyCount: float32(len(s.mine)), scalarTheirCnt: float32(len(s.theirs)),
		scalarNeutral: float32(s.rest), scalarRoom: float32(s.room),
		scalarThreat: float32(threat), scalarExposed: float32(s.largest(s.mine, s.theirs, s.die)),
		scalarPrey:      float32(s.largest(s.theirs, s.mine, 0)),
		scalarTheirMost: float32(most), scalarRisk: s.mean(s.mine, s.theirs),
		scalarHope: s.mean(s.theirs, s.mine),
	}
}

// layer tells whether a cell is on a layer.
func (s *plainScene) layer(l, c int) bool {
	more, filled := s.Piece(c)[s.seat]-s.Piece(c)[1-s.seat], s.size(c) > 0
	switch l {
	case layerOwn:
		return more > 0
	case layerEnemy:
		return more < 0
	case layerNeutral:
		return more == 0 && filled
	case layerEmpty:
		return !filled
	case layerHunters:
		return more < 0 && s.size(c)+s.die >= s.size(s.end)
	default:
		return more > 0 && s.largest([]int{c}, s.theirs, s.die) > 0
	}
}

// TestSensors compares every scalar and every layer with its definition, for the whole menu of many
// positions.
func TestSensors(t *testing.T) {
	var all use
	all.hunted, all.hunts = true, true
	for l := range all.layers {
		all.layers[l] = true
	}
	seen := map[int]int{} // scalars that were not 0
	for _, g := range boards(t)[:3] {
		turn := NewTurn(g, 6)
		wander(g, 3, 2, func(p *Position, roll int, _ *engine.Random) {
			turn.Position, turn.Roll = *p, roll
			for _, m := range p.Menu(nil, g, roll) {
				if m.Pass() {
					continue
				}
				turn.sense(m, &all)
				q := *p
				q.Apply(m, roll)
				s := newPlainScene(&q, g, p.Turn(), 6, int(m.To))
				want := s.scalars()
				want[scalarRoll], want[scalarLeft], want[scalarEaten] = float32(roll),
					float32(s.size(int(m.From))), float32(p.Piece(int(m.To)).Size())
				for i := range numScalars {
					if got := turn.frame.Scalar(i)[0]; got != want[i] {
						t.Fatalf("%s, roll %d, %s: scalar %d is %v, want %v", p.Text(g, roll), roll,
							g.MoveText(m), i, got, want[i])
					} else if got != 0 {
						seen[i]++
					}
				}
				for l := range numLayers {
					for c := range g.Cells() {
						w := turn.window[int(m.To)*g.Cells()+c]
						if got := turn.frame.Layers[l].Has(int(w)); got != s.layer(l, c) {
							t.Fatalf("%s, roll %d, %s: layer %d, cell %s: %v", p.Text(g, roll),
								roll, g.MoveText(m), l, g.labels[c], got)
						} else if got && l != layerEmpty &&
							int(turn.frame.Weights[l][w]) != s.size(c) {
							t.Fatalf("%s, roll %d, %s: layer %d, cell %s weighs %d",
								p.Text(g, roll), roll, g.MoveText(m), l, g.labels[c],
								turn.frame.Weights[l][w])
						}
					}
				}
			}
		})
	}
	for i := range numScalars {
		if seen[i] < 10 {
			t.Errorf("scalar %d was other than 0 only %d times", i, seen[i])
		}
	}
}
