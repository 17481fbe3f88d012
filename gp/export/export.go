// Package export writes a species as a program in another language: one file with its trees and all
// that they need to perceive and to choose. It knows no game: a game adds its part of the runtime,
// written once for all languages in a small subset of Go.
//
// What an exported program computes is bit for bit what the executors of gp compute: every
// operation is rounded to binary32.
package export

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"clade/gp"
	"clade/gp/input"
)

// World is what a game adds to the trees.
type World struct {
	Grammar *gp.Grammar
	// Runtime is source in the subset of Go that translate.go reads, without imports: begin()
	// starts a game; decide() reads the input by given(i), calls the trees and answers by
	// answer(n). The tree of a slot is the function worthSlot, a scalar or flag the variable
	// senseName, a layer the constant layerName, an operator of the game's own the function
	// callName, which the runtime must have for genomes that use it; frame.go says how layers are
	// drawn. The runtime must check its input, which can be any line: fail(text) ends the program
	// with a message. A runtime may have a say() of its own, which prints the answers. The comment
	// before the package clause describes input and answers.
	Runtime string
	// Protocol is more source, with which the program takes a seat as a player; "" for none.
	// learnFacts(at) reads the facts of a game, whose JSON begins at a token; observe(at) reads an
	// observation and gives decide() its input; reply() prints the answer. protocol.go says how
	// JSON is read.
	Protocol string
	// Name and Version are the game's, for Protocol.
	Name    string
	Version int
	// Senses are scalars and flags that generated functions set: the runtime calls computeSTAGE()
	// for each of their stages. It sets the other scalars and flags itself.
	Senses []Sense
	// Stages are stages for which the runtime calls computeSTAGE() even if no sense has them.
	Stages []string
	// Numbers declares constants and tables that the runtime reads.
	Numbers string
	// OwnTrees says that the runtime contains the trees.
	OwnTrees bool
	// Random gives the runtime seed(n) and below(n), which is engine.Random.
	Random bool
	// If is the name of a foreign operator that is a conditional of another type than Float.
	If string
}

// Sense is how a program computes a scalar or a flag.
type Sense struct {
	Word       string // the operator's name
	Expression string // of the runtime, of type float32 or bool
	Stage      string // when it is computed; capitalised
}

// Origin is what an exported file says of its species.
type Origin struct {
	Name  string // of the species; names in the program are made of it
	Lines []string
	// Nodes is the size of the genome as it was bred, if the exported one was simplified; else 0.
	Nodes int
}

//go:embed runtime/*
var files embed.FS

// Text returns the text of the only file in the folder of an embed.FS whose name begins so, and
// then what the parts, which are named alike, have behind their package clauses.
func Text(folder fs.FS, name string, parts ...string) string {
	found, err := fs.Glob(folder, "*/"+name+"*")
	if err != nil || len(found) != 1 {
		panic(fmt.Sprintf("export: %d files are %s", len(found), name))
	}
	text, err := fs.ReadFile(folder, found[0])
	if err != nil {
		panic("export: " + err.Error())
	}
	all := string(text)
	for _, p := range parts {
		all += goText([]string{Text(folder, p)})
	}
	return all
}

// silentText replaces protocol.go in programs without a protocol.
const silentText = `package player

func converse() {
	fail("the program reads numbers, and no JSON")
}
`

// stubs declares the functions of the drivers, for the type checker.
const stubs = `package player
func hear() bool { return false }
func fail(why string) {}
func lack(name string) {}
func give(number int) {}
func giveLong(number int64) {}
func givens() int { return 0 }
func given(i int) int { return 0 }
func givenLong(i int) int64 { return 0 }
func answer(number int) {}
func answers() int { return 0 }
func answered(i int) int { return 0 }
func token(i int) int { return 0 }
func behind(i int) int { return 0 }
func same(i int, word string) bool { return false }
func letters(i int) int { return 0 }
func letter(i, n int) int { return 0 }
func longAt(i int) int64 { return 0 }
func floatAt(i int) float32 { return 0 }
func emit(part string) {}
func emitNumber(number int) {}
func emitWord(words string, n int) {}
func endLine() {}
func stop() {}
func seed(high, low int64) {}
func below(n int) int { return 0 }
`

// Target is an output format for species.
type Target struct {
	Name      string // as users write it
	About     string // what it is, to be read after "as"
	Extension string // of a file's name
	Limit     int    // bytes that the original allowed, 0 for no limit
}

// Languages lists the languages in which species of every game can be written.
func Languages() []Target {
	var all []Target
	for _, l := range languages {
		all = append(all, Target{l().name, "a program in " + l().title, l().extension, 0})
	}
	return all
}

