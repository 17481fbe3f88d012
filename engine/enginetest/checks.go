package enginetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"clade/engine"
	"clade/engine/system/parallel"
	"clade/gp"
)

var (
	gameName   = regexp.MustCompile(`^[a-z][a-z0-9]*$`)
	markName   = regexp.MustCompile(`^[a-z][a-z0-9-]*$`) // a column of data files
	playerName = regexp.MustCompile(`^[a-z][a-z0-9-]*(\([^()]*\))?$`)
)

func checkFacts(s *subject) error {
	info := s.info
	var bad []error
	fault := func(wrong bool, format string, args ...any) {
		if wrong {
			bad = append(bad, fmt.Errorf("Info: "+format, args...))
		}
	}
	fault(!gameName.MatchString(info.Name), "name %q is not lower case letters and digits", info.Name)
	fault(info.Title == "" || strings.Contains(info.Title, "\n"), "title %q is not one line",
		info.Title)
	fault(info.About == "" || strings.Contains(info.About, "\n"), "about %q is not one line",
		info.About)
	fault(info.Version < 1, "version %d is not positive", info.Version)
	fault(info.Decisions < 1, "%d decisions of a seat do not bound a game", info.Decisions)
	fault(len(info.Marks) > engine.MaxMarks, "%d marks; at most %d are kept", len(info.Marks),
		engine.MaxMarks)
	seen := map[string]bool{}
	for _, m := range info.Marks {
		fault(seen[m] || !markName.MatchString(m), "mark %q stands twice or is not lower case "+
			"letters, digits and hyphens", m)
		seen[m] = true
	}
	fault(!reflect.DeepEqual(info, s.game.Info()), "two calls differ")
	grammar := s.game.Grammar()
	fault(grammar == nil || !reflect.DeepEqual(grammar.Spec, s.game.Grammar().Spec),
		"two grammars differ")
	return errors.Join(bad...)
}

func checkBind(s *subject) error {
	for _, m := range misfits(s.game) {
		if p, err := s.game.Bind(m.genome); err == nil || p != nil {
			return fmt.Errorf("Bind of %s returned player %v and error %v; it must refuse", m.name, p, err)
		}
	}
	for i, ge := range randomGenomes(s.game, 20) {
		if err := s.game.Grammar().Check(ge); err != nil {
			return fmt.Errorf("random genome %d does not fit: %w", i, err)
		}
		before := ge.Clone()
		if _, err := s.game.Bind(ge); err != nil {
			return fmt.Errorf("Bind of random genome %d: %w", i, err)
		}
		if !reflect.DeepEqual(before, ge) {
			return fmt.Errorf("Bind changed random genome %d", i)
		}
	}
	return nil
}

func checkRoster(s *subject) error {
	roster, ok := s.game.(engine.Roster)
	if !ok {
		return nil
	}
	seen := map[string]bool{}
	for _, e := range roster.Players() {
		switch {
		case !playerName.MatchString(e.Name) || seen[e.Name]:
			return fmt.Errorf("player name %q stands twice or is not lower case letters, digits "+
				"and hyphens", e.Name)
		case e.About == "" || strings.Contains(e.About, "\n"):
			return fmt.Errorf("player %s: about %q is not one line", e.Name, e.About)
		}
		seen[e.Name] = true
		p, err := e.New("")
		if (p == nil) != (err != nil) {
			return fmt.Errorf("player %s without arguments: player %v and error %v; one of the "+
				"two is needed", e.Name, p, err)
		}
		if err != nil && err.Error() == "" {
			return fmt.Errorf("player %s cannot be made without arguments and does not say why", e.Name)
		}
		if p, err := e.New("no,such:argument"); err == nil {
			return fmt.Errorf("player %s takes the senseless arguments (no,such:argument) in "+
				"silence and makes %v", e.Name, p)
		}
		if err != nil {
			continue
		}
		c := cast{name: e.Name}
		for range s.info.MinSeats {
			c.players = append(c.players, p)
		}
		if err := s.sane(c, s.seeds[0]); err != nil {
			return fmt.Errorf("player %s: %w", e.Name, err)
		}
		first := s.game.Play(c.players, s.seeds[0], nil)
		s.game.Play(c.players, s.seeds[1], nil)
		if err := same("player "+e.Name+" before and after another game", first,
			s.game.Play(c.players, s.seeds[0], nil)); err != nil {
			return err
		}
		if e.Genome == nil {
			continue
		}
		ge, err := e.Genome()
		if err != nil {
			return fmt.Errorf("the genome of player %s: %w", e.Name, err)
		}
		own, err := bindAll(s.game, slices.Repeat([]gp.Genome{ge}, s.info.MinSeats))
		if err != nil {
			return fmt.Errorf("the genome of player %s: %w", e.Name, err)
		}
		if err := same("player "+e.Name+" and its genome", first,
			s.game.Play(own, s.seeds[0], nil)); err != nil {
			return err
		}
	}
	return nil
}

