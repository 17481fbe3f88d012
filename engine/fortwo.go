package engine

import "slices"

// ForTwo returns a game for more than two players as one for two, for measures that compare players
// in pairs. One player has a single seat, which the seed chooses, and the other has all other
// seats. On a board that is played from both sides each player has the single seat once. The score
// of several seats is their best one, so a single player that scores less has lost, even if they
// tie among themselves. A game that two can play is returned as it is.
func ForTwo(g Game) Game {
	if g.Info().MinSeats <= 2 {
		return g
	}
	return forTwo{g}
}

type forTwo struct{ Game }

// Info returns the facts, with two seats.
func (f forTwo) Info() Info {
	info := f.Game.Info()
	info.MinSeats, info.MaxSeats = 2, 2
	return info
}

// Play plays one game. The marks of a player are those of one of its seats.
func (f forTwo) Play(players []Player, seed uint64, rec Recorder) Result {
	seats := f.Game.Info().MinSeats
	return forPair(f.Game.Play(seatTwo(seats, players, seed), seed, rec), seats, seed)
}

// Batches tells whether the game plays many games at once between these players.
func (f forTwo) Batches(players []Player) bool {
	b, ok := f.Game.(Batcher)
	return ok && b.Batches(players)
}

// PlayBatch plays games at once; Batches holds.
func (f forTwo) PlayBatch(jobs []Job, results []Result) {
	seats := f.Game.Info().MinSeats
	seated := make([]Job, len(jobs))
	for i, j := range jobs {
		seated[i] = Job{seatTwo(seats, j.Players, j.Seed), j.Seed}
	}
	f.Game.(Batcher).PlayBatch(seated, results)
	for i, j := range jobs {
		results[i] = forPair(results[i], seats, j.Seed)
	}
}

// aloneOf returns the seat of the player that has a single one.
func aloneOf(seats int, seed uint64) int {
	return int(uint64(Seed(seed).Name("alone")) % uint64(seats))
}

// seatTwo gives the first of two players a single seat, and the second all others.
func seatTwo(seats int, players []Player, seed uint64) []Player {
	seated := slices.Repeat(players[1:2], seats)
	seated[aloneOf(seats, seed)] = players[0]
	return seated
}

// forPair returns the result of a game from the view of the two players.
func forPair(played Result, seats int, seed uint64) Result {
	alone := aloneOf(seats, seed)
	best := (alone + 1) % seats
	for seat := range seats {
		if seat != alone && played.Scores[seat] > played.Scores[best] {
			best = seat
		}
	}
	r := Result{Steps: played.Steps, Fingerprint: played.Fingerprint}
	r.Scores[0], r.Scores[1] = played.Scores[alone], played.Scores[best]
	r.Marks[0], r.Marks[1] = played.Marks[alone], played.Marks[best]
	switch winner := played.Winner(); {
	case winner == alone:
		r.Win(0)
	case winner != Tie || r.Scores[1] > r.Scores[0]:
		r.Win(1)
	}
	return r
}
