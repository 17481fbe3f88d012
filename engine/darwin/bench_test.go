package darwin

import (
	"math/rand/v2"
	"testing"

	"clade/engine"
	"clade/gp"
)

// benchmarkGame plays whole games and reports actions a second.
func benchmarkGame(b *testing.B, mapName string, seconds float64, players ...engine.Player) {
	s := Defaults()
	s.Map, s.TimeLimit = mapName, seconds
	g := must(New().(engine.Adjustable).With(s))
	b.ReportAllocs()
	actions := 0
	for i := 0; b.Loop(); i++ {
		actions += g.Play(players, uint64(i), nil).Steps
	}
	b.ReportMetric(float64(actions)/b.Elapsed().Seconds(), "actions/s")
	b.ReportMetric(float64(actions)/float64(b.N), "actions/game")
}

func BenchmarkSteppers(b *testing.B) {
	benchmarkGame(b, "ns_faceoff", 0, Stepper(newRover), Stepper(newSuperRover))
}

func BenchmarkCoroutines(b *testing.B) {
	benchmarkGame(b, "ns_faceoff", 0, Straight(straightRover), Straight(straightSuperRover))
}

// A game that lasts for the whole 50 virtual seconds.
func BenchmarkFullGame(b *testing.B) {
	w := Stepper(func() Mind { return new(wanderer) })
	benchmarkGame(b, "ns_faceoff", 0, w, w)
}

// wanderer never attacks, so that its games last.
type wanderer struct{ turns int }

func (w *wanderer) Decide(b *Body) Action {
	if w.turns++; w.turns%2 == 0 || !b.Done() {
		return Act(TurnLeft)
	}
	return Act(Forward)
}

// straightRover is the rover as the handbook prints it.
func straightRover(Briefing) Program {
	return func(c *Creature) {
		for {
			if !c.MoveForward() {
				c.Attack()
				c.TurnLeft()
			}
		}
	}
}

// straightSuperRover is superRover as a program.
func straightSuperRover(Briefing) Program {
	return func(c *Creature) {
		for {
			o := c.Observe()
			strike := foe(c.Body, &o.Seen)
			for range o.Distance - 1 {
				if !c.MoveForward() {
					c.Attack()
					break
				}
			}
			if strike {
				c.Attack()
			}
			c.TurnRight()
		}
	}
}

// Evolved creatures of about 100 nodes that do not hang back: random trees, but for a little love of going and looking.
func BenchmarkEvolved(b *testing.B) {
	g := New()
	p := must(g.Bind(randomGenome(g, 1, 100)))
	benchmarkGame(b, "ns_faceoff", 5, p, p)
}

// randomGenome grows a genome of about so many nodes: each tree has its share, more or less.
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

func BenchmarkGenerateMaze(b *testing.B) {
	s := Defaults().Maze
	for i := 0; b.Loop(); i++ {
		GenerateMaze(s, engine.Seed(uint64(i)))
	}
}

func BenchmarkGenerateArena(b *testing.B) {
	s := Defaults().Arena
	for i := 0; b.Loop(); i++ {
		GenerateArena(s, engine.Seed(uint64(i)))
	}
}
