package report

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"

	"clade/analysis"
	"clade/analysis/monitor"
	"clade/analysis/rating"
	"clade/analysis/stat"
	"clade/engine"
	"clade/engine/system/parallel"
	"clade/evolve/rundir"
	"clade/experiments/league"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/gp"
)

// MonitorOptions are the options of monitoring.
type MonitorOptions struct {
	// generations from one monitored champion to the next; 0 for about 40 champions. The last
	// champion is always one of them
	Every int
	// of each pair of champions, and of each champion against each player of the panel; even, 2 or
	// more
	Games int
	Seed  engine.Seed // of the boards, and of resampling
	// goroutines that play; 0 means GOMAXPROCS. Their number changes no result
	Workers int
	Stage   func(runner.Stage) // called with the progress; nil for none
	// path of the result cache, such as MonitorCachePath; "" for none. Results in it or in
	// MonitorCachePath, of the same players, seed and version of the program, are not played again,
	// even if the call that played them was interrupted
	Cache string
}

// Analysis is the result of monitoring a run. Champions are numbered as in Generations.
type Analysis struct {
	game        engine.Game
	Games       int   // of each pair
	Generations []int // of the champions, rising
	Genomes     []gp.Genome
	League      *league.League
	Ancestors   *monitor.CIAO // each champion against its ancestors
	Master      *monitor.CIAO // and against all
	Dominant    []int         // generations of the dominant champions
	panel       []panelCurve  // against players from outside
	// share of the panel that does not distinguish the champions of a window
	blind   []monitor.Point
	Windows []monitor.Window // intransitivity over the generations
	// the leading plane of the disc embedding; nil where all results are even
	disc      *monitor.Disc
	Weights   []weight // by champion
	lineage   *analysis.Phylogeny
	champions []int // their ids in it; of a champion without heirs it knows nothing
	// generations back to the last population's most recent common ancestor; NaN where none is
	// recorded
	ancestor float64
	// points that champions, from the third on, lost against their ancestors since the best since, as
	// shares
	Forgotten []stat.Interval

	cache        *matchCache
	participants []*participant // by champion
}

// weight is the size of a champion and of its introns.
type weight struct {
	Nodes int // of the genome
	Dead  int // nodes of subtrees that changed no decision
}

// panelCurve is the champions' record against one player from outside, on the same boards for all
// champions.
type panelCurve struct {
	Player string
	// by champion; of the last one, where its run measured it when it ended, that measurement
	Results []panelResult
}

// panelResult is shares of games, with 95 % intervals (Wilson).
type panelResult struct {
	Games  int
	Wins   stat.Interval
	Points stat.Interval // a tie counts half
}

const (
	championCount     = 40  // champions where MonitorOptions.Every is 0
	windowWidth       = 10  // champions of a window of intransitivity
	windowDraws       = 200 // leagues drawn for a window's null
	blindWidth        = 3   // champions that a player must distinguish
	duelBatch         = 50  // boards between two looks of the sequential test
	duelLimit         = 1000
	monitorConfidence = 0.95
)

// duelTest returns the test of a pairing of the dominance tournament: at least even, or stronger by
// 20 Elo.
func duelTest() stat.SPRT { return stat.SPRT{Elo0: 0, Elo1: 20, Alpha: 0.05, Beta: 0.05} }

// Monitor plays the champions of a run of a game for two against each other and against the panel,
// and computes the monitors of coevolution.
func Monitor(ctx context.Context, r *runner.Run, o MonitorOptions) (*Analysis, error) {
	c, names, players, err := begin(r, o)
	if err != nil {
		return nil, err
	}
	for _, step := range []func(context.Context, []string, []engine.Player, *runner.Run,
		MonitorOptions) error{c.meet, c.duel, c.facePanel, c.weigh} {
		err := step(ctx, names, players, r, o)
		if saved := c.cache.Save(); err == nil {
			err = saved
		} else if saved == nil && o.Cache != "" && ctx.Err() != nil {
			err = fmt.Errorf("%w; the same command goes on from what was played", err)
		}
		if err != nil {
			return nil, err
		}
	}
	return c, c.descend(r)
}

