package rundir

import (
	"path/filepath"

	"clade/engine/system/durable"
)

// Held tells whether a process of this machine is at work in a run's directory.
func Held(path string) bool { return durable.Locked(filepath.Join(path, lockFile)) }

// Pace reads the end of a run's times: how many generations are over, and the mean time in seconds
// of the latest. What cannot be read counts as nothing.
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

// Spent reads what a run has taken so far from its log and times: generations, games and seconds.
// What cannot be read counts as nothing.
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

// Saved returns how many generations stand in a run's newest checkpoint, -1 without one. A process
// that was killed leaves generations behind that it does not hold, and that are bred anew.
func Saved(path string) int {
	all, err := checkpoints(path)
	if err != nil || len(all) == 0 {
		return -1
	}
	return all[len(all)-1]
}
