package darwin

import (
	"testing"

	"clade/engine"
)

// benchmarkGame plays whole games and reports actions a second.
func benchmarkGame(b *testing.B, mapName string, seconds float64, players ...engine.Player) {
	s := Defaults()
	s.Map, s.TimeLimit = mapName, seconds
	g := must(newGame(s))
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
	benchmarkGame(b, "ns_faceoff", 0, Stepper(newSuperRover), Stepper(func() Mind { return new(wanderer) }))
}

// wanderer never attacks, and flees nowhere.
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
