package cli

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"html"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// galleryFolder is the gallery, seen from the root of the project.
const galleryFolder = "results/gallery"

// exhibit is one figure of the gallery; its caption is the figure's own.
type exhibit struct {
	file, title string
	maker       string // function of package figure
	reads       string // how to read it
}

// room is one command with the figures that it makes; prefix tells their files apart.
type room struct {
	command  string
	prefix   string
	exhibits []exhibit
}

// breeding makes the runs that the gallery shows: three of a study, three in which smaller genomes
// win where a coin would decide, and one of so few that they soon have a common ancestor.
func breeding() []string {
	var commands []string
	for _, parsimony := range []string{"false", "true"} {
		for seed := 1; seed <= 3; seed++ {
			commands = append(commands,
				fmt.Sprintf("clade run experiments/antwars/tournament-of-two.toml --set "+
					"evolve.population=150 --set evolve.generations=120 --set "+
					"evolve.champion.every=3 --set measure.every=6 --set measure.games=400 --set "+
					"evolve.parsimony=%s --seed %d --out runs/%s-%d",
					parsimony, seed,
					map[string]string{"false": "plain", "true": "small"}[parsimony],
					seed))
		}
	}
	return append(commands,
		"clade run experiments/antwars/tournament-of-two.toml --set evolve.population=40 --set "+
			"evolve.generations=200 --set evolve.champion.every=10 --set measure.against=[] --set "+
			"measure.final=0 --seed 3 "+
			"--out few")
}

func gallery() []room {
	return []room{
		{"clade plot runs --as svg --out plot", "plot", []exhibit{
			{"dynamics-brilliant", "Dynamics", "Dynamics",
				"All panels are of the same games, so that they tell how wins are gained: " +
					"by fewer deaths, by sacrifices that pay, by more food. The band holds the " +
					"mean, not the runs, and of few runs it is wide."},
			{"growth", "Growth", "Growth",
				"Growth without a gain in the figure before is bloat."},
			{"diversity", "Diversity", "Diversity",
				"Genomes that differ need not behave differently: where the left curve stays " +
					"high and the right one falls, variation changes what does not matter."},
		}},
		{"clade league antwars random greedy smart super hyper brilliant run:runs/plain-1 " +
			"run:runs/small-1 --games 400 --as svg --out league", "league", []exhibit{
			{"ratings", "Ratings", "Ratings",
				"A hundred points apart means 64 % of the points. Ranks that overlap are not " +
					"told apart by these games."},
			{"round-robin", "Round robin", "RoundRobin",
				"Blue above the diagonal and yellow below it is an order; yellow above the " +
					"diagonal is an upset."},
			{"curl", "Curl", "Curl",
				"The bars are leagues drawn as if each player had one strength. A line to " +
					"the right of them says that strength is not one number here; p is the share " +
					"of drawn leagues with as much."},
			{"disc", "Disc embedding", "Disc",
				"Of two players the one further round clockwise wins, the more the larger " +
					"the triangle that they make with the centre. Points round the centre are " +
					"a cycle; points in a narrow fan are an order."},
		}},
		{"clade league darwin rover superrover pirate pilgrim herd --set map=ns_arena4 --seats 4 " +
			"--games 40 --as svg --out several", "several", []exhibit{
			{"ratings", "Ratings of a game for several", "Ratings",
				"As above, of games in which each of four is placed."},
			{"round-robin", "Placed before", "PlacedBefore",
				"A shared place counts a half."},
		}},
		{"clade compare runs --as svg --out compare", "compare", []exhibit{
			{"profiles", "Performance profiles", "Profiles",
				"The curve further up and right is better; where two cross, one has the " +
					"better good runs and the other the better bad ones."},
			{"critical-difference", "Critical differences", "CriticalDifference",
				"Two that a bar joins may differ, but these runs do not show it."},
		}},
		{"clade monitor runs/plain-1 --games 200 --as svg --out monitor", "monitor", []exhibit{
			{"ciao", "Current individuals against ancestral opponents", "Ancestry",
				"Read a row from right to left: from opponents of its own time to ever older " +
					"ones. Progress is blue that deepens to the left; a yellow patch is " +
					"something forgotten."},
			{"lag", "Lag curves", "Lines",
				"Above one half and rising: later ones beat earlier ones. A dip below one " +
					"half at some age is a cycle of that length."},
			{"master", "Master tournament", "Ancestry",
				"The half under the diagonal is the other turned over. A blue column is a " +
					"weak champion, a yellow one a strong champion."},
			{"master-points", "Points in the master tournament", "Lines",
				"The mean of each row of the figure before."},
			{"strength", "Strength of the champions", "Curves",
				"Strength among relatives: it may rise while strength against strangers does " +
					"not (external panel)."},
			{"dominance", "Dominance tournament", "Staircase",
				"Each step is a champion that beats all steps before it. Long landings are " +
					"times without proven progress."},
			{"panel", "External panel", "Curves",
				"Players that took no part in selection tell gains of all from gains against " +
					"relatives."},
			{"hall-of-fame", "Hall of fame by age", "Lines",
				"Values below one half are ancestors that the last champion loses to."},
			{"forgetting", "Forgetting", "Lines",
				"Zero means nothing is forgotten; single peaks are weak champions, a plateau " +
					"is a loss that stays."},
			{"disengagement", "Disengagement", "Lines",
				"High values say that these opponents measure nothing any more, as all beat " +
					"them or none does."},
			{"intransitivity", "Intransitivity", "Intransitivity",
				"Only a line above the band tells of intransitivity. Where any triple was decided, " +
					"a second panel has the share of cyclic ones."},
			{"bloat", "Bloat", "Curves",
				"The space between the lines is what could be cut without changing a " +
					"decision seen."},
			{"primitives", "Primitives", "Primitives",
				"Rows that fade are words that selection gave up. The bar's numbers stand " +
					"closer at the top, so that small shares can be seen."},
			{"field-of-view", "Field of view", "FieldOfView",
				"Dark cells are looked at most. All rectangles count, also those in parts " +
					"that never matter."},
		}},
		{"clade phylogeny few/lineage.csv --as svg --out phylogeny", "phylogeny", []exhibit{
			{"phylogeny", "Phylogeny", "Phylogeny",
				"While the lower curve rises the common ancestor stays the same; at each " +
					"drop a branch has died out, and those left have a younger one."},
		}},
		{"clade match life guard grower --games 20 --curves scores", "scores", []exhibit{
			{"scores", "Scores by step", "Curves",
				"Where the curves part is where games are decided."},
		}},
		{"clade match amoebas caesar theroots --rounds 200 --games 10 --curves populations",
			"populations", []exhibit{
				{"populations", "Populations", "Curves",
					"Territory tells who holds the land; energy, who wins."},
				{"structure", "Structure of populations", "Curves",
					"Below, the share of amoebas alive at the end that are as old, or as many " +
						"divisions from the first, as the axis says, or more."},
			}},
		{"clade show run:runs/plain-1 --as svg --out show", "show", []exhibit{
			{"genome", "Genome", "Genome",
				"Read from the left: a box takes the values of those that its lines lead to."},
		}},
	}
}