// languages are the general languages.
var languages = [...]func() *language{inC, inGo, inJava, inJavaScript, inPython}

func find(name string) (*language, error) {
	for _, l := range languages {
		if l := l(); l.name == name {
			return l, nil
		}
	}
	var names []string
	for _, t := range Languages() {
		names = append(names, t.Name)
	}
	return nil, errors.New(input.Unknown("language", name, names))
}

// Write returns a genome as a program in a language. It returns an error for a language that is not
// in Languages, a genome that does not fit, and an operator that the language lacks.
func Write(w World, ge gp.Genome, by Origin, name string) (string, error) {
	l, err := find(name)
	if err != nil {
		return "", err
	}
	return w.write(l, ge, by)
}

// WriteObject returns a genome as a Java class for the game's original program. driver is the
// beginning of the class, in which NAME stands for its name. The class holds what a program holds,
// but as members of an object, so that there can be many.
func WriteObject(w World, ge gp.Genome, by Origin, driver string) (string, error) {
	l := inJava()
	head, declare := l.head, l.declare
	l.head = func(f string, params []string, result types.Type) string {
		return strings.TrimPrefix(head(f, params, result), "static ")
	}
	l.declare = func(v string, typ types.Type, value string, global, constant bool) string {
		return declare(v, typ, value, global && constant, constant)
	}
	l.driver = driver
	return w.write(l, ge, by)
}

func (w World) write(l *language, ge gp.Genome, by Origin) (string, error) {
	if err := w.Grammar.Check(ge); err != nil {
		return "", err
	}
	if err := w.computesAll(); err != nil {
		return "", err
	}
	trees, err := w.trees(l, ge)
	if err != nil {
		return "", err
	}
	texts := []string{w.vocabulary()}
	if len(w.Grammar.Layers) > 0 {
		texts = append(texts, Text(files, "frame.go"))
	}
	runtime := len(texts) + 1
	texts = append(texts, Text(files, "bounds.go"), w.Runtime, w.compute())
	if l.driver == "" {
		texts = append(texts, w.talk()...)
	}
	p := program{language: l, fset: token.NewFileSet()}
	if err := p.parse(append(texts, stubs+registries(texts)+trees.stubs)...); err != nil {
		return "", err
	}
	if err := p.assignsAll(w.read(ge)); err != nil {
		return "", err
	}
	head := p.header(by, ge, p.files[runtime], w.Protocol != "")
	driver := w.driver(l)
	if l.name == "go" {
		return head + named(driver+goRegistries(texts)+goText(texts)+trees.text, by.Name), nil
	}
	body, err := p.translate(len(texts))
	if err != nil {
		return "", err
	}
	if l.declaresFirst {
		driver += "\n" + trees.heads + p.heads()
	}
	return head + named(driver+body+trees.text+l.ending, by.Name), nil
}

