package amoebas

import (
	"strings"
	"testing"

	"clade/engine"
	"clade/gp/proof"

	"github.com/pelletier/go-toml/v2"
)

func TestSettingsAreRefused(t *testing.T) {
	for _, c := range []struct {
		change func(*Settings)
		want   string
	}{
		{func(s *Settings) { s.WorldSize = 4 }, "amoebas: world-size must be in 5..250, not 4"},
		{func(s *Settings) { s.ViewDistance = 4 }, "view-distance must be in 1..3, not 4"},
		{func(s *Settings) { s.MaxCellEnergy = 256 }, "max-cell-energy must be in 0..255"},
		{func(s *Settings) { s.HitLoss = -1 }, "hit-loss must be in 0..9999"},
		{func(s *Settings) { s.Sizes = []int{32, 251} }, "sizes must be in 5..250, not 251"},
		{func(s *Settings) { s.Rounds = 0 }, "rounds must be in 1..65535"},
		{func(s *Settings) { s.Beyond = 65286 }, "rounds-beyond-size must be in 0..65285, not 65286"},
		{func(s *Settings) { s.Order = "clasic" },
			`order: unknown order "clasic", did you mean "classic"?`},
		{func(s *Settings) { s.Placement = "" }, `unknown placement ""; known: random, spaced`},
		{func(s *Settings) { s.TieBreak = "coin" }, "tie-break: unknown tie-break"},
		{func(s *Settings) { s.MercyRound = -1 }, "mercy-round must be in 0..65535"},
		{func(s *Settings) { s.MercyEnergy = 0.5 }, "mercy-energy must be at least 1"},
		{func(s *Settings) { s.MercyPopulation = 0 }, "mercy-population must be at least 1"},
	} {
		s := DefaultSettings()
		c.change(&s)
		proof.Fails(New().With(&s))(t, c.want)
	}
}

// TestSettingsAsTOML holds that the constants stand beside the other settings, and that all are
// read back.
func TestSettingsAsTOML(t *testing.T) {
	s := DefaultSettings()
	s.WorldSize, s.Sizes, s.Memory, s.MercyRound = 32, []int{24, 32}, true, 50
	text := proof.Must(toml.Marshal(s))(t)
	if !strings.Contains(string(text), "world-size = 32\n") ||
		strings.Contains(string(text), "[") && strings.Contains(string(text), "]\n\n[") {
		t.Errorf("settings as TOML:\n%s", text)
	}
	var back Settings
	d := toml.NewDecoder(strings.NewReader(string(text))).DisallowUnknownFields()
	if err := d.Decode(&back); err != nil || back.constants != s.constants ||
		len(back.Sizes) != 2 || back.MercyRound != 50 {
		t.Errorf("read back as %+v, %v", back, err)
	}
}

func TestRosterArguments(t *testing.T) {
	entries := map[string]engine.Entry{}
	for _, e := range New().Players() {
		entries[e.Name] = e
	}
	for _, c := range []struct {
		name, args string
		want       decider
		err        string
	}{
		{"slightlybrainy", "", brainy{10, 70, mostEnergy}, ""},
		{"slightlybrainy", " 20, 30 , weakest ", brainy{20, 30, weakest}, ""},
		{"slightlybrainy", "20", brainy{20, 70, mostEnergy}, ""},
		{"nasty", "0.5,strongest", nasty{divider{0.5}, strongest}, ""},
		{"mutating-slightlybrainy", "5,35,weakest,0.9,10", mutating{brainy{5, 35, weakest}, 0.9, 10}, ""},
		{"caesar", "1", nil, "caesar takes no arguments"},
		{"slightlybrainy", "x", nil, `low must be a whole number in 0..9999, not "x"`},
		{"slightlybrainy", "10,70,most-enrgy", nil, `did you mean "most-energy"?`},
		{"slightlybrainy", "1,2,weakest,4", nil, "4 arguments given, at most 3 taken"},
		{"mindless-divider", "1.5", nil, "p must be a number in 0..1"},
		{"mindless-divider", "NaN", nil, "p must be a number in 0..1"},
	} {
		p, err := entries[c.name].New(c.args)
		switch {
		case c.err == "" && (err != nil || p != engine.Player(c.want)):
			t.Errorf("%s(%s): %+v, %v; want %+v", c.name, c.args, p, err, c.want)
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%s(%s): error %v; want %q", c.name, c.args, err, c.err)
		}
	}
}

func FuzzRosterArguments(f *testing.F) {
	f.Add(3, "10,70,most-energy")
	f.Add(4, "5,35,weakest,0.9,10")
	f.Add(1, "1e300")
	entries := (*game)(nil).Players()
	g := small(f, nil)
	f.Fuzz(func(t *testing.T, i int, args string) {
		p, err := entries[uint(i)%uint(len(entries))].New(args)
		if (err == nil) == (p == nil) {
			t.Fatalf("player %v, error %v", p, err)
		}
		if err == nil {
			g.Play([]engine.Player{p}, 1, nil)
		}
	})
}

