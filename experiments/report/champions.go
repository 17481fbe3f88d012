package report

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"image/png"
	"slices"
	"strings"

	"clade/analysis/figure"
	"clade/engine"
	"clade/experiments/player"
	"clade/experiments/sweep"
	"clade/gp/input"
)

// reportMonitors are the figures of coevolution in a report.
var reportMonitors = [...]string{"ciao", "lag", "strength", "dominance", "panel", "bloat",
	"intransitivity", "phylogeny"}

// coevolution monitors the best run of each of the first groups.
func (w *writer) coevolution(ctx context.Context) error {
	s := section{Name: "coevolution", Title: "Coevolution"}
	for i, g := range w.Groups[:min(monitoredRuns, len(w.Groups))] {
		r := w.best(i)
		files, err := player.Champions(r.Dir)
		if err != nil {
			return err
		}
		if len(files) < 3 {
			s.Text = append(s.Text,
				fmt.Sprintf("%s kept too few champions to monitor its coevolution.", r.Dir))
			continue
		}
		o := MonitorOptions{Games: w.Games, Seed: w.Monitor, Workers: w.Workers, Stage: w.Stage}
		o.Cache = w.kept(r)
		c, err := Monitor(ctx, r, o)
		if err != nil {
			return err
		}
		t := figure.Table{Name: fmt.Sprintf("coevolution-%d", i+1),
			Caption: fmt.Sprintf("Monitors of coevolution: %s, seed %d, %d champions, %d games a "+
				"pair.", g.Name, r.Whole.Seed, len(c.Generations), c.Games),
			Columns: []string{"Monitor", "Value", "Meaning"}}
		for _, f := range c.Findings() {
			t.Rows = append(t.Rows, []string{f.Monitor, f.Value, f.Meaning})
		}
		s.Tables = append(s.Tables, t)
		figures, err := c.Figures()
		if err != nil {
			return err
		}
		for _, f := range figures {
			if slices.Contains(reportMonitors[:], f.Name) {
				f.Name = fmt.Sprintf("%s-%d", f.Name, i+1)
				f.Caption = fmt.Sprintf("%s, seed %d. %s", g.Name, r.Whole.Seed, f.Caption)
				s.Figures = append(s.Figures, Figure{f})
			}
		}
	}
	w.add(s)
	return nil
}

// champions shows the trees of the best run of each group, and a game against the strongest
// built-in player.
func (w *writer) champions(ctx context.Context) error {
	s := section{Name: "champions", Title: "Champions"}
	rivals, _, err := w.Groups[0].Runs[0].Panel()
	if err != nil {
		return err
	}
	rival := ""
	for _, place := range w.played.Standings {
		if name := w.played.Players[place.Player]; rival == "" && slices.Contains(rivals, name) {
			rival = name
		}
	}
	for i, g := range w.Groups {
		r := w.best(i)
		path, err := player.ChampionPath(r.Dir)
		if err != nil {
			return err
		}
		species, err := player.ReadSpecies(r.Game, path)
		if err != nil {
			return err
		}
		cache, err := w.matchCache(r)
		if err != nil {
			return err
		}
		introns, played, err := cache.Introns(ctx, species.Genome)
		if err = errors.Join(err, cache.Save()); err != nil {
			return err
		}
		grammar := r.Game.Grammar()
		f := figure.Genome(fmt.Sprintf("champion-%d", i+1), grammar,
			figure.Programs(grammar, species.Genome, introns), "never changed a decision")
		f.Caption = fmt.Sprintf("%s, seed %d. What is grey changed nothing in %d decisions.",
			g.Name, r.Whole.Seed, played)
		s.Figures = append(s.Figures, Figure{f})
		s.Code = append(s.Code, listing{"species of " + g.Name, grammar.PrintSpecies(species)})
		if rival != "" {
			game := w.game
			if w.apart() {
				if game, err = w.meeting(r.Game); err != nil {
					return err
				}
			}
			strip, err := playStrip(w.scope, game, []string{g.Name, rival}, []string{path, rival},
				uint64(w.Seed.Name("strip")))
			if err != nil {
				return err
			}
			s.Strips = append(s.Strips, *strip)
		}
	}
	w.add(s)
	return nil
}

