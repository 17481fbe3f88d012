package evolve

import "clade/engine"

// replacement replaces a population, for selection schemes that draw parents for every child.
type replacement struct {
	// elites returns n individuals that survive.
	elites func(is *island, n int) ([]int, error)
	// born, if not nil, is called with the places of new individuals in steady-state replacement.
	// The number differs from call to call.
	born func(is *island, places []int, number int) error
}

// renew breeds a generation as Config.Replacement says.
func (r replacement) renew(is *island) error {
	if is.Config.Replacement == replaceLosers {
		return r.steady(is)
	}
	return r.generational(is)
}

// generational replaces all individuals but the elites.
func (r replacement) generational(is *island) error {
	elites := is.Config.Elites
	if elites > 0 {
		chosen, err := r.elites(is, elites)
		if err != nil {
			return err
		}
		is.moveToFront(chosen)
	}
	places := make([]int, 0, len(is.population))
	for i := elites; i < len(is.population); i++ {
		places = append(places, i)
	}
	parents, _, err := is.parents(len(places)+len(places)%2, is.stream("select", 0))
	if err != nil {
		return err
	}
	return is.breed(parents, places, 0)
}

// parents draws n parents and adds to their selection counts.
func (is *island) parents(n int, seed engine.Seed) ([]*Individual, []choice, error) {
	random := engine.NewRandom(uint64(seed))
	choices, err := is.selection.draw(is, n, engine.Seed(random.Uint64()))
	if err != nil {
		return nil, nil, err
	}
	parents := make([]*Individual, n)
	for i, c := range choices {
		parents[i] = is.population[c.winner]
		if is.fitness == nil && parents[i] == is.began[c.winner] {
			is.selected[c.winner]++
		}
	}
	return parents, choices, nil
}

// brood is the greatest number of couples whose children steady-state replacement makes from one
// state of the population: enough to keep many workers busy. It is a part of the algorithm and does
// not depend on the machine. In a small population it is at most a sixteenth of that.
const brood = 8

// steady puts children in the places of losers, a brood at a time.
func (r replacement) steady(is *island) error {
	n := len(is.population)
	couples := (n + 1) / 2
	step := max(1, min(brood, n/16))
	taken := make([]bool, n)
	for first := 0; first < couples; first += step {
		many := min(step, couples-first)
		parents, choices, err := is.parents(2*many, is.stream("select", first))
		if err != nil {
			return err
		}
		places := make([]int, 0, len(choices))
		clear(taken)
		// the last couple of an odd population has one child
		for _, c := range choices[:min(len(choices), n-2*first)] {
			place := c.loser // the second of two children for one place takes the next place
			for taken[place] {
				place = (place + 1) % n
			}
			taken[place] = true
			places = append(places, place)
		}
		if err := is.breed(parents, places, first); err != nil {
			return err
		}
		if r.born != nil {
			if err := r.born(is, places, first); err != nil {
				return err
			}
		}
	}
	return nil
}

// moveToFront moves the chosen individuals to the front, in their order, with all that is kept by
// index.
func (is *island) moveToFront(chosen []int) {
	front := make([]bool, len(is.population))
	for _, c := range chosen {
		front[c] = true
	}
	order := append(make([]int, 0, len(is.population)), chosen...)
	for i := range is.population {
		if !front[i] {
			order = append(order, i)
		}
	}
	is.population, is.began = permuted(is.population, order), permuted(is.began, order)
	is.selected, is.fitness = permuted(is.selected, order), permuted(is.fitness, order)
	is.records = permuted(is.records, order)
}

// permuted returns a copy in which index i holds what index order[i] held; nil for nil.
func permuted[T any](s []T, order []int) []T {
	if s == nil {
		return nil
	}
	p := make([]T, len(s))
	for i, o := range order {
		p[i] = s[o]
	}
	return p
}

// checkReplacement finds what is wrong with the settings of schemes with a replacement.
func checkReplacement(c *Config, f *faults) {
	f.within("tournament", c.Tournament, 2, c.Population)
	if c.Once {
		f.add("once", "must be false without pairs, that is with the selection %q and %d seats",
			c.Selection, c.Seats)
	}
	if c.Seats > 2 {
		f.add("seats", "must be 2 with the selection %q, which has no groups of more", c.Selection)
	}
	if c.Elites > 0 && c.Replacement == replaceLosers {
		f.add("elites", "must be 0 where winners stay anyway, with the replacement %q", replaceLosers)
	}
}
