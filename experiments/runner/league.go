package runner

import (
	"context"
	"path/filepath"

	"clade/analysis/stat"
	"clade/engine"
	"clade/evolve/rundir"
	"clade/experiments/league"
	"clade/experiments/player"
)

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