// compute returns the functions that set the senses, one for each stage.
func (w World) compute() string {
	var b strings.Builder
	b.WriteString("package player\n")
	for _, stage := range w.stages() {
		fmt.Fprintf(&b, "\nfunc compute%s() {\n", stage)
		for _, s := range w.Senses {
			if s.Stage == stage {
				fmt.Fprintf(&b, "\t%s = %s\n", Variable(s.Word), s.Expression)
			}
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// stages returns Stages and those of senses.
func (w World) stages() []string {
	all := slices.Clone(w.Stages)
	for _, s := range w.Senses {
		if !slices.Contains(all, s.Stage) {
			all = append(all, s.Stage)
		}
	}
	return all
}

// talk returns the source that reads lines and answers them, but for functions that the runtime has
// of its own.
func (w World) talk() (texts []string) {
	for _, function := range []string{"play", "say"} {
		if !strings.Contains(w.Runtime+w.Protocol, "\nfunc "+function+"()") {
			texts = append(texts, Text(files, function+".go"))
		}
	}
	if w.Protocol == "" {
		return append(texts, silentText)
	}
	return append(texts, strings.NewReplacer("GAME", w.Name, "RULES", strconv.Itoa(w.Version)).
		Replace(Text(files, "protocol.go")), w.Protocol)
}

// driver returns the driver of a language, which reads lines and prints answers.
func (w World) driver(l *language) string {
	text := cmp.Or(l.driver, Text(files, "driver"+l.extension))
	if w.Random {
		text += Text(files, "random"+l.extension)
	}
	return text
}

// read returns the variables, layers and weights that trees read, each with a word that reads it.
func (w World) read(ge gp.Genome) map[string]string {
	words := map[string]string{}
	for _, t := range ge {
		for _, n := range t {
			switch op := &w.Grammar.Operators[n.Op]; op.Form {
			case gp.Scalar, gp.Flag:
				words[Variable(op.Name)] = op.Name
			case gp.Any, gp.Count:
				words[ofLayer(held, w.Grammar.Layers[op.Index].Name)] = op.Name
			case gp.Sum, gp.Least, gp.Greatest:
				words[ofLayer(held, w.Grammar.Layers[op.Index].Name)] = op.Name
				words[ofLayer(weight, w.Grammar.Layers[op.Index].Name)] = op.Name
			}
		}
	}
	return words
}

// vocabulary returns the declarations of what the trees read.
func (w World) vocabulary() string {
	var b strings.Builder
	g := w.Grammar
	b.WriteString("package player\n\n// What the trees read.\n")
	for _, op := range g.Operators {
		switch op.Form {
		case gp.Scalar:
			fmt.Fprintf(&b, "var %s float32\n", Variable(op.Name))
		case gp.Flag:
			fmt.Fprintf(&b, "var %s bool\n", Variable(op.Name))
		}
	}
	if len(g.Layers) == 0 {
		return b.String() + w.Numbers
	}
	side := g.Window.Side
	fmt.Fprintf(&b, "const side = %d\nconst cells = %d\nconst wraps = %t\nconst layers = %d\n",
		side,
		side*side, g.Window.Wrap, len(g.Layers))
	var units []string
	for i, l := range g.Layers {
		fmt.Fprintf(&b, "const %s = %d\n", nameOf("layer", l.Name), i)
		units = append(units, strconv.FormatFloat(float64(l.Unit), 'g', -1, 32))
	}
	fmt.Fprintf(&b,
		"\n// What a weight of 1 is worth, by layer.\nvar unit = [layers]float32{%s}\n%s",
		strings.Join(units, ", "), w.Numbers)
	return b.String()
}

// nameOf returns a name for programs: a prefix, and words of which only letters and digits are
// kept, others than ASCII by their numbers: not every compiler reads them in every locale.
func nameOf(prefix, words string) string {
	name := prefix
	for _, word := range strings.FieldsFunc(words, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c)
	}) {
		for i, c := range word {
			switch {
			case c > unicode.MaxASCII:
				name += fmt.Sprintf("U%x", c)
			case i == 0:
				name += string(unicode.ToUpper(c))
			default:
				name += string(c)
			}
		}
	}
	return name
}

// Variable returns the name of the variable that holds a scalar or a flag.
func Variable(operator string) string { return nameOf("sense", operator) }

// Worth returns the name of the function that computes a slot's tree.
func Worth(slot string) string { return nameOf("worth", slot) }

// named returns a program with the species' name in the place of NAME. A class has a name that the
// program does not have otherwise, as it has Java's Math.
func named(text, words string) string {
	name := nameOf("", words)
	if name == "" || unicode.IsDigit(rune(name[0])) || strings.Contains(text, "class NAME") &&
		regexp.MustCompile(`\b`+name+`\b`).MatchString(text) {
		name = "Species" + name
	}
	return strings.ReplaceAll(text, "NAME", name)
}

// sensor returns what a sensor is written as: a variable, or a function and a layer.
func (w World) sensor(op *gp.Operator) []string {
	switch op.Form {
	case gp.Scalar, gp.Flag:
		return []string{Variable(op.Name)}
	case gp.Call:
		if name := nameOf("call", op.Name); strings.Contains(w.Runtime, "\nfunc "+name+"(") {
			return []string{name}
		}
		return nil
	}
	return []string{map[gp.Form]string{gp.Any: "holds", gp.Count: "count", gp.Sum: "sum",
		gp.Least: "least", gp.Greatest: "greatest"}[op.Form],
		nameOf("layer", w.Grammar.Layers[op.Index].Name)}
}

// treeText is the trees as functions: their text, their heads, and stubs for the type checker.
type treeText struct{ text, heads, stubs string }

func (w World) trees(l *language, ge gp.Genome) (t treeText, err error) {
	if w.OwnTrees {
		return t, nil
	}
	p := Printer{Syntax: l.Syntax, Grammar: w.Grammar, If: w.If, Sensor: w.sensor}
	writer := translator{language: l}
	for i, tree := range ge {
		slot := w.Grammar.Slots[i]
		all, err := p.Functions(Worth(slot.Name), tree)
		if err != nil {
			return t, err
		}
		for n, f := range all {
			result, zero := types.Type(types.Typ[types.Float32]), "0"
			if f.bool {
				result, zero = types.Typ[types.Bool], "false"
			}
			head := l.head(f.Name, nil, result)
			t.heads += strings.TrimSuffix(head, " {") + ";\n"
			writer.line("")
			if l.brackets == nil {
				writer.line("")
			}
			if n == len(all)-1 {
				writer.line("%s The tree of slot %s: %d nodes.", l.comment, slot.Name, len(tree))
				t.stubs += fmt.Sprintf("func %s() %s { return %s }\n", f.Name, result, zero)
			}
			writer.line("%s", head)
			writer.indent++
			writer.worth(f.body)
			writer.indent--
			if l.brackets != nil {
				writer.line("}")
			}
		}
	}
	t.text = writer.out.String()
	return t, nil
}

// lineWidth is the column up to which an expression stays on one line.
const lineWidth = 100

// worth writes the statements that return an expression, with if statements for outer conditionals.
func (t *translator) worth(e *expression) {
	for ; e.form == gp.If; e = e.args[2] {
		word := "if "
		condition := e.args[0].bare()
		if t.brackets == nil {
			t.line("%s%s:", word, condition)
		} else if t.name == "go" {
			t.line("%s%s {", word, condition)
		} else {
			t.line("%s(%s) {", word, condition)
		}
		t.indent++
		t.worth(e.args[1])
		t.indent--
		if t.brackets != nil {
			t.line("}")
		}
	}
	var b strings.Builder
	begin := strings.Repeat("    ", t.indent) + "return "
	b.WriteString(begin)
	if text := e.bare(); len(begin)+len(text) < lineWidth {
		b.WriteString(text)
	} else {
		e.write(&b, lineWidth, len(begin))
	}
	t.out.WriteString(b.String() + t.end + "\n")
}

// bare returns an expression on one line without brackets around it.
func (e *expression) bare() string {
	text := e.flat()
	if len(e.args) > 0 && e.parts[0] == "(" {
		return text[1 : len(text)-1]
	}
	return text
}

// program is a runtime that is translated to a language.
type program struct {
	*language
	fset  *token.FileSet
	files []*ast.File
	info  *types.Info
	pkg   *types.Package
}

// parse parses and type-checks the texts of a runtime.
func (p *program) parse(texts ...string) error {
	for i, text := range texts {
		f, err := parser.ParseFile(p.fset, fmt.Sprintf("runtime%d", i), text,
			parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return fmt.Errorf("export: %w", err)
		}
		p.files = append(p.files, f)
	}
	p.info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{},
		Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}}
	var err error
	if p.pkg, err = new(types.Config).Check("player", p.fset, p.files, p.info); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}

