package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"clade/analysis"
	forms "clade/analysis/figure"
	"clade/analysis/rating"
	"clade/analysis/stat"
	"clade/engine"
	"clade/engine/system/parallel"
	"clade/engine/system/terminal"
	"clade/evolve"
	"clade/experiments/league"
	"clade/experiments/match"
	"clade/experiments/player"
)

// matchFlags are the flags of a match.
type matchFlags struct {
	flags
	record string // a file, "" for none
	watch  bool   // a game in the terminal takes the place of the match
}

// addPlay adds the flags that every command has which plays many games.
func (o *flags) addPlay(c *cobra.Command) {
	o.add(c, help{"seed": "", "set": "", "workers": "", "form": "", "json": "",
		"games": "games, rounded up so that everybody plays every board in every seat"})
}

// field finds the game and all its players, who are named by the arguments.
func (o *flags) field(args []string) (engine.Game, []engine.Player, error) {
	game, err := o.game(args[0], args[1:]...)
	if err != nil {
		return nil, nil, err
	}
	players, err := o.seated(game, args[1:], len(args)-1)
	return game, players, err
}

// seated finds the players of a game. Seats is the number of players of one game.
func (o *flags) seated(game engine.Game, names []string, seats int) ([]engine.Player, error) {
	if o.games < 1 || o.games > 1<<30 {
		return nil, misuse("--games must be in 1..%d, not %d", 1<<30, o.games)
	}
	players, err := o.typed().FindAll(game, names)
	if err != nil {
		return nil, usageError{err}
	}
	if info := game.Info(); seats < info.MinSeats || seats > info.MaxSeats {
		return nil, misuse("%s is for %s, not %d", info.Name, info.Seats(), seats)
	}
	return players, nil
}

// game returns the game in which the named players meet, with --set and with the settings in their
// species files. It reports when the game has the settings under which a species was bred.
func (o *flags) game(name string, players ...string) (engine.Game, error) {
	claims, err := match.Claims(o.typed(), name, players...)
	if err != nil {
		return nil, usageError{err}
	}
	seated, err := match.Agree(*o.scope, name, claims, o.set...)
	if err != nil {
		return nil, usageError{err}
	}
	if seated.Of != "" {
		complain(fmt.Sprintf("playing under %s, as %s was bred; --set describes another game",
			match.ListSettings(seated.World), seated.Of))
	}
	return seated.Game, nil
}

// boards returns the number of boards that makes at least the wanted number of games.
func (o *flags) boards(seats int) int { return (o.games + seats - 1) / seats }

func newMatch(scope *player.Scope) *cobra.Command {
	o := matchFlags{flags: flags{scope: scope, seed: 1, games: 1000}}
	c := &cobra.Command{
		Use:   "match GAME PLAYER PLAYER...",
		Short: "Let players play against each other",
		Long: `Lets players play, every board once in every seat, and prints how often each
won, with 95 % intervals (Wilson). A player is a name of "clade players GAME", a
species file, run:RUN or run:RUN@GENERATION for the champion of a run,
exec:COMMAND for a program, persist:COMMAND for one that stays for a whole
game, or wasm:FILE for one in WebAssembly.

A species file names the settings that its words need, which nothing may
contradict, and the world that it was bred in. The game has that world unless
--set gives a setting of a world: then the others have the game's defaults.

With --watch one game is shown in the terminal instead. Keys: + and - change the
speed, space pauses, a full stop shows one step, q stops showing. With --curves
the scores by step are drawn, with 95 % bands over the games.`,
		Example: `  clade match antwars hyper brilliant --games 20000
  clade match antwars run:runs/quick@100 run:runs/quick
  clade match life persist:"python3 bot.py" grower --games 2
  clade match life guard grower --watch
  clade match life guard grower --games 20 --curves figures
  clade match antwars super greedy --games 1 --record game.record`,
		Args: cobra.MinimumNArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			if err := need(c, "curves", "width"); err != nil {
				return err
			}
			return o.match(c, args)
		},
	}
	o.addPlay(c)
	o.add(c, help{"width": ""})
	f := c.Flags()
	f.StringVar(&o.record, "record", "",
		"play one more game, with the seed itself, and record it into this file")
	f.StringVar(&o.out, "curves", "",
		"also draw the scores by step into this directory, with their data")
	f.BoolVar(&o.watch, "watch", false, "only play one game, and show it in the terminal")
	addNative(c, scope)
	return c
}

