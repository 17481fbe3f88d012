package cli

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"

	"clade/engine/system/terminal"
	"clade/evolve"
	"clade/evolve/rundir"
	"clade/experiments/runner"
)

// progress shows a person how far long work is: a bar with the time left if standard error is a
// terminal, else a log line now and then.
type progress struct {
	bar      *progressbar.ProgressBar // nil without a terminal
	evolve   *evolve.Config           // of the run; nil for other work
	total    int                      // generations, or wholeBudget
	began    time.Time
	first    int // of the total, that was done when this process began; -1 before
	logged   time.Time
	games    int64
	done     int          // generations
	saved    atomic.Int64 // generation of the newest checkpoint; -1 where it is not known
	stage    string
	strength atomic.Pointer[runner.Strength]
	since    time.Time // the stage's begin, or its last line
	before   int       // of the stage, that was done then
	seen     int       // of the stage, that was done at the last report
	late     *lateWriter
}

// logEvery is the time between log lines.
const logEvery = 10 * time.Second

// patience is how long a stage lasts before its progress is shown.
const patience = 2 * time.Second

// wholeBudget is the number of steps into which the progress bar divides a budget.
const wholeBudget = 1000

// barWidth leaves room, in 80 columns, for the champion's strength and the time left.
const barWidth = 10

// Columns from which a bar also shows the champion's strength, and the games a second as well.
const (
	roomForStrength = 64
	roomForRate     = 76
)

// lateWriter writes nothing before a time, and no line longer than the terminal: the part on the
// next line would not be erased, and the terminal would scroll.
type lateWriter struct {
	to      io.Writer
	from    time.Time
	written bool
}

func (l *lateWriter) Write(b []byte) (int, error) {
	if time.Now().Before(l.from) {
		return len(b), nil
	}
	l.written = true
	room := terminal.Columns(l.to) - 1
	lines := strings.Split(string(b), "\r")
	for i, line := range lines {
		if runes := []rune(line); len(runes) > room {
			lines[i] = string(runes[:room])
		}
	}
	if _, err := io.WriteString(l.to, strings.Join(lines, "\r")); err != nil {
		return 0, err
	}
	return len(b), nil
}

// about returns the description of a bar for a terminal of so many columns.
func about(strength string, rate, columns int) string {
	switch {
	case columns < roomForStrength:
		return ""
	case columns < roomForRate && strength != "":
		return strength
	}
	return strings.TrimLeft(fmt.Sprintf("%s %d games/s", strength, rate), " ")
}

// newProgress returns the progress of a run with these settings, nil for work of another kind.
func newProgress(c *evolve.Config) *progress {
	now := time.Now()
	p := &progress{evolve: c, first: -1, began: now, logged: now, since: now}
	unit := "generations"
	switch {
	case c == nil:
	case !c.Budgeted():
		p.total = c.Generations
	default:
		p.total, unit = wholeBudget, "of the budget"
	}
	p.saved.Store(-1)
	if drawable(os.Stderr) {
		p.bar = p.newBar(p.total, unit, 0)
	}
	return p
}

// newBar returns a bar that is shown after some time.
func (p *progress) newBar(n int, name string, after time.Duration) *progressbar.ProgressBar {
	p.late = &lateWriter{to: os.Stderr, from: time.Now().Add(after)}
	return progressbar.NewOptions(n, progressbar.OptionSetWriter(p.late),
		progressbar.OptionSetDescription(terminal.Printable(name)), progressbar.OptionShowCount(),
		progressbar.OptionSetPredictTime(true), progressbar.OptionSetElapsedTime(true),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionSetWidth(barWidth))
}

func (p *progress) options(workers int) runner.Options {
	return runner.Options{Workers: workers, Command: os.Args, Progress: p.report,
		Strength: func(s runner.Strength) { p.strength.Store(&s) },
		Stage:    p.atStage, Warn: func(what string) { slog.Warn(what) }}
}

