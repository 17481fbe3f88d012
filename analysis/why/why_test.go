package why_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"clade/analysis/why"
	"clade/engine"
	"clade/engine/enginetest"
	"clade/engine/games/amoebas"
	"clade/engine/games/amoeboid"
	"clade/engine/games/antwars"
	"clade/engine/games/chase"
	"clade/engine/games/darwin"
	"clade/engine/games/life"
	"clade/gp"
	"clade/gp/proof"
)

// duel returns a recorded game of two copies of a genome, and who plays it again.
func duel(t testing.TB, g engine.Game, ge gp.Genome) (*engine.Record, []why.Seat) {
	t.Helper()
	p := proof.Must(g.Bind(ge))(t)
	record, _, err := engine.PlayRecorded(g, []string{"a", "b"}, []engine.Player{p, p}, 7, nil)
	proof.OK(t, err)
	return record, []why.Seat{{Genome: ge}, {Genome: ge}}
}

func brilliant(t testing.TB, g engine.Game) gp.Genome {
	t.Helper()
	for _, e := range g.(engine.Roster).Players() {
		if e.Name == "brilliant" {
			return proof.Must(e.Genome())(t)
		}
	}
	t.Fatal("brilliant is gone")
	return nil
}

// TestIdle takes each node that never mattered for each that did: no substitute for the one may
// change a choice, and some substitute for the other must.
func TestIdle(t *testing.T) {
	g := antwars.New()
	ge := brilliant(t, g)
	record, seats := duel(t, g, ge)
	all := proof.Must(why.Collect(g, record, seats, 0, 100))(t)
	if len(all.Kept) != all.Total || all.Total == 0 || all.Total > 35 {
		t.Fatalf("%d choices of %d were kept", len(all.Kept), all.Total)
	}
	if changes, err := all.Changes(g.Grammar(), ge); err != nil || changes != nil {
		t.Fatalf("the genome itself would choose otherwise: %v, %v", changes, err)
	}
	idle := proof.Must(all.Idle(g.Grammar(), ge))(t)
	count := [2]int{}
	for slot, tree := range ge {
		for i := range tree {
			changed := false
			end := g.Grammar().End(tree, i)
			for _, sub := range g.Grammar().Substitutes(tree[i:end]) {
				other := append(gp.Genome(nil), ge...)
				other[slot] = gp.Splice(tree, i, end, sub)
				changes := proof.Must(all.Changes(g.Grammar(), other))(t)
				changed = changed || changes != nil
			}
			if idle[slot][i] && changed {
				t.Errorf("slot %d, node %d is idle and matters", slot, i)
			}
			if !idle[slot][i] && !changed && g.Grammar().Type(tree[i]) != gp.Area {
				t.Errorf("slot %d, node %d never mattered and is not idle", slot, i)
			}
			if changed {
				count[0]++
			} else {
				count[1]++
			}
		}
	}
	if count[0] == 0 || count[1] == 0 {
		t.Errorf("%d nodes matter and %d do not: the game tells nothing", count[0], count[1])
	}
}

func TestCollectThins(t *testing.T) {
	g := antwars.New()
	record, seats := duel(t, g, brilliant(t, g))
	all, err := why.Collect(g, record, seats, 0, 8)
	if err != nil || len(all.Kept) > 8 || len(all.Kept) < 4 {
		t.Fatalf("kept %d choices, %v", len(all.Kept), err)
	}
	for i, k := range all.Kept {
		every := all.Kept[1].Step - all.Kept[0].Step
		proof.Is(t, k.Step, i*every, "the step of choice %d", i)
	}
}

func TestExplain(t *testing.T) {
	proof.Slow(t)
	g := antwars.New()
	ge := brilliant(t, g)
	record, seats := duel(t, g, ge)
	steps := 0
	err := why.Replay(g, record, seats, func(at why.Moment, c *engine.Choice) {
		if at.Step != steps {
			t.Fatalf("the choice of step %d is told at step %d", steps, at.Step)
		}
		steps++
		for k := range c.Candidates {
			e := why.Explain(g.Grammar(), ge, at, c, k, nil)
			if math.Float32bits(float32(e.Tree[0].Value)) != math.Float32bits(c.Candidates[k].Utility) {
				t.Fatalf("the tree is worth %v, the candidate %v", e.Tree[0].Value, c.Candidates[k].Utility)
			}
			for _, line := range strings.Split(e.Text(80), "\n") {
				if n := len([]rune(line)); n > 80 {
					t.Fatalf("a line of %d columns: %s", n, line)
				}
			}
			proof.Must(json.Marshal(e))(t)
		}
	}, nil)
	if err != nil || steps != record.Steps {
		t.Fatalf("%d of %d steps were told of, %v", steps, record.Steps, err)
	}
}

// TestOthers holds that a replay by other players than the record's is told.
func TestOthers(t *testing.T) {
	g := enginetest.Number(0)
	ge := proof.Must(g.Grammar().Parse("(const 0.5)"))(t)
	record, seats := duel(t, g, ge)
	see := func(why.Moment, *engine.Choice) {}
	proof.OK(t, why.Replay(g, record, seats, see, nil))
	other := proof.Must(g.Grammar().Parse("(const 0.25)"))(t)
	seats[1] = why.Seat{Genome: other}
	proof.Says(t, why.Replay(g, record, seats, see, nil), "players are not those")
	seats[1] = why.Seat{} // as recorded
	proof.OK(t, why.Replay(g, record, seats, see, nil))
}

