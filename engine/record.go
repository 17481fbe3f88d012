package engine

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"clade/engine/system/durable"
)

// Record is one game as it was played. With the same rules it can be replayed without its players.
type Record struct {
	Game        string     // Info.Name
	Version     int        // Info.Version
	Settings    string     // of an Adjustable game: its settings as TOML, whole lines; else ""
	Seed        uint64     // as given to Play
	Players     []string   // name of the player in each seat; any text
	Decisions   [][]uint64 // of each seat in order, as Recorder.Decide got them
	Scores      []float64  // of each seat at the end
	Winner      int        // seat, or Tie
	Steps       int        // Result.Steps
	Fingerprint uint64     // Result.Fingerprint
}

// Tape is a Recorder that collects the decisions of a game. The zero value is ready for one game.
type Tape struct {
	Decisions [MaxSeats][]uint64 // by seat, in order
}

// Decide appends a decision.
func (t *Tape) Decide(seat int, decision uint64) {
	t.Decisions[seat] = append(t.Decisions[seat], decision)
}

// Step ignores the scene.
func (t *Tape) Step(Scene) {}

// OnStep is a Recorder that calls a function with each scene.
type OnStep func(Scene)

// Decide ignores the decision.
func (OnStep) Decide(int, uint64) {}

// Step calls the function.
func (f OnStep) Step(s Scene) { f(s) }

// OnDecide is a Recorder that calls a function with each decision.
type OnDecide func(seat int, decision uint64)

// Decide calls the function.
func (f OnDecide) Decide(seat int, decision uint64) { f(seat, decision) }

// Step ignores the scene.
func (OnDecide) Step(Scene) {}

// looks reports whether a recorder does anything with scenes, which may take longer to make than the
// game to play.
func looks(r Recorder) bool {
	switch r := r.(type) {
	case nil, *Tape, OnDecide:
		return false
	case Recorders:
		return slices.ContainsFunc(r, looks)
	}
	return true
}

// PlayRecorded plays a game and also returns its record, in which the players have the given names.
// rec may be nil, as in Play.
func PlayRecorded(g Game, names []string, players []Player, seed uint64, rec Recorder) (*Record,
	Result, error) {
	if d, ok := g.(*Drawn); ok {
		i := d.index(seed)
		g, players = d.variants[i].Game, d.all(i, players)
	}
	settings, err := settingsText(g)
	if err != nil {
		return nil, Result{}, err
	}
	if len(names) != len(players) {
		return nil, Result{}, fmt.Errorf("engine: %d names for %d players", len(names), len(players))
	}
	var tape Tape
	recorders := Recorders{&tape}
	if rec != nil {
		recorders = append(recorders, rec)
	}
	result := g.Play(players, seed, recorders)
	info := g.Info()
	return &Record{
		Game: info.Name, Version: info.Version, Settings: settings, Seed: seed,
		Players:   append([]string(nil), names...),
		Decisions: append([][]uint64(nil), tape.Decisions[:len(players)]...),
		Scores:    append([]float64(nil), result.Scores[:len(players)]...), Winner: result.Winner(),
		Steps: result.Steps, Fingerprint: result.Fingerprint,
	}, result, nil
}

// Recorders is a Recorder that calls several in order.
type Recorders []Recorder

// Decide passes the decision on.
func (all Recorders) Decide(seat int, decision uint64) {
	for _, r := range all {
		r.Decide(seat, decision)
	}
}

// Step passes the scene on.
func (all Recorders) Step(s Scene) {
	for _, r := range all {
		r.Step(s)
	}
}

// settingsText returns the settings of a game as TOML, "" for a game without.
func settingsText(g Game) (string, error) {
	a, ok := g.(Adjustable)
	if !ok {
		return "", nil
	}
	text, err := toml.Marshal(a.Settings())
	if err != nil {
		return "", fmt.Errorf("engine: settings of %s: %w", g.Info().Name, err)
	}
	return string(text), nil
}

// Replay plays a recorded game again, with the record's settings and a recorder that may be nil. It
// returns an error if the record is of another game or of another version of the rules, and if the
// game does not end as recorded; then the result is that of the replay.
func Replay(g Game, record *Record, rec Recorder) (Result, error) {
	return ReplayAs(g, record, make([]Player, len(record.Decisions)), rec)
}

