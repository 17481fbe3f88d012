package survey

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"clade/analysis"
	"clade/analysis/monitor"
	"clade/analysis/rating"
	"clade/analysis/stat"
	"clade/engine"
	"clade/engine/parallel"
	"clade/evolve/rundir"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/gp"
)

// MonitorOptions says how closely the coevolution of a run is looked at.
type MonitorOptions struct {
	// generations from one watched champion to the next; 0 for about forty of them. The last
	// champion is always watched
	Every int
	// of each pair of champions, and of each champion against each built-in player; even, 2 or
	// more
	Games int
	Seed  engine.Seed // of the boards, and of what is drawn again
	// goroutines that play; 0 means GOMAXPROCS. Their number changes no result
	Workers int
	Stage   func(runner.Stage) // called as the work goes on; nil for none
	// Cache is a file, in a directory that is made where it is missing, that keeps what has been
	// played while the work goes on, so that a call that is broken off is gone on with by the next
	// one on the same run with the same settings, under the same version of the program. It is for
	// the caller to call Discard. "" means that nothing is kept.
	Cache string
}

// Coevolution is what monitors say of a run. Champions are numbered as in Generations.
type Coevolution struct {
	Run         string
	Game        engine.Game
	Games       int   // of each pair
	Generations []int // of the watched champions, rising
	Genomes     []gp.Genome
	League      *League
	Ancestors   *monitor.CIAO // each champion against its ancestors
	Master      *monitor.CIAO // and against all
	Dominant    []int         // generations of the dominant champions
	Panel       []PanelCurve  // against players from outside
	// share of the panel that tells the champions of a window apart no more
	Blind   []monitor.Point
	Windows []monitor.Window // intransitivity over the generations
	// the leading plane of the disc embedding; nil where all results are even
	Disc    *monitor.Disc
	Weights []Weight // what of the champions ever matters
	Lineage *analysis.Phylogeny
	// generations back to the last population's most recent common ancestor; NaN where there is
	// none on record
	Ancestor float64

	cache *resultCache
}

// Weight is the size of a champion and how much of it is dead weight.
type Weight struct {
	Nodes int // of the genome
	Dead  int // nodes of subtrees that changed no decision
}

// PanelCurve is the champions' record against one player from outside, on the same boards for all
// champions.
type PanelCurve struct {
	Player  string
	Results []runner.Measurement
}

const (
	watched        = 40  // champions that are watched where nobody says how many
	windowWidth    = 10  // champions of a window of intransitivity
	windowDraws    = 200 // leagues drawn for a window's null
	blindWidth     = 3   // champions that a player must tell apart
	duelBatch      = 50  // boards between two looks of the sequential test
	duelLimit      = 1000
	watchConfident = 0.95
	watchIntrons   = 200 // decisions in which a subtree of a champion must matter
)

// duelTest decides who beats whom in the dominance tournament: at least even, or stronger by 20
// Elo.
func duelTest() stat.SPRT { return stat.SPRT{Elo0: 0, Elo1: 20, Alpha: 0.05, Beta: 0.05} }

// Monitor plays the champions of a run of a game for two against each other and against the players
// of the house, and returns what the monitors of coevolution say.
func Monitor(ctx context.Context, r *runner.Run, w MonitorOptions) (*Coevolution, error) {
	if info := r.Game.Info(); info.MinSeats > 2 || info.MaxSeats < 2 {
		return nil, fmt.Errorf("monitors are for games for two, and %s has %d to %d "+
			"seats", info.Name, info.MinSeats, info.MaxSeats)
	}
	if w.Games < 2 || w.Games%2 != 0 || w.Every < 0 {
		return nil, fmt.Errorf("%d games of each pair and every %d generations; "+
			"games must be even and at least 2, generations not negative", w.Games, w.Every)
	}
	files, err := watch(r.Dir, w.Every)
	if err != nil {
		return nil, err
	}
	c := &Coevolution{Run: r.Dir, Game: r.Game, Games: w.Games}
	var players []engine.Player
	var names []string
	for _, f := range files {
		s, err := player.ReadSpecies(r.Game, f.Path)
		if err != nil {
			return nil, err
		}
		p, err := r.Game.Bind(s.Genome)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Path, err)
		}
		players, names = append(players, p), append(names, fmt.Sprint(f.Generation))
		c.Generations, c.Genomes = append(c.Generations, f.Generation), append(c.Genomes, s.Genome)
	}
	if w.Cache != "" {
		if c.cache, err = c.open(r, w); err != nil {
			return nil, err
		}
	}
	for _, step := range []func(context.Context, []string, []engine.Player, *runner.Run,
		MonitorOptions) error{c.meet, c.duel, c.facePanel, c.weigh} {
		err := step(ctx, names, players, r, w)
		if saved := c.cache.save(); err == nil {
			err = saved
		} else if saved == nil && c.cache != nil && ctx.Err() != nil {
			err = fmt.Errorf("%w; the same command goes on from what was played", err)
		}
		if err != nil {
			return nil, err
		}
	}
	return c, c.descend(r)
}

