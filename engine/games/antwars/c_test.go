package antwars

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp"
	"clade/gp/proof"
)

// cNames are what the sources of ants name, besides macros of their own: T, P and L.
const cNames = "Move m r c k e H Z w q h S D R E U d K O X V A B"

// compileC compiles ants of one game with the game server in testdata, as the paper's authors did
// with theirs, and returns the program. How well gcc optimizes changes no move.
func compileC(tb testing.TB, g *game, optimized string, ants ...gp.Genome) string {
	tb.Helper()
	if _, err := exec.LookPath("gcc"); err != nil {
		tb.Skip("no gcc to compile C with")
	}
	var all, list strings.Builder
	for n, ge := range ants {
		for _, name := range strings.Fields(cNames) {
			fmt.Fprintf(&all, "#undef %s\n#define %s %s%d\n", name, name, name, n)
		}
		source := proof.Must(g.contestC(ge))(tb)
		fmt.Fprintf(&all, "#undef T\n#undef P\n#undef L\n%s\n", source)
		fmt.Fprintf(&list, "{Move%d, &m%d, sizeof m%d},\n", n, n, n)
	}
	for _, name := range strings.Fields(cNames) {
		fmt.Fprintf(&all, "#undef %s\n", name)
	}
	fmt.Fprintf(&all, "static const struct ant ants[] = {\n%s};\n", &list)
	dir := tb.TempDir()
	path, server := filepath.Join(dir, "ants.c"), filepath.Join(dir, "server")
	proof.OK(tb, os.WriteFile(path, []byte(all.String()), 0o666))
	proof.Ran(tb, exec.Command("gcc", optimized, "-ffp-contract=off", "-o", server,
		fmt.Sprintf("-DANTS=%q", path), filepath.Join("testdata", "server.c"), "-lm"))
	return server
}