// ReplayAs is Replay with players of the adjusted game, see Adjust, in place of recorded decisions.
// Seats whose player is nil make the recorded decisions.
func ReplayAs(g Game, record *Record, players []Player, rec Recorder) (Result, error) {
	g, err := record.Adjust(g)
	if err != nil {
		return Result{}, err
	}
	recordable, ok := g.(Recordable)
	if !ok {
		return Result{}, fmt.Errorf("engine: %s cannot play records", record.Game)
	}
	if len(players) != len(record.Decisions) {
		return Result{}, fmt.Errorf("engine: %d players for a record of %d seats", len(players),
			len(record.Decisions))
	}
	seated := make([]Player, len(players))
	for seat, decisions := range record.Decisions {
		if seated[seat] = players[seat]; seated[seat] == nil {
			seated[seat] = recordable.Recording(decisions)
		}
	}
	result := g.Play(seated, record.Seed, rec)
	return result, record.compare(&result)
}

// Adjust checks that the record fits the game and returns the game with the record's settings.
func (r *Record) Adjust(g Game) (Game, error) {
	info := g.Info()
	seats := len(r.Decisions)
	switch {
	case r.Game != info.Name:
		return nil, fmt.Errorf("engine: the record is of the game %s and cannot be played as %s",
			r.Game, info.Name)
	case r.Version != info.Version:
		return nil, fmt.Errorf("engine: the record is of version %d of the rules of %s, and this "+
			"program plays version %d; replay it with the program that wrote it, or play the "+
			"game again",
			r.Version, r.Game, info.Version)
	}
	g, err := r.set(g)
	if err != nil {
		return nil, err
	}
	if info = g.Info(); seats < info.MinSeats || seats > info.MaxSeats { // settings can change them
		return nil, fmt.Errorf("engine: the record has %d seats, and %s is for %s", seats,
			r.Game, info.Seats())
	}
	return g, nil
}

// set returns the game with the record's settings.
func (r *Record) set(g Game) (Game, error) {
	a, ok := g.(Adjustable)
	if !ok {
		if r.Settings != "" {
			return nil, fmt.Errorf("engine: the record has settings, and %s has none", r.Game)
		}
		return g, nil
	}
	settings := a.Settings()
	decoder := toml.NewDecoder(bytes.NewReader([]byte(r.Settings))).DisallowUnknownFields()
	err := decoder.Decode(settings)
	if unknown, ok := errors.AsType[*toml.StrictMissingError](err); ok {
		err = fmt.Errorf("%s has no setting %s", r.Game, strings.Join(unknown.Errors[0].Key(), "."))
	}
	if err != nil {
		return nil, fmt.Errorf("engine: settings of the record: %w", err)
	}
	adjusted, err := a.With(settings)
	if err != nil {
		return nil, fmt.Errorf("engine: settings of the record: %w", err)
	}
	return adjusted, nil
}

// compare returns an error that says how a result differs from the recorded one.
func (r *Record) compare(result *Result) error {
	const remedy = "the game or the processor's arithmetic is not what it was; play the game again"
	switch {
	case result.Fingerprint != r.Fingerprint:
		return fmt.Errorf("engine: the replay of %s took another course: fingerprint %016x, "+
			"recorded %016x; %s", r.Game, result.Fingerprint, r.Fingerprint, remedy)
	case result.Winner() != r.Winner || result.Steps != r.Steps:
		return fmt.Errorf("engine: the replay of %s ended otherwise: winner %d after %d steps, "+
			"recorded %d after %d; %s",
			r.Game, result.Winner(), result.Steps, r.Winner, r.Steps, remedy)
	}
	for seat, score := range r.Scores {
		if math.Float64bits(score) != math.Float64bits(result.Scores[seat]) {
			return fmt.Errorf("engine: the replay of %s ended otherwise: seat %d scored %v, "+
				"recorded %v; %s", r.Game, seat, result.Scores[seat], score, remedy)
		}
	}
	return nil
}

// WriteFile writes the record to a file, whole or not at all: it writes a temporary file beside it,
// renames that, and syncs both to disk.
func (r *Record) WriteFile(path string) error {
	text, err := r.Encode()
	if err != nil {
		return err
	}
	if err := durable.WriteFile(path, text, 0o644); err != nil {
		return fmt.Errorf("engine: writing the record %s: %w", path, err)
	}
	return nil
}

// ReadRecordFile reads a record that WriteFile wrote. Errors name the file, the line and the
// remedy.
func ReadRecordFile(path string) (*Record, error) {
	text, err := durable.ReadFile(path, durable.MaxText)
	if err != nil {
		return nil, fmt.Errorf("engine: reading the record: %w", err)
	}
	return ParseRecord(path, text)
}