// match lets the players named by the arguments play, and prints who won how often.
func (o *matchFlags) match(c *cobra.Command, args []string) error {
	game, players, err := o.field(args)
	if err != nil {
		return err
	}
	if o.watch {
		return o.playOne(c, game, args[1:], players)
	}
	p, kept := newProgress(nil), o.play("match", game, args[1:])
	defer p.close()
	table := league.Match{Game: game, Players: players, Boards: o.boards(len(players)),
		Seed: engine.Seed(o.seed).Name("match"), Workers: o.workers, Progress: p.stageOf("playing"),
		Cache: kept.cache}
	t, err := table.Play(c.Context())
	if err = kept.end(c.Context(), err); err != nil {
		return err
	}
	if o.out != "" {
		f, err := league.ScoreCurves(c.Context(), game, args[1:], players, o.boards(len(players)),
			engine.Seed(o.seed).Name("curves"), o.workers, p.stageOf("playing for the curves"))
		if err != nil {
			return brokenOff(err)
		}
		if _, err = o.save(f); err != nil {
			return err
		}
	}
	if o.record != "" {
		if err := o.playOne(c, game, args[1:], players); err != nil {
			return err
		}
	}
	p.close()
	all := standings(game, args[1:], t)
	return o.print(c, all, func(w io.Writer) { printStandings(w, game.Info(), all) })
}

// brokenOff rewords the error of a match that was stopped, of which, unlike of a run, nothing is
// kept.
func brokenOff(err error) error {
	if errors.Is(err, evolve.ErrStopped) || errors.Is(err, context.Canceled) {
		return errors.New("stopped before its end; nothing of it is kept")
	}
	return err
}

// playOne plays one game to watch it or to record it.
func (o *matchFlags) playOne(c *cobra.Command, game engine.Game, names []string,
	players []engine.Player) error {
	ctx, stop := context.WithCancel(c.Context())
	defer stop()
	var recorder engine.Recorder
	closeScreen := func() {}
	if o.watch {
		s, err := openScreen(c.OutOrStdout(), stop, names, 1)
		if err != nil {
			return usageError{err}
		}
		recorder, closeScreen = s, s.close
	}
	var r *engine.Record
	err := parallel.Promptly(ctx, func() (err error) {
		r, _, err = engine.PlayRecorded(game, names, players, o.seed, recorder)
		return err
	})
	closeScreen()
	if err != nil {
		return brokenOff(err)
	}
	if o.watch {
		fmt.Fprintf(plain(c), "\nended: %s\n", ending(r))
	}
	if o.record != "" {
		if err := r.WriteFile(o.record); err != nil {
			return err
		}
		complain("recorded one more game in " + o.record)
	}
	return nil
}

// standing is what is printed of a player.
type standing struct {
	Player string             `json:"player"`
	Games  int                `json:"games"`
	Wins   int                `json:"wins"`
	Ties   int                `json:"ties"`
	Score  float64            `json:"score"` // mean a game
	Share  float64            `json:"share"` // of games won
	Low    float64            `json:"low"`
	High   float64            `json:"high"`
	Marks  map[string]float64 `json:"marks,omitempty"`
}

func standings(g engine.Game, names []string, t []engine.Standing) []standing {
	all := make([]standing, len(names))
	for i, name := range names {
		s := &t[i]
		n := float64(s.Games)
		w := stat.Wilson(float64(s.Wins), n, 0.95)
		all[i] = standing{Player: name, Games: s.Games, Wins: s.Wins, Ties: s.Ties,
			Score: s.Score / n, Share: float64(s.Wins) / n, Low: w.Low, High: w.High,
			Marks: map[string]float64{}}
		for k, mark := range g.Info().Marks {
			all[i].Marks[mark] = s.Marks[k] / n
		}
	}
	return all
}