// begin checks the options, and reads the champions and the cache.
func begin(r *runner.Run, o MonitorOptions) (c *Analysis, names []string, players []engine.Player,
	err error) {
	if info := r.Game.Info(); info.MaxSeats < 2 {
		err = fmt.Errorf("monitors are for games for two or more, and %s has one seat", info.Name)
		return nil, nil, nil, err
	}
	if o.Games < 2 || o.Games%2 != 0 || o.Every < 0 {
		err = fmt.Errorf("%d games of each pair and every %d generations; "+
			"games must be even and at least 2, generations not negative", o.Games, o.Every)
		return nil, nil, nil, err
	}
	c = &Analysis{game: r.Game, Games: o.Games}
	if names, players, err = c.gather(r, o.Every); err != nil {
		return nil, nil, nil, err
	}
	cache, err := openMatchCache(r, o.Seed, o.Cache)
	if err != nil {
		return nil, nil, nil, err
	}
	c.enter(cache)
	return c, names, players, nil
}

// gather reads and binds the champions that are monitored.
func (c *Analysis) gather(r *runner.Run, every int) (names []string, players []engine.Player,
	err error) {
	files, err := choose(r.Dir, every)
	if err != nil {
		return nil, nil, err
	}
	for _, f := range files {
		s, err := player.ReadSpecies(r.Game, f.Path)
		if err != nil {
			return nil, nil, err
		}
		p, err := r.Game.Bind(s.Genome)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", f.Path, err)
		}
		players, names = append(players, p), append(names, fmt.Sprint(f.Generation))
		c.Generations, c.Genomes = append(c.Generations, f.Generation), append(c.Genomes, s.Genome)
	}
	return names, players, nil
}

// CompareChampions plays the champions of a run against each other, on the boards of Monitor, and
// returns an analysis that holds them, Ancestors and Master, and nothing else. Games of the pair of
// champions a < b, by number, have the seed that BoardSeed returns.
func CompareChampions(ctx context.Context, r *runner.Run, o MonitorOptions) (*Analysis, error) {
	c, _, players, err := begin(r, o)
	if err != nil {
		return nil, err
	}
	pairings, err := league.PlayPairs(ctx, r.Game, players, o.Games/2, o.Workers,
		o.progress("champions against each other"), c.pair)
	if err = errors.Join(err, c.cache.Save()); err != nil {
		return nil, err
	}
	points, err := rating.Scores(len(players), pairings)
	if err != nil {
		return nil, err
	}
	c.Ancestors, c.Master, err = c.compare(points)
	return c, err
}

// BoardSeed returns the seed of the first board that champions a < b, by number, meet on.
func (c *Analysis) BoardSeed(a, b int) engine.Seed { return c.pair(a, b).Seed.Num(0) }

// enter makes participants of the champions.
func (c *Analysis) enter(m *matchCache) {
	c.cache = m
	for _, ge := range c.Genomes {
		c.participants = append(c.participants, m.Champion(ge))
	}
}

// pair returns the boards on which two champions meet.
func (c *Analysis) pair(a, b int) league.Pair {
	return c.cache.Pair(c.participants[a], c.participants[b])
}

// choose returns the champions of a run that are monitored.
func choose(dir string, every int) ([]player.Champion, error) {
	all, err := player.Champions(dir)
	if err != nil {
		return nil, err
	}
	if len(all) < 3 {
		return nil, fmt.Errorf("%s has %d champions; monitors need 3 or more", dir, len(all))
	}
	if every == 0 {
		every = max(1, (all[len(all)-1].Generation-all[0].Generation)/(championCount-1))
	}
	var chosen []player.Champion
	for i, c := range all {
		if n := len(chosen); n == 0 || c.Generation >= chosen[n-1].Generation+every || i == len(all)-1 {
			chosen = append(chosen, c)
		}
	}
	if len(chosen) < 3 {
		return nil, fmt.Errorf("a champion every %d generations leaves %d of %s; "+
			"monitors need 3 or more", every, len(chosen), dir)
	}
	return chosen, nil
}