// counter is a Recorder that counts decisions, and ends a game in which a seat has more than most:
// it may be one without an end.
type counter struct {
	most      int
	decisions [engine.MaxSeats]int
	scenes    int
}

func (c *counter) Decide(seat int, _ uint64) {
	if c.decisions[seat]++; c.decisions[seat] > c.most {
		panic(tooLong(fmt.Sprintf("seat %d decides %d times and goes on; Info.Decisions is %d, or the "+
			"game has no end", seat, c.decisions[seat], c.most)))
	}
}

func (c *counter) Step(engine.Scene) { c.scenes++ }

// tooLong is the error, and the value of the panic, that ends such a game.
type tooLong string

func (e tooLong) Error() string { return string(e) }

// sane plays one game and checks its result.
func (s *subject) sane(c cast, seed uint64) error {
	count := counter{most: s.info.Decisions}
	r := s.game.Play(c.players, seed, &count)
	for seat := range engine.MaxSeats {
		playing := seat < len(c.players)
		least, most := s.info.Scores.Ends()
		switch score := r.Scores[seat]; {
		case math.IsNaN(score) || math.IsInf(score, 0):
			return fmt.Errorf("the score of seat %d is %v", seat, score)
		case playing && (score < least || score > most):
			return fmt.Errorf("the score of seat %d is %v; by Info.Scores it is in %v..%v", seat,
				score, least, most)
		case s.info.Halves && 2*score != math.Trunc(2*score):
			return fmt.Errorf("the score of seat %d is %v; by Info.Halves halves make it up", seat, score)
		case !playing && score != 0:
			return fmt.Errorf("seat %d does not play and scores %v", seat, score)
		case !playing && count.decisions[seat] != 0:
			return fmt.Errorf("seat %d does not play and decides", seat)
		}
		for i, mark := range r.Marks[seat] {
			named := playing && i < len(s.info.Marks)
			s.marked = s.marked || mark != 0
			if f := float64(mark); math.IsNaN(f) || math.IsInf(f, 0) || !named && f != 0 {
				return fmt.Errorf(
					"mark %d of seat %d is %v; Info names %d marks, and %d seats play", i, seat,
					mark, len(s.info.Marks), len(c.players))
			}
			if !named {
				continue
			}
			_, most := s.info.MarkBounds(s.info.Marks[i]).Ends()
			if f := float64(mark); f < 0 || f > most {
				return fmt.Errorf("the mark %s of seat %d is %v; by Info.MostMarks it is in 0..%v",
					s.info.Marks[i], seat, mark, most)
			}
		}
	}
	switch {
	case r.Winner() < engine.Tie || r.Winner() >= len(c.players):
		return fmt.Errorf("seat %d wins a game for %d", r.Winner(), len(c.players))
	case r.Steps < 0:
		return fmt.Errorf("%d steps", r.Steps)
	case count.scenes == 0:
		return errors.New("the recorder saw no scene")
	}
	return nil
}

func checkResult(s *subject) error { return s.each(s.sane) }

func checkRepeat(s *subject) error {
	for _, c := range s.casts {
		first := map[uint64]engine.Result{}
		for seed := range uint64(3) {
			r := s.game.Play(c.players, seed, nil)
			if err := same(fmt.Sprintf("%s: seed %d played twice", c.name, seed),
				r, s.game.Play(c.players, seed, nil)); err != nil {
				return err
			}
			for other, o := range first {
				if o.Fingerprint == r.Fingerprint {
					return fmt.Errorf("%s: seeds %d and %d have the same fingerprint", c.name, other, seed)
				}
				if !s.info.Chance && o.Scores != r.Scores {
					return fmt.Errorf("%s: Info knows no chance, and seeds %d and %d have scores "+
						"%v and %v", c.name, other, seed, o.Scores, r.Scores)
				}
			}
			first[seed] = r
		}
	}
	return nil
}

