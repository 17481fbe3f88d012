package amoebas

import (
	"testing"

	"clade/engine"
	"clade/gp/proof"
)

// pedigree checks every amoeba's age and generation in every position.
type pedigree struct {
	t      *testing.T
	oldest int
	latest int
	newest int // children that were born in the round before
}

func (p *pedigree) step(s engine.Scene) {
	w := s.(*scene).w
	founders := 0
	for y := range w.size() {
		for x := range w.size() {
			age, generation, ok := w.lifeAt(x, y)
			if _, lives := w.occupantAt(x, y); lives != ok {
				p.t.Fatalf("round %d: cell %d, %d: occupied %v, a life %v", s.Step(), x, y, lives, ok)
			}
			if !ok {
				continue
			}
			if age < 0 || age > s.Step() {
				p.t.Fatalf("round %d: age %d", s.Step(), age)
			}
			if generation == 0 {
				founders++
				if age != s.Step() {
					p.t.Fatalf("round %d: a first amoeba of age %d", s.Step(), age)
				}
			}
			if generation > 0 && age == 0 {
				p.t.Fatalf("round %d: a child of age 0 after the round of its birth", s.Step())
			}
			if generation > 0 && age == 1 {
				p.newest++
			}
			p.oldest, p.latest = max(p.oldest, age), max(p.latest, generation)
		}
	}
	if founders > w.seats {
		p.t.Fatalf("round %d: %d amoebas of generation 0", s.Step(), founders)
	}
}

func TestLives(t *testing.T) {
	g := small(t, func(s *Settings) { s.WorldSize, s.Rounds = 16, 60 })
	p := &pedigree{t: t}
	players := []engine.Player{caesar{}, theroots{}}
	watched := g.Play(players, 2, engine.OnStep(p.step))
	born := float32(0) // children
	for _, m := range watched.Marks[:len(players)] {
		born += m[markBirths] - 1
	}
	if p.oldest < 20 || p.latest < 3 || p.newest < 100 || float32(p.newest) > born {
		t.Errorf("the oldest is %d, the latest generation %d; %d children were seen in the round "+
			"of their birth, and %v born", p.oldest, p.latest, p.newest, born)
	}
	proof.Is(t, g.Play(players, 2, nil), watched, "the game when nobody watches")
	w := newWorld(newGeometry(7))
	c := defaultConstants()
	c.WorldSize = 7
	w.reset(&c, []decider{mindless{}})
	w.put(w.g.cell(1, 1), occupant{energy: 100, health: 10}, 0)
	if _, _, ok := w.lifeAt(1, 1); ok {
		t.Error("a life is known without a recorder")
	}
}
