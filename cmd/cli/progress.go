package cli

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"clade/engine/terminal"
	"clade/evolve"
	"clade/experiments/runner"
)

// progress tells a person how far long work is: a bar with an ETA where standard error is a
// terminal, else a log line now and then.
type progress struct {
	bar    *progressbar.ProgressBar // nil without a terminal
	total  int
	began  time.Time
	first  int // generation that this process began with, -1 before
	logged time.Time
	games  int64
	done   int // generations
	stage  string
}

// logEvery is the time between log lines.
const logEvery = 10 * time.Second

func newProgress(generations int) *progress {
	p := &progress{total: generations, first: -1, began: time.Now(), logged: time.Now()}
	if term.IsTerminal(int(os.Stderr.Fd())) {
		p.bar = p.newBar(generations, "generations")
	}
	return p
}

func (p *progress) newBar(n int, name string) *progressbar.ProgressBar {
	return progressbar.NewOptions(n, progressbar.OptionSetWriter(os.Stderr),
		progressbar.OptionSetDescription(terminal.Printable(name)), progressbar.OptionShowCount(),
		progressbar.OptionSetPredictTime(true), progressbar.OptionSetElapsedTime(true),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionSetWidth(24))
}

func (p *progress) options(workers int) runner.Options {
	return runner.Options{Workers: workers, Command: os.Args, Progress: p.report,
		Stage: p.atStage, Warn: func(what string) { slog.Warn(what) }}
}

func (p *progress) report(r evolve.Progress) {
	done := r.Line.Generation + 1
	p.done = done
	p.games += r.Line.Games
	if p.first < 0 {
		p.first = r.Line.Generation
	}
	rate := float64(p.games) / time.Since(p.began).Seconds()
	if p.bar != nil {
		p.bar.Describe(fmt.Sprintf("%.0f games/s, %.0f nodes", rate, r.Line.Size.Mean))
		_ = p.bar.Set(done) // a terminal that goes away must not end the run
		return
	}
	if time.Since(p.logged) >= logEvery || done == p.total {
		p.logged = time.Now()
		left := time.Duration(float64(time.Since(p.began)) / float64(done-p.first) * float64(
			p.total-done)).Round(time.Second)
		slog.Info("breeding", "generation", done, "of", p.total, "games/s", int(rate), "nodes",
			int(r.Line.Size.Mean), "left", left)
	}
}

func (p *progress) atStage(s runner.Stage) {
	if p.bar == nil {
		if p.stage != s.Name {
			slog.Info(s.Name, "of", s.Total)
		}
		p.stage = s.Name
		return
	}
	if p.stage != s.Name {
		p.finishBar()
		p.bar, p.stage = p.newBar(s.Total, s.Name), s.Name
	}
	_ = p.bar.Set(s.Done)
}

func (p *progress) close() {
	if p.bar != nil {
		p.finishBar()
	}
}

func (p *progress) finishBar() {
	_ = p.bar.Exit()
	_, _ = io.WriteString(os.Stderr, "\n")
}