func checkRelabel(s *subject) error {
	genomes := randomGenomes(s.game, 2)
	var copies [3][]engine.Player
	for i := range copies {
		var err error
		if copies[i], err = bindAll(s.game, genomes); err != nil {
			return err
		}
	}
	for seats := s.info.MinSeats; seats <= s.info.MaxSeats; seats += max(1,
		s.info.MaxSeats-s.info.MinSeats) {
		shared, apart := make([]engine.Player, seats), make([]engine.Player, seats)
		for i := range seats {
			shared[i] = copies[0][i%2]
			apart[i] = copies[1+(i+i/2)%2][i%2] // each seat of a genome has another copy
		}
		for _, seed := range s.seeds {
			err := same(fmt.Sprintf("%d seats, seed %d: one copy of each player and several", seats,
				seed),
				s.game.Play(shared, seed, nil), s.game.Play(apart, seed, nil))
			if err != nil {
				return err
			}
		}
		for i := range seats {
			shared[i], apart[i] = copies[0][0], copies[i%3][0]
		}
		if err := same(fmt.Sprintf("%d seats: one player in all, and copies of it", seats),
			s.game.Play(shared, s.seeds[0], nil), s.game.Play(apart, s.seeds[0], nil)); err != nil {
			return err
		}
	}
	return nil
}

func checkReplay(s *subject) error {
	if _, ok := s.game.(engine.Recordable); !ok {
		return errors.New("the game is not engine.Recordable")
	}
	return s.each(func(c cast, seed uint64) error {
		record, result, err := engine.PlayRecorded(s.game, make([]string, len(c.players)),
			c.players, seed, nil)
		if err != nil {
			return err
		}
		text, err := record.Encode()
		if err != nil {
			return err
		}
		if record, err = engine.ParseRecord("record", text); err != nil {
			return err
		}
		var tape engine.Tape
		again, err := engine.Replay(s.game, record, &tape)
		if err != nil {
			return err
		}
		if !reflect.DeepEqual(tape.Decisions[:len(c.players)], record.Decisions) {
			return errors.New("the replay recorded other decisions than it was given")
		}
		return same("the game and its replay", result, again)
	})
}

func checkStop(s *subject) error {
	return s.each(func(c cast, seed uint64) error {
		want := s.game.Play(c.players, seed, nil)
		for _, after := range []int{1, want.Steps/2 + 1} {
			ctx, stop := context.WithCancel(context.Background())
			scenes := engine.OnStep(func(engine.Scene) {
				if after--; after == 0 {
					stop()
				}
			})
			err := engine.Until(ctx, scenes, func(rec engine.Recorder) error {
				s.game.Play(c.players, seed, rec)
				return nil
			})
			stop()
			if err == nil && after > 0 {
				return errors.New("a game shows fewer than half of its steps")
			}
			if err != nil && !errors.Is(err, context.Canceled) {
				return err
			}
		}
		return same("a game and the same after some were stopped", want,
			s.game.Play(c.players, seed, nil))
	})
}

func checkFaulty(s *subject) error {
	recordable, ok := s.game.(engine.Recordable)
	if !ok {
		return nil // replay says so
	}
	var tape engine.Tape
	first := s.casts[0]
	s.game.Play(first.players, s.seeds[0], &tape)
	noise := engine.NewRandom(1)
	for _, bad := range []struct {
		name      string
		decisions func(seat int) []uint64
	}{
		{"no decisions", func(int) []uint64 { return nil }},
		{"half of the decisions",
			func(seat int) []uint64 { return tape.Decisions[seat][:len(tape.Decisions[seat])/2] }},
		{"another seat's",
			func(seat int) []uint64 { return tape.Decisions[(seat+1)%len(first.players)] }},
		{"senseless decisions",
			func(int) []uint64 {
				return fill(s.info.Decisions,
					func() uint64 { return math.MaxUint64 })
			}},
		{"only zeros",
			func(int) []uint64 { return fill(s.info.Decisions, func() uint64 { return 0 }) }},
		{"random decisions", func(int) []uint64 { return fill(s.info.Decisions, noise.Uint64) }},
		{"small random decisions",
			func(int) []uint64 {
				return fill(s.info.Decisions,
					func() uint64 { return noise.Uint64() >> 60 })
			}},
	} {
		err := guard(func() error {
			c := cast{name: bad.name}
			for seat := range first.players {
				c.players = append(c.players, recordable.Recording(bad.decisions(seat)))
			}
			return s.sane(c, s.seeds[0])
		})
		if err != nil {
			return fmt.Errorf("recording with %s: %w", bad.name, err)
		}
	}
	return nil
}

