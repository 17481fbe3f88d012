package enginetest

import (
	"errors"
	"fmt"
	"slices"

	"clade/engine"
	"clade/gp"
)

// budget bounds the decisions of a check with bred players, so that long games are tested in a
// short time.
const budget = 300_000

// bred is players of a population without selection, which react to more than random ones do.
type bred struct {
	genomes []gp.Genome
	players []engine.Player
	seats   int
	games   int // as many as fit the budget
}

// bred returns up to n players, for two seats, or as many as the game needs.
func (s *subject) bred(n int) (*bred, error) {
	b := &bred{genomes: Bred(s.game, n), seats: max(s.info.MinSeats, min(2, s.info.MaxSeats))}
	for i, ge := range b.genomes {
		p, err := s.game.Bind(ge)
		if err != nil {
			return nil, fmt.Errorf("Bind of bred genome %d of %d nodes: %w", i, ge.Size(), err)
		}
		b.players = append(b.players, p)
	}
	cost := 1
	for i := range 4 {
		count := counter{most: s.info.Decisions}
		s.game.Play(b.table(i, 0, b.players[i]), uint64(i), &count)
		for _, n := range count.decisions {
			cost += n
		}
	}
	b.games = min(max(4*budget/cost, 12), 600)
	return b, nil
}

// table seats a player among the others of game i.
func (b *bred) table(i, seat int, p engine.Player) []engine.Player {
	players := make([]engine.Player, b.seats)
	for k := range players {
		players[k] = b.players[(7*i+3*k+1)%len(b.players)]
	}
	players[seat] = p
	return players
}

// decided plays a game and returns the decisions of a seat.
func (s *subject) decided(players []engine.Player, seat int, seed uint64) []uint64 {
	var tape engine.Tape
	s.game.Play(players, seed, &tape)
	return tape.Decisions[seat]
}

// apart reports whether two courses of a seat differ before either ends.
func apart(a, b []uint64) bool {
	n := min(len(a), len(b))
	return !slices.Equal(a[:n], b[:n])
}

// checkChance checks that the seed matters if Info says so.
func checkChance(s *subject) error {
	if !s.info.Chance {
		return nil
	}
	for _, c := range s.casts {
		var first engine.Tape
		want := s.game.Play(c.players, 0, &first)
		for seed := range uint64(20) {
			var tape engine.Tape
			r := s.game.Play(c.players, seed+1, &tape)
			r.Fingerprint = want.Fingerprint
			for seat := range c.players {
				if r != want || apart(first.Decisions[seat], tape.Decisions[seat]) {
					return nil
				}
			}
		}
	}
	return errors.New("Info says that the game has chance, and no seed changes anything")
}

// checkSeats checks that no seat is blind: if bred players react to the course of the game in one
// seat, they do in all.
func checkSeats(s *subject) error {
	const population = 40
	b, err := s.bred(population)
	if err != nil {
		return err
	}
	react := make([]int, b.seats) // players that do not always decide the same
	each := max(3, b.games/(population*b.seats))
	for seat := range react {
		for _, p := range b.players {
			first := s.decided(b.table(0, seat, p), seat, 0)
			for game := 1; game <= each; game++ {
				now := s.decided(b.table(game, seat, p), seat, uint64(game))
				if apart(first, now) {
					react[seat]++
					break
				}
			}
		}
	}
	if most := slices.Max(react); most >= 5 && 4*slices.Min(react) < most {
		return fmt.Errorf("%v of %d bred players react to anything, by seat: one seat is blind",
			react, population)
	}
	return nil
}

// checkSlots checks that each tree of a genome can change a decision.
func checkSlots(s *subject) error {
	const population = 40
	b, err := s.bred(population)
	if err != nil {
		return err
	}
	for slot := range s.game.Grammar().Slots {
		said := false
		for i := 0; i < b.games && !said; i++ {
			other := slices.Clone(b.genomes[i%population])
			other[slot] = b.genomes[(5*i+1)%population][slot]
			p, err := s.game.Bind(other)
			if err != nil {
				return fmt.Errorf("Bind with another's tree in slot %d: %w", slot, err)
			}
			before := s.decided(b.table(i, 0, b.players[i%population]), 0, uint64(i))
			after := s.decided(b.table(i, 0, p), 0, uint64(i))
			said = !slices.Equal(before, after)
		}
		if !said {
			return fmt.Errorf("in %d games no other tree in slot %q changed a decision", b.games,
				s.game.Grammar().Slots[slot].Name)
		}
	}
	return nil
}

// checkSensors checks that every seat has every sensor: if a sensor changes decisions in one seat,
// it does in all.
func checkSensors(s *subject) error {
	g := s.game.Grammar()
	b, err := s.bred(40)
	if err != nil {
		return err
	}
	const enough = 2 // games in which a sensor matters, as evidence that a seat has it
	for op := range g.Operators {
		matters, blind := make([]int, b.seats), true
		// In few games a sensor can fail to matter in a seat by chance, so other trees ask again.
		for try := uint64(0); try < 4 && blind; try++ {
			if err := s.ask(b, gp.Op(op), 6*try, enough, matters); err != nil {
				return err
			}
			blind = slices.Max(matters) >= 8 && slices.Min(matters) < enough
		}
		if blind {
			return fmt.Errorf(
				"sensor %s changes the decisions of %v games, by seat: one seat does "+
					"not have it", g.Operators[op].Name, matters)
		}
	}
	return nil
}

// ask counts, by seat, games in which it matters that six trees read a sensor, until all seats have
// enough.
func (s *subject) ask(b *bred, op gp.Op, seed uint64, enough int, matters []int) error {
	g := s.game.Grammar()
	type pair struct{ asks, asksNot engine.Player }
	var pairs []pair
	for n := range uint64(6) {
		asks, asksNot := asking(g, op, seed+n)
		if asks == nil {
			break
		}
		p, err := bindAll(s.game, []gp.Genome{asks, asksNot})
		if err != nil {
			return fmt.Errorf("a tree that asks for %s: %w", g.Operators[op].Name, err)
		}
		pairs = append(pairs, pair{p[0], p[1]})
	}
	for i := 0; i < min(b.games/(2*b.seats), 60) && len(pairs) > 0 &&
		slices.Min(matters) < enough; i++ {
		p := pairs[i%len(pairs)]
		for seat := range matters {
			with := s.decided(b.table(i, seat, p.asks), seat, uint64(i))
			without := s.decided(b.table(i, seat, p.asksNot), seat, uint64(i))
			if apart(with, without) {
				matters[seat]++
			}
		}
	}
	return nil
}
