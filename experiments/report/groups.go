package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"clade/analysis/figure"
	"clade/analysis/stat"
	"clade/experiments/league"
	"clade/experiments/player"
	"clade/experiments/runner"
)

func (w *writer) head(context.Context) error {
	var studies []string
	runs := 0
	for _, g := range w.Groups {
		runs += len(g.Runs)
		if name := g.Study; !slices.Contains(studies, name) {
			studies = append(studies, name)
		}
		if q := g.Runs[0].Study.Question; q != "" && !slices.Contains(w.report.Lead, q) {
			w.report.Lead = append(w.report.Lead, q)
		}
	}
	w.report.Title = w.game.Info().Title + ": " + strings.Join(studies, ", ")
	if s := w.Missing.Sentence(); s != "" {
		w.report.Lead = append(w.report.Lead, s)
	}
	if len(w.Groups) > 1 {
		w.report.Lead = append(w.report.Lead, fmt.Sprintf("%d runs in %d groups.", runs, len(w.Groups)))
	}
	return nil
}

func (w *writer) settings(context.Context) error {
	s := section{Name: "settings", Title: "Settings"}
	differences := differences(w.Groups)
	t := figure.Table{Name: "settings",
		Caption: "What the groups are, and the settings in which they differ.",
		Columns: append([]string{"Setting"}, w.Names()...)}
	runs := []string{"runs"}
	for _, g := range w.Groups {
		runs = append(runs, fmt.Sprint(len(g.Runs)))
	}
	t.Rows = [][]string{runs}
	for _, end := range [...]string{"games", "generations", "seconds"} {
		row, key, used := []string{end}, "evolve."+end, false
		for _, g := range w.Groups {
			whole := g.Runs[0].Whole
			value := whole.Values()[key]
			if value == "" || value == "0" || end == "generations" && whole.Evolve.Budgeted() {
				value = "–"
			}
			row, used = append(row, value), used || value != "–"
		}
		if used && !slices.ContainsFunc(differences, func(d difference) bool { return d.Key == key }) {
			t.Rows = append(t.Rows, row)
		}
	}
	for _, d := range differences {
		t.Rows = append(t.Rows, append([]string{d.Key}, d.Values...))
	}
	s.Tables = []figure.Table{t.Narrow("Group")}
	for _, g := range w.Groups {
		for _, r := range g.Runs {
			note, err := runner.ReadNote(r.Dir)
			if err != nil {
				return err
			}
			if note != "" {
				s.Text = append(s.Text, fmt.Sprintf("Noted of %s: %s", r.Dir, note))
			}
		}
		text, err := g.Runs[0].Whole.Text()
		if err != nil {
			return err
		}
		s.Code = append(s.Code, listing{"all settings of " + g.Name, string(text)})
	}
	w.add(s)
	return nil
}

func (w *writer) curves(context.Context) error {
	figures, err := runner.Curves(w.Groups, runner.LookOf(w.Groups))
	if err != nil {
		return err
	}
	s := section{Name: "curves", Title: "Curves"}
	for _, f := range figures {
		s.Figures = append(s.Figures, Figure{f})
	}
	w.add(s)
	return nil
}

// records tabulates the points of the last champions against the built-in players.
func (w *writer) records(context.Context) error {
	t := figure.Table{Name: "records", Columns: append([]string{"Opponent"}, w.Names()...),
		Caption: "Points of the last champions against the built-in players in percent, with " +
			"95 % intervals: Student's over the runs of a group, Wilson's over the games of a " +
			"single run. " + noSpread}
	for k, opponent := range w.Opponents {
		row := []string{opponent}
		for i := range w.Groups {
			row = append(row, percent(w.Against(i, k)))
		}
		t.Rows = append(t.Rows, row)
	}
	w.add(section{Name: "records", Title: "Against the built-in players",
		Tables: []figure.Table{t.Narrow("Group")}})
	return nil
}

// noSpread explains the intervals of shares in runs that do not differ.
const noSpread = "Where all runs have the same result, Wilson's over their games, as many as " +
	"count with so few runs (Korn and Graubard)."

// percent prints an interval of shares.
func percent(i stat.Interval) string {
	return interval("%.1f", 100*i.Estimate, 100*i.Low, 100*i.High)
}

// interval prints an estimate with its interval; dashes stand for unknown ends.
func interval(format string, estimate, low, high float64) string {
	return fmt.Sprintf(format+" [%s, %s]", estimate, orDash(format, low), orDash(format, high))
}

