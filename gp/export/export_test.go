package export_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"clade/gp"
	"clade/gp/export"
	"clade/gp/export/exporttest"
	"clade/gp/proof"
)

// world is a vocabulary with every form of sensor, and a runtime that compares the worth of its
// tree with a given number.
var world = export.World{
	Grammar: gp.MustGrammar(gp.Spec{
		Slots: []gp.Slot{{Name: "value", Type: gp.Float}},
		Operators: append(gp.Shared(), gp.ScalarSensor("x", 0), gp.ScalarSensor("large", 1),
			gp.FlagSensor("sunny?", 0), gp.AreaSensor("tree?", gp.Any, 0),
			gp.AreaSensor("trees", gp.Count, 0), gp.AreaSensor("height", gp.Sum, 0),
			gp.AreaSensor("lowest", gp.Least, 1), gp.AreaSensor("highest", gp.Greatest, 1)),
		Scalars: 2, Flags: 1,
		Layers: []gp.Layer{{Name: "tree", Unit: 0.1}, {Name: "bird", Unit: 0.3}},
		Window: gp.Window{Side: 5}, Rects: gp.RectRange{Centre: 3, Side: 5, SideSum: 8},
	}),
	Runtime: `// Numbers.
package player

func begin() {}

// power returns 1 times two to a power.
func power(exponent int) float32 {
	var p float32 = 1
	for range exponent {
		p = p * 2
	}
	for range -exponent {
		p = p * 0.5
	}
	return p
}

func decide() {
	for i := range cells {
		for l := range layers {
			held[l][i] = given(4*i+2*l) == 1
			weight[l][i] = given(4*i + 2*l + 1)
		}
	}
	senseX = float32(given(100))
	senseLarge = float32(given(101)) * power(given(102))
	senseSunny = given(103) == 1
	turns = given(104)
	value := worthValue()
	if given(107) == 1 {
		// Only what is not a number differs from itself.
		if value != value {
			answer(1)
		} else {
			answer(0)
		}
		return
	}
	wanted := float32(given(105))
	for range given(106) {
		wanted = wanted * 2
	}
	for range -given(106) {
		wanted = wanted * 0.5
	}
	if wanted == value {
		answer(1)
	} else {
		answer(0)
	}
}
`,
}

// situation draws a frame, its line, and what a tree is worth in it.
func situation(r *rand.Rand, g *gp.Grammar, t gp.Tree) (line string, worth float32) {
	var b strings.Builder
	f := g.NewFrame()
	for i := range 25 {
		for l := range 2 {
			there, w := r.IntN(2), r.IntN(200)-100
			if there == 1 {
				f.Layers[l].Set(i)
			}
			f.Weights[l][i] = int32(w)
			fmt.Fprintf(&b, "%d %d ", there, w)
		}
	}
	x, large, exponent, sunny := r.IntN(9)-4, r.IntN(7)-3, r.IntN(270)-145, r.IntN(2)
	f.SetScalar(0, float32(x))
	f.SetScalar(1, float32(math.Ldexp(float64(large), exponent)))
	f.Flags[0] = uint8(15 * sunny)
	turns := r.IntN(4)
	fmt.Fprintf(&b, "%d %d %d %d %d", x, large, exponent, sunny, turns)
	return b.String(), g.Walk(t, f, turns)
}

// number writes a value as a whole number, a power of two and whether it is not a number.
func number(v float32) string {
	switch {
	case v != v:
		return " 0 0 1"
	case math.IsInf(float64(v), 0):
		return fmt.Sprintf(" %g 200 0", math.Copysign(1, float64(v)))
	}
	fraction, exponent := math.Frexp(float64(v))
	return fmt.Sprintf(" %d %d 0", int(fraction*(1<<24)), exponent-24)
}

