package engine

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

// RoundRobin lets everybody play against everybody. In a game for two each pair plays one whole
// match. With more seats every combination of as many players plays on a number of boards, each
// board once in every rotation of the seats. In a game for one, everybody plays alone.
type RoundRobin struct {
	Seats int // players of one game; 0 means 2
	// boards for each pair or combination; 0 means 1. Each is played Seats times
	Boards int
	// goroutines that play; 0 means one a processor. Their number changes no result
	Workers int
	// if not nil, called after each pair or combination, by the goroutine that called Play
	Progress func(done, total int)
}

// Table is what came of a round robin.
type Table struct {
	Rows []Standing // by player
	// Pairs[i][j]: what player i did where j played too; nothing where i is j
	Pairs       [][]Pairing
	Fingerprint uint64 // running hash of the fingerprints of all games
}

// Standing is what a player did in all games.
type Standing struct {
	Games   int               // games played
	Wins    int               // games won by the rules of the game
	Ties    int               // games that nobody won
	Matches int               // matches won; 0 with more than two seats
	Score   float64           // total
	Marks   [MaxMarks]float64 // total of each mark
}

// Pairing is what one player did against another.
type Pairing struct {
	Games int // games with both
	// games in which the one was ahead: won by the rules, or, where a third won or nobody among
	// three or more, had the higher score
	Wins    int
	Ties    int     // games in which neither was ahead
	Matches int     // matches won; 0 with more than two seats
	Score   float64 // total of the one
}

// maxBouts bounds the pairs or combinations of a round robin, more than anybody can wait for.
const maxBouts = 1 << 31

// Play plays the round robin; players must be safe for use by several games at once. The seed of a
// pair or combination follows from the places of its players in the list, so that a player added at
// the end changes no game of the others. It returns an error if the game does not have that many
// seats, or if there are fewer players than seats.
func (rr RoundRobin) Play(g Game, players []Player, seed Seed) (*Table, error) {
	if rr.Seats == 0 {
		rr.Seats = 2
	}
	if rr.Boards == 0 {
		rr.Boards = 1
	}
	if rr.Workers == 0 {
		rr.Workers = runtime.GOMAXPROCS(0)
	}
	total := combinations(len(players), rr.Seats)
	switch info := g.Info(); {
	case rr.Seats < info.MinSeats || rr.Seats > info.MaxSeats:
		return nil, fmt.Errorf("engine: a round robin with %d seats; %s has %d to %d", rr.Seats,
			info.Name, info.MinSeats, info.MaxSeats)
	case len(players) < rr.Seats:
		return nil, fmt.Errorf("engine: a round robin with %d seats needs as many players, not %d",
			rr.Seats, len(players))
	case rr.Boards < 0 || rr.Workers < 0:
		return nil, fmt.Errorf("engine: a round robin on %d boards by %d workers; neither can be "+
			"negative", rr.Boards, rr.Workers)
	case total > maxBouts:
		return nil, fmt.Errorf("engine: %d players in %d seats make more than %d combinations; "+
			"take fewer of either", len(players), rr.Seats, maxBouts)
	}
	run := roundRobin{rr, g, players, seed, total, 0}
	return run.play(), nil
}

// combinations returns in how many ways k of n can be chosen, and something above maxBouts where
// that is exceeded.
func combinations(n, k int) int {
	c := 1
	for i := range k {
		if c > maxBouts {
			break
		}
		c = c * (n - i) / (i + 1)
	}
	return c
}

// roundRobin is a round robin under way.
type roundRobin struct {
	RoundRobin
	game    Game
	players []Player
	seed    Seed
	total   int
	done    int
}

// bout is one pair or combination: its members and their own little table.
type bout struct {
	members []int
	table   *Table
}

// play plays block by block: inside a block in any order, each bout into its own table; then these
// are added in fixed order, because sums of floats depend on it.
func (rr *roundRobin) play() *Table {
	const blockLen = 1024
	table := newTable(len(rr.players))
	table.Fingerprint = uint64(rr.seed)
	block := make([]bout, min(blockLen, rr.total))
	for i := range block {
		block[i] = bout{make([]int, rr.Seats), newTable(rr.Seats)}
	}
	members := make([]int, rr.Seats)
	for i := range members {
		members[i] = i
	}
	for more := true; more; {
		n := 0
		for ; n < len(block) && more; n++ {
			copy(block[n].members, members)
			more = next(members, len(rr.players))
		}
		rr.playBlock(block[:n])
		for _, b := range block[:n] {
			table.add(b)
		}
	}
	return table
}

// next steps to the following combination of 0..n-1 in lexicographic order, and returns false after
// the last.
func next(members []int, n int) bool {
	k := len(members)
	for i := k - 1; i >= 0; i-- {
		if members[i] < n-k+i {
			members[i]++
			for j := i + 1; j < k; j++ {
				members[j] = members[j-1] + 1
			}
			return true
		}
	}
	return false
}

