package evolve

import (
	"cmp"
	"math"
	"slices"

	"clade/engine"
)

// ByRace breeds from few individuals whose strength is known well: Config.Elites of them have
// records over many games, and a child must pass an accurate race to take an elite's place.
const ByRace = "race"

// An elite plays eliteGames in every generation, or as many as a child may where those are fewer,
// after its record was multiplied by eliteDecay.
const (
	eliteGames = 256
	eliteDecay = 0.7
)

// Race holds settings for the selection ByRace only.
type Race struct {
	// Games are the numbers of games after which the worse half of the children is dropped, each at
	// least twice the one before; multiples of 8; default 48, 256 and 1024.
	Games []int `toml:"games,omitempty" json:",omitempty"`
	// Archive is the share of games, 0..1, against opponents of the hall; the others are against
	// elites. Default 1 where there is a hall: elites that play elites become specialists against
	// each other.
	Archive float64 `toml:"archive,omitempty" json:",omitempty"`
}

// resolved returns the settings with defaults filled in.
func (r Race) resolved() Race {
	if len(r.Games) == 0 {
		r.Games = []int{48, 256, 1024}
	}
	r.Archive = cmp.Or(r.Archive, 1)
	return r
}

// byRace is the selection scheme ByRace.
type byRace struct{}

func (byRace) name() string { return ByRace }

func (byRace) matches(c *Config) int { return c.Population } // its numbers of boards are its own

func (byRace) check(c *Config, f *faults) {
	if c.Replacement == replaceLosers {
		f.add("replacement", "must be %q with the selection %q, which has its own: elites stay",
			replaceAll, ByRace)
	}
	if c.Elites < 2 {
		f.add("elites", "must be at least 2 with the selection %q, not %d", ByRace, c.Elites)
	}
	if c.Seats > 2 || c.Once {
		f.add("seats", "must be 2, and once false, with the selection %q", ByRace)
	}
	r := c.Race.resolved()
	least := 8
	for _, n := range r.Games {
		if n < least || n%(2*raceBoards) != 0 || n > 1_000_000 {
			f.add("race.games",
				"must be multiples of %d up to 1000000, each at least twice the one "+
					"before, not %v", 2*raceBoards, r.Games)
			break
		}
		least = 2 * n
	}
	if !(r.Archive >= 0 && r.Archive <= 1) {
		f.add("race.archive", "must be in 0..1, not %v", r.Archive)
	}
}

// draw draws elites, all equally likely.
func (byRace) draw(is *island, n int, seed engine.Seed) ([]choice, error) {
	random := engine.NewRandom(uint64(seed))
	choices := make([]choice, n)
	for i := range choices {
		choices[i].winner = random.Below(is.Config.Elites)
	}
	return choices, nil
}

// renew races the children while the elites add to their records. The best of both become the
// elites of the next generation, and their children take the other places. Elites come first in a
// population, the best before the others.
func (byRace) renew(is *island) error {
	race := is.Config.Race.resolved()
	var elites, children []int
	for i, in := range is.population {
		if in.record.played > 0 {
			elites = append(elites, i)
		} else {
			children = append(children, i)
		}
	}
	// The run returns to the same individuals if this generation is dropped, so their records stay
	// on the island until it is committed.
	is.records = make([]points, len(is.population))
	for i, in := range is.population {
		is.records[i] = points{in.record.won * eliteDecay, in.record.played * eliteDecay}
	}
	opponents := elites // the first generation has no elites: all are opponents
	if len(opponents) == 0 {
		opponents = children
	}
	elite := min(eliteGames, race.Games[len(race.Games)-1])
	if err := is.raced(elites, opponents, 0, elite, race.Archive); err != nil {
		return err
	}
	done := 0
	for _, games := range race.Games {
		if err := is.raced(children, opponents, done, games, race.Archive); err != nil {
			return err
		}
		done = games
		is.ranked(children)
		children = children[:(len(children)+1)/2]
	}
	best := append(elites, children...)
	is.ranked(best)
	for _, i := range best {
		is.selected[i] = is.records[i].rate()
	}
	n := is.Config.Elites
	best = best[:min(n, len(best))]
	is.moveToFront(best)
	return is.raise(len(best))
}

// raise replaces all but the first n individuals by children of those.
func (is *island) raise(n int) error {
	random := engine.NewRandom(uint64(is.stream("select", 0)))
	var places []int
	for i := n; i < len(is.population); i++ {
		places = append(places, i)
	}
	clear(is.records[n:])
	parents := make([]*Individual, len(places)+len(places)%2)
	for i := range parents {
		parents[i] = is.population[random.Below(n)]
	}
	return is.breed(parents, places, 0)
}

// points is a record in which older games count less: points won, a tie as a half, and games
// played.
type points struct{ won, played float64 }

func (p points) rate() float64 { return p.won / p.played }

// ranked sorts indices by their records, the best first.
func (is *island) ranked(indices []int) {
	slices.SortStableFunc(indices, func(x, y int) int {
		c := cmp.Compare(is.records[y].rate(), is.records[x].rate())
		if c == 0 && is.Config.Parsimony {
			c = cmp.Compare(is.population[x].Size, is.population[y].Size)
		}
		return c
	})
}

// raced plays games first to before last of a generation for all individuals of the field, and adds
// the points to their records. All meet the same opponents on the same boards; an individual that
// would meet itself meets the next opponent.
func (is *island) raced(field, opponents []int, first, last int, archive float64) error {
	numbers, err := is.played(is.population, len(field), 1, finite,
		func(w *worker, i int, outcome []uint64) error {
			sum := 0.0
			for round := first / (2 * raceBoards); round < last/(2*raceBoards); round++ {
				seed := is.stream("round", round)
				other := is.rival(field[i], opponents, archive, seed)
				o := is.play(w, engine.Match{Boards: raceBoards, Whole: true},
					is.population[field[i]].Player, other, seed)
				sum += float64(o.Wins[0]) + float64(o.Games-o.Wins[0]-o.Wins[1])/2
			}
			outcome[0] = math.Float64bits(sum)
			return nil
		})
	if err != nil {
		return err
	}
	for i, won := range floats(numbers) {
		r := &is.records[field[i]]
		r.won, r.played = r.won+won, r.played+float64(last-first)
	}
	return nil
}

// rival draws the opponent of a round.
func (is *island) rival(index int, opponents []int, archive float64,
	seed engine.Seed) engine.Player {
	random := engine.NewRandom(uint64(seed.Name("opponent")))
	if len(is.hall) > 0 && random.Float() < archive {
		return is.hall[random.Below(len(is.hall))]
	}
	i := random.Below(len(opponents))
	if opponents[i] == index {
		i = (i + 1) % len(opponents)
	}
	return is.population[opponents[i]].Player
}
