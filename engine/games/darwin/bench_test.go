package darwin

import (
	"math/rand/v2"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/engine/system/parallel"
	"clade/gp"
)

// benchmarkGames plays whole games and reports actions a second of processor time, and the
// processor time of a game.
func benchmarkGames(b *testing.B, g engine.Game, players func(i int) []engine.Player) {
	b.ReportAllocs()
	actions, began := 0, parallel.ProcessorTime()
	for i := 0; b.Loop(); i++ {
		actions += g.Play(players(i), uint64(i), nil).Steps
	}
	if used := parallel.ProcessorTime() - began; used > 0 {
		b.ReportMetric(float64(actions)/used.Seconds(), "actions/cpu-s")
		b.ReportMetric(1000*used.Seconds()/float64(b.N), "cpu-ms/game")
	}
	b.ReportMetric(float64(actions)/float64(b.N), "actions/game")
}

// benchmarkGame does so with the same players in every game on ns_faceoff, to the end at 50 virtual
// seconds if need be.
func benchmarkGame(b *testing.B, players ...engine.Player) {
	benchmarkGames(b, New(), func(int) []engine.Player { return players })
}

// BenchmarkSteppers plays the two rovers of the handbook, written as steppers.
func BenchmarkSteppers(b *testing.B) {
	benchmarkGame(b, stepper(newRover), stepper(newSuperRover))
}

// BenchmarkCoroutines plays the same rovers, written as the handbook prints them.
func BenchmarkCoroutines(b *testing.B) {
	benchmarkGame(b, straight(straightRover), straight(straightSuperRover))
}

// wanderer never attacks, so that its games last.
type wanderer struct{ turns int }

func (w *wanderer) decide(b *body) action {
	if w.turns++; w.turns%2 == 0 || !b.done {
		return action(turnLeft)
	}
	return action(forward)
}

// straightRover is the rover as the handbook prints it.
func straightRover(briefing) program {
	return func(c *creature) {
		for {
			if !c.moveForward() {
				c.attack()
				c.turnLeft()
			}
		}
	}
}

// straightSuperRover is superRover as a program.
func straightSuperRover(briefing) program {
	return func(c *creature) {
		for {
			o := c.observe()
			strike := foe(c.body, &o.seen)
			for range o.distance - 1 {
				if !c.moveForward() {
					c.attack()
					break
				}
			}
			if strike {
				c.attack()
			}
			c.turnRight()
		}
	}
}

// Evolved creatures with every executor: eight random genomes of 100 nodes or more in the mean, in
// turn, each against the next; the same with keen senses; and two that were bred.
func BenchmarkEvolved(b *testing.B) {
	duel, wise := short(b, "ns_faceoff", 5, nil), short(b, "ns_faceoff", 5, keen)
	random := func(g *game) (genomes []gp.Genome) {
		for i := range uint64(8) {
			genomes = append(genomes, randomGenome(g, i, 122))
		}
		return genomes
	}
	for _, c := range []struct {
		name    string
		on      *game
		genomes []gp.Genome
	}{{"random", duel, random(duel)}, {"keen", wise, random(wise)}, {"kept", duel, []gp.Genome{
		enginetest.Kept(b, duel, "past-seed31"), enginetest.Kept(b, duel, "fighter")}}} {
		nodes := 0
		for _, ge := range c.genomes {
			nodes += ge.Size()
		}
		for _, executor := range []string{"scalar", "avx2"} {
			b.Run(c.name+"/"+executor, func(b *testing.B) {
				g, err := c.on.Using(executor)
				if err != nil {
					b.Skip(err)
				}
				players := enginetest.Bound(b, g, c.genomes...)
				n := len(players)
				benchmarkGames(b, g, func(i int) []engine.Player {
					return []engine.Player{players[i%n], players[(i+1)%n]}
				})
				b.ReportMetric(float64(nodes)/float64(n), "nodes")
			})
		}
	}
}

// randomGenome grows a genome of about a number of nodes, shared by its trees.
func randomGenome(g engine.Game, seed uint64, nodes int) gp.Genome {
	r := rand.New(rand.NewPCG(seed, 0))
	ge := make(gp.Genome, len(g.Grammar().Slots))
	share := nodes / len(ge)
	for i := range ge {
		for try := 0; try < 1000 && (len(ge[i]) < share*2/3 || len(ge[i]) > share*3/2); try++ {
			ge[i] = g.Grammar().Grow(r, gp.Float, 6)
		}
	}
	return ge
}
