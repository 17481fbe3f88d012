package collect

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"clade/analysis/stat"
	"clade/engine/system/durable"
	"clade/engine/system/packed"
	"clade/evolve"
	"clade/evolve/rundir"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/sweep"
)

// Row is a run in the table.
type Row struct {
	Run   string `json:"run"` // its directory
	Study string `json:"study"`
	Game  string `json:"game"`  // as in commands
	Title string `json:"title"` // of the game, for people
	Seed  string `json:"seed"`
	// Group is the same for runs that differ in their seeds only
	Group string `json:"group"`
	Sweep string `json:"sweep,omitempty"` // directory of the sweep that the run is a cell of
	State string `json:"state"`
	// Note says more than the state: who is at work, what went wrong, how to resume
	Note string `json:"note,omitempty"`
	// Remark is what a person has noted of the run
	Remark      string `json:"remark,omitempty"`
	Generation  int    `json:"generation"` // that are over
	Generations int    `json:"generations"`
	// GamesPerSecond is of selection, in the latest generations; 0 where not known
	GamesPerSecond float64 `json:"gamesPerSecond"`
	// seconds to the last generation, while it runs
	Left     float64 `json:"left"`
	Champion *int    `json:"champion,omitempty"` // generation of the last one
	Size     int     `json:"size,omitempty"`     // its nodes
	// Wins is the last measurement of a champion, or in a finished run its final one; nil before
	// there is one
	Wins *Wins `json:"wins,omitempty"`
	// Points is the mean of points over all opponents of the final measurement, by which runs are
	// compared, with Wilson's interval; nil before there is one
	Points  *Wins `json:"points,omitempty"`
	Changed int64 `json:"changed"` // seconds since 1970, of the last generation

	evolve  *evolve.Config
	values  map[string]string // of the study's settings; replicates share them
	against string            // the first player that champions are measured against; "" without any
}

// Wins is a share of games won, with its 95 % interval.
type Wins struct {
	Against string  `json:"against"`
	Games   int     `json:"games"`
	Share   float64 `json:"share"`
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
}

// States of a run.
const (
	running  = "running"
	stopped  = "stopped" // on purpose: everything is in its checkpoint
	killed   = "killed"  // it ended with generations that no checkpoint holds
	failed   = "failed"
	handedIn = "handed in" // by a worker, and not compared yet
	bred     = "bred"      // to the last generation; measurements or figures are not complete
	done     = "done"
	damaged  = "damaged" // its files cannot be read
	// its files can, and this program lacks its game, its rules or a key of its study
	unreadable = "unreadable"
)

// Settled reports whether a run in such a state stays in it unless somebody does something.
func Settled(state string) bool {
	return state == done || state == failed || state == damaged || state == unreadable
}

// Over reports whether a run is finished and measured.
func (r *Row) Over() bool { return r.State == done }

// fixed returns the fields that come from the manifest.
func (r *Row) fixed() Row {
	return Row{Run: r.Run, Study: r.Study, Game: r.Game, Title: r.Title, Seed: r.Seed,
		Group: r.Group, Sweep: r.Sweep, Generations: r.Generations, evolve: r.evolve,
		values: r.values, against: r.against}
}

// replicas caches rows by everything in the manifest except the seed: reading a study makes its
// game, which takes a millisecond or more.
type replicas struct {
	mu    sync.Mutex
	known map[string]Row
}

// maxReplicas bounds the cached studies.
const maxReplicas = 10_000

