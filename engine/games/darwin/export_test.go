package darwin

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp"
	"clade/gp/export"
	"clade/gp/export/exporttest"
	"clade/gp/proof"
)

// spy is an evolved species that notes what its creatures are told and what they do.
type spy struct {
	species
	creatures []*spyMind
}

func (s *spy) found(b briefing) colony { return &spyColony{s.species.found(b), s} }

type spyColony struct {
	colony
	spy *spy
}

func (c *spyColony) spawn(b *body) mind {
	m := &spyMind{evolvedMind: c.colony.spawn(b).(*evolvedMind)}
	c.spy.creatures = append(c.spy.creatures, m)
	return m
}

func (c *spyColony) end() { c.colony.(ender).end() }

type spyMind struct {
	*evolvedMind
	lines   strings.Builder
	answers []string
}

func (m *spyMind) decide(b *body) action {
	fmt.Fprintln(&m.lines, toldTo(b, m.last))
	a := m.evolvedMind.decide(b)
	m.answers = append(m.answers, fmt.Sprint(a.verb()))
	return a
}

// toldTo returns what a creature is told as an exported program reads it.
func toldTo(b *body, last verb) string {
	bit := func(v bool) int { return int(always(v) & 1) }
	floor := func(cell int) string {
		t := b.w.ground.terrain[cell]
		return fmt.Sprintf("%d %d", bit(t&mud != 0), bit(t.owner() == b.breed))
	}
	p := b.position()
	line := fmt.Sprintf("%d %d %d %d %d %d %d %d %d %d %s", b.clock, b.w.clock, b.w.ground.width,
		b.w.ground.height, p.x, p.y, b.facing, b.class(), bit(b.enchanted), bit(b.done),
		floor(int(b.cell)))
	if last != observe {
		return line
	}
	o := b.w.observe(b)
	line += fmt.Sprintf(" %d %d %d %d", o.seen.kind, o.seen.class, o.seen.id, o.seen.facing)
	for i := range o.distance + 1 {
		cell, what := o.cell+i*o.step, 0
		switch w := b.w.cells[cell]; {
		case w == hazard:
			what = 2
		case w < 0:
			what = 1
		}
		line += fmt.Sprintf(" %d %s", what, floor(cell))
	}
	return line
}

// recordGames plays games against superrover until enough was decided and returns what the
// creatures of a species were told, what they did, and how often each action.
func recordGames(tb testing.TB, g *game, ge gp.Genome) (string, []string, map[string]int) {
	tb.Helper()
	p := proof.Must(g.Bind(ge))(tb)
	s := &spy{species: p.(species)}
	players := []engine.Player{s}
	for len(players) < g.Info().MinSeats {
		players = append(players, player(tb, g, "superrover"))
	}
	for seed := uint64(1); seed < 30 && s.decisions() < 2000; seed++ {
		g.Play(players, seed, nil)
	}
	var lines strings.Builder
	var answers []string
	verbs := map[string]int{}
	for _, c := range s.creatures {
		if len(answers) < 2000 {
			n := min(len(c.answers), mostOfALife)
			lines.WriteString("\n" + strings.Join(strings.SplitAfter(c.lines.String(), "\n")[:n], ""))
			answers = append(answers, c.answers[:n]...)
		}
	}
	for _, a := range answers {
		verbs[a]++
	}
	return lines.String(), answers, verbs
}

// mostOfALife is how many turns of one creature are compared, so that many creatures are.
const mostOfALife = 400

func (s *spy) decisions() (n int) {
	for _, c := range s.creatures {
		n += min(len(c.answers), mostOfALife)
	}
	return n
}

// TestExports holds that the creatures of bred and random species do the same in every language,
// all their lives, in games played here; whole games over the pipe are in engine/games/all.
func TestExports(t *testing.T) {
	proof.Costly(t)
	arena, maze, wise := short(t, "arena", 0, nil), short(t, "maze", 0, nil), short(t, "arena", 0, keen)
	bred, wiser := enginetest.Bred(arena, 400), enginetest.Bred(wise, 400)
	for _, c := range []struct {
		name string
		on   *game
		from []gp.Genome
	}{
		{"fighter", arena, []gp.Genome{enginetest.Kept(t, arena, "fighter")}},
		{"runner", maze, []gp.Genome{enginetest.Kept(t, maze, "runner")}},
		{"random", arena, bred[200:]},
		{"keen", wise, wiser[200:]},
	} {
		t.Run(c.name, func(t *testing.T) {
			var lines string
			var want []string
			var verbs map[string]int
			var ge gp.Genome
			for _, ge = range c.from { // the first that does more than stand and turn
				if lines, want, verbs = recordGames(t, c.on, ge); len(verbs) >= 4 {
					break
				}
			}
			t.Logf("%d nodes, actions %v", ge.Size(), verbs)
			if len(want) < 1000 || len(verbs) < 3 {
				t.Fatalf("only %d decisions of %d kinds", len(want), len(verbs))
			}
			who := exporttest.Species{World: "The Darwin Game", Name: c.name, Nodes: ge.Size()}
			exporttest.Prove(t, who, c.on.Export, ge, lines, want)
			t.Run(javaCreature, func(t *testing.T) {
				source := proof.Must(c.on.Export(ge, export.Origin{Name: c.name}, javaCreature))(t)
				exporttest.Compare(t, asCreature(t, source, strings.ToUpper(c.name[:1])+c.name[1:],
					lines), want)
				who.Alike(t, javaCreature, source, len(want), 0)
			})
		})
	}
}

// asCreature compiles a class of creatures as the original's compiler would, gives its creatures
// their situations through the original's interface, and returns what they do.
func asCreature(t *testing.T, source, name, lines string) []string {
	t.Helper()
	original := proof.Must(os.ReadFile("testdata/Original.java"))(t)
	dir := t.TempDir()
	files := []string{filepath.Join(dir, "Original.java"), filepath.Join(dir, name+".java")}
	for i, text := range []string{string(original), source} {
		proof.OK(t, os.WriteFile(files[i], []byte(text), 0o600))
	}
	for _, tool := range []string{"javac", "java"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("no %s to run a creature with", tool)
		}
	}
	exporttest.Javac(t, append([]string{"-d", dir}, files...)...)
	run := exporttest.Java("-cp", dir, "Original", name)
	c := exec.Command(run[0], run[1:]...)
	c.Stdin = strings.NewReader(lines)
	var said strings.Builder
	c.Stderr = &said
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}
