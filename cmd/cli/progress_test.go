package cli

import (
	"bytes"
	"log/slog"
	"regexp"
	"testing"
	"time"

	"clade/experiments/runner"
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
	left := regexp.MustCompile(`left=(\S+)`).FindSubmatch(log.Bytes())
	if left == nil {
		t.Fatalf("told %q", log.String())
	}
	if d, err := time.ParseDuration(string(left[1])); err != nil || d > time.Minute {
		t.Errorf("%s left, after an hour on what is done anew (%v)", left[1], err)
	}
}
