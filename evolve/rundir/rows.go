package rundir

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"path/filepath"

	"clade/engine/system/durable"
)

// Line is a line of generations.jsonl, the log of a generation. Times are in times.jsonl instead,
// so that the log is the same in every run of a study.
type Line struct {
	// Generation counts from 0. The line describes the population from which the generation
	// selected.
	Generation int   `json:"generation"`
	Matches    int64 `json:"matches"`    // of selection and migration
	Games      int64 `json:"games"`      // of selection and migration
	RaceGames  int64 `json:"race_games"` // of the choice of the champion
	Size       Range `json:"size"`       // nodes of a genome
	Depth      Range `json:"depth"`      // of its deepest tree
	// Genotypes is the share of individuals with distinct genomes, in (0, 1]: genotypic diversity.
	Genotypes float64 `json:"genotypes"`
	// Behaviours is the share of individuals with distinct decisions in the probes, in (0, 1]:
	// behavioural diversity. It is absent where it was not measured.
	Behaviours float64 `json:"behaviours,omitempty"`
	// Fitness is absent where selection computes none. With steady-state replacement it is the
	// fitness at the beginning of the generation.
	Fitness  *Range        `json:"fitness,omitempty"`
	Lineage  int           `json:"lineage"` // individuals in the lineage without extinct lines
	Champion *ChampionLine `json:"champion,omitempty"`
}

// Range summarises a number over all individuals.
type Range struct {
	Min  float64 `json:"min"`
	Mean float64 `json:"mean"`
	Max  float64 `json:"max"`
}

// ChampionLine is a champion in the log. Its record is from the race that chose it and biased
// upwards; for a tuned champion it is from the match that confirmed it.
type ChampionLine struct {
	ID     uint64  `json:"id"`
	Island int     `json:"island"`
	Born   int     `json:"born"` // generation of its birth
	Size   int     `json:"size"`
	Depth  int     `json:"depth"`
	Games  int     `json:"games"`
	Wins   int     `json:"wins"`
	Losses int     `json:"losses"`
	Score  float64 `json:"score"` // mean over games
	Other  float64 `json:"other"` // the opponents' mean
	// Marks are means over games, by the names of engine.Info.Marks.
	Marks map[string]float64 `json:"marks,omitempty"`
	// Tuned tells that its constants were tuned.
	Tuned bool   `json:"tuned,omitempty"`
	File  string `json:"file"` // relative to the run's directory
}

// Times is a line of times.jsonl.
type Times struct {
	Generation int `json:"generation"`
	// Seconds is the time for selection, breeding, the champion and the measures, without the
	// checkpoint.
	Seconds float64 `json:"seconds"`
	// Processor is the processor time in seconds that this process used meanwhile. If a process
	// breeds several runs at once it is cut to Seconds times the processors that the run may use.
	// 0, and absent, in runs of earlier versions.
	Processor float64 `json:"processor_seconds,omitempty"`
	// Sum is the first 16 hexadecimal digits of the SHA-256 of the line without Sum; empty in runs
	// of earlier versions. times.jsonl is not in checksums.sha256, which is the same in every run
	// of a study.
	Sum string `json:"sum,omitempty"`
}

// encode returns the line with its checksum.
func (t Times) encode() ([]byte, error) {
	t.Sum = ""
	line, err := json.Marshal(t)
	if err == nil {
		t.Sum = fmt.Sprintf("%x", sha256.Sum256(line))[:16]
		line, err = json.Marshal(t)
	}
	return line, err
}

// UnmarshalJSON reads a line. The error for a line that was changed wraps ErrChanged.
func (t *Times) UnmarshalJSON(line []byte) error {
	type plain Times // without this method
	if err := json.Unmarshal(line, (*plain)(t)); err != nil {
		return err
	}
	written, err := json.Marshal(*t)
	if err == nil && t.Sum != "" {
		written, err = t.encode()
	}
	if err == nil && !bytes.Equal(written, line) {
		err = fmt.Errorf("it %w", ErrChanged)
	}
	return err
}

// Done is the content of done.json: the end of a run.
type Done struct {
	Generations int           `json:"generations"`
	Matches     int64         `json:"matches"`
	Games       int64         `json:"games"` // of selection, in all generations
	Champion    *ChampionLine `json:"champion,omitempty"`
	// Fingerprint is the SHA-256, in hexadecimal digits, of everything that is the same in every
	// run of a study: study and seed, log, champions, lineage and last state.
	Fingerprint string `json:"fingerprint"`
}

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