// TestTrees holds that trees of any size are worth in every language what gp.Walk, the oracle,
// finds in frames drawn at random, infinities, subnormal numbers and what is not a number included,
// and on a torus that areas go around more than once.
func TestTrees(t *testing.T) {
	proof.Costly(t)
	t.Run("large", func(t *testing.T) { proveTrees(t, "large", world) })
	torus := world.Grammar.Spec
	torus.Window.Wrap = true
	w := world
	w.Grammar = gp.MustGrammar(torus)
	t.Run("torus", func(t *testing.T) { proveTrees(t, "large, on a torus", w) })
}

func proveTrees(t *testing.T, name string, world export.World) {
	g := world.Grammar
	r := rand.New(rand.NewPCG(4, 4))
	ge := large(t, g, r, 12)
	var lines strings.Builder
	var want []string
	odd, small := 0, 0
	for len(want) < 1000 {
		line, worth := situation(r, g, ge[0])
		if worth != worth || math.IsInf(float64(worth), 0) {
			odd++
		}
		if worth != 0 && math.Abs(float64(worth)) < 0x1p-126 {
			small++
		}
		fmt.Fprintln(&lines, line+number(worth))
		want = append(want, "1")
		if !math.IsInf(float64(worth), 0) && worth == worth {
			fmt.Fprintln(&lines, line+number(math.Nextafter32(worth, 9)))
			want = append(want, "0")
		}
	}
	t.Logf("%d nodes; %d of %d situations without a finite worth, %d with a subnormal one",
		ge.Size(), odd, len(want), small)
	exporttest.Prove(t, exporttest.Species{World: exporttest.Everywhere, Name: name},
		func(ge gp.Genome, by export.Origin, language string) (string, error) {
			return export.Write(world, ge, by, language)
		}, ge, lines.String(), want)
}

// large joins grown trees to a deep one, with products that overflow and underflow and a negative
// zero.
func large(tb testing.TB, g *gp.Grammar, r *rand.Rand, trees int) gp.Genome {
	text := "(mul (const -0) large)"
	for range trees {
		grown := g.PrintTree(g.Ramped(r, 4, 7)[0])
		text = fmt.Sprintf([]string{"(add %s %s)", "(if (isSmaller %[2]s large) %[1]s (sub %[1]s " +
			"(mul large (mul large x))))", "(sub %[2]s %[1]s)"}[r.IntN(3)], text, grown)
	}
	return proof.Must(g.Parse(text))(tb)
}

func TestWriteRefuses(t *testing.T) {
	ge := proof.Must(world.Grammar.Parse("x"))(t)
	foreign := world.Grammar.Spec
	foreign.Operators = append(foreign.Operators, gp.Operator{Name: "odd", Form: gp.Foreign})
	for what, c := range map[string]struct {
		spec           gp.Spec
		tree, language string
		runtime, want  string
	}{
		"language": {world.Grammar.Spec, "x", "cobol", world.Runtime, "cobol"},
		"foreign":  {foreign, "odd", "c", world.Runtime, `"odd"`},
		"unset": {world.Grammar.Spec, "(add x large)", "c",
			strings.Replace(world.Runtime, "senseLarge =", "_ =", 1), `"large", which`},
		"undrawn": {world.Grammar.Spec, "(trees (rect 0 0 1 1))", "c",
			"package player\nfunc begin() {}\nfunc decide() { answer(int(worthValue())) }",
			`"trees", which`},
		"runtime": {world.Grammar.Spec, "x", "c",
			"package player\nfunc begin() { x := 1 << 2; _ = x }", ""},
	} {
		g := gp.MustGrammar(c.spec)
		tree, err := g.Parse(c.tree)
		if err != nil {
			t.Fatal(what, err)
		}
		proof.Fails(export.Write(export.World{Grammar: g, Runtime: c.runtime}, tree, export.Origin{},
			c.language))(t, c.want)
	}
	proof.Fails(export.Write(world, append(ge, ge...), export.Origin{}, "c"))(t, "has 2 trees")
}