// open opens the cache of what is played here.
func (c *Coevolution) open(r *runner.Run, w MonitorOptions) (*resultCache, error) {
	study, err := r.Study.Text()
	if err != nil {
		return nil, err
	}
	names, _, err := Panel(r)
	if err != nil {
		return nil, err
	}
	var species []string // of the panel, as they are now
	for _, name := range names {
		if run, ok := strings.CutPrefix(name, "run:"); ok {
			if name, err = player.ChampionPath(run); err != nil {
				return nil, err
			}
		}
		if text, err := os.ReadFile(name); err == nil {
			species = append(species, string(text))
		}
	}
	info := r.Game.Info()
	return openCache(w.Cache, struct {
		Program, Study, Game string
		Rules, Games         int
		Seed                 engine.Seed
		Generations          []int
		Genomes              string
		Panel, Species       []string
	}{runner.ProgramVersion(), string(study), info.Name, info.Version, w.Games, w.Seed,
		c.Generations,
		printGenomes(r.Game.Grammar(), c.Genomes), names, species})
}

func printGenomes(g *gp.Grammar, all []gp.Genome) string {
	var b strings.Builder
	for _, ge := range all {
		b.WriteString(g.PrintSpecies(&gp.Species{Genome: ge}))
	}
	return b.String()
}

// Discard deletes what was kept on the way: it is for when the figures are drawn.
func (c *Coevolution) Discard() error { return c.cache.discard() }

// watch chooses the champions of a run that are watched.
func watch(dir string, every int) ([]player.Champion, error) {
	all, err := player.Champions(dir)
	if err != nil {
		return nil, err
	}
	if len(all) < 3 {
		return nil, fmt.Errorf("%s has %d champions; monitors need 3 or more", dir,
			len(all))
	}
	if every == 0 {
		every = max(1, (all[len(all)-1].Generation-all[0].Generation)/(watched-1))
	}
	var chosen []player.Champion
	for i, c := range all {
		if n := len(chosen); n == 0 || c.Generation >= chosen[n-1].Generation+every ||
			i == len(all)-1 {
			chosen = append(chosen, c)
		}
	}
	if len(chosen) < 3 {
		return nil, fmt.Errorf("a champion every %d generations leaves %d of %s; "+
			"monitors need 3 or more", every, len(chosen), dir)
	}
	return chosen, nil
}

// meet plays all champions against each other, and computes what follows from that.
func (c *Coevolution) meet(ctx context.Context, names []string, players []engine.Player,
	r *runner.Run,
	w MonitorOptions) (err error) {
	c.League, err = playLeague(ctx, r.Game, names, players, w.Games/2, w.Seed.Name("champions"),
		w.Workers, w.progress("champions against each other"), c.cache)
	if err != nil {
		return err
	}
	at := map[int]int{}
	for i, g := range c.Generations {
		at[g] = i
	}
	contest := func(a, b int) (float64, error) {
		if a == b {
			return 0.5, nil // both seats of every board are the same player's
		}
		return c.League.Points[at[a]][at[b]], nil
	}
	if c.Ancestors, err = monitor.Ancestors(c.Generations, contest); err != nil {
		return err
	}
	if c.Master, err = monitor.Master(c.Generations, contest); err != nil {
		return err
	}
	if c.Windows, err = monitor.Intransitivity(c.Generations, c.League.Pairings, windowWidth,
		watchConfident, windowDraws, w.Seed.Name("windows")); err != nil {
		return err
	}
	discs, err := monitor.Embed(rating.Payoffs(c.League.Points), 1)
	if len(discs) > 0 {
		c.Disc = &discs[0]
	}
	return err
}