// reproduction describes how to repeat the runs and the report.
func (w *writer) reproduction(context.Context) error {
	s := section{Name: "again", Title: "How to make this again"}
	t := figure.Table{Name: "runs",
		Caption: "The runs, with games of selection, games of the champion's races, and processor " +
			"time of breeding. A fingerprint is a SHA-256 over all that must repeat: study and " +
			"seed, log, champions, lineage and last state.",
		Columns: []string{"Run", "Seed", "Generations", "Games", "Race games", "CPU time", "Fingerprint"}}
	versions := figure.Table{Name: "versions", Caption: "What made the runs.",
		Columns: []string{"Runs", "Program", "Go", "Platform", "Rules"}}
	var commands []string
	for i, g := range w.Groups {
		for k, r := range g.Runs {
			sum, err := r.Ended()
			if err != nil {
				return err
			}
			cost := w.Costs[i][k]
			t.Rows = append(t.Rows, []string{r.Dir, fmt.Sprint(r.Whole.Seed),
				fmt.Sprint(sum.Generations), fmt.Sprint(cost.Games), fmt.Sprint(cost.RaceGames),
				fmt.Sprintf("%.1f s", cost.Processor), sum.Fingerprint})
			if r.Whole != r.Study && !strings.HasSuffix(t.Caption, lastStage) {
				t.Caption += lastStage
			}
			m := r.Manifest
			if line := commandLine(m.Command); !slices.Contains(commands, line) {
				commands = append(commands, line)
			}
			versions.Rows = append(versions.Rows, []string{r.Dir, m.Describe(), m.Go, m.Platform,
				fmt.Sprintf("%s %d", m.Game, m.Rules)})
		}
	}
	if versions.Rows = merge(versions.Rows); len(versions.Rows) == 1 && len(t.Rows) > 1 {
		versions.Rows[0][0] = fmt.Sprint("all ", len(t.Rows))
	}
	s.Tables = []figure.Table{t, versions}
	s.Code = []listing{{"commands of the runs", strings.Join(commands, "\n")},
		{"command of this report", commandLine(w.Command)}}
	s.Text = []string{
		"Each run repeats to the byte, for any number of processors, and so does this report but " +
			"for the time that runs took."}
	var dirs []string
	for _, g := range w.Groups {
		for _, r := range g.Runs {
			dirs = append(dirs, r.Dir)
		}
	}
	shutOut, err := sweep.ShutOuts(dirs)
	for i := range shutOut {
		s.Text = append(s.Text, shutOut[i].String()+". Nothing that it has bred is in the runs but "+
			"what was bred again to the same bytes.")
	}
	for _, dir := range dirs {
		origin, fault := sweep.Unaudited(dir)
		if err = errors.Join(err, fault); origin != nil {
			s.Text = append(s.Text, fmt.Sprintf("%s has handed %s in, and it is not compared yet: "+
				"its sweep, continued, breeds it again.", origin, dir))
		}
	}
	w.add(s)
	return err
}

// lastStage explains a number of generations beside games of all stages.
const lastStage = " Of a run with stages the generations are the last one's."

// commandLine prints a command as a shell takes it, the program by its name.
func commandLine(args []string) string {
	if len(args) == 0 {
		return "unknown"
	}
	return input.Quote(append([]string{"clade"}, args[1:]...)...)
}

// merge joins rows that differ in their first cell only.
func merge(rows [][]string) [][]string {
	var merged [][]string
	for _, row := range rows {
		i := slices.IndexFunc(merged, func(m []string) bool { return slices.Equal(m[1:], row[1:]) })
		if i < 0 {
			merged = append(merged, slices.Clone(row))
		} else {
			merged[i][0] += ", " + row[0]
		}
	}
	return merged
}

const (
	stripFrames = 6
	stripPixels = 480 // the least width of a picture, so that it is sharp on fine screens
)

// playStrip plays one game of named players and returns a strip of it, from the first position to
// the last.
func playStrip(scope player.Scope, g engine.Game, titles, names []string, seed uint64) (*strip,
	error) {
	for len(names) < g.Info().MinSeats { // the last one takes all other seats
		last := len(names) - 1
		names, titles = append(names, names[last]), append(titles, titles[last])
	}
	players, err := scope.FindAll(g, names)
	if err != nil {
		return nil, err
	}
	film := &film{}
	result := g.Play(players, seed, engine.OnStep(func(engine.Scene) { film.total++ }))
	g.Play(players, seed, engine.OnStep(film.step))
	if film.err != nil {
		return nil, film.err
	}
	winner := "a tie"
	if result.Winner() != engine.Tie {
		winner = titles[result.Winner()] + " wins"
	}
	scores := make([]string, len(players))
	for i := range scores {
		scores[i] = fmt.Sprintf("%g", result.Scores[i])
	}
	return &strip{fmt.Sprintf("%s, seed %d: %s, %s.",
		strings.Join(slices.Compact(titles), " against "), seed,
		strings.Join(scores, " to "), winner), film.frames}, nil
}

// film takes pictures at equal distances, of the first and the last position too.
type film struct {
	total, seen int
	frames      []frame
	err         error
}

func (f *film) step(s engine.Scene) {
	due := 0
	if want := min(stripFrames, f.total); want > 1 {
		due = len(f.frames) * (f.total - 1) / (want - 1)
	}
	f.seen++
	if f.seen-1 != due || f.err != nil || len(f.frames) == stripFrames {
		return
	}
	scale := max(1, (stripPixels+s.Size(1).X-1)/s.Size(1).X)
	img := engine.Picture(s, scale)
	var b bytes.Buffer
	f.err = png.Encode(&b, img)
	scores := make([]string, 0, engine.MaxSeats)
	for _, x := range s.Scores(nil) {
		scores = append(scores, fmt.Sprintf("%g", x))
	}
	f.frames = append(f.frames,
		frame{fmt.Sprintf("step %d, %s", s.Step(), strings.Join(scores, " : ")),
			template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes()))})
}