// meet plays all champions against each other, and computes the monitors that follow from that.
func (c *Analysis) meet(ctx context.Context, names []string, players []engine.Player,
	r *runner.Run, o MonitorOptions) (err error) {
	c.League, err = league.PlayLeague(ctx, r.Game, names, players, o.Games/2,
		o.Seed.Name("champions"), o.Workers, o.progress("champions against each other"), c.pair)
	if err != nil {
		return err
	}
	if c.Ancestors, c.Master, err = c.compare(c.League.Points); err != nil {
		return err
	}
	if c.Forgotten, err = c.forgotten(o.Seed.Name("forgetting")); err != nil {
		return err
	}
	if c.Windows, err = monitor.Intransitivity(c.Generations, c.League.Pairings, windowWidth,
		monitorConfidence, windowDraws, o.Seed.Name("windows")); err != nil {
		return err
	}
	discs, err := monitor.Embed(rating.Payoffs(c.League.Points), 1)
	if len(discs) > 0 {
		c.disc = &discs[0]
	}
	return err
}

// compare arranges the points of all pairs as matrices.
func (c *Analysis) compare(points [][]float64) (ancestors, master *monitor.CIAO, err error) {
	play := func(a, b int) (float64, error) {
		if a == b {
			return 0.5, nil // both seats of every board are the same player's
		}
		return points[c.index(a)][c.index(b)], nil
	}
	if ancestors, err = monitor.Ancestors(c.Generations, play); err != nil {
		return nil, nil, err
	}
	master, err = monitor.Master(c.Generations, play)
	return ancestors, master, err
}

// forgotten returns how much champions have forgotten, with intervals over resamples of the boards.
// If nothing varies from board to board, the interval is that of the difference of two shares of
// none or all boards (Newcombe, 1998).
func (c *Analysis) forgotten(seed engine.Seed) ([]stat.Interval, error) {
	n := len(c.Generations)
	all, err := rating.Spread(c.League.Pairings, monitorConfidence, windowDraws, seed,
		func(pairings []rating.Pairing) ([]float64, error) {
			points, err := rating.Scores(n, pairings)
			if err != nil {
				return nil, err
			}
			_, master, err := c.compare(points)
			if err != nil {
				return nil, err
			}
			var losses []float64
			for _, q := range master.Forgetting() {
				losses = append(losses, q.Value)
			}
			return losses, nil
		})
	if err != nil {
		return nil, err
	}
	for i := range all {
		if lost := all[i].Estimate; math.IsNaN(all[i].Low) {
			most := stat.Wilson(0, float64(c.Games/2), monitorConfidence).High
			all[i].Low, all[i].High = lost-most, lost+most
		}
		all[i] = all[i].Within(-1, 1)
	}
	return all, nil
}

// index returns the number of the champion of a generation.
func (c *Analysis) index(generation int) int { return slices.Index(c.Generations, generation) }

// duel plays the dominance tournament.
func (c *Analysis) duel(ctx context.Context, _ []string, players []engine.Player, r *runner.Run,
	o MonitorOptions) error {
	play := func(a, b, first, boards int) (stat.Pentanomial, error) {
		a, b = c.index(a), c.index(b)
		duel := c.cache.named("duel", c.participants[a], c.participants[b])
		duel.Seed = duel.Seed.Num(uint64(first))
		duel.Key += fmt.Sprint(" ", first)
		played, err := league.PlayPairs(ctx, r.Game, []engine.Player{players[a], players[b]},
			boards, o.Workers, nil, func(int, int) league.Pair { return duel })
		return played[0].Pentanomial(), err
	}
	beats, err := monitor.Sequential(duelTest(), duelBatch, duelLimit, play)
	if err != nil {
		return err
	}
	progress := o.progress("dominance tournament")
	c.Dominant, err = monitor.Dominance(c.Generations, func(a, b int) (bool, error) {
		progress(c.index(a), len(c.Generations)-1)
		return beats(a, b)
	})
	return err
}

