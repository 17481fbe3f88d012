package view

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"clade/analysis/figure"
	"clade/analysis/stat"
	"clade/cmd/view/site"
	"clade/engine"
	"clade/experiments/league"
	"clade/experiments/report"
	"clade/experiments/runner"
)

// Bounds of the games that a page may ask for.
const (
	maxPlayers   = 40
	maxBoards    = 4096
	maxMatrix    = 1000 // games of a pair of champions
	firstBoards  = 32
	leagueSeed   = 1 // as of `clade league`
	monitorGames = 20
)

// played serves the pages for which games are played: matrices and leagues.
type played struct {
	*site.Site
	drawn *drawn
}

// stage is the progress of games that are played.
type stage struct {
	Name  string `json:"name"`
	Done  int    `json:"done"`
	Total int    `json:"total"`
}

// progress returns a function that sends progress to a page, a few times a second. A page that is
// gone changes nothing.
func progress(send site.Sender) func(runner.Stage) {
	var last atomic.Int64
	return func(at runner.Stage) {
		now := time.Now().UnixMilli()
		if was := last.Load(); now-was < 200 || !last.CompareAndSwap(was, now) {
			return
		}
		_ = send("progress", stage{at.Name, at.Done, at.Total}) // as in write
	}
}

// matrixNow holds the points of champions against each other.
type matrixNow struct {
	Generations []int        `json:"generations"`
	Games       int          `json:"games"`
	Ancestors   [][]*float64 `json:"ancestors"` // by individual and opponent; null where not played
	Master      [][]*float64 `json:"master"`
	// Seeds are those of the first board of each pair, in decimal digits; "" on the diagonal
	Seeds [][]string `json:"seeds"`
	Key   string     `json:"key"` // of the figures
}

// playMatrix plays the champions of a run against each other, on the boards of `clade monitor`.
func (s *played) playMatrix(ctx context.Context, r *http.Request, send site.Sender) error {
	run, err := s.Run(r.FormValue("run"))
	if err != nil {
		return err
	}
	games, err := site.Number(r, "games", monitorGames, 2, maxMatrix)
	if err != nil {
		return err
	}
	done, err := s.Compete(ctx)
	if err != nil {
		return err
	}
	defer done()
	o := report.MonitorOptions{Games: games &^ 1, Seed: report.MonitorSeed(1),
		Cache: report.MakeMonitorCache(run), Stage: progress(send)}
	c, err := report.CompareChampions(ctx, run, o)
	if err != nil {
		return err
	}
	now := matrixNow{Generations: c.Generations, Games: c.Games,
		Ancestors: cells(c.Ancestors.Score), Master: cells(c.Master.Score)}
	for i := range c.Generations {
		row := make([]string, len(c.Generations))
		for k := range row {
			if i != k && run.Game.Info().MinSeats <= 2 { // else no game of two can be watched
				row[k] = fmt.Sprint(uint64(c.BoardSeed(min(i, k), max(i, k))))
			}
		}
		now.Seeds = append(now.Seeds, row)
	}
	now.Key = s.drawn.put(fmt.Sprint("matrix ", run.Dir, c.Generations, c.Games), c.Matrices())
	return send("matrix", now)
}

// cells returns a matrix with null for NaN.
func cells(scores [][]float64) [][]*float64 {
	all := make([][]*float64, len(scores))
	for i, row := range scores {
		all[i] = make([]*float64, len(row))
		for k, v := range row {
			if !math.IsNaN(v) {
				all[i][k] = &v
			}
		}
	}
	return all
}

// leagueNow is a league, as far as it is played.
type leagueNow struct {
	Games     int          `json:"games"` // of each pair, or of as many as have a seat
	Standings []standing   `json:"standings"`
	Points    [][]*float64 `json:"points"` // by player, as the link names them
	Casts     [][][]int    `json:"casts"`  // of the first game of two players, by seat
	Seeds     [][]string   `json:"seeds"`
	Set       []string     `json:"set"` // settings that the game has from a species
	Key       string       `json:"key"`
	Over      bool         `json:"over"`
}

