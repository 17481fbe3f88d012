package rundir

import (
	"path/filepath"

	"clade/engine/system/durable"
)

// Held tells whether a process of this machine holds the lock of a run's directory.
func Held(path string) bool { return durable.Locked(filepath.Join(path, lockFile)) }

// Pace reads from the end of a run's times how many generations are over, and the mean seconds of
// the latest ones. What cannot be read counts as 0.
func Pace(path string) (generations int, seconds float64) {
	n := 0
	// some hundred generations
	err := durable.Tail(filepath.Join(path, TimesFile), 4096, func(t *Times) {
		generations, seconds, n = t.Generation+1, seconds+t.Seconds, n+1
	})
	if err != nil {
		return 0, 0
	}
	return generations, seconds / float64(max(1, n))
}

// Spent reads the generations, games and seconds of a run so far from its log and times. What
// cannot be read counts as 0.
func Spent(path string) (generations int, games int64, seconds float64) {
	_, _ = durable.EachLine(filepath.Join(path, LogFile), func(l *Line) bool {
		generations, games = l.Generation+1, games+l.Games
		return true
	})
	_, _ = durable.EachLine(filepath.Join(path, TimesFile), func(t *Times) bool {
		seconds += t.Seconds
		return true
	})
	return generations, games, seconds
}

// Saved returns the number of generations in a run's newest checkpoint, -1 without one. If the
// process was killed the log may have more, which will be bred again.
func Saved(path string) int {
	all, err := checkpoints(path)
	if err != nil || len(all) == 0 {
		return -1
	}
	return all[len(all)-1]
}
