package runner

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"clade/analysis/stat"
	"clade/engine"
	"clade/engine/system/durable"
	"clade/evolve/rundir"
	"clade/experiments/league"
	"clade/experiments/player"
	"clade/experiments/study"
)

// Measurement is what one player did against another, each board played once in either seat.
type Measurement struct {
	// of the champion, where it is one of several; else 0
	Generation int    `json:"generation"`
	Against    string `json:"against"`
	// where it was not those of the run: KEY=VALUE, with blanks between them
	Settings string  `json:"settings,omitempty"`
	Games    int     `json:"games"`
	Wins     int     `json:"wins"`
	Losses   int     `json:"losses"`
	Share    float64 `json:"share"` // of games won
	Low      float64 `json:"low"`   // ends of the share's 95 % interval (Wilson)
	High     float64 `json:"high"`
	Score    float64 `json:"score"` // mean a game
	Other    float64 `json:"other"` // the opponent's mean, a seat
	// means a game, by the names of engine.Info.Marks
	Marks map[string]float64 `json:"marks,omitempty"`
}

// Points returns the points of a measurement as a share of all, a tie counting half.
func (m *Measurement) Points() float64 {
	return (float64(m.Wins) + float64(m.Games-m.Wins-m.Losses)/2) / float64(m.Games)
}

// against seats a player and an opponent, who takes all other seats if the game needs more than
// two.
func (r *Run) against(player, opponent engine.Player) []engine.Player {
	players := []engine.Player{player, opponent}
	for len(players) < r.Game.Info().MinSeats {
		players = append(players, opponent)
	}
	return players
}

// MeasureAgainst plays a player against an opponent, who takes all other seats if the game needs
// more than two.
func (r *Run) MeasureAgainst(ctx context.Context, player engine.Player, opponent engine.Player,
	against string, games int, seed engine.Seed, o Options) (Measurement, error) {
	players := r.against(player, opponent)
	t, err := (&league.Match{Game: r.Game, Players: players, Boards: max(1, games/len(players)),
		Seed: seed, Workers: o.Workers}).Play(ctx)
	if err != nil {
		return Measurement{}, err
	}
	row := &t[0]
	others := 0.0
	for _, other := range t[1:] {
		others += other.Score
	}
	n := float64(row.Games)
	w := stat.Wilson(float64(row.Wins), n, 0.95)
	m := Measurement{
		Against: against, Games: row.Games, Wins: row.Wins, Losses: row.Games - row.Wins - row.Ties,
		Share: float64(row.Wins) / n, Low: w.Low, High: w.High,
		Score: row.Score / n, Other: others / float64(len(t)-1) / n, Marks: map[string]float64{},
	}
	for i, name := range r.Game.Info().Marks {
		m.Marks[name] = row.Marks[i] / n
	}
	return m, nil
}

// builtIn returns the built-in players that need no arguments.
func (r *Run) builtIn() (names []string, players []engine.Player) {
	for _, e := range player.BuiltIn(r.Game) {
		if p, err := e.New(""); err == nil {
			names, players = append(names, e.Name), append(players, p)
		}
	}
	return names, players
}

// Panel returns the built-in players that need no arguments, followed by those that the study
// measures against.
func (r *Run) Panel() (names []string, players []engine.Player, err error) {
	names, players = r.builtIn()
	for _, name := range r.Study.Measure.Against {
		if slices.Contains(names, name) {
			continue
		}
		p, err := r.Study.Scope().Find(r.Game, name)
		if err != nil {
			return nil, nil, err
		}
		names, players = append(names, name), append(players, p)
	}
	return names, players, nil
}