func (rr *roundRobin) playBlock(block []bout) {
	var taken atomic.Int64
	var workers sync.WaitGroup
	played := make(chan struct{}, len(block))
	for range min(rr.Workers, len(block)) {
		workers.Go(func() {
			var r Referee
			for i := taken.Add(1) - 1; i < int64(len(block)); i = taken.Add(1) - 1 {
				rr.playBout(&r, block[i])
				played <- struct{}{}
			}
		})
	}
	for range block {
		<-played
		rr.done++
		if rr.Progress != nil {
			rr.Progress(rr.done, rr.total)
		}
	}
	workers.Wait()
}

// playBout fills the bout's table.
func (rr *roundRobin) playBout(r *Referee, b bout) {
	b.table.clear()
	seed := rr.seed
	for _, m := range b.members {
		seed = seed.Num(uint64(m))
	}
	if rr.Seats == 2 {
		o := r.Match(Match{Boards: rr.Boards, Whole: true}, rr.game, rr.players[b.members[0]],
			rr.players[b.members[1]], seed)
		b.table.addMatch(&o)
		return
	}
	seats := make([]Player, rr.Seats)
	for board := range rr.Boards {
		boardSeed := seed.Name("board").Num(uint64(board))
		for turn := range seats {
			for i, m := range b.members {
				seats[(i+turn)%rr.Seats] = rr.players[m]
			}
			result := rr.game.Play(seats, uint64(boardSeed), nil)
			b.table.addGame(&result, turn)
		}
	}
}

func newTable(n int) *Table {
	t := &Table{Rows: make([]Standing, n), Pairs: make([][]Pairing, n)}
	cells := make([]Pairing, n*n)
	for i := range t.Pairs {
		t.Pairs[i] = cells[i*n : (i+1)*n : (i+1)*n]
	}
	return t
}

func (t *Table) clear() {
	clear(t.Rows)
	for _, row := range t.Pairs {
		clear(row)
	}
	t.Fingerprint = 0
}

// addMatch adds a match between players 0 and 1.
func (t *Table) addMatch(o *Outcome) {
	ties := o.Games - o.Wins[0] - o.Wins[1]
	for p := range 2 {
		s := Standing{Games: o.Games, Wins: o.Wins[p], Ties: ties, Matches: count(o.Winner == p),
			Score: o.Scores[p]}
		for i, mark := range o.Marks[p] {
			s.Marks[i] = float64(mark)
		}
		t.Rows[p].add(&s)
		t.Pairs[p][1-p].add(&Pairing{s.Games, s.Wins, s.Ties, s.Matches, s.Score})
	}
	t.Fingerprint = Hash(t.Fingerprint, o.Fingerprint)
}

// addGame adds one game of all players of the table, player i in seat i+turn.
func (t *Table) addGame(r *Result, turn int) {
	n := len(t.Rows)
	for i := range n {
		seat := (i + turn) % n
		s := Standing{Games: 1, Wins: count(r.Winner == seat), Ties: count(r.Winner == Tie),
			Score: r.Scores[seat]}
		for k, mark := range r.Marks[seat] {
			s.Marks[k] = float64(mark)
		}
		t.Rows[i].add(&s)
		for j := range n {
			if j != i {
				other := (j + turn) % n
				t.Pairs[i][j].add(&Pairing{Games: 1, Wins: count(ahead(r, seat, other)),
					Ties:  count(!ahead(r, seat, other) && !ahead(r, other, seat)),
					Score: r.Scores[seat]})
			}
		}
	}
	t.Fingerprint = Hash(t.Fingerprint, r.Fingerprint)
}

// ahead tells whether one seat came in before another in a game with more than two.
func ahead(r *Result, seat, other int) bool {
	if r.Winner == seat || r.Winner == other {
		return r.Winner == seat
	}
	return r.Scores[seat] > r.Scores[other]
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Add adds another table of the same players, such as that of more boards.
func (t *Table) Add(more *Table) {
	members := make([]int, len(t.Rows))
	for i := range members {
		members[i] = i
	}
	t.add(bout{members, more})
}

// add adds the table of a bout.
func (t *Table) add(b bout) {
	for i, m := range b.members {
		t.Rows[m].add(&b.table.Rows[i])
		for j, other := range b.members {
			t.Pairs[m][other].add(&b.table.Pairs[i][j])
		}
	}
	t.Fingerprint = Hash(t.Fingerprint, b.table.Fingerprint)
}

func (s *Standing) add(more *Standing) {
	s.Games += more.Games
	s.Wins += more.Wins
	s.Ties += more.Ties
	s.Matches += more.Matches
	s.Score += more.Score
	for i, mark := range more.Marks {
		s.Marks[i] += mark
	}
}

func (p *Pairing) add(more *Pairing) {
	p.Games += more.Games
	p.Wins += more.Wins
	p.Ties += more.Ties
	p.Matches += more.Matches
	p.Score += more.Score
}
