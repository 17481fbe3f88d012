package enginetest

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"clade/engine"
	"clade/gp"
	"clade/gp/export/exporttest"
	"clade/gp/proof"
)

// Exports checks that exported programs of a genome decide as the genome does, in every language
// and in a thousand situations after random moves, and that the table of proofs says so. It is for
// games that engine.Lockstep plays; offers are the game's.
func Exports(t *testing.T, g engine.Game, offers []engine.Offer, who exporttest.Species,
	ge gp.Genome) {
	t.Helper()
	o := &onlooker{Grammar: g.Grammar(), offers: offers, genome: ge,
		random: rand.New(rand.NewPCG(1, 1))}
	players := make([]engine.Player, g.Info().MinSeats)
	for seat := range players {
		players[seat] = o
	}
	for seed := uint64(0); len(o.want) < 1000; seed++ {
		g.Play(players, seed, nil)
	}
	exporttest.Prove(t, who, g.(engine.SpeciesExporter).Export, ge, o.lines.String(), o.want)
}

// onlooker is a player that writes its views as input lines of an exported program, and chooses at
// random.
type onlooker struct {
	*gp.Grammar
	offers []engine.Offer
	genome gp.Genome
	random *rand.Rand
	lines  strings.Builder
	want   []string
}

func (o *onlooker) Choose(g engine.Stepper, seat int) int {
	f := o.NewFrame()
	possible := g.Sense(seat, f)
	for i := range o.offers {
		fmt.Fprintf(&o.lines, "%d ", possible>>i&1)
	}
	for i := range o.Scalars {
		for _, v := range f.Scalar(i) {
			m, e := math.Frexp(float64(v))
			for m *= 1 << 24; m != 0 && math.Mod(m, 2) == 0; e++ {
				m /= 2
			}
			fmt.Fprintf(&o.lines, "%d %d ", int(m), e-24)
		}
	}
	for i := range o.Flags {
		for k := range gp.Lanes {
			fmt.Fprintf(&o.lines, "%d ", f.Flags[i]>>k&1)
		}
	}
	for l := range o.Layers {
		cells, side := o.Cells(f, l), o.Window.Side
		fmt.Fprintf(&o.lines, "%d ", len(cells))
		for _, c := range slices.Clone(cells) {
			c = append(c, 0) // weight of an offer without one
			fmt.Fprintf(&o.lines, "%d %d ", (int(c[1])+side/2)*side+int(c[0])+side/2, c[2])
		}
	}
	o.lines.WriteByte('\n')
	values := make([]gp.Quad, len(o.genome))
	for slot, tree := range o.genome {
		for k := range values[slot] {
			values[slot][k] = o.Walk(tree, f, k)
		}
	}
	o.want = append(o.want, fmt.Sprint(engine.Greatest(o.offers, possible, values)))
	return o.random.IntN(len(o.offers))
}

// Words compares the table of words on a game's page with the game's table of senses: a row has the
// words and their meaning. With CLADE_UPDATE=1 it writes the page.
func Words(t *testing.T, page string, rows [][2]string) {
	t.Helper()
	const head = "| word | what it says |\n|---|---|\n"
	text := proof.Must(os.ReadFile(page))(t)
	before, rest, ok := strings.Cut(string(text), head)
	if !ok {
		t.Fatalf("%s has no table that begins with\n%s", page, head)
	}
	_, after, _ := strings.Cut(rest, "\n\n")
	var table strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&table, "| `%s` | %s |\n", r[0], r[1])
	}
	proof.Golden(t, page, before+head+table.String()+"\n"+after)
}

// Recorded returns the recordings of an original program, sorted: all files in the folder of a game
// that match a pattern of filepath.Match. The data are not part of the project: they are in the
// folder that CLADE_CONFORMANCE names, by default in shared/conformance beside the repository. If
// nothing matches, the test is skipped.
func Recorded(t testing.TB, game, pattern string) []string {
	t.Helper()
	root := os.Getenv("CLADE_CONFORMANCE")
	if root == "" {
		root = proof.Must(exporttest.Above("../shared/conformance"))(t)
	}
	files := proof.Must(filepath.Glob(filepath.Join(root, game, pattern)))(t)
	if len(files) == 0 {
		t.Skipf("no recorded data: nothing matches %s in %s; set CLADE_CONFORMANCE to the folder "+
			"that holds %s", pattern, filepath.Join(root, game), game)
	}
	return files
}

// EachRecord decodes every line of a file of JSON lines, compressed where its name ends in .gz, and
// calls check with it and its place, file:line. It ends the test at the first line that fails, and
// if the file has none.
func EachRecord[T any](t *testing.T, path string, check func(where string, record *T)) {
	t.Helper()
	file := proof.Must(os.Open(path))(t)
	defer file.Close()
	var text io.Reader = file
	if strings.HasSuffix(path, ".gz") {
		text = proof.Must(gzip.NewReader(file))(t)
	}
	lines := bufio.NewScanner(text)
	lines.Buffer(nil, 1<<26)
	records := 0
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		where := fmt.Sprintf("%s:%d", filepath.Base(path), n)
		record := new(T)
		if err := json.Unmarshal(lines.Bytes(), record); err != nil {
			t.Fatalf("%s: %v", where, err)
		}
		if check(where, record); t.Failed() {
			t.Fatalf("stopped at %s", where)
		}
		records++
	}
	if lines.Err() != nil || records == 0 {
		t.Fatalf("%s: %d records, %v", path, records, lines.Err())
	}
}
