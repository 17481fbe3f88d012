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
func (s *plainScene) scalars() map[string]float32 {
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
	return map[string]float32{
		"size": float32(piece.Size()), "units": float32(piece[s.seat]),
		"foreign": float32(piece[1-s.seat]),
		"lead":    float32(units[s.seat] - units[1-s.seat]),
		"control": float32(mine - theirs),
		"mine":    float32(mine), "theirs": float32(theirs),
		"myPieces": float32(len(s.mine)), "theirPieces": float32(len(s.theirs)),
		"neutrals": float32(s.rest), "room": float32(s.room),
		"threat": float32(threat), "exposed": float32(s.largest(s.mine, s.theirs, s.die)),
		"prey":         float32(s.largest(s.theirs, s.mine, 0)),
		"theirLargest": float32(most), "risk": s.mean(s.mine, s.theirs),
		"hope": s.mean(s.theirs, s.mine),
	}
}

// layer tells whether a cell is on a layer.
func (s *plainScene) layer(l string, c int) bool {
	more, filled := s.Piece(c)[s.seat]-s.Piece(c)[1-s.seat], s.size(c) > 0
	switch l {
	case "own":
		return more > 0
	case "enemy":
		return more < 0
	case "neutral":
		return more == 0 && filled
	case "empty":
		return !filled
	case "hunter":
		return more < 0 && s.size(c)+s.die >= s.size(s.end)
	default:
		return more > 0 && s.largest([]int{c}, s.theirs, s.die) > 0
	}
}

// TestSensors compares every scalar and every layer with its definition, for the whole menu of many
// positions.
func TestSensors(t *testing.T) {
	all := usual().all()
	seen := map[string]int{} // scalars that were not 0
	for _, g := range boards(t)[:3] {
		turn := NewTurn(g, 6)
		wander(g, 3, 2, func(p *Position, roll int, _ *engine.Random) {
			turn.Position, turn.Roll = *p, roll
			for _, m := range p.Menu(nil, g, roll) {
				if m.Pass() {
					continue
				}
				turn.sense(m, all)
				q := *p
				q.Apply(m, roll)
				s := newPlainScene(&q, g, p.Turn(), 6, int(m.To))
				want := s.scalars()
				want["roll"], want["left"], want["eaten"] = float32(roll),
					float32(s.size(int(m.From))), float32(p.Piece(int(m.To)).Size())
				for _, r := range all {
					if r.number == nil {
						continue
					}
					if _, defined := want[r.word]; !defined {
						t.Fatalf("%s has no definition in scalars of sensors_test.go", r.word)
					}
					if got := turn.frame.Scalar(r.index)[0]; got != want[r.word] {
						t.Fatalf("%s, roll %d, %s: %s is %v, want %v", p.Text(g, roll), roll,
							g.MoveText(m), r.word, got, want[r.word])
					} else if got != 0 {
						seen[r.word]++
					}
				}
				for _, r := range all {
					if r.cells == nil {
						continue
					}
					l := r.index
					for c := range g.Cells() {
						w := turn.window[int(m.To)*g.Cells()+c]
						if got := turn.frame.Layers[l].Has(int(w)); got != s.layer(r.word, c) {
							t.Fatalf("%s, roll %d, %s: %s, cell %s: %v", p.Text(g, roll),
								roll, g.MoveText(m), r.word, g.labels[c], got)
						} else if got && r.word != "empty" && int(turn.frame.Weights[l][w]) != s.size(c) {
							t.Fatalf("%s, roll %d, %s: %s, cell %s weighs %d",
								p.Text(g, roll), roll, g.MoveText(m), r.word, g.labels[c],
								turn.frame.Weights[l][w])
						}
					}
				}
			}
		})
	}
	for _, r := range all {
		if r.number != nil && seen[r.word] < 10 {
			t.Errorf("%s was other than 0 only %d times", r.word, seen[r.word])
		}
	}
}
