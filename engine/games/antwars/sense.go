package antwars

import "clade/gp"

// ahead holds, by slot and turn, the cell that a move goes to and its eight neighbours, in the
// recentred window.
type ahead struct{ cell, around gp.Bits }

var aheads = [2][gp.Lanes]ahead{slotStraight: aheadOf(0, -1), slotDiagonal: aheadOf(-1, -1)}

func aheadOf(x, y int) (a [gp.Lanes]ahead) {
	for k := range a {
		ax, ay := gp.Turn(x, y, k)
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				i, _ := window.Cell(ax+dx, ay+dy)
				if dx == 0 && dy == 0 {
					a[k].cell.Set(i)
				} else {
					a[k].around.Set(i)
				}
			}
		}
	}
	return a
}

// sense is what an evolved ant's trees see of a decision, and the memory to fill it.
type sense struct {
	frame  *gp.Frame
	view   gp.Bits // the field of view in the recentred window
	ants   ants
	counts []sensor // scalars that are the same for all moves
	aheads []sensor
	ahead  *[numSources][2]gp.Quad // by source and slot
	routes uint64                  // set of the scalars in aheads
	rings  bool                    // foodRoute is computed from rings, not from routes
	sight  string
	search search // at play, none without plies
	judge  judge  // of the search
	hidden *hidden
	rate   func(h *hidden, keep *[cells]float32) // sets what moves are worth
}

func newSense(g *game) *sense {
	s := &sense{frame: g.grammar.NewFrame(), view: inView, ants: g.settings.ants(), ahead: new([numSources][2]gp.Quad),
		rings: g.settings.Rings, sight: g.settings.Sight,
		search: search{g.settings.Search, g.settings.Sight == sightBoard}}
	if s.sight == sightBoard {
		s.view = everywhere
	}
	s.hidden, s.rate = new(hidden), rating(g.level)
	for _, r := range g.sensors {
		switch {
		case r.isCount():
			s.counts = append(s.counts, r)
		case r.isAhead() && r.of != foodAhead:
			s.aheads = append(s.aheads, r)
			s.routes |= 1 << r.index
		}
	}
	// Food in view is certain. Only cells out of view are written to later.
	for i := range s.frame.Weights[layerFood] {
		s.frame.Weights[layerFood][i] = certainty[0]
	}
	return s
}

// plans tells whether the genome reads a scalar of aheads.
func (s *sense) plans() bool {
	scalars := s.frame.Reads().Scalars
	return scalars&s.routes != 0
}

// fill draws the layers and scalars that both slots share, and returns the situation.
func (s *sense) fill(m *memory) int {
	f := s.frame
	food := recentre(m.food, m.at)
	f.Layers[layerFood], f.Layers[layerVisited] = food, recentre(m.visited, m.at)
	f.Layers[layerEmpty] = s.view.AndNot(food)
	have := [...]int32{countMoves: int32(m.time - m.beyond), countPoints: int32(m.points),
		countFound: int32(m.belief.found)}
	for i := range s.counts {
		c := &s.counts[i]
		f.SetScalar(c.index, float32(c.from+c.sign*have[c.of]))
	}
	weights := f.Weights[layerFood]
	for left := food.AndNot(s.view); !left.Empty(); left = left.Rest() {
		cell := left.First()
		weights[cell] = certainty[m.time-int(m.seen[offCentre(cell, m.at)])]
	}
	if s.ants >= keen {
		s.perceive(m)
	}
	f.Layers[layerEnemy] = gp.Bits{}
	if m.enemy < 0 {
		return enemyAway
	}
	at := onCentre(m.enemy, m.at)
	f.Layers[layerEnemy].Set(at)
	f.Layers[layerEmpty].Clear(at)
	return enemyNear
}

// offCentre gives the board's cell of a window's cell, onCentre the window's cell of a board's.
func offCentre(cell int, at uint8) int {
	return (cell/width+int(at)/width+width-5)%width*width + (cell%width+int(at)%width+width-5)%width
}

func onCentre(cell int, at uint8) int {
	return (cell/width-int(at)/width+width+5)%width*width + (cell%width-int(at)%width+width+5)%width
}

// secondMove is what foodHope counts for the second move's food: as certain as food is one move
// after it was seen.
var secondMove = float32(certainty[1]) * certaintyUnit

// hope sets foodHope and the other scalars that differ from move to move, for the moves of a slot.
// foodHope is the food that two moves can reach, the first straight ahead. That the second move's
// food counts less is the reading under which the printed player plays as described.
func (s *sense) hope(slot int) {
	for i := range s.aheads {
		*s.frame.Scalar(s.aheads[i].index) = s.ahead[s.aheads[i].of][slot]
	}
	food := s.frame.Layers[layerFood]
	quad := s.frame.Scalar(scalarFoodHope)
	for k := range quad {
		a := &aheads[slot][k]
		var h float32
		if !food.And(a.cell).Empty() {
			h = 1
		}
		if !food.And(a.around).Empty() {
			h += secondMove
		}
		quad[k] = h
	}
}

// species is an evolved ant: a compiled genome.
type species struct{ code *gp.Code }

// utilities returns what the genome gives for the straight moves N, E, S, W and for the diagonal
// moves NW, NE, SE, SW.
func (sp *species) utilities(m *memory, s *sense) (straight, diagonal gp.Quad) {
	situation := s.fill(m)
	s.hope(slotStraight)
	sp.code.Eval(slotStraight, situation, s.frame, &straight)
	s.hope(slotDiagonal)
	sp.code.Eval(slotDiagonal, situation, s.frame, &diagonal)
	return straight, diagonal
}

// believe brings the ant's belief up to date.
func (s *sense) believe(m *memory) {
	switch {
	case s.doubts():
		m.updateBelief()
	case s.ants >= keen:
		m.track()
	}
}

// doubts tells whether the genome reads how likely food is still there.
func (s *sense) doubts() bool { return s.ants == foresighted && s.plans() && !s.rings }

// move brings the ant's belief up to date and chooses.
func (sp *species) move(m *memory, s *sense) int {
	s.believe(m)
	direction := sp.choose(m, s)
	if s.search.plies > 0 {
		return s.judge.improve(m, direction, s.search)
	}
	return direction
}

// choose takes the greatest utility; the first of equals wins, from NW clockwise.
func (sp *species) choose(m *memory, s *sense) int {
	straight, diagonal := sp.utilities(m, s)
	best, direction := diagonal[0], 0
	for k := range gp.Lanes {
		if diagonal[k] > best {
			best, direction = diagonal[k], 2*k
		}
		if straight[k] > best {
			best, direction = straight[k], 2*k+1
		}
	}
	return direction
}
