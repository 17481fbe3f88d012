package amoebas

import (
	"slices"
	"testing"

	"clade/engine"
	"clade/gp/proof"
)

// TestAlarmedKillsFirst holds that philip and berit2 hit whom they take to be killed, however poor,
// and else the richest. philip is wrong by one about whom a hit kills.
func TestAlarmedKillsFirst(t *testing.T) {
	c := defaultConstants()
	c.WorldSize = 9
	for _, test := range []struct {
		name   string
		health int16
		want   direction
	}{{"berit2", 5, south}, {"berit2", 4, north}, {"philip", 4, south}, {"philip", 3, north}} {
		w := newWorld(newGeometry(c.WorldSize))
		w.reset(&c, make([]decider, 2))
		w.put(w.g.cell(4, 4), occupant{energy: 50, health: 10}, 0)
		w.put(w.g.cell(4, 3), occupant{energy: 1, health: test.health, function: 1, species: 1}, 0)
		w.put(w.g.cell(4, 5), occupant{energy: 99, health: 10, function: 1, species: 1}, 0)
		v := &view{w: w}
		v.look(w.g.cell(4, 4))
		if a := stock(t, test.name).Act(v); a.Command != doHit || a.Direction != test.want {
			t.Errorf("%s, a poor neighbour of health %d: %+v", test.name, test.health, a)
		}
	}
}

// TestAmoeboizBorder holds that its border is where four sections together hold at least five
// friends more than the other four, and those at most thirty.
func TestAmoeboizBorder(t *testing.T) {
	r := engine.NewRandom(2)
	crowded, even := 0, 0
	for range 20000 {
		friends := own
		rare, dense := 1+r.Below(9), 1+r.Below(9)
		for i := range side * side {
			chance := rare
			if i/side < 4 {
				chance = dense
			}
			if r.Below(10) < chance {
				friends |= 1 << i
			}
		}
		n := sectionCounts(friends)
		slices.Sort(n[:])
		least, most := n[0]+n[1]+n[2]+n[3], n[4]+n[5]+n[6]+n[7]
		if got, want := amoeboizBorder(friends), most >= least+5 && least <= 30; got != want {
			t.Fatalf("%x: sections %v: border %v", uint64(friends), n, got)
		}
		if most >= least+5 && least > 30 && least <= 40 {
			crowded++
		} else if most < least+5 {
			even++
		}
	}
	if crowded < 100 || even < 100 {
		t.Errorf("%d crowded and %d even surroundings: too few to tell", crowded, even)
	}
}

// TestVary holds the limits of mutating children within their bounds.
func TestVary(t *testing.T) {
	c := defaultConstants()
	c.WorldSize = 9
	w := newWorld(newGeometry(c.WorldSize))
	w.reset(&c, nil)
	f := mutating{reach: 5}
	for _, b := range []struct{ limit, least, draw, want int }{
		{50, 3, 0, 45}, {50, 3, 5, 50}, {50, 3, 10, 55}, {98, 3, 10, 100}, {5, 3, 0, 3},
		{31, 30, 0, 30}, {9999, 30, 0, 100},
	} {
		proof.Is(t, f.vary(&view{w: w, Random: fixed(b.draw)}, b.limit, b.least), b.want, "%+v", b)
	}
}
