package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// galleryFolder is the gallery, seen from the root of the project.
const galleryFolder = "results/gallery"

// exhibit is one figure of the gallery.
type exhibit struct {
	file, title, about string
	maker              string // function of package figure
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
				fmt.Sprintf("clade run experiments/antwars/quick.toml --set "+
					"evolve.population=150 --set evolve.generations=120 --set "+
					"evolve.champion.every=3 --set measure.every=6 --set measure.games=400 --set "+
					"evolve.parsimony=%s --seed %d --out runs/%s-%d",
					parsimony, seed,
					map[string]string{"false": "plain", "true": "small"}[parsimony],
					seed))
		}
	}
	return append(commands,
		"clade run experiments/antwars/quick.toml --set evolve.population=40 --set "+
			"evolve.generations=200 --set measure.against=[] --set measure.final=0 --seed 3 "+
			"--out few")
}

func gallery() []room {
	return []room{
		{"clade plot runs --as svg --out plot", "plot", []exhibit{
			{"dynamics-brilliant", "Dynamics",
				"Figure 1 of the BrilliANT paper: wins against a reference, deaths and score by " +
					"generation, groups pooled over their runs with 95 % bands.", "Dynamics"},
			{"growth", "Growth", "Size and depth of genomes.", "Growth"},
			{"diversity", "Diversity",
				"Share of distinct genomes, and of distinct decisions in equal situations.",
				"Diversity"},
		}},
		{"clade league antwars random greedy smart super hyper brilliant run:runs/plain-1 " +
			"run:runs/small-1 --games 400 --as svg --out league", "league", []exhibit{
			{"ratings", "Ratings",
				"Bradley-Terry strengths with 95 % intervals by bootstrap over boards, and " +
					"ranges of ranks.", "Ratings"},
			{"round-robin", "Round robin", "Points of each player against each other.",
				"RoundRobin"},
			{"curl", "Curl",
				"The part of a league's results that no rating explains, against what chance " +
					"alone gives.", "Curl"},
			{"disc", "Disc embedding",
				"The plane that explains most of the results: two players' result is the signed " +
					"area between their points.", "Disc"},
		}},
		{"clade league darwin rover superrover pirate pilgrim herd --set map=ns_arena4 --seats 4 " +
			"--games 40 --as svg --out melee", "melee", []exhibit{
			{"ratings", "Ratings of a game for several",
				"Plackett-Luce strengths from the places of four at a time, with 95 % intervals " +
					"by bootstrap over boards.", "Ratings"},
			{"round-robin", "Placed before",
				"Share of games in which a player was placed before each other.", "RoundRobin"},
		}},
		{"clade compare runs --as svg --out compare", "compare", []exhibit{
			{"profiles", "Performance profiles",
				"Share of runs above each score, with bands by bootstrap over runs.", "Profiles"},
			{"critical-difference", "Critical differences",
				"Mean ranks over opponents; a bar joins what Nemenyi's test does not tell apart.",
				"CriticalDifference"},
		}},
		{"clade monitor runs/plain-1 --games 200 --as svg --out monitor", "monitor", []exhibit{
			{"ciao", "Current individuals against ancestral opponents",
				"Every champion against all earlier ones.", "Ancestry"},
			{"lag", "Lag curves", "Points against opponents by how much older they are.", "Lines"},
			{"master", "Master tournament", "Every champion against all others, earlier and later.",
				"Ancestry"},
			{"master-points", "Points in the master tournament",
				"Each champion's mean against all.", "Lines"},
			{"strength", "Strength of the champions",
				"Ratings among the champions of the run, with 95 % intervals.", "Curves"},
			{"dominance", "Dominance tournament",
				"Champions that beat all dominant ones before them, decided by a sequential test.",
				"Staircase"},
			{"panel", "External panel", "Champions against players from outside.", "Curves"},
			{"hall-of-fame", "Hall of fame by age", "The last champion against its ancestors.",
				"Lines"},
			{"forgetting", "Forgetting",
				"How much worse a champion does against its ancestors than the best of those in " +
					"between did.", "Lines"},
			{"disengagement", "Disengagement",
				"Share of the panel that cannot tell the last three champions apart.", "Lines"},
			{"intransitivity", "Intransitivity",
				"Curl share in windows of ten champions over the band of chance, and cyclic " +
					"triples.", "Intransitivity"},
			{"bloat", "Bloat", "Size of the champions, and how much of it ever changes a decision.",
				"Curves"},
			{"primitives", "Primitives", "What the champions are made of.", "Primitives"},
			{"field-of-view", "Field of view",
				"Where the rectangles of the champions of the last third look.", "FieldOfView"},
		}},
		{"clade phylogeny few/lineage.csv --as svg --out phylogeny", "phylogeny", []exhibit{
			{"phylogeny", "Phylogeny",
				"Descent along first parents, and the time to the most recent common ancestor, " +
					"of a run or of any file in the ALife data standard.", "Phylogeny"},
		}},
		{"clade match life guard grower --games 20 --curves scores", "scores", []exhibit{
			{"scores", "Scores by step",
				"How the scores of two players grow through a game, with 95 % bands over games.",
				"Curves"},
		}},
		{"clade match amoebas red=caesar blue=theroots --rounds 200 --games 10 --curves populations", "populations", []exhibit{
			{"populations", "Populations",
				"Size, energy and territory of populations by round, with 95 % bands over games.",
				"Curves"},
			{"structure", "Structure of populations", "Ages and generations of their members.",
				"Curves"},
		}},
		{"clade show run:runs/plain-1 --as svg --out show", "show", []exhibit{
			{"genome", "Genome", "The trees of a species; what never changed a decision is grey.",
				"Genome"},
		}},
	}
}

// page writes the gallery's README.
func page() string {
	var b strings.Builder
	b.WriteString(`# Gallery

Every kind of figure that clade draws, with the command that makes it. Beside each figure a command also writes its data as CSV; without ` + "`--as svg`" + ` it writes PNG, PDF and TeX too.
The runs are small, so that the gallery is made in minutes: look at the figures for their form, not for results.

This page and its figures are made by ` + "`go test ./cmd/clade -run Gallery -update`" +
		`, which carries out these commands. First it breeds:

` + "```\n")
	for _, c := range breeding() {
		b.WriteString(c + "\n")
	}
	b.WriteString("```\n\n`clade report runs --out report` puts most of these figures, with " +
		"tables, into one page.\n")
	for _, r := range gallery() {
		fmt.Fprintf(&b, "\n## `%s`\n", r.command)
		for _, e := range r.exhibits {
			fmt.Fprintf(&b, "\n**%s.** %s\n\n![%s](%s-%s.svg)\n", e.title, e.about, e.title,
				r.prefix, e.file)
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
		string(got) != page() {
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
	if err := os.WriteFile(filepath.Join(folder, "README.md"), []byte(page()), 0o666); err != nil {
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
