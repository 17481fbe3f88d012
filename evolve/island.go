package evolve

import (
	"slices"

	"clade/engine"
)

// island is a population in the middle of a generation. What it does to people is undone by
// dropping the island: the run keeps the population as it was.
type island struct {
	*breeder
	index      int
	generation int           // of people as they were when the generation began
	people     []*Individual // the population; children take their places in it
	began      []*Individual // the population that the generation selects from
	// by place in began: how much selection favoured it, for the choice of the champion
	favour  []float64
	fitness []float64       // by place in people, for explicit fitness only
	births  []*Individual   // in order, with immigrants
	hall    []engine.Player // champions of earlier generations that play along
	choose  chooser
	notes   *transcript // of what is played, nil for none
	teller  *teller     // of what was played elsewhere, nil for an island that plays itself
	desk    *Desk       // where helpers ask, nil where there are none
	helper  *helper     // nil but for the island of a helper
}

// choice is the outcome of one tournament, as places in the population.
type choice struct{ winner, loser int }

// chooser draws n parents from the present population.
type chooser func(n int, seed engine.Seed) ([]choice, error)

// newIsland begins a generation.
func newIsland(b *breeder, generation, index int, people []*Individual,
	hall []engine.Player) *island {
	is := &island{breeder: b, generation: generation, index: index, hall: hall}
	is.people = append(is.people, people...)
	is.favour = make([]float64, len(people))
	is.choose = is.draw
	return is
}

// stream returns the random stream of a purpose in this generation.
func (is *island) stream(purpose string, index int) engine.Seed {
	return is.seed(purpose, is.generation, is.index, index)
}

// step does one generation: selection among the people, and their replacement by children.
func (is *island) step() error {
	if err := is.replace(); err != nil {
		return err
	}
	return is.confirm()
}

func (is *island) replace() error {
	is.began = append([]*Individual(nil), is.people...)
	if is.Config.Selection == ByFitness {
		if err := is.evaluate(); err != nil {
			return err
		}
		copy(is.favour, is.fitness)
	}
	switch {
	case is.Config.Selection == ByPairs:
		return is.pairs()
	case is.Config.Replacement == Steady:
		return is.steady()
	default:
		return is.generational()
	}
}

// generational replaces everybody but the elites.
func (is *island) generational() error {
	elites, err := is.elites()
	if err != nil {
		return err
	}
	places := make([]int, 0, len(is.people))
	for i := elites; i < len(is.people); i++ {
		places = append(places, i)
	}
	parents, err := is.parents(len(places)+len(places)%2, is.stream("select", 0))
	if err != nil {
		return err
	}
	return is.breed(parents, places, 0)
}

// parents draws n parents and notes that they were favoured.
func (is *island) parents(n int, seed engine.Seed) ([]*Individual, error) {
	choices, err := is.choose(n, seed)
	if err != nil {
		return nil, err
	}
	parents := make([]*Individual, n)
	for i, c := range choices {
		parents[i] = is.people[c.winner]
		if is.fitness == nil {
			is.favour[c.winner]++
		}
	}
	return parents, nil
}

// brood is the greatest number of couples whose children a steady state makes at once, from one
// population: enough to keep many workers busy. It is a part of the algorithm, not of the machine.
// Of a small population it is a sixteenth at most.
const brood = 8

// steady lets children take the places of losers, a brood at a time.
func (is *island) steady() error {
	n := len(is.people)
	couples := (n + 1) / 2
	step := max(1, min(brood, n/16))
	taken := make([]bool, n)
	for first := 0; first < couples; first += step {
		many := min(step, couples-first)
		choices, err := is.choose(2*many, is.stream("select", first))
		if err != nil {
			return err
		}
		parents := make([]*Individual, len(choices))
		places := make([]int, 0, len(choices))
		clear(taken)
		for i, c := range choices {
			parents[i] = is.people[c.winner]
			if is.people[c.winner] == is.began[c.winner] && is.fitness == nil {
				is.favour[c.winner]++
			}
			if 2*first+i == n {
				break // the last couple of an odd population has one child
			}
			place := c.loser // of two children for one place the second takes the next one
			for taken[place] {
				place = (place + 1) % n
			}
			taken[place] = true
			places = append(places, place)
		}
		if err := is.breed(parents, places, first); err != nil {
			return err
		}
		if is.fitness != nil {
			if err := is.evaluatePlaces(places, first); err != nil {
				return err
			}
		}
	}
	return nil
}

// pairs plays one match a pair, or one melee a group; the winners stay, and children of random
// winners take the losers' places. Those who find no group stay too.
func (is *island) pairs() error {
	k, order := is.Config.Seats, is.shuffled("pair")
	groups := len(order) / k
	ranked, err := is.bout(groups, k, func(w *worker, i int, outcome []uint64) error {
		// of its own, for others may play the same piece
		group := slices.Clone(order[i*k : (i+1)*k])
		if err := is.rank(w, group, is.stream("match", i)); err != nil {
			return err
		}
		for j, place := range group {
			outcome[j] = uint64(place)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i, v := range ranked {
		if order[i], err = is.place(v); err != nil {
			return err
		}
	}
	var winners, losers []int
	for i := range groups {
		group := order[i*k : (i+1)*k]
		winners, losers = append(winners, group[:k-k/2]...), append(losers, group[k-k/2:]...)
	}
	for _, winner := range winners {
		is.favour[winner]++
	}
	random := engine.NewRandom(uint64(is.stream("select", 0)))
	parents := make([]*Individual, len(losers)+len(losers)%2)
	for i := range parents {
		parents[i] = is.people[winners[random.Below(len(winners))]]
	}
	return is.breed(parents, losers, 0)
}

// shuffled returns the places of the population in random order.
func (is *island) shuffled(purpose string) []int {
	order := make([]int, len(is.people))
	for i := range order {
		order[i] = i
	}
	shuffle(order, is.stream(purpose, 0))
	return order
}

func shuffle(order []int, seed engine.Seed) {
	random := engine.NewRandom(uint64(seed))
	for i := len(order) - 1; i > 0; i-- {
		j := random.Below(i + 1)
		order[i], order[j] = order[j], order[i]
	}
}