func printStandings(w io.Writer, info engine.Info, all []standing) {
	rows := [][]string{{info.Title, "games", "wins", "ties", "share", "95 % interval", "score"}}
	marks := [][]string{append([]string{"a game"}, info.Marks...)}
	for _, s := range all {
		rows = append(rows, []string{s.Player, fmt.Sprint(s.Games), fmt.Sprint(s.Wins),
			fmt.Sprint(s.Ties), fmt.Sprintf("%.2f%%", 100*s.Share),
			fmt.Sprintf("%.2f%%..%.2f%%", 100*s.Low, 100*s.High), fmt.Sprintf("%.3f", s.Score)})
		row := []string{s.Player}
		for _, mark := range info.Marks {
			row = append(row, fmt.Sprintf("%.3f", s.Marks[mark]))
		}
		marks = append(marks, row)
	}
	terminal.Table(w, rows)
	if len(info.Marks) > 0 {
		fmt.Fprintln(w)
		terminal.Table(w, marks)
	}
}

func newLeague(scope *player.Scope) *cobra.Command {
	o := flags{scope: scope, seed: 1, games: 1000}
	var seats int
	c := &cobra.Command{
		Use:   "league GAME PLAYER PLAYER...",
		Short: "Play a league of players, and rate them",
		Long: `Plays a round robin: every pair of players plays the given number of games,
every board once in either seat. Prints ratings (Bradley-Terry with seat
advantage and ties, shown in Elo) and ranks with 95 % intervals by bootstrap
over boards, and how far the league is from having one order of strength. The
rating of a player that lost nothing, or won nothing, is a bound. Where the
league has no order, there are two more columns: each player's part of the
mixture that nobody beats (Nash), and its share of alpha-rank. With --out,
boards.csv has the results of each pair on each board.

With --seats 3 or more, and in a game that needs as many, every combination of
that many players plays a free-for-all, every board once in every rotation of
the seats, and the places are rated (Plackett-Luce).`,
		Example: `  clade league antwars random greedy smart super hyper brilliant
  clade league antwars hyper run:runs/quick@300 run:runs/quick --games 4000 \
    --out figures
  clade league amoebas caesar untitled theroots berit2 --seats 3 --games 30`,
		Args: cobra.MinimumNArgs(3),
		RunE: func(c *cobra.Command, args []string) error {
			if err := need(c, "out", "as", "text", "width"); err != nil {
				return err
			}
			game, err := o.game(args[0], args[1:]...)
			if err != nil {
				return err
			}
			if least := game.Info().MinSeats; seats == 0 && least > len(args)-1 {
				return misuse("%s takes %s at a time; name as many or more", game.Info().Title,
					game.Info().Seats())
			} else if seats == 0 {
				seats = max(2, least)
			}
			if seats < 2 || seats > len(args)-1 {
				return misuse("--seats must be in 2..%d, the number of players, not %d", len(args)-1, seats)
			}
			players, err := o.seated(game, args[1:], seats)
			if err != nil {
				return err
			}
			p, kept := newProgress(nil), o.play("league", game, args[1:], seats)
			rated, err := league.Play(c.Context(), game, args[1:], players, seats, o.boards(seats),
				league.Seed(o.seed, seats), o.workers, p.stageOf("playing"), kept.cache)
			p.close()
			if err = kept.end(c.Context(), err); err != nil {
				return err
			}
			l, pairs := rated.(*league.League)
			if o.out != "" {
				paths, err := o.save(rated.Figures()...)
				if pairs && err == nil {
					paths = append(paths, filepath.Join(o.out, "boards.csv"))
					err = writeFile(paths[len(paths)-1], l.Boards().WriteCSV)
				}
				if err != nil {
					return err
				}
				o.drawn(paths)
			}
			if pairs {
				return o.printLeague(c, game.Info(), l)
			}
			return o.printFreeForAll(c, game.Info(), rated.(*league.FreeForAll))
		},
	}
	o.addPlay(c)
	o.add(c, help{"out": "", "as": "", "width": ""})
	c.Flags().IntVar(&seats, "seats", 0,
		"players of one game (default: 2, or as many as the game needs)")
	return c
}

