package cli

import (
	"bytes"
	"log/slog"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"clade/engine/system/terminal"
	"clade/experiments/runner"
	"clade/gp/proof"
)

// A stage that begins anew tells the time left by its new pace, not by what was done before.
func TestStageBegunAnew(t *testing.T) {
	var log bytes.Buffer
	was := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(was)
	p := newProgress(nil)
	p.bar = nil
	p.atStage(runner.Stage{Name: "drawing", Done: 500, Total: 1000})
	p.since, p.logged = time.Now().Add(-time.Hour), time.Now().Add(-time.Hour)
	p.atStage(runner.Stage{Name: "drawing", Done: 4, Total: 1000})
	shortly(t, &log)
}

// What follows the stages of a breeding tells the time left by its own pace, not by theirs; the times
// are given.
func TestStageAfterStages(t *testing.T) {
	var log bytes.Buffer
	was := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(was)
	p := newProgress(nil)
	end := p.followStages(nil, "")
	p.bar, p.since = nil, time.Now().Add(-time.Hour)
	end()
	p.atStage(runner.Stage{Name: "measuring", Total: 8})
	p.logged = time.Now().Add(-time.Hour)
	p.atStage(runner.Stage{Name: "measuring", Done: 1, Total: 8})
	shortly(t, &log)
}

// shortly fails a test if the log does not tell that less than a minute is left.
func shortly(t *testing.T, log *bytes.Buffer) {
	t.Helper()
	left := regexp.MustCompile(`left=(\S+)`).FindSubmatch(log.Bytes())
	if left == nil {
		t.Fatalf("told %q", log.String())
	}
	if d, err := time.ParseDuration(string(left[1])); err != nil || d > time.Minute {
		t.Errorf("%s left, after an hour on something else (%v)", left[1], err)
	}
}

// Whatever the bar writes, no line is longer than the terminal, whose columns are given: it is the
// bar's own output, of a description that is too long.
func TestBarFitsTheTerminal(t *testing.T) {
	for _, columns := range []int{40, 60, 80} {
		var screen bytes.Buffer
		p := newProgress(nil)
		bar := p.newBar(1350, "champion 43% (40..46) 357700 games/s", 0)
		p.late.to = terminal.Sized(&screen, columns)
		for i := range 1350 {
			bar.Describe(about("champion 43% (40..46)", 357_700, columns))
			proof.OK(t, bar.Set(i+1))
		}
		longest := 0
		for _, line := range strings.FieldsFunc(screen.String(), func(r rune) bool {
			return r == '\r' || r == '\n'
		}) {
			longest = max(longest, utf8.RuneCountInString(line))
		}
		if longest >= columns || longest < 20 {
			t.Errorf("a line of %d characters in %d columns", longest, columns)
		}
	}
	proof.Is(t, about("best 3", 7, 80), "best 3 7 games/s", "the line")
}