type standing struct {
	Player   int      `json:"player"`
	Text     string   `json:"text"` // the rating, or its bound
	Elo      *float64 `json:"elo"`  // null where only a bound is known
	Low      *float64 `json:"low"`  // null where the games set no limit
	High     *float64 `json:"high"`
	RankLow  int      `json:"rankLow"`
	RankHigh int      `json:"rankHigh"`
}

// playLeague plays a league on more and more boards, and sends its ratings each time. A league on
// some boards is the one that `clade league` plays on as many; boards of the smaller ones are not
// played again.
func (s *played) playLeague(ctx context.Context, r *http.Request, send site.Sender) (err error) {
	seated, err := s.Seated(r)
	if err != nil {
		return err
	}
	g, set := seated.Game, []string{}
	for _, setting := range seated.World {
		set = append(set, setting.String())
	}
	names := r.Form["players"]
	if len(names) < 2 || len(names) > maxPlayers {
		return site.Refuse("a league is for 2 to %d players, and %d are chosen", maxPlayers,
			len(names))
	}
	players := make([]engine.Player, len(names))
	for i, name := range names {
		if players[i], err = s.Player(g, r.FormValue("run"), name); err != nil {
			return err
		}
	}
	boards, err := site.Number(r, "boards", 256, 1, maxBoards)
	if err != nil {
		return err
	}
	done, err := s.Compete(ctx)
	if err != nil {
		return err
	}
	defer done()
	seats, err := site.Number(r, "seats", 2, 2, engine.MaxSeats)
	if err != nil {
		return err
	}
	c := contest{game: g, names: names, players: players, seats: seats}
	if c.dir, err = os.MkdirTemp("", "clade-league-"); err != nil {
		return err
	}
	defer func() {
		if gone := os.RemoveAll(c.dir); err == nil {
			err = gone
		}
	}()
	if c.cache, err = league.OpenCache(filepath.Join(c.dir, "results"), names); err != nil {
		return err
	}
	told := progress(send)
	for n := min(firstBoards, boards); ; n = min(2*n, boards) {
		name := fmt.Sprintf("%d games of each pair", 2*n)
		if seats > 2 {
			name = fmt.Sprintf("%d games of each %d players", seats*n, seats)
		}
		now, figures, err := c.play(ctx, n, runner.Progress(told, name))
		if err != nil {
			return err
		}
		now.Over, now.Set = n == boards, set
		now.Key = s.drawn.put("league "+r.Form.Encode()+fmt.Sprint(n), figures)
		if err := send("league", now); err != nil || now.Over {
			return err
		}
	}
}

// contest holds the players of a league and how they play.
type contest struct {
	game    engine.Game
	names   []string
	players []engine.Player
	seats   int // of a game: with more than two, every combination that fills them plays
	dir     string
	cache   *league.Cache // of games of two
}

// play plays the league on a number of boards, or the free-for-all.
func (c *contest) play(ctx context.Context, boards int, progress func(done, total int)) (
	now *leagueNow, figures []*figure.Figure, err error) {
	n, seed, cache := len(c.players), league.Seed(leagueSeed, c.seats), c.cache
	if c.seats > 2 {
		cache = nil
	}
	rated, err := league.Play(ctx, c.game, c.names, c.players, c.seats, boards, seed, 0, progress,
		cache)
	if err != nil {
		return nil, nil, site.Wrong(err)
	}
	ranked := rated.Ranked()
	now = &leagueNow{Games: ranked.Games, Points: cells(ranked.Points)}
	for _, p := range ranked.Standings {
		elo := p.Elo()
		text, _, _ := p.Text("≥", "≤")
		now.Standings = append(now.Standings, standing{p.Player, text, stat.Known(elo.Estimate),
			stat.Known(elo.Low), stat.Known(elo.High), p.RankLow, p.RankHigh})
	}
	for a := range n {
		casts, seeds := make([][]int, n), make([]string, n)
		for b := range n {
			if a != b {
				members, board := league.FirstBoard(seed, n, c.seats, boards, a, b)
				casts[b], seeds[b] = members, fmt.Sprint(uint64(board))
			}
		}
		now.Casts, now.Seeds = append(now.Casts, casts), append(now.Seeds, seeds)
	}
	return now, rated.Figures(), nil
}
