package experiments

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"clade/analysis/stat"
	"clade/engine"
	"clade/evolve"
)

// Measurement is what one player did against another, each board played once in either seat.
type Measurement struct {
	Generation int                `json:"generation,omitempty"` // of the champion, where it is one of several
	Against    string             `json:"against"`
	Games      int                `json:"games"`
	Wins       int                `json:"wins"`
	Losses     int                `json:"losses"`
	Share      float64            `json:"share"` // of games won
	Low        float64            `json:"low"`   // ends of the share's 95 % interval (Wilson)
	High       float64            `json:"high"`
	Score      float64            `json:"score"`           // mean a game
	Other      float64            `json:"other"`           // the opponent's mean
	Marks      map[string]float64 `json:"marks,omitempty"` // means a game, by the names of engine.Info.Marks
}

// blockBoards is how many boards a worker plays at a time.
const blockBoards = 25

// Play plays games between a player and an opponent, an even number, on boards from a seed, spread over workers (0 means GOMAXPROCS). The same arguments give
// the same measurement for any number of workers.
func Play(ctx context.Context, g engine.Game, player, opponent engine.Player, against string, games int, seed engine.Seed, workers int) (Measurement, error) {
	boards := games / 2
	outcomes := make([]engine.Outcome, (boards+blockBoards-1)/blockBoards)
	err := each(ctx, len(outcomes), workers, func(i int, referee *engine.Referee) {
		m := engine.Match{Boards: min(blockBoards, boards-i*blockBoards), Whole: true}
		outcomes[i] = referee.Match(m, g, player, opponent, seed.Num(uint64(i)))
	})
	if err != nil {
		return Measurement{}, err
	}
	var all engine.Outcome
	for i := range outcomes { // in order, because sums of floats depend on it
		o := &outcomes[i]
		all.Games += o.Games
		for p := range 2 {
			all.Wins[p] += o.Wins[p]
			all.Scores[p] += o.Scores[p]
			for k := range o.Marks[p] {
				all.Marks[p][k] += o.Marks[p][k]
			}
		}
	}
	return measurement(g, &all, against), nil
}

func measurement(g engine.Game, o *engine.Outcome, against string) Measurement {
	n := float64(o.Games)
	w := stat.Wilson(float64(o.Wins[0]), n, 0.95)
	m := Measurement{
		Against: against, Games: o.Games, Wins: o.Wins[0], Losses: o.Wins[1], Share: float64(o.Wins[0]) / n, Low: w.Low, High: w.High,
		Score: o.Scores[0] / n, Other: o.Scores[1] / n, Marks: map[string]float64{},
	}
	for i, name := range g.Info().Marks {
		m.Marks[name] = float64(o.Marks[0][i]) / n
	}
	return m
}

// each calls f for 0..n-1 from a number of workers, each with a referee of its own.
func each(ctx context.Context, n, workers int, f func(i int, referee *engine.Referee)) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	work := make(chan int)
	var group sync.WaitGroup
	for range min(workers, n) {
		group.Go(func() {
			var referee engine.Referee
			for i := range work {
				f(i, &referee)
			}
		})
	}
	err := func() error {
		for i := range n {
			select {
			case work <- i:
			case <-ctx.Done():
				return fmt.Errorf("%w while it was measured; everything bred is saved", evolve.ErrStopped)
			}
		}
		return nil
	}()
	close(work)
	group.Wait()
	return err
}

// measure fills measures.jsonl: every Measure.Every-th champion and the last, against each opponent. All champions play on the same boards, which no selection has seen, so that what differs between
// generations is the champions. Lines that are there already are kept.
func (r *Run) measure(ctx context.Context, o Options) error {
	m := &r.Study.Measure
	if len(m.Against) == 0 {
		return nil
	}
	champions, err := Champions(r.Dir)
	if err != nil {
		return err
	}
	opponents, err := FindPlayers(r.Game, m.Against)
	if err != nil {
		return err
	}
	have, err := r.Measurements()
	if err != nil {
		return err
	}
	type key struct {
		generation int
		against    string
	}
	done := map[key]bool{}
	for _, h := range have {
		done[key{h.Generation, h.Against}] = true
	}
	file, err := os.OpenFile(filepath.Join(r.Dir, measureFile), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return fmt.Errorf("experiments: %w", err)
	}
	defer file.Close()
	for i, c := range champions {
		if i%m.Every != 0 && i != len(champions)-1 {
			continue
		}
		player, err := playSpecies(r.Game, c.Path)
		if err != nil {
			return err
		}
		for k, name := range m.Against {
			if done[key{c.Generation, name}] {
				continue
			}
			seed := engine.Seed(r.Study.Seed).Name("measure").Name(name)
			result, err := Play(ctx, r.Game, player, opponents[k], name, m.Games, seed, o.Workers)
			if err != nil {
				return err
			}
			result.Generation = c.Generation
			line, err := json.Marshal(result)
			if err != nil {
				return fmt.Errorf("experiments: %w", err)
			}
			if _, err := file.Write(append(line, '\n')); err != nil {
				return fmt.Errorf("experiments: %w", err)
			}
		}
		o.stage(Stage{"measuring champions", i + 1, len(champions)})
	}
	if err := file.Sync(); err != nil {
		return fmt.Errorf("experiments: %w", err)
	}
	return nil
}

func (o *Options) stage(s Stage) {
	if o.Stage != nil {
		o.Stage(s)
	}
}

// Measurements reads measures.jsonl; none where nothing was measured. A line that was torn when the program died is cut off.
func (r *Run) Measurements() ([]Measurement, error) {
	path := filepath.Join(r.Dir, measureFile)
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("experiments: %w", err)
	}
	whole := content[:bytes.LastIndexByte(content, '\n')+1]
	if len(whole) < len(content) {
		if err := r.write(measureFile, whole); err != nil {
			return nil, err
		}
	}
	var measurements []Measurement
	lines := bufio.NewScanner(bytes.NewReader(whole))
	lines.Buffer(nil, math.MaxInt32)
	for n := 1; lines.Scan(); n++ {
		var m Measurement
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			return nil, fmt.Errorf("experiments: %s:%d: the line is damaged (%w); delete the file and resume the run to measure anew", path, n, err)
		}
		measurements = append(measurements, m)
	}
	return measurements, nil
}

// measureFinal plays the last champion against every player of the house, on boards of its own.
func (r *Run) measureFinal(ctx context.Context, o Options) ([]Measurement, error) {
	games := r.Study.Measure.Final
	if games == 0 {
		return nil, nil
	}
	player, err := playSpecies(r.Game, filepath.Join(r.Dir, championFile))
	if err != nil {
		return nil, err
	}
	var final []Measurement
	house := roster(r.Game)
	for i, entry := range house {
		opponent, err := entry.New("")
		if err != nil {
			continue // it needs arguments, so there is no such player by name alone
		}
		m, err := Play(ctx, r.Game, player, opponent, entry.Name, games, engine.Seed(r.Study.Seed).Name("final").Name(entry.Name), o.Workers)
		if err != nil {
			return nil, err
		}
		final = append(final, m)
		o.stage(Stage{"measuring the champion", i + 1, len(house)})
	}
	return final, nil
}
