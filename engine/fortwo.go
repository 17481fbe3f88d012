package engine

import "slices"

// ForTwo returns a game for more than two as one for two, so that what compares players in pairs
// takes it: the first player has one seat, which the seed names, and the second all others. Where
// a board is played in both seats each of them is once the one alone. The score of several seats is
// the best one: who is behind them has lost, also where they tie among themselves. A game that two
// can play is returned as it is.
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

// Play plays one game. Marks are those of one seat each.
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

// aloneOf names the seat of the player that is alone.
func aloneOf(seats int, seed uint64) int {
	return int(uint64(Seed(seed).Name("alone")) % uint64(seats))
}

// seatTwo seats the first of two players alone among the second.
func seatTwo(seats int, players []Player, seed uint64) []Player {
	seated := slices.Repeat(players[1:2], seats)
	seated[aloneOf(seats, seed)] = players[0]
	return seated
}

// forPair returns what a game was for two.
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