// translate returns the declarations of the first n files.
func (p *program) translate(n int) (string, error) {
	t := translator{language: p.language, info: p.info, scope: p.pkg.Scope()}
	for _, f := range p.files[:n] {
		t.comments = f.Comments
		for len(t.comments) > 0 && t.comments[0].Pos() < f.Package {
			t.comments = t.comments[1:]
		}
		t.declarations(f.Decls)
	}
	return t.out.String(), t.fault
}

// heads returns declarations of all functions but those of the driver.
func (p *program) heads() string {
	t := translator{language: p.language, info: p.info, scope: p.pkg.Scope()}
	for _, f := range p.files[:len(p.files)-1] {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				t.line("%s;", strings.TrimSuffix(t.headOf(fn), " {"))
			}
		}
	}
	return t.out.String()
}

// header returns the comment at the beginning of the file.
func (p *program) header(by Origin, ge gp.Genome, runtime *ast.File, plays bool) string {
	var b strings.Builder
	line := func(text string) { b.WriteString(strings.TrimRight(p.comment+" "+text, " ") + "\n") }
	line(fmt.Sprintf("%s, a species of %d nodes, written by clade.", inert(by.Name), ge.Size()))
	for _, l := range by.Lines {
		line(inert(l))
	}
	line("")
	if plays {
		line("It is a player of clade, as persist: followed by the command that runs it. Else:")
	}
	for _, c := range runtime.Comments {
		if c.Pos() < runtime.Package && !strings.HasPrefix(c.List[0].Text, "//go:") {
			for l := range strings.Lines(c.Text()) {
				line(strings.TrimRight(l, "\n"))
			}
		}
	}
	return b.String() + "\n"
}

// inert returns a foreign text in a form that is safe in comments of any language. A backslash can
// begin an escaped line feed in Java's comments, and continues one in C's. Where the locale is of
// ASCII, Java refuses other letters.
func inert(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\\' || !unicode.IsPrint(r):
			return '/'
		case r > unicode.MaxASCII:
			return '_'
		}
		return r
	}, strings.Join(strings.Fields(text), " "))
}

// goText joins the texts of a runtime without their package clauses.
func goText(texts []string) string {
	var b strings.Builder
	for _, t := range texts {
		_, body, _ := strings.Cut("\n"+t, "\npackage player\n")
		b.WriteString(body)
	}
	return b.String()
}