// measure writes measures.jsonl: the results of every Measure.Every-th champion and the last
// against each opponent. All champions play on the same boards, which no selection has seen, so
// that generations differ by their champions alone. Lines that exist already are kept.
func (r *Run) measure(ctx context.Context, champions []player.Champion, o Options) error {
	m := &r.Study.Measure
	if len(m.Against) == 0 {
		return nil
	}
	opponents, err := r.Study.Scope().FindAll(r.Game, m.Against)
	if err != nil {
		return err
	}
	have, whole, err := r.readMeasurements()
	var line *durable.LineError
	if errors.Is(err, rundir.ErrChanged) || errors.As(err, &line) {
		o.warn(err.Error() + "; all is measured anew")
		have, whole, err = nil, 0, nil
	}
	if err != nil {
		return err
	}
	done := map[measured]bool{}
	for _, h := range have {
		done[measured{h.Generation, h.Against}] = true
	}
	if err := o.fence(); err != nil {
		return err
	}
	file, err := durable.Append(filepath.Join(r.Dir, MeasureFile), whole)
	if err != nil {
		return err
	}
	defer file.Close()
	record := func() error {
		if err := o.fence(); err != nil {
			return err
		}
		if err := file.Sync(); err != nil {
			return err
		}
		return rundir.Record(r.Dir, MeasureFile)
	}
	recorded := time.Now()
	o.stage(Stage{"measuring champions", 0, len(champions)})
	for i, c := range champions {
		if c.Generation%m.Every != 0 && i != len(champions)-1 {
			continue
		}
		if err = r.measureChampion(ctx, c, opponents, done, file, o); err != nil {
			break
		}
		if time.Since(recorded) > recordEvery {
			if err := record(); err != nil {
				return err
			}
			recorded = time.Now()
		}
		o.stage(Stage{"measuring champions", i + 1, len(champions)})
	}
	return cmp.Or(err, record())
}

// measured identifies a line of measures.jsonl.
type measured struct {
	generation int
	against    string
}

// recordEvery bounds the play that is lost with the process: lines count only once their checksum
// is recorded.
const recordEvery = 2 * time.Second