func (p *progress) report(r evolve.Progress) {
	done := r.Line.Generation + 1
	p.done = done
	if p.evolve != nil && p.evolve.Budgeted() {
		done = int(wholeBudget * p.evolve.Share(r.Spent))
	}
	p.saved.Store(int64(r.Saved))
	p.games += r.Line.Games
	if p.first < 0 {
		p.first = max(0, done-1)
	}
	rate := int(float64(p.games) / time.Since(p.began).Seconds())
	strength := p.strong(r.Line)
	if p.bar != nil {
		p.bar.Describe(about(strength, rate, terminal.Columns(os.Stderr)))
		_ = p.bar.Set(done) // a terminal that goes away must not end the run
		return
	}
	if time.Since(p.logged) >= logEvery || done == p.total {
		p.logged = time.Now()
		left := time.Duration(float64(time.Since(p.began)) / float64(max(1, done-p.first)) * float64(
			p.total-done)).Round(time.Second)
		told := []any{"generation", p.done, "of", p.evolve.Expected(r.Spent), "games/s", rate, "nodes",
			int(r.Line.Size.Mean), "left", left}
		if strength != "" {
			told = append(told, "strength", strength)
		}
		if s := p.strength.Load(); s != nil {
			told = append(told, "against", strings.Join(s.Against, ","), "of generation",
				s.Generation, "games", s.Games)
		}
		slog.Info("breeding", told...)
	}
}

// strong describes the last measured champion: a share of points with its interval, or the best
// fitness if nobody plays against anybody; "" if nothing is known.
func (p *progress) strong(l *rundir.Line) string {
	switch s := p.strength.Load(); {
	case s != nil:
		return fmt.Sprintf("champion %.0f%% (%.0f..%.0f)", 100*s.Points.Estimate, 100*s.Points.Low,
			100*s.Points.High)
	case l.Fitness != nil:
		return fmt.Sprintf("best %.4g", l.Fitness.Max)
	}
	return ""
}

// atStage shows the progress of a stage that lasts: with a bar, or with a line after a while and
// then now and then.
func (p *progress) atStage(s runner.Stage) {
	if p.stage != s.Name {
		if p.stage != "" || p.first >= 0 {
			p.since = time.Now()
		}
		if p.bar != nil {
			p.finishBar()
			p.bar = p.newBar(s.Total, s.Name, patience-time.Since(p.since))
		}
		p.stage, p.logged, p.before, p.seen = s.Name, p.since.Add(patience-logEvery), 0, 0
	}
	if p.bar != nil {
		_ = p.bar.Set(s.Done)
		return
	}
	if s.Done < p.seen { // begun anew, as a film that came out too large
		p.since, p.before = time.Now(), 0
	}
	p.seen = s.Done
	if time.Since(p.logged) >= logEvery && s.Done > 0 {
		// at the pace since the last line: what a cache holds is done at once
		left := float64(time.Since(p.since)) / float64(max(1, s.Done-p.before)) * float64(s.Total-s.Done)
		p.logged, p.since, p.before = time.Now(), time.Now(), s.Done
		slog.Info(s.Name, "done", s.Done, "of", s.Total, "left", time.Duration(left).Round(time.Second))
	}
}

// reading names the stage in which runs are read.
const reading = "reading runs"

// stageOf returns the function that passes on how far a stage is.
func (p *progress) stageOf(name string) func(done, total int) {
	return runner.Progress(p.atStage, name)
}

// hide erases the bar, so that a line can be printed; the next step shows it again.
func (p *progress) hide() {
	if p.bar != nil && p.late.written {
		_ = p.bar.Clear()
	}
}

func (p *progress) close() {
	if p.bar != nil {
		p.finishBar()
		p.bar = nil
	}
}

func (p *progress) finishBar() {
	_ = p.bar.Exit()
	if p.late.written {
		_, _ = io.WriteString(os.Stderr, "\n")
	}
}