// TestOriginIsNoProgram exports a species whose file, which came from elsewhere, has code behind
// what ends a comment in one of the languages.
func TestOriginIsNoProgram(t *testing.T) {
	ge := proof.Must(world.Grammar.Parse("(height (rect 0 -1 1 1))"))(t)
	for _, end := range []string{"\n", "\r", "\u2028", "\u0085", "\\u000a", "\\", "\x1b"} {
		by := export.Origin{Name: "n" + end + "own()", Lines: []string{"bred" + end + "own()"}}
		for _, language := range []string{"c", "go", "java", "javascript", "python"} {
			text := proof.Must(export.Write(world, ge, by, language))(t)
			for line := range strings.Lines(text) {
				if strings.Contains(line, "own()") && (strings.Contains(line, end) && end != "\n" ||
					!strings.HasPrefix(line, "//") && !strings.HasPrefix(line, "#")) {
					t.Errorf("%s, %q: %q", language, end, line)
				}
			}
		}
	}
}

// TestNames has names from outside: of people and places, and of classes that java.lang documents. A
// compiler that runs under LC_ALL=C takes ASCII alone, and a class Math would hide Java's.
func TestNames(t *testing.T) {
	ge := proof.Must(world.Grammar.Parse("(height (rect 0 -1 1 1))"))(t)
	for _, name := range []string{"Jaśkowski", "ünïcode", "日本", "٣", "Math", "System", "arrays", "keen"} {
		by := export.Origin{Name: name, Lines: []string{"bred in Poznań"}}
		for _, language := range []string{"c", "go", "java", "javascript", "python"} {
			text := proof.Must(export.Write(world, ge, by, language))(t)
			if i := strings.IndexFunc(text, func(r rune) bool { return r > unicode.MaxASCII }); i >= 0 {
				t.Errorf("%s, %s: %q is no ASCII", name, language, text[i:i+20])
			}
			if _, class, found := strings.Cut(text, "class "); language == "java" && found {
				class, _, _ = strings.Cut(class, " ")
				if n := len(regexp.MustCompile(`\b`+class+`\b`).FindAllString(text, -1)); n != 2 {
					t.Errorf("%s: the program says %s %d times, not in the head and in a message", name,
						class, n)
				}
			}
		}
	}
}

// TestNamesCompile compiles such programs as a machine without a locale does.
func TestNamesCompile(t *testing.T) {
	proof.Costly(t)
	t.Setenv("LC_ALL", "C")
	ge := proof.Must(world.Grammar.Parse("(height (rect 0 -1 1 1))"))(t)
	for _, name := range []string{"Jaśkowski", "日本", "Math", "String"} {
		text := proof.Must(export.Write(world, ge, export.Origin{Name: name}, "java"))(t)
		exporttest.Command(t, "java", text)
	}
}

func ExampleWrite() {
	ge, err := world.Grammar.Parse("(if sunny? (mul x (const 0.5)) (height (rect 0 -1 1 1)))")
	if err != nil {
		panic(err)
	}
	text, err := export.Write(world, ge, export.Origin{Name: "shade"}, "python")
	if err != nil {
		panic(err)
	}
	begin := strings.Index(text, "def worthValue")
	fmt.Print(strings.Split(text[begin:], "\n\n")[0])
	// Output:
	// def worthValue():
	//     if senseSunny:
	//         return f32(senseX * 0.5)
	//     return sum(layerTree, 0, -1, 0, 0)
}

// A Go function has no text in another language.
func TestFunctionIsRefused(t *testing.T) {
	w := world
	spec := world.Grammar.Spec
	spec.Operators = append(spec.Operators[:len(spec.Operators):len(spec.Operators)],
		gp.CallOperator("twice", 1, func(a [gp.MaxFunctionArgs]float32) float32 { return 2 * a[0] },
			gp.Float, gp.Float))
	w.Grammar = gp.MustGrammar(spec)
	for text, want := range map[string]string{"(twice x)": `operator "twice"`, "(add x x)": ""} {
		ge := proof.Must(w.Grammar.Parse(text))(t)
		for _, l := range export.Languages() {
			_, err := export.Write(w, ge, export.Origin{}, l.Name)
			if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%s in %s: %v", text, l.Name, err)
			}
		}
	}
}
