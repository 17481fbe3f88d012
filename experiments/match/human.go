package match

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"clade/analysis/stat"
	"clade/engine"
	"clade/engine/system/durable"
)

// Game is one game that a person has played against a player.
type Game struct {
	Game     string  `json:"game"`
	Version  int     `json:"version"`            // of the rules
	Settings string  `json:"settings,omitempty"` // of a game that has some, as TOML
	Opponent string  `json:"opponent"`
	Seed     uint64  `json:"seed"`
	Seat     int     `json:"seat"`   // of the person, from 1
	Result   string  `json:"result"` // "win", "loss" or "tie"
	Resigned bool    `json:"resigned,omitempty"`
	Undone   int     `json:"undone,omitempty"` // moves taken back
	Score    float64 `json:"score"`
	Other    float64 `json:"other"` // the opponent's score, the best of several
	Steps    int     `json:"steps"`
}

// Results of a human game; Won is the person's.
const (
	Won  = "win"
	lost = "loss"
	tied = "tie"
)

// NewGame returns the result of a recorded game for the person in a seat, from 0. A person who
// resigns has lost. Of several opponents, the best one's score counts, and a person with a lower
// one has not tied.
func NewGame(r *engine.Record, opponent string, seat int, person engine.Person) Game {
	others := slices.Delete(slices.Clone(r.Scores), seat, seat+1)
	s := Game{
		Game: r.Game, Version: r.Version, Settings: r.Settings, Opponent: opponent, Seed: r.Seed,
		Seat: seat + 1, Result: lost, Resigned: person.Resigned(), Undone: person.Undone(),
		Score: r.Scores[seat], Other: slices.Max(others), Steps: r.Steps,
	}
	switch {
	case s.Resigned:
	case r.Winner == seat:
		s.Result = Won
	case r.Winner == engine.Tie && (len(others) == 1 || s.Score == s.Other):
		s.Result = tied
	}
	return s
}

// Field returns the opponents of a person by seat. A single name takes all seats that the game
// needs.
func Field(info engine.Info, named []string) ([]string, error) {
	names := slices.Clone(named)
	for len(named) == 1 && len(names)+1 < info.MinSeats {
		names = append(names, named[0])
	}
	if n := len(names) + 1; n < info.MinSeats || n > info.MaxSeats {
		seats := strconv.Itoa(info.MinSeats)
		if info.MaxSeats > info.MinSeats {
			seats += fmt.Sprintf(" to %d", info.MaxSeats)
		}
		return nil, fmt.Errorf("%s has %s seats, one of them yours; name one opponent, or one for "+
			"each of the others, not %d", info.Name, seats, len(names))
	}
	return names, nil
}

// History is the list of games that a person has played, in order: a file with a line of JSON for
// each.
type History []Game

// GamesPath returns the default file of a person's history, in the user's configuration directory.
func GamesPath() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("there is no default file for your games: %w", err)
	}
	return filepath.Join(dir, "clade", "games.jsonl"), nil
}

// ReadGames reads a history. A file that does not exist is empty, and a torn last line is left out.
func ReadGames(path string) (History, error) {
	var h History
	_, err := durable.EachLine(path, func(g *Game) bool { h = append(h, *g); return true })
	if err != nil {
		return nil, fmt.Errorf("%w; mend it, or choose another file", err)
	}
	return h, nil
}

// Append adds a game to the end of a history's file, which it makes if there is none, in place of a
// torn last line.
func (s Game) Append(path string) error {
	line, err := json.Marshal(s)
	if err != nil {
		panic("human: " + err.Error())
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	whole, err := durable.EachLine(path, func(*Game) bool { return true })
	if err != nil {
		return err
	}
	f, err := durable.Append(path, whole)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Sync(), f.Close())
}

// Tally sums up a history.
type Tally struct {
	Games  int     `json:"games"`
	Wins   int     `json:"wins"`
	Losses int     `json:"losses"`
	Ties   int     `json:"ties"`
	Undone int     `json:"undone"` // games in which a move was taken back
	Share  float64 `json:"share"`  // of games won
	Low    float64 `json:"low"`    // ends of the share's 95 % interval (Wilson)
	High   float64 `json:"high"`
	Score  float64 `json:"score"` // mean a game
	Other  float64 `json:"other"` // the opponents' mean
}

// Tally sums up the games that have the same game, rules, settings and opponent as like, which is
// among them.
func (h History) Tally(like Game) Tally {
	t := Tally{}
	for _, s := range h {
		if s.Game != like.Game || s.Version != like.Version || s.Settings != like.Settings ||
			s.Opponent != like.Opponent {
			continue
		}
		t.Games++
		switch s.Result {
		case Won:
			t.Wins++
		case lost:
			t.Losses++
		default:
			t.Ties++
		}
		if s.Undone > 0 {
			t.Undone++
		}
		t.Score += s.Score
		t.Other += s.Other
	}
	n := float64(t.Games)
	w := stat.Wilson(float64(t.Wins), n, 0.95)
	t.Share, t.Low, t.High, t.Score, t.Other = float64(t.Wins)/n, w.Low, w.High, t.Score/n, t.Other/n
	return t
}