// short returns a game with other settings.
func short(t *testing.T, g engine.Game, settings string) engine.Game {
	t.Helper()
	s := g.(engine.Adjustable).Settings()
	proof.OK(t, toml.Unmarshal([]byte(settings), s))
	return proof.Must(g.(engine.Adjustable).With(s))(t)
}

// TestThinkers holds built-in players that tell what they weigh up to playing as they do untold,
// and to taking the best of what they tell.
func TestThinkers(t *testing.T) {
	proof.Long(t)
	for _, g := range []engine.Game{antwars.New(), amoeboid.New(), short(t, life.New(),
		"width = 64\nheight = 64\ngenerations = 40"), short(t, amoebas.New(),
		"rounds = 60\nworld-size = 16"), short(t, darwin.New(), "time-limit = 0.3"),
		chase.New()} {
		tell := 0
		for _, e := range g.(engine.Roster).Players() {
			p, err := e.New("")
			if err != nil {
				continue // it needs arguments
			}
			seats := slices.Repeat([]why.Seat{{Player: p}}, max(2, g.Info().MinSeats))
			if e.Genome != nil || !seats[0].Tells(g) {
				continue
			}
			tell++
			record, _, err := engine.PlayRecorded(g, slices.Repeat([]string{e.Name}, len(seats)),
				slices.Repeat([]engine.Player{p}, len(seats)), 3, nil)
			proof.OK(t, err)
			told := 0
			err = why.Replay(g, record, seats, func(at why.Moment, c *engine.Choice) {
				told++
				x := why.Explain(g.Grammar(), nil, at, c, c.Chosen, nil)
				best := x.Candidates[x.Order()[0]].Utility
				if u := x.Candidates[c.Chosen].Utility; u < best && c.Note == "" {
					t.Errorf("%s takes %v at step %d, and could take %v", e.Name, u, at.Step, best)
				}
				if len(x.Tree) > 0 || !strings.Contains(x.Text(80), c.Candidates[c.Chosen].Name) {
					t.Errorf("%s: %s", e.Name, x.Text(80))
				}
			}, nil)
			if err != nil || told == 0 {
				t.Errorf("%s tells of %d choices: %v", e.Name, told, err)
			}
		}
		if tell < 2 {
			t.Errorf("%d players of %s tell what they weigh up", tell, g.Info().Name)
		}
	}
}

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{math.Inf(1): `"+Inf"`, math.Inf(-1): `"-Inf"`,
		1.5:        "1.5",
		math.NaN(): `"NaN"`} {
		proof.Is(t, string(proof.Must(json.Marshal(why.Number(v)))(t)), want, "%v", v)
	}
}

func ExampleReplay() {
	g := enginetest.Number(0)
	ge, _ := g.Grammar().Parse("(add (const 0.5) (if (isSmaller (constint 1) (constint 2)) " +
		"(constint 3) (constint 4)))")
	p, _ := g.Bind(ge)
	record, _, _ := engine.PlayRecorded(g, []string{"a", "b"}, []engine.Player{p, p}, 1, nil)
	see := func(at why.Moment, c *engine.Choice) {
		if at.Step == 1 {
			fmt.Print(why.Explain(g.Grammar(), ge, at, c, c.Chosen, nil).Text(80))
		}
	}
	if err := why.Replay(g, record, []why.Seat{{Genome: ge}, {}}, see, nil); err != nil {
		fmt.Println(err)
	}
	// Output:
	// one candidate:
	// *      3.5 say it
	// tree number for say it: value, node
	//       3.5  add
	//       0.5    (const 0.5)
	//         3    if
	//      true      isSmaller
	//         1        (constint 1)
	//         2        (constint 2)
	//         3      (constint 3)
	//         -      (constint 4)
}

// With a single sensor, halved, all that the rival lacks is what the sensor counts less there: the
// algebra of the tree is the outside of this proof.
func TestAgainst(t *testing.T) {
	g := enginetest.Gather()
	sp := proof.Must(gp.ParseSpecies(
		"(species gather 1 (slot go (mul (const 0.5) (foodAhead (rect 0 -1 5 3)))))",
		func(string, int) (*gp.Grammar, error) { return g.Grammar(), nil }))(t)
	record, seats := duel(t, g, sp.Genome)
	clear, equal := 0, 0
	if err := why.Replay(g, record, seats, func(at why.Moment, c *engine.Choice) {
		v := why.Against(g.Grammar(), sp.Genome, c)
		first, second := c.Candidates[c.Chosen].Utility, c.Candidates[v.Rival].Utility
		if float32(v.Margin) != first-second || v.Rival == c.Chosen || first < second {
			t.Fatalf("%+v: margin %v of %v and %v", at, v.Margin, first, second)
		}
		for i, k := range c.Candidates {
			if i != c.Chosen && k.Utility > second {
				t.Fatalf("%+v: candidate %d is before the rival", at, i)
			}
		}
		if first == second {
			if equal++; v.Why != nil || v.Share != 0 {
				t.Fatalf("%+v: a tie has reasons: %+v", at, v)
			}
			return
		}
		if clear++; len(v.Why) != 1 || v.Why[0].Index != 2 || v.Why[0].Worth != v.Margin ||
			float32(v.Why[0].Here) != 2*first || float32(v.Why[0].There) != 2*second {
			t.Fatalf("%+v: %+v for %v and %v", at, v.Why, first, second)
		}
	}, nil); err != nil {
		t.Fatal(err)
	}
	if clear < 10 || equal < 10 {
		t.Errorf("%d clear choices and %d ties: the game tells nothing", clear, equal)
	}
}