// FuzzRecording plays whatever stands in a record.
func FuzzRecording(f *testing.F) {
	f.Add(uint64(1), uint64(invalidBit), uint64(1)<<63)
	f.Add(uint64(2), uint64(3), uint64(7)<<directionAt|3)
	g := small(f, nil)
	f.Fuzz(func(t *testing.T, a, b, c uint64) {
		for _, n := range []uint64{a, b, c} {
			action := decode(n)
			if again := decode(action.encode()); again.encode() != action.encode() ||
				action.valid() != again.valid() {
				t.Fatalf("%x is %+v, and again %+v", n, action, again)
			}
		}
		g.Play([]engine.Player{g.Recording([]uint64{a, b, c, a ^ b}), brainy{10, 70, mostEnergy}}, a, nil)
	})
}

// lazy is a function that rests, or starves where resting costs more than it gives.
type lazy struct{}

func (lazy) Act(*view) action { return action{} }

func TestMercyStop(t *testing.T) {
	for _, c := range []struct {
		change func(*Settings)
		steps  int
	}{
		{func(s *Settings) {}, 40},
		// equals
		{func(s *Settings) { s.MercyRound = 5 }, 40},
		// equals, and everybody leads
		{func(s *Settings) { s.MercyRound, s.MercyEnergy, s.MercyPopulation = 5, 1, 1 }, 5},
		// all have starved
		{func(s *Settings) { s.MercyRound, s.RestEnergy, s.MaxFuelingEnergy = 5, 20, 0 }, 6},
		// not in population
		{func(s *Settings) { s.MercyRound, s.MercyEnergy, s.MercyPopulation = 30, 1, 1.5 }, 40},
	} {
		g := small(t, c.change)
		if r := g.Play([]engine.Player{lazy{}, lazy{}}, 1, nil); r.Steps != c.steps ||
			r.Winner() != engine.Tie {
			t.Errorf("%+v after %d rounds; want a tie after %d", r, r.Steps, c.steps)
		}
	}
}

// TestSizes holds that a mix of sizes is drawn by the seed, each size in turn.
func TestSizes(t *testing.T) {
	g := small(t, func(s *Settings) { s.Sizes, s.Rounds = []int{7, 11, 13}, 1 })
	seen := map[int]int{}
	for seed := range uint64(60) {
		size := 0
		g.Play([]engine.Player{lazy{}}, seed,
			engine.OnStep(func(s engine.Scene) { size = s.(*scene).w.size() }))
		seen[size]++
	}
	if len(seen) != 3 || seen[7] < 10 || seen[11] < 10 || seen[13] < 10 {
		t.Errorf("sizes %v", seen)
	}
}

// TestTieBreak holds that population decides between equal energies only.
func TestTieBreak(t *testing.T) {
	for _, c := range []struct {
		rule            string
		energies, sizes []int
		want            int
	}{
		{"population", []int{500, 501}, []int{60000, 1}, 1},
		{"population", []int{500, 500}, []int{10, 11}, 1},
		{"population", []int{500, 500}, []int{10, 10}, engine.Tie},
		{"population", []int{0, 0}, []int{1, 0}, 0},
		{"population", []int{500, 400, 500}, []int{10, 30, 10}, engine.Tie},
		{"none", []int{500, 500}, []int{10, 11}, engine.Tie},
		{"none", []int{499, 500}, []int{11, 10}, 1},
	} {
		g := small(t, func(s *Settings) { s.TieBreak = c.rule })
		a := newArena(g.sizes[0].geometry())
		g.seat(a, []engine.Player{lazy{}, lazy{}, lazy{}}[:len(c.sizes)], nil)
		copy(a.energies[:], c.energies)
		copy(a.sizes[:], c.sizes)
		proof.Is(t, a.result().Winner(), c.want, "%s: energies %v, populations %v: winner", c.rule,
			c.energies, c.sizes)
	}
}

// TestSpacedPlacement holds that the first amoebas stand on a square lattice that starts anywhere.
func TestSpacedPlacement(t *testing.T) {
	g := small(t, func(s *Settings) { s.Placement = "spaced" })
	starts := map[[2]int]bool{}
	for seed := range uint64(20) {
		a := newArena(g.sizes[0].geometry())
		players := make([]engine.Player, 9)
		for i := range players {
			players[i] = lazy{}
		}
		g.seat(a, players, nil)
		r := engine.NewRandom(seed)
		a.place(&r)
		var at [9][2]int
		for _, cell := range a.g.order {
			if o := a.who[cell]; o.species != free {
				at[o.species][0], at[o.species][1] = a.g.position(int(cell))
			}
		}
		starts[at[0]] = true
		steps := [3]int{0, 5, 10} // thirds of 16, rounded down
		for s, p := range at {
			if want := [2]int{(at[0][0] + steps[s%3]) % 16, (at[0][1] + steps[s/3]) % 16}; p != want {
				t.Fatalf("seed %d: seat %d stands at %v, seat 0 at %v", seed, s, p, at[0])
			}
		}
	}
	if len(starts) < 10 {
		t.Errorf("only %d of 20 lattices start elsewhere", len(starts))
	}
}

// A game lasts as long as its world's size says, whichever size its seed draws.
func TestRoundsBeyondSize(t *testing.T) {
	s := DefaultSettings()
	s.Sizes, s.Beyond = []int{5, 9}, 20
	g := proof.Must(New().With(&s))(t)
	seen := map[int]bool{}
	for seed := range uint64(20) {
		seen[g.Play([]engine.Player{decider(lazy{})}, seed, nil).Steps] = true
	}
	if len(seen) != 2 || !seen[25] || !seen[29] {
		t.Errorf("games of %v rounds; want 25 and 29", seen)
	}
}
