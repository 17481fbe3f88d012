package enginetest

import (
	"image"
	"math"
	"slices"
	"testing"

	"clade/engine"
	"clade/gp/proof"
)

// The games are counted by hand, from what the comments of Number and Scissors say.

func TestToyNumber(t *testing.T) {
	g, noisy := Number(0), Number(0.5)
	said := []engine.Player{Constant(g, 2), Constant(g, -7), Constant(g, 5), Constant(g, math.NaN())}
	for seats := 2; seats <= 4; seats++ {
		r := g.Play(said[:seats], 1, nil)
		want := engine.Result{Steps: 3, Fingerprint: r.Fingerprint}
		copy(want.Scores[:seats], []float64{6, -21, 15, 0})
		for seat := range seats {
			want.Marks[seat][0] = 3
		}
		want.WinBest(seats)
		proof.Is(t, r, want, "%d seats", seats)
		scores := noisy.Play(said[:seats], 1, nil).Scores
		for seat := range seats {
			if more := scores[seat] - want.Scores[seat]; more <= 0 || more >= 3*0.5 {
				t.Errorf("noise adds %v to the score of seat %d", more, seat)
			}
		}
	}
	info := g.Info()
	proof.Is(t, [4]int{info.Version, info.MinSeats, info.MaxSeats, info.Decisions},
		[4]int{1, 2, 4, 10}, "version, seats and decisions")
	for s, fits := range map[numberSettings]bool{{0, 1}: true, {1000, 10}: true, {0, 0}: false,
		{0, 11}: false, {-0.5, 1}: false, {1000.5, 1}: false} {
		_, err := g.(engine.Adjustable).With(&s)
		proof.Is(t, err == nil, fits, "%+v fit", s)
	}
}

func TestToyScissors(t *testing.T) {
	g := Scissors()
	hands := map[float64]int{0: 0, 1: 1, 2.9: 2, 3: 0, 7.5: 1, -0.5: 2, -1: 2, -2: 1, -3: 0}
	for a, x := range hands {
		for b, y := range hands {
			want := engine.Result{Steps: 1}
			switch {
			case slices.Contains([][2]int{{1, 0}, {2, 1}, {0, 2}}, [2]int{x, y}):
				want.Scores[0] = 1
			case x != y:
				want.Scores[1] = 1
			}
			want.WinBest(2)
			r := g.Play([]engine.Player{Constant(g, a), Constant(g, b)}, 1, nil)
			want.Fingerprint = r.Fingerprint
			proof.Is(t, r, want, "%v and %v", a, b)
		}
	}
	info := g.Info()
	proof.Is(t, [4]int{info.Version, info.MinSeats, info.MaxSeats, info.Decisions},
		[4]int{1, 2, 2, 1}, "version, seats and decisions")
	proof.Is(t, info.Scores, engine.Bounds{Most: 1}, "scores")
}

// What players of the toys say, and which there are none of.
func TestToyPlayers(t *testing.T) {
	g := Number(0).(*number)
	record := func(numbers ...float64) engine.Player {
		var decisions []uint64
		for _, v := range numbers {
			decisions = append(decisions, math.Float64bits(v))
		}
		return g.Recording(decisions)
	}
	always := func(args string) (engine.Player, error) { return g.Players()[1].New(args) }
	zero := proof.Must(g.Players()[0].New(""))(t)
	for _, tt := range []struct {
		p    engine.Player
		want float64
	}{
		{zero, 0}, {proof.Must(always("2.5"))(t), 2.5}, {record(4), 4}, {record(), 0},
		{record(math.MaxFloat32), math.MaxFloat32}, {record(-math.MaxFloat32), -math.MaxFloat32},
		{record(math.MaxFloat64), 0}, {record(-math.MaxFloat64), 0}, {record(math.NaN()), 0},
		{Constant(g, math.Inf(1)), math.MaxFloat32}, {Constant(g, math.Inf(-1)), -math.MaxFloat32},
	} {
		proof.Is(t, tt.p.(speaker).say(0), tt.want, "%T %v says", tt.p, tt.p)
	}
	proof.Is(t, record(4).(speaker).say(1), 0, "after a record")
	for _, args := range []string{"", "x", "NaN", "Inf", "-Inf", "1e39"} {
		proof.Fails(always(args))(t, "write always(5)")
	}
	proof.Panics(t, func() { Constant(Gather(), 1) }, "a constant in Gather, which is no toy game")
}

// The picture of three scores is held pixel by pixel.
func TestToyBars(t *testing.T) {
	const scale = 4
	b := &bars{engine.Result{}, 3}
	scores := [3]float64{2.5, -1, 17}
	copy(b.result.Scores[:], scores[:])
	img := engine.Picture(b, scale)
	proof.Is(t, img.Bounds(), image.Rect(0, 0, 16*scale, 3*scale), "the picture")
	for y := range 3 * scale {
		for x := range 16 * scale {
			want := uint8(engine.Paper)
			if float64(x) < scores[y/scale]*scale {
				want = uint8(engine.Seats + y/scale)
			}
			proof.Is(t, img.ColorIndexAt(x, y), want, "the colour at %d, %d", x, y)
		}
	}
	for y := -1; y <= 3*scale; y++ {
		proof.Is(t, b.Inspect(image.Pt(0, y), scale) != "", y >= 0 && y < 3*scale, "words on row %d", y)
	}
	proof.Is(t, b.Inspect(image.Pt(0, scale), scale), "seat 1 has said -1", "the words")
}