// caption returns the description that a figure of the gallery carries.
func caption(t *testing.T, folder, file string) string {
	t.Helper()
	svg, err := os.ReadFile(filepath.Join(folder, file))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(svg), "<desc>")
	text, _, ok := strings.Cut(rest, "</desc>")
	if !ok {
		t.Errorf("%s has no description; run with -update", file)
	}
	return html.UnescapeString(text)
}

// page writes the gallery's README.
func page(t *testing.T, folder string) string {
	var b strings.Builder
	b.WriteString(`# Gallery

Every kind of figure that clade draws, with the command that makes it and how to read it. Beside
each figure a command also writes its data as CSV; without ` + "`--as svg`" + ` it writes PNG, PDF
and TeX too. The runs are small, so that the gallery is made in minutes: look at the figures for
their form, not for results.

This page and its figures are made by ` + "`go test ./cmd/cli -run Gallery -update`" + `, which
carries out these commands. First it breeds:

` + "```\n")
	for _, c := range breeding() {
		b.WriteString(c + "\n")
	}
	b.WriteString("```\n\n`clade report runs --out report` puts most of these figures, with " +
		"tables, into one page.\n")
	for _, r := range gallery() {
		fmt.Fprintf(&b, "\n## `%s`\n", r.command)
		for _, e := range r.exhibits {
			file := r.prefix + "-" + e.file + ".svg"
			fmt.Fprintf(&b, "\n**%s.** %s\n\n*How to read it.* %s\n\n![%s](%s)\n", e.title,
				caption(t, folder, file), e.reads, e.title, file)
		}
	}
	return b.String()
}

// The gallery shows every figure that package figure can draw, and its files are those of its page.
func TestGallery(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(root, galleryFolder)
	if *update {
		makeGallery(t, root, folder)
	}
	shown, makers := map[string]bool{"README.md": true}, map[string]bool{}
	for _, r := range gallery() {
		for _, e := range r.exhibits {
			shown[r.prefix+"-"+e.file+".svg"], makers[e.maker] = true, true
		}
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	for _, e := range entries {
		there[e.Name()] = true
	}
	if !maps.Equal(there, shown) {
		t.Errorf("the gallery holds\n%v\nand its page shows\n%v\nrun with -update",
			slices.Sorted(maps.Keys(there)), slices.Sorted(maps.Keys(shown)))
	}
	if got, err := os.ReadFile(filepath.Join(folder, "README.md")); err != nil ||
		string(got) != page(t, folder) {
		t.Errorf("the gallery's page is not what it would be now; run with -update (%v)", err)
	}
	if can := drawers(t, filepath.Join(root, "analysis", "figure")); !maps.Equal(can, makers) {
		t.Errorf("package figure draws\n%v\nand the gallery shows\n%v",
			slices.Sorted(maps.Keys(can)), slices.Sorted(maps.Keys(makers)))
	}
}

// makeGallery carries out the gallery's commands where nothing else is, and takes over what they
// draw.
func makeGallery(t *testing.T, root, folder string) {
	work := t.TempDir()
	if err := os.Symlink(filepath.Join(root, "experiments"),
		filepath.Join(work, "experiments")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(work)
	carryOut := func(command string) {
		if out, err := clade(strings.Fields(command)[1:]...); err != nil {
			t.Fatalf("%s: %v\n%s", command, err, out)
		}
	}
	for _, c := range breeding() {
		carryOut(c)
	}
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, r := range gallery() {
		carryOut(r.command)
		for _, e := range r.exhibits {
			content, err := os.ReadFile(filepath.Join(r.prefix, e.file+".svg"))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(folder, r.prefix+"-"+e.file+".svg"), content,
				0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "README.md"), []byte(page(t, folder)),
		0o666); err != nil {
		t.Fatal(err)
	}
}

// drawers lists the exported functions of a package that return a figure.
func drawers(t *testing.T, dir string) map[string]bool {
	found := map[string]bool{}
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !f.Name.IsExported() || f.Type.Results == nil {
				continue
			}
			for _, result := range f.Type.Results.List {
				if star, ok := result.Type.(*ast.StarExpr); ok {
					if name, ok := star.X.(*ast.Ident); ok && name.Name == "Figure" {
						found[f.Name.Name] = true
					}
				}
			}
		}
	}
	return found
}
