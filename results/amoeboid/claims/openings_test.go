package claims

import (
	"fmt"

	"clade/analysis/stat"
	"clade/engine"
	"clade/engine/games/amoeboid"
)

// outcome counts the rolls after which a player can force something with one move.
type outcome struct{ wins, ties int }

// atOnce looks at every roll and every legal move of the player to move: for how many rolls can he
// win at once, and for how many others tie.
func atOnce(p amoeboid.Position) outcome {
	var o outcome
	seat := p.Turn()
	for roll := 1; roll <= die; roll++ {
		won1, tied := false, false
		for _, m := range p.Moves(nil, board(), roll) {
			v := verdictAfter(p, m, roll)
			won1 = won1 || v == wonBy(seat)
			tied = tied || v == amoeboid.Tied
		}
		if won1 {
			o.wins++
		} else if tied {
			o.ties++
		}
	}
	return o
}

// rollout plays a position on with a mind for each seat, for at most 200 plies, and returns the
// winner or engine.Tie.
func rollout(t *amoeboid.Turn, p amoeboid.Position, minds [2]amoeboid.Mind, seed engine.Seed) int {
	for ply := range 200 {
		switch p.Verdict() {
		case amoeboid.WonByA:
			return amoeboid.A
		case amoeboid.WonByB:
			return amoeboid.B
		case amoeboid.Tied:
			return engine.Tie
		}
		r := engine.NewRandom(uint64(seed.Num(uint64(ply))))
		t.Ply, t.Roll = ply, 1+r.Below(die)
		t.Random, t.Position = r, p
		p.Apply(minds[p.Turn()].Choose(t), t.Roll)
	}
	return engine.Tie
}

// caseOne compares the ways to open when the difference is small.
func caseOne() claim {
	table := table{Name: "case-one", Columns: []string{
		"difference", "opening", "rolls of 6 with which B wins at once", "tie at once",
		"greedy: A wins", "greedy: B wins", "solver: A wins", "solver: B wins"}}
	g := board()
	t := amoeboid.NewTurn(g, die)
	solver := amoeboid.NewSolver(300)
	openings := []struct{ name, move string }{
		{"wait", "a1 b1"}, {"go to the centre", "a1 b2"}, {"split in half, away", "a1 b1 half"},
		{"split off one unit, away", "a1 b1 1,0"},
		{"split in half, to the centre", "a1 b2 half"},
	}
	for _, difference := range []int32{0, 2, 3} {
		for _, o := range openings {
			// A has thrown a 1 and then has 20 and the difference
			p := corners(19+difference, 20, amoeboid.A)
			m, err := p.ParseMove(g, o.move, 1)
			if err != nil {
				panic("claims: " + err.Error())
			}
			p = after(p, m, 1)
			danger := atOnce(p)
			row := []any{difference, o.name, danger.wins, danger.ties}
			for _, play := range []struct {
				mind  amoeboid.Mind
				games int
			}{{amoeboid.Greedy{}, 2000}, {solver, 200}} {
				var wins [2]int
				for k := range play.games {
					if w := rollout(t, p, [2]amoeboid.Mind{play.mind, play.mind},
						engine.Seed(11).Num(uint64(k))); w != engine.Tie {
						wins[w]++
					}
				}
				for _, w := range wins {
					n := float64(play.games)
					share := stat.Wilson(float64(w), n, 0.95)
					row = append(row, fmt.Sprintf("%.3f [%.3f %.3f]", float64(w)/n, share.Low, share.High))
				}
			}
			table.Add(row...)
		}
	}
	return claim{
		Name: "Case I: difference below 3.5",
		Says: "With two whole pieces apart and a difference of at most 3, waiting (to a cell " +
			"not next to the enemy) is optimal; splitting can be ruled out; the centre is likely " +
			"to lose.",
		Verdict: "half true: the centre is bad; but splitting out of reach loses nothing at once " +
			"either, and that waiting is best is unproved",
		Evidence: []string{
			"For pieces of about 20 units every roll and reply of B is tried. " +
				"Going to the centre gives B rolls with which he wins at once. Waiting gives " +
				"none, nor does splitting to a cell out of his reach. The document's argument " +
				"(\"at least one piece is smaller\") does not count where nothing can be eaten.",
			"Played on by two equal players, both greedy (2,000 games) or both a " +
				"search over 300 positions a move (200 games), with 95 % Wilson intervals. " +
				"Splitting in half is worse than waiting for both. Splitting off one unit is " +
				"worse for greedy. The search wins more games with it, and at a difference of 2 " +
				"the intervals do not meet. That ranks openings for these players, not for " +
				"perfect ones. The exact value is out of reach: no player is forced to end a " +
				"game, so its bounds are -1 and 1 at every depth that can be searched.",
		},
		Table: table,
	}
}