func (o *flags) printFreeForAll(c *cobra.Command, info engine.Info, l *league.FreeForAll) error {
	t := l.Table()
	return o.print(c, struct {
		Game      string          `json:"game"`
		Seats     int             `json:"seats"`
		Games     int             `json:"games"` // a combination
		Standings *analysis.Table `json:"standings"`
	}{info.Name, l.Seats, l.Games, t}, func(w io.Writer) {
		rows := [][]string{{info.Title, "Elo", "95 % interval", "ranks"}}
		for _, s := range l.Standings {
			rows = append(rows, ratingCells(l.Players, s))
		}
		terminal.Table(w, rows)
		fmt.Fprint(w, "\nplaced before each, in %\n")
		printPoints(w, l.Players, l.Standings, l.Points)
		fmt.Fprintf(w, "\n%d at a time, %d games a combination\n", l.Seats, l.Games)
	})
}

// ratingCells returns the first cells of a player's row.
func ratingCells(players []string, s rating.Standing) []string {
	elo, low, high := s.Text(">=", "<=")
	between := low + ".." + high
	if s.Bound() == rating.Unrated {
		between = "-"
	}
	return []string{players[s.Player], elo, between, fmt.Sprintf("%d-%d", s.RankLow, s.RankHigh)}
}

// printPoints prints what the row has against the column, both strongest first and numbered; a
// dash where two did not meet.
func printPoints(w io.Writer, players []string, standings []rating.Standing, points [][]float64) {
	rows := [][]string{{""}}
	for i, s := range standings {
		rows[0] = append(rows[0], fmt.Sprint(i+1))
		row := []string{fmt.Sprintf("%2d  %s", i+1, players[s.Player])}
		for _, other := range standings {
			row = append(row, forms.OrDash("%.1f", 100*points[s.Player][other.Player]))
		}
		rows = append(rows, row)
	}
	terminal.Table(w, rows)
}

// partOf is a share, 0..1, with its 95 % interval, in JSON.
type partOf struct {
	Share float64  `json:"share"`
	Low   *float64 `json:"low"` // null where it is not known
	High  *float64 `json:"high"`
}

func newPartOf(i stat.Interval) *partOf {
	return &partOf{i.Estimate, stat.Known(i.Low), stat.Known(i.High)}
}

func (o *flags) printLeague(c *cobra.Command, info engine.Info, l *league.League) error {
	triples := l.Spread.Counted
	printed := struct {
		Game      string          `json:"game"`
		Games     int             `json:"games"` // a pair
		Standings *analysis.Table `json:"standings"`
		Cyclic    int             `json:"cyclic_triples"`
		Decided   int             `json:"decided_triples"`
		Cycles    *partOf         `json:"cyclic_share"` // of decided triples; null where none is
		Curl      *partOf         `json:"curl_share"`   // null for fewer than three players
		P         *float64        `json:"curl_p"`       // by chance, under one strength a player
	}{Game: info.Name, Games: l.Games, Standings: l.Table(), Cyclic: triples.Cyclic,
		Decided: triples.Decided}
	if triples.Decided > 0 {
		printed.Cycles = newPartOf(l.Spread.Cycles)
	}
	if l.Curl != nil {
		printed.Curl, printed.P = newPartOf(l.Spread.Curl), &l.Curl.P
	}
	return o.print(c, printed, func(w io.Writer) {
		rows := [][]string{{info.Title, "Elo", "95 % interval", "ranks", "Nash", "alpha"}}
		for _, s := range l.Standings {
			rows = append(rows, append(ratingCells(l.Players, s),
				forms.OrDash("%.2f", l.NashShare(s.Player)), forms.OrDash("%.2f", l.Alpha[s.Player])))
		}
		terminal.Table(w, rows)
		fmt.Fprint(w, "\npoints against each, in %\n")
		printPoints(w, l.Players, l.Standings, l.Points)
		text := fmt.Sprintf("%d games a pair; %d of %d decided triples are cyclic", l.Games,
			triples.Cyclic, triples.Decided)
		between := func(i stat.Interval) string { return bounds("%.1f", 100*i.Low, 100*i.High) }
		if triples.Decided > 0 {
			text += fmt.Sprintf(" (%s %%)", between(l.Spread.Cycles))
		}
		if l.Curl != nil {
			text += fmt.Sprintf("; no rating explains %.1f %% of the results (%s; p = %.3f)",
				100*l.Curl.Share, between(l.Spread.Curl), l.Curl.P)
		}
		fmt.Fprintf(w, "\n%s\n", terminal.Wrap(text, terminal.Room(w)))
	})
}