// duel plays the dominance tournament.
func (c *Coevolution) duel(ctx context.Context, _ []string, players []engine.Player, r *runner.Run,
	w MonitorOptions) error {
	at := map[int]int{}
	for i, g := range c.Generations {
		at[g] = i
	}
	play := func(a, b, first, boards int) (stat.Pentanomial, error) {
		seed := w.Seed.Name("duel").Num(uint64(a)).Num(uint64(b)).Num(uint64(first))
		pair := []engine.Player{players[at[a]], players[at[b]]}
		played, err := playPairs(ctx, r.Game, pair, boards, seed, w.Workers, nil, c.cache)
		return played[0].Pentanomial(), err
	}
	beats, err := monitor.Sequential(duelTest(), duelBatch, duelLimit, play)
	if err != nil {
		return err
	}
	report := w.progress("dominance tournament")
	c.Dominant, err = monitor.Dominance(c.Generations, func(a, b int) (bool, error) {
		report(at[a], len(c.Generations)-1)
		return beats(a, b)
	})
	return err
}

// facePanel plays all champions against the built-in players and those that the study measures
// against.
func (c *Coevolution) facePanel(ctx context.Context, _ []string, players []engine.Player,
	r *runner.Run,
	w MonitorOptions) error {
	names, opponents, err := Panel(r)
	if err != nil || len(names) == 0 {
		return err
	}
	report := w.progress("champions against the panel")
	scores := make([][]float64, len(players))
	for k, name := range names {
		curve := PanelCurve{Player: name}
		for i, p := range players {
			played := fmt.Sprintf("panel %s %d", name, c.Generations[i])
			m, ok := recall[runner.Measurement](c.cache, played)
			if !ok {
				var err error
				if m, err = r.MeasureAgainst(ctx, p, opponents[k], name, w.Games,
					w.Seed.Name("panel").Name(name),
					runner.Options{Workers: w.Workers}); err != nil {
					return err
				}
				c.cache.note(played, m)
			}
			m.Generation = c.Generations[i]
			curve.Results = append(curve.Results, m)
			scores[i] = append(scores[i], m.Points())
			report(k*len(players)+i+1, len(names)*len(players))
		}
		c.Panel = append(c.Panel, curve)
	}
	for i := blindWidth - 1; i < len(scores); i++ {
		blind := monitor.Disengagement(scores[i+1-blindWidth : i+1])
		c.Blind = append(c.Blind, monitor.Point{At: c.Generations[i], Value: blind,
			Count: len(names)})
	}
	return nil
}

// weigh tells what of the champions ever matters.
func (c *Coevolution) weigh(ctx context.Context, _ []string, _ []engine.Player, r *runner.Run,
	w MonitorOptions) error {
	c.Weights = make([]Weight, len(c.Genomes))
	err := parallel.Each(ctx, len(c.Genomes), w.Workers, func(_, i int) error {
		played, ok := fmt.Sprintf("introns %d", c.Generations[i]), false
		if c.Weights[i], ok = recall[Weight](c.cache, played); ok {
			return nil
		}
		dead, _, err := Introns(ctx, r.Game, c.Genomes[i], watchIntrons, w.Seed.Name("introns"))
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
		c.cache.note(played, c.Weights[i])
		return nil
	})
	return runner.Stopped(ctx, err)
}

// Panel returns the built-in players that need no arguments, and those that the study measures
// against.
func Panel(r *runner.Run) (names []string, players []engine.Player, err error) {
	for _, e := range player.BuiltIn(r.Game) {
		if p, err := e.New(""); err == nil {
			names, players = append(names, e.Name), append(players, p)
		}
	}
	for _, name := range r.Study.Measure.Against {
		known := false
		for _, n := range names {
			known = known || n == name
		}
		if known {
			continue
		}
		p, err := player.Find(r.Game, name)
		if err != nil {
			return nil, nil, err
		}
		names, players = append(names, name), append(players, p)
	}
	return names, players, nil
}

// descend reads the lineage, where the run kept one.
func (c *Coevolution) descend(r *runner.Run) (err error) {
	c.Ancestor = math.NaN()
	c.Lineage, err = ReadLineage(r.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if ages := c.Lineage.AncestorAges(1); len(ages) > 0 {
		c.Ancestor = ages[0].Age
	}
	return nil
}

// ReadLineage reads who descends from whom: the lineage of a run directory, or a file of the ALife
// data standard for phylogenies from anywhere.
func ReadLineage(path string) (*analysis.Phylogeny, error) {
	if runner.IsRun(path) {
		path = filepath.Join(path, rundir.LineageFile)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return analysis.ReadPhylogeny(file, path)
}

// progress returns a reporter for one stage.
func (w *MonitorOptions) progress(name string) func(done, total int) {
	return runner.Reporter(w.Stage, name)
}
