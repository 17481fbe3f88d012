package league

import (
	"context"
	"slices"
	"strings"

	"clade/analysis"
	"clade/analysis/figure"
	"clade/analysis/rating"
	"clade/engine"
)

// Ranking is what leagues and free-for-alls have in common.
type Ranking struct {
	Players []string
	Games   int // of each pair, or of each combination of players
	// strongest first; 95 % intervals by bootstrap over boards
	Standings []rating.Standing
	Points    [][]float64 // of the row against the column, as a share; NaN on the diagonal
}

// rated is a League or a FreeForAll.
type rated interface {
	Ranked() *Ranking
	Figures() []*figure.Figure // ratings first
}

// Ranked returns the ranking, also of a League or a FreeForAll.
func (r *Ranking) Ranked() *Ranking { return r }

// Seed returns the seed for a number that a person chooses.
func Seed(number uint64, seats int) engine.Seed {
	if seats > 2 {
		return engine.Seed(number).Name("melee") // the older word, which decides published boards
	}
	return engine.Seed(number).Name("league")
}

// Play plays a league on a number of boards, as PlayLeague, for two seats. For more every
// combination of players that fills them plays, each board once in every rotation of the seats; the
// winner by the rules has the first place, and the scores give the others. Games in the cache,
// which may be nil, are not played.
func Play(ctx context.Context, g engine.Game, names []string, players []engine.Player,
	seats, boards int, seed engine.Seed, workers int, progress func(done, total int),
	cache *Cache) (rated, error) {
	if seats > 2 {
		return playFreeForAll(ctx, g, names, players, seats, boards, seed, workers, progress, cache)
	}
	return PlayLeague(ctx, g, names, players, boards, seed, workers, progress,
		Numbered(seed, len(players), cache))
}

// table returns a row a player, strongest first, with more columns.
func (r *Ranking) table(columns []string, more func(player int) []any) *analysis.Table {
	t := analysis.NewTable(append([]string{"player", "elo", "elo_low", "elo_high", "bound",
		"rank_low", "rank_high"}, columns...)...)
	for _, s := range r.Standings {
		elo := s.Elo()
		t.Add(append([]any{r.Players[s.Player], elo.Estimate, elo.Low, elo.High,
			string(s.Bound()), s.RankLow, s.RankHigh}, more(s.Player)...)...)
	}
	return t
}

// figure draws the ratings, and returns names and points for others, strongest first.
func (r *Ranking) figure() (ratings *figure.Figure, names []string, points [][]float64) {
	players := Labels(r.Players)
	for _, s := range r.Standings {
		names = append(names, players[s.Player])
		var row []float64
		for _, other := range r.Standings {
			row = append(row, r.Points[s.Player][other.Player])
		}
		points = append(points, row)
	}
	return figure.Ratings(players, r.Standings), names, points
}

// Labels returns the names of players in figures: built-in ones by their names, files and runs by
// as many of the last parts of their paths as distinguish them, so that a figure does not depend on
// where it was made.
func Labels(names []string) []string {
	all := make([]string, len(names))
	for i, name := range names {
		path := bare(name)
		if path == name {
			all[i] = name
			continue
		}
		parts := strings.Split(path, "/")
		for n := 1; n <= len(parts); n++ {
			all[i] = strings.Join(parts[len(parts)-n:], "/")
			same := func(other string) bool {
				return bare(other) == all[i] || strings.HasSuffix(bare(other), "/"+all[i])
			}
			if others := slices.Delete(slices.Clone(names), i, i+1); !slices.ContainsFunc(others, same) {
				break
			}
		}
	}
	return all
}

// bare returns the path in the name of a file, a run or a kept species, or else the name.
func bare(name string) string {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "run:"), "kept:")
	return strings.TrimSuffix(name, ".species")
}