// fill returns up to n numbers, at most as many as a game of a few million decisions needs.
func fill(n int, next func() uint64) []uint64 {
	numbers := make([]uint64, min(n, 1<<16))
	for i := range numbers {
		numbers[i] = next()
	}
	return numbers
}

func checkHostile(s *subject) error {
	for _, h := range hostileGenomes(s.game) {
		err := guard(func() error {
			if err := s.game.Grammar().Check(h.genome); err != nil {
				return fmt.Errorf("bug of enginetest: %w", err)
			}
			p, err := s.game.Bind(h.genome)
			if err != nil {
				if h.must {
					return fmt.Errorf("Bind refuses a genome of depth at most %d: %w", depthLimit, err)
				}
				return nil
			}
			c := cast{players: slices.Clone(s.casts[0].players)}
			for seat := 0; seat < len(c.players); seat += 2 {
				c.players[seat] = p
			}
			if err := s.sane(c, s.seeds[0]); err != nil {
				return err
			}
			return same("the game and the same again", s.game.Play(c.players, 3, nil),
				s.game.Play(c.players, 3, nil))
		})
		if err != nil {
			return fmt.Errorf("%s, %d nodes: %w", h.name, h.genome.Size(), err)
		}
	}
	return nil
}

func checkShared(s *subject) error {
	const goroutines = 3
	before := runtime.NumGoroutine()
	type key struct {
		cast int
		seed uint64
	}
	want := map[key]engine.Result{}
	for i, c := range s.casts {
		for _, seed := range s.seeds {
			want[key{i, seed}] = s.game.Play(c.players, seed, nil)
		}
	}
	err := parallel.Each(context.Background(), goroutines, goroutines, func(_, n int) error {
		return guard(func() error {
			for i := range s.casts {
				i = (i + n) % len(s.casts)
				for _, seed := range s.seeds {
					c := s.casts[i]
					if err := same("alone and beside other games", want[key{i, seed}],
						s.game.Play(c.players, seed, nil)); err != nil {
						return fmt.Errorf("%s, seed %d: %w", c.name, seed, err)
					}
				}
			}
			return nil
		})
	})
	if err != nil {
		return err
	}
	return goroutinesEnd(before)
}

// goroutinesEnd checks that no goroutine is left over. It waits a moment for those about to end.
func goroutinesEnd(before int) error {
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	return fmt.Errorf("%d goroutines before the games and %d after", before, runtime.NumGoroutine())
}

func checkEquivalence(s *subject) error {
	d, ok := s.game.(engine.EquivalenceCheck)
	if !ok {
		return nil
	}
	if s.info.MaxSeats != 1 || s.info.Chance {
		return fmt.Errorf("a game that tells who plays alike needs one seat and no chance; it "+
			"has %d seats, chance %v", s.info.MaxSeats, s.info.Chance)
	}
	const families = 400
	r := rand.New(rand.NewPCG(1, 2))
	population := Bred(s.game, families)
	told := 0
	for i, of := range population {
		players, err := bindAll(s.game, []gp.Genome{of})
		if err != nil {
			return err
		}
		want := s.game.Play(players, 1, nil)
		for range 3 { // generations, which may share one player
			child, _ := s.game.Grammar().Cross(r, of, population[r.IntN(families)], &crossing)
			if !d.PlaysAs(players[0], of, child) {
				break
			}
			told++
			own, err := bindAll(s.game, []gp.Genome{child})
			if err != nil {
				return err
			}
			if err := same(fmt.Sprintf("PlaysAs says that a child plays as genome %d, which it", i),
				want, s.game.Play(own, 1, nil)); err != nil {
				return err
			}
			of = child
		}
	}
	if told < families/10 {
		return fmt.Errorf("PlaysAs tells of only %d children of %d couples that they play alike",
			told, families)
	}
	return nil
}

// checkMarks checks that marks count something. One of several may stay 0, because its event need
// not occur with every map or setting.
func checkMarks(s *subject) error {
	if len(s.info.Marks) > 0 && !s.marked {
		return fmt.Errorf("the marks %q are 0 in every game", s.info.Marks)
	}
	return nil
}
