// Command outside is clade with one more game, written outside of its repository.
package main

import (
	"fmt"

	"clade/engine"
	"clade/gp"
)

// bids is an auction: three bidders see each lot's price, and what it is worth to themselves
// alone. All bid at once; who bids most alone pays and gets the lot.
type bids struct{ *engine.Lockstep }

const (
	lots  = 12
	purse = 20
	most  = 7 // the highest bid
)

// Scalars of a frame.
const (
	worth = iota
	bid   // of the offer that is weighed up: it differs between slots, not turns
	money
	lotsLeft
	scalars
)

func newBids() engine.Game {
	offers := make([]engine.Offer, 4) // one tree, asked under four turns
	for i := range offers {
		offers[i] = engine.Offer{Name: fmt.Sprint(bidOf(i)), Turn: i}
	}
	grammar := gp.MustGrammar(gp.Spec{
		Slots: []gp.Slot{{Name: "bid", Type: gp.Float}}, Scalars: scalars,
		Operators: append(gp.SharedNumbers(), gp.ScalarSensor("worth", worth),
			gp.ScalarSensor("bid", bid), gp.ScalarSensor("money", money),
			gp.ScalarSensor("lotsLeft", lotsLeft),
			gp.CallOperator("share", 4, share, gp.Float, gp.Float, gp.Float)),
	})
	return bids{engine.NewLockstep("bids", grammar, offers,
		func() engine.Stepper { return &auction{} }).Exporting(shareText)}
}

// shareText is share in exported programs.
const shareText = `// callShare is a quotient, 0 where nothing shares.
func callShare(money, lots float32) float32 {
	if lots == 0 {
		return 0
	}
	return money / lots
}
`

// share is an operator of this game's own: a quotient, 0 where nothing shares.
func share(args [gp.MaxFunctionArgs]float32) float32 {
	if args[1] == 0 {
		return 0
	}
	return args[0] / args[1]
}

func bidOf(offer int) int { return []int{0, 1, 3, most}[offer] }

func (bids) Info() engine.Info {
	return engine.Info{Name: "bids", Title: "Sealed bids",
		About:   "three bidders, secret values",
		Version: 1, MinSeats: 3, MaxSeats: 3, Decisions: lots, Chance: true, Hidden: true,
		Marks: []string{"lots"}}
}

func (b bids) Players() []engine.Entry {
	return []engine.Entry{
		b.GenomeEntry("miser", "bids as little as it can", "(sub (constint 0) bid)"),
		b.GenomeEntry("honest", "bids up to what the lot is worth",
			"(if (isSmaller worth bid) (sub (constint 0) bid) bid)"),
		b.GenomeEntry("saver", "spends as the lots go by",
			"(if (isSmaller bid (share money lotsLeft)) bid (sub (constint 0) bid))"),
	}
}

// auction is one game under way.
type auction struct {
	seats  int
	random engine.Random
	lot    int
	worth  [3]int
	money  [3]int
	gain   [3]int
	won    [3]int
}

func (a *auction) Begin(seats int, seed uint64) {
	*a = auction{seats: seats, random: engine.NewRandom(seed), money: [3]int{purse, purse, purse}}
	a.deal()
}

func (a *auction) deal() {
	for seat := range a.seats {
		a.worth[seat] = 1 + a.random.Below(9)
	}
}

func (a *auction) Live() uint32 {
	if a.lot == lots {
		return 0
	}
	return 1<<a.seats - 1
}

func (a *auction) Sense(seat int, f *gp.Frame) (possible uint64) {
	f.SetScalar(worth, float32(a.worth[seat]))
	f.SetScalar(money, float32(a.money[seat]))
	f.SetScalar(lotsLeft, float32(lots-a.lot))
	for offer := range gp.Lanes {
		f.Scalar(bid)[offer] = float32(bidOf(offer))
		if bidOf(offer) <= a.money[seat] {
			possible |= 1 << offer
		}
	}
	return possible
}

func (a *auction) Step(chosen *[engine.MaxSeats]int) {
	best, winner := 0, engine.Tie
	for seat := range a.seats {
		switch b := bidOf(chosen[seat]); {
		case b > best:
			best, winner = b, seat
		case b == best:
			winner = engine.Tie
		}
	}
	if winner != engine.Tie {
		a.money[winner] -= best
		a.gain[winner] += a.worth[winner]
		a.won[winner]++
	}
	a.lot++
	a.deal()
}

func (a *auction) Result() engine.Result {
	r := engine.Result{Steps: a.lot}
	for seat := range a.seats {
		r.Scores[seat] = float64(a.gain[seat] + a.money[seat])
		r.Marks[seat][0] = float32(a.won[seat])
	}
	r.WinBest(a.seats)
	return r
}

func (a *auction) Scene() engine.Scene {
	b := engine.Board{At: a.lot, Columns: lots,
		Colours: map[byte]uint8{'1': engine.Seats, '2': engine.Seats + 1, '3': engine.Seats + 2}}
	for seat := range a.seats {
		b.Points = append(b.Points, float64(a.gain[seat]+a.money[seat]))
		for lot := range lots {
			letter := byte('.')
			if lot < a.won[seat] {
				letter = byte('1' + seat)
			}
			b.Letters = append(b.Letters, letter)
		}
	}
	return &b
}

// Tell says what a bidder sees, for a person.
func (a *auction) Tell(seat int) string {
	return fmt.Sprintf("lot %d of %d is worth %d to you; you have %d\n", a.lot+1, lots,
		a.worth[seat], a.money[seat])
}