// caseTwo tries every reply after A has gone to the centre with a difference of 4, 5 or 6.
func caseTwo() claim {
	table := table{Name: "case-two", Apart: true, Columns: []string{"difference", "size of B",
		"rolls with which B wins", "rolls with which B ties",
		"least share that A can take otherwise"}}
	for _, difference := range []int32{3, 4, 5, 6, 7} {
		for _, size := range []int32{5, 10, 25} {
			p := corners(0, size, amoeboid.B)
			p.Set(0, amoeboid.Piece{})
			p.Set(4, amoeboid.Piece{size + difference, 0})
			o := atOnce(p)
			table.Add(difference, size, o.wins, o.ties, fmt.Sprintf("%.3f", leastShare(p)))
		}
	}
	return claim{
		Name: "Case II: difference of 4, 5 or 6",
		Says: "After going to the centre A does not win with probability at least 1/2, 1/3 " +
			"and 1/6; with 6 he cannot lose but B ties with a 6; otherwise he takes at least " +
			"half of B's size.",
		Verdict: "true",
		Evidence: []string{
			"Every roll and legal reply of B is tried. With a difference of d B " +
				"ties with a roll of d and wins with more: 3, 2 and 1 of six rolls. After any other " +
				"roll and B's best reply A can take at least half of B's units next, rolling a 1 " +
				"(differences of 3 to 7, B of 5, 10 and 25 units).",
			"The document expects B to tie with an equal roll. That is his " +
				"better choice only if he thinks the game lost otherwise; it does not change the " +
				"count.",
		},
		Table: table,
	}
}

// leastShare returns, over B's rolls with which he neither wins nor ties, the least share of his
// units in the largest piece that A, rolling a 1, can eat after B's best reply.
func leastShare(p amoeboid.Position) float64 {
	g := board()
	least := 1.0
	for roll := 1; roll <= die; roll++ {
		best := 2.0
		for _, m := range p.Moves(nil, g, roll) {
			q := after(p, m, roll)
			if q.Verdict() != amoeboid.Open {
				if q.Verdict() != amoeboid.WonByA {
					best = 2
					break
				}
				continue
			}
			best = min(best, edible(g, q))
		}
		if best <= 1 {
			least = min(least, best)
		}
	}
	return least
}

// edible returns the share of B's units in the largest of his pieces that A, to move, can eat after
// a roll of 1.
func edible(g *amoeboid.Graph, p amoeboid.Position) float64 {
	var most int32
	for _, m := range p.Moves(nil, g, 1) {
		if p.Owned(amoeboid.B)>>m.To&1 != 0 {
			most = max(most, p.Piece(int(m.To))[amoeboid.B])
		}
	}
	units := p.Units()
	return float64(most) / float64(units[amoeboid.B])
}