// league plays a league of the last champions and the built-in players.
func (w *writer) league(ctx context.Context) error {
	total := 0
	for _, g := range w.Groups {
		total += len(g.Runs)
	}
	names, players, err := w.Groups[0].Runs[0].Panel()
	if err != nil {
		return err
	}
	s := section{Name: "league", Title: "League"}
	first := w.Groups[0].Runs[0]
	caches := map[*runner.Run]*matchCache{}
	cacheOf := func(r *runner.Run) (*matchCache, error) {
		if caches[r] == nil {
			m, err := w.matchCache(r)
			if err == nil {
				err = m.playing(w.game)
			}
			if caches[r] = m; err != nil {
				return nil, err
			}
		}
		return caches[r], nil
	}
	general, err := cacheOf(first)
	if err != nil {
		return err
	}
	var participants []*participant
	owners := make([]*matchCache, len(names)) // nil for the panel
	for _, name := range names {
		participants = append(participants, general.Opponent(first, name))
	}
	for i, g := range w.Groups {
		runs := g.Runs
		if total > reportLeague {
			runs = []*runner.Run{w.best(i)}
		}
		for _, r := range runs {
			path, err := player.ChampionPath(r.Dir)
			if err != nil {
				return err
			}
			p, err := player.Load(w.game, path)
			if err != nil {
				return err
			}
			m, err := cacheOf(r)
			if err != nil {
				return err
			}
			s, err := player.ReadSpecies(r.Game, path)
			if err != nil {
				return err
			}
			names, players = append(names, fmt.Sprintf("%s, seed %d", g.Name, r.Whole.Seed)),
				append(players, p)
			participants, owners = append(participants, m.Champion(s.Genome)), append(owners, m)
		}
	}
	w.played, err = league.PlayLeague(ctx, w.game, names, players, w.Games/2,
		w.Monitor.Name("league"), w.Workers, runner.Progress(w.Stage, "league"),
		func(a, b int) league.Pair {
			return cmp.Or(owners[a], owners[b], general).Pair(participants[a], participants[b])
		})
	for _, m := range caches {
		err = errors.Join(err, m.Save())
	}
	if err != nil {
		return err
	}
	by := ""
	if w.apart() {
		by = " by the game's settings of " + w.Groups[0].Name
	}
	t := figure.Table{Name: "league",
		Caption: fmt.Sprintf("Ratings of champions and built-in players: Bradley and Terry's "+
			"model with seat advantage and ties, in Elo, with 95 %% intervals by bootstrap over "+
			"boards; %d games a pair%s. A player that lost nothing, or won nothing, has a bound "+
			"(Rao's score test). Nash: the player's part of the mixture that no player beats; "+
			"alpha-rank: its share where rare mutants take over.", w.Games, by),
		Columns: []string{"Player", "Elo", "95 % interval", "Ranks", "Nash", "Alpha-rank"}}
	for _, place := range w.played.Standings {
		elo, low, high := place.Text("≥", "≤")
		t.Rows = append(t.Rows, []string{w.played.Players[place.Player], elo,
			fmt.Sprintf("[%s, %s]", cmp.Or(low, "–"), cmp.Or(high, "–")),
			rankRange(place.RankLow, place.RankHigh),
			orDash("%.2f", w.played.NashShare(place.Player)),
			fmt.Sprintf("%.2f", w.played.Alpha[place.Player])})
	}
	s.Tables = []figure.Table{t}
	if total > reportLeague {
		s.Text = append(s.Text,
			"Of each group only the run whose champion has the most points against the built-in "+
				"players takes part. That choice flatters it.")
	}
	if curl := w.played.Curl; curl != nil {
		cycles := w.played.Spread.Counted
		decided := "No triple of players has three results beyond their intervals, so cycles " +
			"cannot be counted"
		if cycles.Decided > 0 {
			decided = fmt.Sprintf("Of %d triples of players whose three results are beyond their "+
				"intervals, %d go in a circle, %s %%", cycles.Decided, cycles.Cyclic,
				percent(w.played.Spread.Cycles))
		}
		s.Text = append(s.Text,
			fmt.Sprintf("%s; no rating explains %s %% of the results (p = %.3f if each player "+
				"had one strength).", decided, percent(w.played.Spread.Curl), curl.P))
	}
	for _, f := range w.played.Figures() {
		s.Figures = append(s.Figures, Figure{f})
	}
	w.add(s)
	return nil
}

// tests compares the groups.
func (w *writer) tests(context.Context) error {
	s := section{Name: "tests", Title: "Do the groups differ?"}
	if len(w.Groups) < 2 {
		s.Text = []string{"There is one group, so there is nothing to test. The profile shows " +
			"how its runs spread."}
	}
	s.Tables = w.Tables()
	s.Text = append(s.Text, w.Notes()...)
	for _, f := range w.Comparison.Figures() {
		s.Figures = append(s.Figures, Figure{f})
	}
	w.add(s)
	return nil
}

// rankRange prints a range of ranks.
func rankRange(low, high int) string {
	if low == high {
		return fmt.Sprint(low)
	}
	return fmt.Sprintf("%d–%d", low, high)
}

func orDash(format string, x float64) string {
	if math.IsNaN(x) {
		return "–"
	}
	return fmt.Sprintf(format, x)
}
