package rundir

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
)

// Line is what the log says of a generation: a line of generations.jsonl. It holds no times, which
// stand in times.jsonl, so that it repeats bit for bit.
type Line struct {
	// Generation counts from 0. The line describes the population that its selection worked on.
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
	Lineage  int           `json:"lineage"` // individuals in the lineage, extinct lines left out
	Champion *ChampionLine `json:"champion,omitempty"`
}

// Range sums up a number over all individuals.
type Range struct {
	Min  float64 `json:"min"`
	Mean float64 `json:"mean"`
	Max  float64 `json:"max"`
}

// ChampionLine is what the log says of a champion. Its record is that of the race that chose it,
// and flatters, or where it is tuned that of the match that confirmed it.
type ChampionLine struct {
	ID     uint64  `json:"id"`
	Island int     `json:"island"`
	Born   int     `json:"born"` // generation of its birth
	Size   int     `json:"size"`
	Depth  int     `json:"depth"`
	Games  int     `json:"games"`
	Wins   int     `json:"wins"`
	Losses int     `json:"losses"`
	Score  float64 `json:"score"` // mean a game
	Other  float64 `json:"other"` // the opponents' mean
	// Marks are means a game, by the names of engine.Info.Marks.
	Marks map[string]float64 `json:"marks,omitempty"`
	// Tuned tells that it is the individual with other constants.
	Tuned bool   `json:"tuned,omitempty"`
	File  string `json:"file"` // relative to the run's directory
}

// Times is a line of times.jsonl.
type Times struct {
	Generation int `json:"generation"`
	// Seconds for selection, breeding, the champion and the measures, without the checkpoint.
	Seconds float64 `json:"seconds"`
	// Processor is the processor time in seconds of the same, as far as this process used it: at
	// most what as many processors as the run may use have in Seconds, of runs at once in a process.
	// 0, and absent, in runs of earlier versions.
	Processor float64 `json:"processor_seconds,omitempty"`
	// Sum is the beginning of the SHA-256 of the line without it, in 16 hexadecimal digits; empty
	// in runs of earlier versions. The file has no line in checksums.sha256, which repeats.
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

// UnmarshalJSON reads a line. The error of one that is not as it was written wraps ErrChanged.
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

// Done is what done.json says: the end of a run.
type Done struct {
	Generations int           `json:"generations"`
	Matches     int64         `json:"matches"`
	Games       int64         `json:"games"` // of selection, in all generations
	Champion    *ChampionLine `json:"champion,omitempty"`
	// Fingerprint is the SHA-256, in hexadecimal digits, of all in the run that must repeat: study
	// and seed, log, champions, lineage and last state.
	Fingerprint string `json:"fingerprint"`
}