// extremeCase checks the document's example of 1,000 units.
func extremeCase() claim {
	g := board()
	p := at("B4 . . . / . 1005,0 . / . . 0,1000")
	m, err := p.ParseMove(g, "c3 c2 half", 4)
	if err != nil {
		panic("claims: " + err.Error())
	}
	p = after(p, m, 4)
	n, err := p.ParseMove(g, "b2 c2", 1)
	if err != nil {
		panic("claims: " + err.Error())
	}
	q := after(p, n, 1)
	gap := q.Piece(5).Size() - q.Piece(8).Size()
	return claim{
		Name: "Case II: the example with 1,000 units",
		Says: "With 1,000 units a side, a difference of 5, and many high rolls behind them, A " +
			"should go to the centre: B hardly rolls a 5 or 6 again; if he does not, A eats at " +
			"least 500 and B needs 1,006 more units, over 200 turns.",
		Verdict: "the boards are right, two of the reasons are not",
		Evidence: []string{
			fmt.Sprintf("After B's 4 and split and A's 1 the board is `%s`, as the document "+
				"has it. B needs %d units more to be as large as the piece: at least %d turns, "+
				"and %.0f on average. So \"more than 200\" is likely, not certain. And dice do "+
				"not remember: B's chance of a 5 or a 6 is 1/3 whatever was rolled before.",
				q.Text(g, 0), gap, (gap+die-1)/die, float64(gap)/3.5),
		},
	}
}

// caseThree tries every reply to the centre with a difference above 6, and plays on.
func caseThree() claim {
	table := table{Name: "case-three", Apart: true, Columns: []string{"difference", "size of B",
		"rolls with which B wins or ties", "A wins", "B wins", "games"}}
	t := amoeboid.NewTurn(board(), die)
	const games = 500
	total := 0
	for _, difference := range []int32{7, 10, 20} {
		for _, size := range []int32{1, 5, 10, 20, 40} {
			p := corners(0, size, amoeboid.B)
			p.Set(0, amoeboid.Piece{})
			p.Set(4, amoeboid.Piece{size + difference, 0})
			o := atOnce(p)
			var wins [2]int
			for k := range games {
				if w := rollout(t, p, [2]amoeboid.Mind{amoeboid.Cautious{}, amoeboid.Greedy{}},
					engine.Seed(13).Num(uint64(k))); w != engine.Tie {
					wins[w]++
				}
			}
			total += wins[amoeboid.B]
			table.Add(difference, size, o.wins+o.ties, wins[amoeboid.A], wins[amoeboid.B], games)
		}
	}
	return claim{
		Name:    "Case III: difference above 6",
		Says:    "After going to the centre with a difference above 6 the opponent cannot win.",
		Verdict: "true of the immediate reply; not for ever",
		Evidence: []string{
			fmt.Sprintf("No roll and reply of B wins or ties at once. Played on by the cautious "+
				"player, who follows the document's advice, against the greedy one, B still won "+
				"%d of %d games, most at a difference of 7. A may have better moves than that "+
				"advice. In the document's own example B eats A's centre before A wins.",
				total, games*len(table.Rows)),
		},
		Table: table,
	}
}

// neutralPieces examines whether B can eat back the piece that A made neutral.
func neutralPieces() claim {
	table := table{Name: "case-three-neutral", Columns: []string{"units of B in each half",
		"size of the neutral piece", "rolls with which B eats it"}}
	g := board()
	for half := int32(1); half <= 12; half++ {
		p := at("B . . . / . 100,0 . / . . .")
		p.Set(5, amoeboid.Piece{half, half})
		p.Set(8, amoeboid.Piece{0, half})
		rolls := 0
		for roll := 1; roll <= die; roll++ {
			for _, m := range p.Moves(nil, g, roll) {
				if m.To == 5 {
					rolls++
					break
				}
			}
		}
		table.Add(half, 2*half, rolls)
	}
	return claim{
		Name: "Case III: the neutral piece",
		Says: "When A has made one of B's two halves neutral, the other half cannot eat it, " +
			"being half its size.",
		Verdict: "false for halves of up to six units",
		Evidence: []string{
			"The half grows before it moves: h units and a roll of at least h " +
				"are enough for the neutral 2h. From seven units on the claim holds for one turn.",
		},
		Table: table,
	}
}
