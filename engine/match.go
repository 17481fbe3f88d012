package engine

import "slices"

// Match is the unit in which two players are compared: games on a number of boards, each board
// played twice, once with either player in the first seat (Jaśkowski, Krawiec and Wieloch,
// RA-05/07, 2007, "Evolutionary setup"). The match goes to the player that wins more than half of
// the games, else to the greater total score, else to the toss of a coin from the seed. Games that
// nobody wins count for neither player, so the total score can decide against the player that has
// won more games.
type Match struct {
	Boards int // boards, at least 1; the match has twice as many games, or as many with Once
	// play each board once only, board i with player i mod 2 in the first seat: for games in
	// which all seats are alike
	Once bool
	// play all games to their ends; by default the match stops when the winner is certain, with
	// scores and marks of what was played
	Whole bool
}

// Outcome is the end of a match between two players: a, player 0, and b, player 1.
type Outcome struct {
	Winner int                  // 0 or 1
	Wins   [2]int               // games won; the rest of Games were tied
	Scores [2]float64           // total score over the games played
	Games  int                  // games played
	Marks  [2][MaxMarks]float32 // total of each mark over the games played
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

// Toss returns the winner and the number of games of a match between two players that decide alike,
// without playing it: with each board played from both seats all games are needed, nobody leads,
// and the coin decides. Info.Halves must hold, so that sums of scores do not depend on their order.
func (m Match) Toss(seed Seed) (winner, games int) {
	return leadOrToss([2]float64{}, seed.Name("coin")), m.games()
}

// Play plays a match of a game for two. It panics for a match without boards. Board i has the seed
// seed.Name("board").Num(i), whatever the players. For many matches use a Referee, which does not
// allocate for each.
func (m Match) Play(g Game, a, b Player, seed Seed) Outcome {
	return new(Referee).Match(m, g, a, b, seed)
}

// Referee plays one match after another. It reuses its memory, which grows only with the longest
// match. The zero value is ready for use by one goroutine.
type Referee struct {
	// passed to the game as a slice; a local array would be allocated for every game
	seats   [MaxSeats]Player
	result  Result   // of the present game
	seated  []Player // in every rotation of the seats
	jobs    []Job    // the games that are played at once
	results []Result
}

// Match plays what Match.Play plays. If the game is a Batcher for these players, it plays all games
// at once and counts them in order up to the one that decides, so that the outcome is the same in
// every respect. If it is a MatchBatcher, and the match is not to be whole, the marks may differ,
// and the scores where a player has won more than half of the games.
func (r *Referee) Match(m Match, g Game, a, b Player, seed Seed) Outcome {
	if m.Boards < 1 {
		panic("engine: a match needs at least one board")
	}
	var o Outcome
	boards := seed.Name("board")
	board := func(game int) Seed { return boards.Num(m.board(game)) }
	r.seats[0], r.seats[1] = a, b
	ahead := r.playAhead(g, r.seats[:2], 0, m.games(), board, !m.Whole)
	for game := range m.games() {
		if ahead {
			o.add(&r.results[game], game&1)
		} else {
			r.seats[game&1], r.seats[1-game&1] = a, b
			r.result = g.Play(r.seats[:2], uint64(board(game)), nil)
			o.add(&r.result, game&1)
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

// Boards plays boards first..end-1, each once in every rotation of the seats: in rotation t of n,
// player i takes seat (i+t) mod n. Board i has the seed boards.Num(i). The results are ordered by
// board, then by rotation, and valid until the referee plays again. If the game is a Batcher for
// these players, it plays all games at once.
func (r *Referee) Boards(g Game, players []Player, boards Seed, first, end int) []Result {
	n := len(players)
	return r.Games(g, players, boards, n*first, n*end)
}

// Games plays games first..end-1, numbered as Boards plays them from board 0 on: with n players,
// game i is on board i/n in rotation i mod n.
func (r *Referee) Games(g Game, players []Player, boards Seed, first, end int) []Result {
	n := len(players)
	seed := func(game int) Seed { return boards.Num(uint64(game / n)) }
	if r.playAhead(g, players, first, end, seed, false) {
		return r.results[:end-first]
	}
	r.results = slices.Grow(r.results[:0], end-first)
	for game := first; game < end; game++ {
		for i, p := range players {
			r.seats[(i+game)%n] = p
		}
		r.results = append(r.results, g.Play(r.seats[:n], uint64(seed(game)), nil))
	}
	return r.results
}

// playAhead plays games first..end-1 at once, if the game is a Batcher for these players. In game i
// of n players, player k takes seat (k+i) mod n. Of the games of a match only that is played which
// decides it, if the game can do so.
func (r *Referee) playAhead(g Game, players []Player, first, end int, seed func(game int) Seed,
	match bool) bool {
	batcher, ok := g.(Batcher)
	if !ok || !batcher.Batches(players) {
		return false
	}
	n := len(players)
	r.seated = slices.Grow(r.seated[:0], n*n)
	for i := range n * n {
		r.seated = append(r.seated, players[(i%n-i/n+n)%n])
	}
	r.jobs = slices.Grow(r.jobs[:0], end-first)[:end-first]
	r.results = slices.Grow(r.results[:0], end-first)[:end-first]
	for i := range r.jobs {
		game := first + i
		r.jobs[i] = Job{r.seated[game%n*n:][:n:n], uint64(seed(game))}
	}
	if decider, ok := g.(MatchBatcher); ok && match {
		decider.PlayMatch(r.jobs, r.results)
	} else {
		batcher.PlayBatch(r.jobs, r.results)
	}
	return true
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

// add adds a game that player first played from the first seat.
func (o *Outcome) add(result *Result, first int) {
	for seat := range 2 {
		p := seat ^ first
		o.Scores[p] += result.Scores[seat]
		for i, mark := range &result.Marks[seat] {
			o.Marks[p][i] += mark
		}
		if result.Winner() == seat {
			o.Wins[p]++
		}
	}
	o.Games++
}
