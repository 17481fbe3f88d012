package engine

import "math"

// Match is the unit in which two players are compared: games on a number of boards, each board
// played twice, once with either player in the first seat (Jaśkowski, Krawiec and Wieloch,
// RA-05/07, 2007, "Evolutionary setup"). More than half of the games decide, then the total score,
// then a coin drawn from the seed. Games that nobody wins count for neither, so that with more than
// half of the games out of reach the total score decides even where one player has won more of
// them.
type Match struct {
	Boards int // boards, at least 1; the match has twice as many games, or as many with Once
	// play each board once only, board i with player i mod 2 in the first seat: for games that
	// favour no seat
	Once bool
	// play all games; the default stops when the winner is certain, which changes no winner and
	// leaves the totals short
	Whole bool
}

// Outcome is the end of a match between two players: a, player 0, and b, player 1.
type Outcome struct {
	Winner int                  // 0 or 1
	Wins   [2]int               // games won; the rest of Games were tied
	Scores [2]float64           // total score over the games played
	Games  int                  // games played
	Marks  [2][MaxMarks]float32 // total of each mark over the games played
	// running hash of the seed and the fingerprints of the games played
	Fingerprint uint64
}

// games returns the number of games of the whole match.
func (m Match) games() int {
	if m.Once {
		return m.Boards
	}
	return 2 * m.Boards
}

// board returns the board of a game; player game mod 2 is in the first seat.
func (m Match) board(game int) uint64 {
	if m.Once {
		return uint64(game)
	}
	return uint64(game / 2)
}

// Decided tells whether somebody has won more than half of all games.
func (m Match) Decided(o *Outcome) bool { return 2*max(o.Wins[0], o.Wins[1]) > m.games() }

// Play plays a match of a game for two. It panics for a match without boards. Board i has the seed
// seed.Name("board").Num(i), whatever the players. Who plays many matches keeps a Referee, which
// needs no allocation for one.
func (m Match) Play(g Game, a, b Player, seed Seed) Outcome {
	return new(Referee).Match(m, g, a, b, seed)
}

// Contest plays the match of the Ant Wars contest (RA-05/07, "Ant Wars contest"): the first to win
// three of five games, each on a fresh board. In the first four the players alternate in the first
// seat, a before b. In the fifth it belongs to the player with the higher total score so far, else
// to the one with the higher score in a single game, else a coin decides. A game that nobody wins,
// which Ant Wars does not know, counts for neither; if nobody wins three, more wins decide, then
// the total score, then a coin.
func Contest(g Game, a, b Player, seed Seed) Outcome {
	return new(Referee).Contest(g, a, b, seed)
}

// Referee plays matches one after the other and allocates nothing itself once it has played the
// longest. The zero value is ready. A referee is scratch memory of one goroutine.
type Referee struct {
	// handed to the game as a slice; a local array would be allocated for every game
	seats   [2]Player
	result  Result // of the present game
	jobs    []Job  // the games of a match that are played at once
	results []Result
}

// Match plays what Match.Play plays. If the game is a Batcher for these players, it plays all games
// at once and counts them in order up to the one that decides, so that the outcome is the same in
// every respect.
func (r *Referee) Match(m Match, g Game, a, b Player, seed Seed) Outcome {
	if m.Boards < 1 {
		panic("engine: a match needs at least one board")
	}
	o := Outcome{Fingerprint: uint64(seed)}
	boards := seed.Name("board")
	ahead := r.playAhead(m, g, a, b, boards)
	for game := range m.games() {
		if ahead {
			o.add(&r.results[game], game&1)
		} else {
			r.play(&o, g, a, b, game&1, boards.Num(m.board(game)))
		}
		if !m.Whole && m.Decided(&o) {
			break
		}
	}
	if m.Decided(&o) {
		o.Winner = lead(o.Wins)
	} else {
		o.Winner = leadOrToss(o.Scores, seed.Name("coin"))
	}
	return o
}

// Contest plays what the function Contest plays.
func (r *Referee) Contest(g Game, a, b Player, seed Seed) Outcome {
	const games, enough = 5, 3
	o := Outcome{Fingerprint: uint64(seed)}
	best := [2]float64{math.Inf(-1), math.Inf(-1)}
	boards := seed.Name("board")
	for game := range games {
		first := game & 1
		if game == games-1 {
			first = firstOfLast(o.Scores, best, seed.Name("seat"))
		}
		scores := r.play(&o, g, a, b, first, boards.Num(uint64(game)))
		for p := range best {
			best[p] = max(best[p], scores[p])
		}
		if max(o.Wins[0], o.Wins[1]) == enough {
			break
		}
	}
	if o.Winner = lead(o.Wins); o.Winner == Tie {
		o.Winner = leadOrToss(o.Scores, seed.Name("coin"))
	}
	return o
}

// firstOfLast returns the player who takes the first seat in the last game of a contest match.
func firstOfLast(total, best [2]float64, coin Seed) int {
	if p := lead(total); p != Tie {
		return p
	}
	return leadOrToss(best, coin)
}

// leadOrToss returns the player with the greater value, and between equals the toss of a coin.
func leadOrToss(values [2]float64, coin Seed) int {
	if p := lead(values); p != Tie {
		return p
	}
	return int(coin.Num(0) >> 63)
}

// lead returns the player with the greater value, Tie between equals.
func lead[T int | float64](values [2]T) int {
	switch {
	case values[0] > values[1]:
		return 0
	case values[1] > values[0]:
		return 1
	default:
		return Tie
	}
}

// playAhead plays all games of a match at once, if the game is better at that.
func (r *Referee) playAhead(m Match, g Game, a, b Player, boards Seed) bool {
	batcher, ok := g.(Batcher)
	if !ok || !batcher.Batches(a, b) {
		return false
	}
	n := m.games()
	if len(r.jobs) < n {
		r.jobs, r.results = make([]Job, n), make([]Result, n)
	}
	for i := range n {
		seated := [2]Player{a, b}
		if i&1 != 0 {
			seated = [2]Player{b, a}
		}
		r.jobs[i] = Job{seated, uint64(boards.Num(m.board(i)))}
	}
	batcher.PlayBatch(r.jobs[:n], r.results[:n])
	return true
}

// play plays one game with player first in the first seat, adds it to the outcome, and returns the
// score of each player.
func (r *Referee) play(o *Outcome, g Game, a, b Player, first int, board Seed) [2]float64 {
	r.seats[first], r.seats[1-first] = a, b
	r.result = g.Play(r.seats[:], uint64(board), nil)
	return o.add(&r.result, first)
}

// add adds a game that player first played from the first seat, and returns the score of each
// player.
func (o *Outcome) add(result *Result, first int) [2]float64 {
	var scores [2]float64
	for seat := range 2 {
		p := seat ^ first
		scores[p] = result.Scores[seat]
		o.Scores[p] += scores[p]
		for i, mark := range &result.Marks[seat] {
			o.Marks[p][i] += mark
		}
		if result.Winner == seat {
			o.Wins[p]++
		}
	}
	o.Games++
	o.Fingerprint = Hash(o.Fingerprint, result.Fingerprint)
	return scores
}