// describe reads a run's manifest. ok is false where it cannot be read.
func (known *replicas) describe(scope player.Scope, dir string) (row Row, ok bool) {
	row = Row{Run: filepath.ToSlash(dir), Study: filepath.Base(dir)}
	m, err := runner.ReadManifest(dir)
	if err != nil {
		row.State, row.Note = damaged, err.Error()
		return row, false
	}
	if parent := filepath.Dir(dir); sweep.Is(parent) {
		row.Sweep = filepath.ToSlash(parent)
	}
	rest, seed := runner.CutSeed(m.Study)
	key := fmt.Sprintf("%d %s", m.Rules, rest)
	known.mu.Lock()
	like, found := known.known[key]
	known.mu.Unlock()
	if found && seed != "" {
		like.Run, like.Sweep, like.Seed = row.Run, row.Sweep, seed
		return like, true
	}
	r, err := runner.Open(scope, dir)
	if err != nil {
		row.State, row.Note = unreadable, err.Error()
		return row, false
	}
	info := r.Game.Info()
	row.Study, row.Game, row.Title = r.Study.Name, info.Name, info.Title
	row.Seed, row.Generations = fmt.Sprint(r.Study.Seed), r.Study.Evolve.Generations
	row.evolve, row.values = &r.Study.Evolve, r.Study.Values()
	if against := r.Study.Measure.Against; len(against) > 0 {
		row.against = against[0]
	}
	if whole, err := sweep.StudyOf(r); err == nil {
		if text, err := whole.Replicated(); err == nil {
			row.Group = fmt.Sprintf("%x", sha256.Sum256(text))[:12]
		}
		if row.Seed = fmt.Sprint(whole.Seed); whole != r.Study {
			return row, true // its manifest has the seed of its last stage
		}
	}
	known.mu.Lock()
	defer known.mu.Unlock()
	if known.known == nil || len(known.known) >= maxReplicas {
		known.known = map[string]Row{}
	}
	known.known[key] = row
	return row, true
}

// logTail is the part of a log line that the table needs.
type logTail struct {
	Games      int64                `json:"games"`
	Champion   *rundir.ChampionLine `json:"champion"`
	Generation int                  `json:"generation"`
}

// Bytes read at the ends of the log and of the measurements: a few lines.
const (
	logBytes     = 4 << 10
	measureBytes = 1 << 10
)

// follow reads the progress of a run.
func (r *Row) follow(dir string) (err error) {
	if r.Remark, err = runner.ReadNote(dir); err != nil {
		return err
	}
	var seconds float64
	r.Generation, seconds = rundir.Pace(dir)
	r.Generations = runner.Expected(r.evolve, dir)
	if info, err := packed.Stat(filepath.Join(dir, rundir.TimesFile)); err == nil {
		r.Changed = info.ModTime().Unix()
	}
	var games, lines int64
	if err := durable.Tail(filepath.Join(dir, rundir.LogFile), logBytes, func(l *logTail) {
		games, lines = games+l.Games, lines+1
		if c := l.Champion; c != nil {
			generation := l.Generation
			r.Champion, r.Size = &generation, c.Size
		}
	}); err != nil {
		return err
	}
	if seconds > 0 && lines > 0 {
		r.GamesPerSecond = float64(games) / float64(lines) / seconds
	}
	if err := r.measured(dir); err != nil {
		return err
	}
	if r.Champion == nil { // the latest lines have none
		if all, err := player.Champions(dir); err == nil && len(all) > 0 {
			r.Champion = &all[len(all)-1].Generation
		}
	}
	return r.state(dir, seconds)
}

// state determines whether a run is over, and whether anybody works on it.
func (r *Row) state(dir string, seconds float64) error {
	sum, err := runner.ReadSummary(dir)
	if err != nil {
		return err
	}
	if sum != nil {
		r.State, r.Generation = done, sum.Generations
		r.final(sum.Final)
		if sum.Unrepeatable {
			r.Note = "evolve.seconds ended it, and so it does not repeat"
		}
		origin, err := sweep.Unaudited(dir)
		if origin != nil {
			r.State = handedIn
			r.Note = origin.String() + " has handed it in, and it is not compared yet; its sweep, " +
				"continued, breeds it again"
		}
		return err
	}
	holder, err := sweep.InspectLease(dir)
	if err != nil {
		return err
	}
	over, err := rundir.ReadDone(dir)
	if err != nil {
		return err
	}
	resume := "resume " + sweep.StagedOf(dir)
	if r.Sweep != "" {
		resume = "continue its sweep"
	}
	switch {
	case rundir.Held(dir), holder.Held && !holder.Dead:
		r.State = running
		if holder.Held {
			r.Note = holder.Owner.String()
		}
		r.Left = seconds * float64(r.Generations-r.Generation)
	case over != nil:
		r.State, r.Generation = bred, over.Generations
		r.Note = "it is being measured, or its program ended first; then " + resume
	case rundir.Saved(dir) >= r.Generation:
		r.State, r.Note = stopped, resume
	default:
		r.State, r.Note = killed, "its program ended before it could save; "+resume+
			"; it goes on from the last checkpoint, to the same result"
	}
	if r.State == running {
		return nil
	}
	var f sweep.Failure
	if found, err := durable.ReadJSON(filepath.Join(dir, sweep.FailureFile), &f); found && err == nil {
		r.State, r.Note = failed, f.Error
	}
	return nil
}

