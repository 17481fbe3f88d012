package darwin_test

import (
	"fmt"

	"clade/engine"
	"clade/engine/darwin"
)

// A creature is straight-line code: this one charges what it sees and turns around when there is
// nothing.
func Example() {
	charger := darwin.Straight(func(darwin.Briefing) darwin.Program {
		return func(c *darwin.Creature) {
			for {
				o := c.Observe()
				for range o.Distance - 1 {
					c.MoveForward()
				}
				if o.Seen.Class == darwin.TreasureClass {
					c.Attack()
				}
				c.TurnLeft()
			}
		}
	})
	settings := darwin.Defaults()
	settings.Map = "mz_1"
	game, err := darwin.New().(engine.Adjustable).With(&settings)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := game.Play([]engine.Player{charger}, 1, nil)
	fmt.Printf("solved: %v, in %.1f ms\n", r.Winner == 0, -1000*r.Scores[0])
	// Output: solved: true, in 8.6 ms
}