// measureChampion adds the missing lines of a champion.
func (r *Run) measureChampion(ctx context.Context, c player.Champion, opponents []engine.Player,
	done map[measured]bool, file io.Writer, o Options) error {
	m := &r.Study.Measure
	champion, err := player.Load(r.Game, c.Path)
	if err != nil {
		return err
	}
	for k, name := range m.Against {
		if done[measured{c.Generation, name}] {
			continue
		}
		seed := engine.Seed(r.Study.Seed).Name("measure").Name(name)
		result, err := r.MeasureAgainst(ctx, champion, opponents[k], name, m.Games, seed, o)
		if err != nil {
			return err
		}
		result.Generation = c.Generation
		line, err := json.Marshal(result)
		if err != nil {
			return err
		}
		if err := o.fence(); err != nil {
			return err
		}
		if _, err := file.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// Measurements reads measures.jsonl; none if nothing was measured. It leaves out lines whose
// checksum is not recorded, of a program that died or is still writing.
func (r *Run) Measurements() ([]Measurement, error) {
	measurements, _, err := r.readMeasurements()
	return measurements, err
}

// readMeasurements also returns the length of the whole lines in bytes.
func (r *Run) readMeasurements() (all []Measurement, whole int64, err error) {
	content, err := rundir.ReadLines(r.Dir, MeasureFile)
	if err != nil {
		return nil, 0, err
	}
	whole, err = durable.Lines(filepath.Join(r.Dir, MeasureFile), content,
		func(m *Measurement) bool {
			all = append(all, *m)
			return true
		})
	if err != nil {
		return nil, 0, fmt.Errorf("%w; delete the file and resume the run to measure anew", err)
	}
	return all, whole, nil
}

// Opponent returns the name of the opponent, with the settings if they are not the run's.
func (m *Measurement) Opponent() string {
	if m.Settings == "" {
		return m.Against
	}
	return m.Against + " at " + m.Settings
}

// measureFinal plays the last champion, of a generation, against every built-in player, on boards
// of its own, and also under the other settings that the study asks for.
func (r *Run) measureFinal(ctx context.Context, generation int, o Options) ([]Measurement, error) {
	games := r.Study.Measure.Final
	if games == 0 || r.Game.Info().MaxSeats == 1 {
		return nil, nil // there are no opponents
	}
	worlds, labels, err := r.Study.Worlds()
	if err != nil {
		return nil, err
	}
	worlds, labels = append([]*study.Study{r.Study}, worlds...), append([]string{""}, labels...)
	var final []Measurement
	for w, world := range worlds {
		under := &Run{Dir: r.Dir, Study: world}
		if under.Game, err = world.NewGame(); err != nil {
			return nil, err
		}
		champion, err := player.Load(under.Game, filepath.Join(r.Dir, ChampionFile))
		if err != nil {
			return nil, err
		}
		names, opponents := under.builtIn()
		for i, name := range names {
			seed := engine.Seed(r.Study.Seed).Name("final").Name(name)
			if w > 0 {
				seed = seed.Name(labels[w])
			}
			m, err := under.MeasureAgainst(ctx, champion, opponents[i], name, games, seed, o)
			if err != nil {
				return nil, err
			}
			m.Generation, m.Settings = generation, labels[w]
			final = append(final, m)
			o.stage(Stage{"measuring the champion", len(final), len(names) * len(worlds)})
		}
	}
	return final, nil
}

// Rated is a player in the league of a run's last champion and the kept species of its game.
type Rated struct {
	Player string `json:"player"` // "champion", or kept:GAME/NAME
	// rating, and the ends of its 95 % interval; null where the games determine only a bound, which
	// is the one end that is a number
	Elo      *float64 `json:"elo"`
	Low      *float64 `json:"low"`
	High     *float64 `json:"high"`
	RankLow  int      `json:"rank_low"` // by these games, with 95 %
	RankHigh int      `json:"rank_high"`
	// the champion's against this player as a share, a tie counting half; in a game for more than
	// two, how often it was placed before it; null in its own row
	Points *float64 `json:"points"`
}

// championName is the last champion's in its league.
const championName = "champion"

// rate plays the league of the last champion, and draws its ratings. Kept species that cannot play
// under the settings of the run are left out; without any other there is no league.
func (r *Run) rate(ctx context.Context, sum *Summary, o Options) error {
	games, info := r.Study.Measure.League, r.Game.Info()
	seats := max(2, info.MinSeats)
	if games == 0 || info.MaxSeats == 1 {
		return nil
	}
	champion, err := player.Load(r.Game, filepath.Join(r.Dir, ChampionFile))
	if err != nil {
		return err
	}
	names, players := []string{championName}, []engine.Player{champion}
	for _, name := range player.Kept(info.Name) {
		if p, err := player.Load(r.Game, name); err == nil { // else it needs other settings
			names, players = append(names, name), append(players, p)
		}
	}
	if len(players) < seats {
		return nil
	}
	seed := engine.Seed(r.Study.Seed).Name("league")
	boards := games / 2
	if seats > 2 {
		boards = (games + seats - 1) / seats
	}
	rated, err := league.Play(ctx, r.Game, names, players, seats, boards, seed, o.Workers,
		Progress(o.Stage, "rating the champion"), nil)
	if err != nil {
		return err
	}
	for _, s := range rated.Ranked().Standings {
		elo := s.Elo()
		sum.League = append(sum.League, Rated{names[s.Player], stat.Known(elo.Estimate),
			stat.Known(elo.Low), stat.Known(elo.High), s.RankLow, s.RankHigh,
			stat.Known(rated.Ranked().Points[0][s.Player])})
	}
	paths, err := rated.Figures()[0].Save(filepath.Join(r.Dir, rundir.FigureFolder))
	if err != nil {
		return err
	}
	for _, path := range paths {
		sum.Figures = append(sum.Figures, rundir.FigureFolder+"/"+filepath.Base(path))
	}
	return rundir.Record(r.Dir, sum.Figures...)
}