// measured reads the last measurement against the first player that the study names.
func (r *Row) measured(dir string) error {
	if r.against == "" {
		return nil
	}
	return durable.Tail(filepath.Join(dir, runner.MeasureFile), measureBytes, r.take)
}

// final sets the wins and points of the final measurement, which has more games than those on the
// way.
func (r *Row) final(all []runner.Measurement) {
	if len(all) == 0 {
		return
	}
	var against []string
	var share, games float64
	for i := range all {
		m := &all[i]
		r.take(m)
		against = append(against, m.Opponent())
		share += m.Points() / float64(len(all))
		games += float64(m.Games)
	}
	p := stat.Wilson(share*games, games, 0.95)
	r.Points = &Wins{strings.Join(against, ", "), int(games), p.Estimate, p.Low, p.High}
}

// take sets the wins from a measurement, if it is against the first player of the study and under
// its settings.
func (r *Row) take(m *runner.Measurement) {
	if m.Against == r.against && m.Settings == "" {
		r.Wins = &Wins{m.Against, m.Games, m.Share, m.Low, m.High}
	}
}

// Group is a set of runs that differ in their seeds only.
type Group struct {
	Group string `json:"group"`
	Study string `json:"study"`
	Runs  int    `json:"runs"`
	Done  int    `json:"done"`
	// Wins is the mean over the runs that were measured, with the interval of stat.MeanShare where
	// there are two or more; nil without any. Games counts all of theirs
	Wins *Wins `json:"wins,omitempty"`
	// Settings are those in which groups of the same game differ, by key
	Settings map[string]string `json:"settings,omitempty"`
}

// Groups returns the groups of replicates, in the order in which they first appear.
func Groups(rows []*Row) []*Group {
	all := []*Group{}
	place := map[string]int{}
	shares := map[string][]float64{}
	first := map[string][]*Row{} // of each group, by game
	for _, r := range rows {
		if r.Group == "" {
			continue
		}
		at, ok := place[r.Group]
		if !ok {
			at = len(all)
			place[r.Group] = at
			all = append(all, &Group{Group: r.Group, Study: r.Study})
			first[r.Game] = append(first[r.Game], r)
		}
		g := all[at]
		g.Runs++
		if r.State == done {
			g.Done++
		}
		if w := r.Wins; w != nil {
			if g.Wins == nil {
				one := *w
				g.Wins, one.Games = &one, 0
			}
			g.Wins.Games += w.Games
			shares[r.Group] = append(shares[r.Group], w.Share)
		}
	}
	for _, g := range all {
		v := shares[g.Group]
		if len(v) < 2 {
			continue
		}
		i := stat.MeanShare(v, float64(g.Wins.Games), 0.95)
		g.Wins.Share, g.Wins.Low, g.Wins.High = i.Estimate, i.Low, i.High
	}
	for _, same := range first {
		for _, key := range differing(same) {
			for _, r := range same {
				if value, ok := r.values[key]; ok {
					g := all[place[r.Group]]
					if g.Settings == nil {
						g.Settings = map[string]string{}
					}
					g.Settings[key] = value
				}
			}
		}
	}
	return all
}

// differing returns the settings in which rows differ.
func differing(rows []*Row) (keys []string) {
	seen := map[string]bool{}
	for _, r := range rows {
		for key, value := range r.values {
			if other, ok := rows[0].values[key]; (!ok || other != value) && !seen[key] {
				seen[key] = true
				keys = append(keys, key)
			}
		}
	}
	for key := range rows[0].values {
		missing := slices.ContainsFunc(rows, func(r *Row) bool { _, ok := r.values[key]; return !ok })
		if missing && !seen[key] {
			keys = append(keys, key)
		}
	}
	return keys
}

// Changes returns the rows of now that differ from before, and the runs that are gone.
func Changes(before, now []*Row) (changed []*Row, gone []string) {
	old := map[string]*Row{}
	for _, r := range before {
		old[r.Run] = r
	}
	for _, r := range now {
		if was := old[r.Run]; was == nil || !Same(was, r) {
			changed = append(changed, r)
		}
		delete(old, r.Run)
	}
	for run := range old {
		gone = append(gone, run)
	}
	slices.Sort(gone)
	return changed, gone
}

// Same reports whether two rows look the same on a page.
func Same(a, b *Row) bool {
	if a == b {
		return true
	}
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}