// facePanel plays all champions against the built-in players and those that the study measures
// against.
func (c *Analysis) facePanel(ctx context.Context, _ []string, players []engine.Player,
	r *runner.Run, o MonitorOptions) error {
	names, opponents, err := r.Panel()
	if err != nil || len(names) == 0 {
		return err
	}
	progress := o.progress("champions against the panel")
	last := len(players) - 1
	scores := make([][]float64, len(players))
	for k, name := range names {
		curve, opponent := panelCurve{Player: name}, c.cache.Opponent(r, name)
		for i, p := range players {
			pair := c.cache.Pair(c.participants[i], opponent)
			played, err := league.PlayPairs(ctx, r.Game, []engine.Player{p, opponents[k]},
				o.Games/2, o.Workers, nil, func(int, int) league.Pair { return pair })
			if err != nil {
				return err
			}
			curve.Results = append(curve.Results, resultOf(&played[0]))
			scores[i] = append(scores[i], curve.Results[i].Points.Estimate)
			progress(k*len(players)+i+1, len(names)*len(players))
		}
		if m := final(r, name, c.Generations[last]); m != nil {
			n := float64(m.Games)
			curve.Results[last] = panelResult{m.Games, stat.Wilson(float64(m.Wins), n, monitorConfidence),
				stat.Wilson(m.Points()*n, n, monitorConfidence)}
		}
		c.panel = append(c.panel, curve)
	}
	for i := blindWidth - 1; i < len(scores); i++ {
		blind := monitor.Disengagement(scores[i+1-blindWidth : i+1])
		c.blind = append(c.blind, monitor.Point{At: c.Generations[i], Value: blind, Count: len(names)})
	}
	return nil
}

// resultOf returns the result of a pairing in games.
func resultOf(p *rating.Pairing) panelResult {
	wins, points := 0, 0
	for i, n := range p.Boards {
		points += (i/3 + i%3) * n
		for _, outcome := range []int{i / 3, i % 3} {
			if rating.Outcome(outcome) == rating.Win {
				wins += n
			}
		}
	}
	games := 2 * p.Count()
	return panelResult{games, stat.Wilson(float64(wins), float64(games), monitorConfidence),
		stat.Wilson(float64(points)/2, float64(games), monitorConfidence)}
}

// final returns the final measurement of the champion of a generation against a player; nil if
// there is none.
func final(r *runner.Run, name string, generation int) *runner.Measurement {
	sum, err := r.Ended()
	if err != nil {
		return nil
	}
	for i := range sum.Final {
		if m := &sum.Final[i]; m.Against == name && m.Generation == generation {
			return m
		}
	}
	return nil
}

// weigh finds how much of each champion matters.
func (c *Analysis) weigh(ctx context.Context, _ []string, _ []engine.Player, r *runner.Run,
	o MonitorOptions) error {
	c.Weights = make([]weight, len(c.Genomes))
	err := parallel.Each(ctx, len(c.Genomes), o.Workers, func(_, i int) error {
		dead, _, err := c.cache.Introns(ctx, c.Genomes[i])
		if err != nil {
			return err
		}
		for _, tree := range dead {
			c.Weights[i].Nodes += len(tree)
			for _, d := range tree {
				if d {
					c.Weights[i].Dead++
				}
			}
		}
		return nil
	})
	return league.Stopped(ctx, err)
}

// descend reads the lineage, if the run kept one.
func (c *Analysis) descend(r *runner.Run) (err error) {
	c.ancestor = math.NaN()
	c.lineage, err = ReadLineage(r.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if ages := c.lineage.AncestorAges(1); len(ages) > 0 {
		c.ancestor = ages[0].Age
	}
	c.champions, err = r.ChampionIDs()
	return err
}

// ReadLineage reads the lineage of a run directory, or a file of the ALife data standard for
// phylogenies from any program.
func ReadLineage(path string) (*analysis.Phylogeny, error) {
	if rundir.IsRun(path) {
		path = filepath.Join(path, rundir.LineageFile)
	}
	content, err := rundir.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return analysis.ReadPhylogeny(bytes.NewReader(content), path)
}

// progress returns the function that passes on how far one stage is.
func (o *MonitorOptions) progress(name string) func(done, total int) {
	return runner.Progress(o.Stage, name)
}