// boardsText writes boards for the game server.
func boardsText(n int) string {
	var b strings.Builder
	for seed := range uint64(n) {
		food := deal(seed).food
		for i := range cells {
			if food.Has(i) {
				fmt.Fprintf(&b, "%d ", i)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestCMakesTheSameMoves plays ants as C functions, in a server that follows the contest's text,
// and as species, on dealt boards: bred ones, and one that uses the whole vocabulary.
func TestCMakesTheSameMoves(t *testing.T) {
	proof.Costly(t)
	for name, c := range map[string]struct {
		g    *game
		ants []gp.Genome
	}{
		"paper's senses": {New().(*game), append(grown(t, 8), printed(t))},
		"keen senses":    {keenGame(t), nil},
		"foresight":      {foresightGame(t), nil},
	} {
		ants := append(c.ants, enginetest.Everything(t, c.g.grammar, 0))
		for species, g := range map[string]string{"keen-seed613": "keen senses",
			"foresight-seed711": "foresight"} {
			if g == name {
				ants = append(ants, enginetest.Kept(t, c.g, species))
			}
		}
		t.Run(name, func(t *testing.T) { sameMovesInC(t, c.g, ants) })
	}
}

func sameMovesInC(t *testing.T, g *game, ants []gp.Genome) {
	const boards = 20
	for i, one := range ants {
		two := ants[(i+1)%len(ants)]
		server := exec.Command(compileC(t, g, "-O0", one, two))
		server.Stdin = strings.NewReader(boardsText(boards))
		out := proof.Must(server.Output())(t)
		lines := strings.Fields(string(out))
		p, _ := g.Bind(one)
		q, _ := g.Bind(two)
		for n := range 2 * boards {
			players := []engine.Player{p, q}
			if n&1 == 1 {
				players = []engine.Player{q, p}
			}
			moves := ""
			g.Play(players, uint64(n/2),
				engine.OnDecide(func(_ int, d uint64) { moves += string(rune('0' + d)) }))
			if moves != lines[n] {
				t.Fatalf("pair %d, game %d: C goes %s, the species %s", i, n, lines[n], moves)
			}
		}
		source := proof.Must(g.contestC(one))(t)
		name := fmt.Sprintf("%d nodes", one.Size())
		t.Logf("%s: %d bytes", name, len(source))
		strict(t, source)
	}
}

// strict compiles a function as the contest's compiler might, and holds that nothing is warned of.
func strict(t *testing.T, source string) {
	t.Helper()
	c := exec.Command("gcc", "-std=c89", "-pedantic", "-Wall", "-Wextra", "-Werror",
		"-Wno-unknown-pragmas", "-O1", "-c", "-x", "c", "-o", os.DevNull, "-")
	c.Stdin = strings.NewReader(source)
	proof.Ran(t, c)
}

// TestContestLimit holds that the bred ants that the README names fit the contest's limit.
func TestContestLimit(t *testing.T) {
	for species, g := range map[string]*game{"generalist-seed301": New().(*game),
		"keen-seed613": keenGame(t), "foresight-seed711": foresightGame(t)} {
		ge := proof.Must(g.grammar.Simplify(enginetest.Kept(t, g, species)))(t)
		source, err := g.contestC(ge)
		if err != nil || len(source) > cLimit {
			t.Errorf("%s: %d bytes, and the contest allowed %d; %v", species, len(source), cLimit, err)
		}
		t.Logf("%s: %d bytes", species, len(source))
	}
}

// TestConformanceContest holds the contest's functions to games that another evaluator recorded:
// what they would do in every position of their ants there is what was done.
func TestConformanceContest(t *testing.T) {
	proof.Long(t)
	g := New().(*game)
	// one program has them all, each once for either seat, since they remember
	var ants []gp.Genome
	var games []*recordedGame
	var lines strings.Builder
	known := map[string]int{}
	recorded(t, func(_ string, rec *recordedGame) {
		if len(rec.GP) == 0 {
			return
		}
		trees := strings.Join(rec.Trees, "\n")
		if _, ok := known[trees]; !ok {
			ge := printed(t)
			if trees != "" {
				ge = proof.Must(g.grammar.Parse(trees))(t)
			}
			known[trees] = len(ants)
			ants = append(ants, ge, ge)
		}
		games = append(games, rec)
		fmt.Fprintln(&lines, strings.Trim(fmt.Sprint(rec.Food), "[]"), known[trees], known[trees]+1,
			rec.Moves)
	})
	server := exec.Command(compileC(t, g, "-O0", ants...), "replay")
	server.Stdin = strings.NewReader(lines.String())
	answers, plies := strings.Fields(string(proof.Must(server.Output())(t))), 0
	if len(answers) != len(games) {
		t.Fatalf("C answers %d of %d games", len(answers), len(games))
	}
	for n, would := range answers {
		rec := games[n]
		for ply := range rec.Moves {
			if !slices.Contains(rec.GP, int(rec.Ants[ply]-'0')) {
				continue
			}
			if plies++; would[ply] != rec.Moves[ply] {
				t.Fatalf("%s, ply %d: C goes %c, recorded %c", rec.Kind, ply, would[ply], rec.Moves[ply])
			}
		}
	}
	t.Logf("%d plies of %d ants", plies, len(known))
}

// TestCSubtractsNegativeConstants holds that a minus before a negative constant stays one: C reads
// two of them as a decrement.
func TestCSubtractsNegativeConstants(t *testing.T) {
	g := New().(*game)
	ge := proof.Must(g.grammar.Parse(
		"(sub foodHope (const -0.5)) (sub (const -1) (sub (const -0.25) foodHope))"))(t)
	source := proof.Must(g.contestC(ge))(t)
	proof.Holds(t, source, "return (H- -0.5f);", "return ( -1.f-( -0.25f-H));")
	compileC(t, g, "-O0", ge, ge)
}

// printed returns the trees of BrilliANT.
func printed(tb testing.TB) gp.Genome {
	tb.Helper()
	players := New().(engine.Roster).Players()
	i := slices.IndexFunc(players, func(e engine.Entry) bool { return e.Name == "brilliant" })
	return proof.Must(players[i].Genome())(tb)
}

func TestBrilliantFitsTheContest(t *testing.T) {
	source, err := New().(*game).contestC(printed(t))
	if err != nil || len(source) > cLimit {
		t.Errorf("%d bytes of C for a limit of %d, %v", len(source), cLimit, err)
	}
}

// BenchmarkC times the paper's method, C compiled by gcc -O2, on the games that BenchmarkGame and
// BenchmarkGameGrown play. The time of compiling is not in it.
func BenchmarkC(b *testing.B) {
	ants, times := grown(b, 2), "5"
	if proof.Quick() {
		times = "1"
	}
	for name, pair := range map[string][2]gp.Genome{"brilliant": {printed(b), printed(b)},
		"grown": {ants[0], ants[1]}} {
		b.Run(name, func(b *testing.B) {
			program := compileC(b, New().(*game), "-O2", pair[:]...)
			var rate float64
			for b.Loop() {
				server := exec.Command(program, times)
				server.Stdin = strings.NewReader(boardsText(1000))
				out := proof.Must(server.Output())(b)
				proof.Must(fmt.Sscan(string(out), &rate))(b)
			}
			b.ReportMetric(rate, "games/s")
		})
	}
}
