package engine

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
	alone := int(uint64(Seed(seed).Name("alone")) % uint64(seats))
	seated := make([]Player, seats)
	for seat := range seated {
		seated[seat] = players[1]
	}
	seated[alone] = players[0]
	played := f.Game.Play(seated, seed, rec)
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
