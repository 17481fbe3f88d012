package life

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp/export"
	"clade/gp/export/exporttest"
	"clade/gp/proof"
)

// forEach carries out a program in Python for each line of its input, as if started with that.
const forEach = `import sys
code = compile(open(sys.argv[1]).read(), sys.argv[1], "exec")
for line in sys.stdin:
    sys.argv[1:] = [line.rstrip("\n")]
    exec(code, {"__name__": "__main__"})
`

// TestConformanceController holds exported programs to the states that the original's client_bot.py
// passes, recorded from it: keys and cells in any order, boards of any size, with blanks and
// without. The program for the controller is started for a state, as there, and one interpreter
// carries it out for each.
func TestConformanceController(t *testing.T) {
	type record struct {
		Argv   string
		YSize  int `json:"y_size"`
		XSize  int `json:"x_size"`
		BotID  int `json:"bot_id"`
		TickID int `json:"tick_id"`
		Cells  [][3]int
	}
	var records []record
	eachRecord(t, "controller*.jsonl*", func(_ *testing.T, r *record) {
		records = append(records, *r)
	})
	o := defaults()
	plain := mustGame(t, o)
	o.Methuselahs = true
	for name, g := range map[string]*game{"explore-seed2": plain, "methuselahs": mustGame(t, o)} {
		ge := enginetest.Kept(t, g, name)
		p := proof.Must(g.Bind(ge))(t)
		var lines, want []string
		for _, r := range records {
			b := newBoard(r.YSize, r.XSize, best())
			for _, c := range r.Cells {
				b.place(c[0], c[1], colour(c[2]-1))
			}
			side := p.(player).sit(&g.settings, engine.Seed(2*r.TickID+r.BotID))
			cells, _ := side.choose(&view{board: b, own: colour(r.BotID - 1), generation: r.TickID,
				settings: &g.settings}, nil)
			var pairs []string
			for _, c := range cells {
				pairs = append(pairs, fmt.Sprintf("[%d,%d]", c.y, c.x))
			}
			lines, want = append(lines, r.Argv), append(want, "["+strings.Join(pairs, ",")+"]")
		}
		for _, language := range export.Languages() {
			t.Run(name+" in "+language.Name, func(t *testing.T) {
				source := proof.Must(g.Export(ge, export.Origin{Name: name}, language.Name))(t)
				exporttest.Compare(t, exporttest.Answers(t, language.Name, source,
					strings.Join(lines, "\n")), want)
			})
		}
		t.Run(name+" for the controller", func(t *testing.T) {
			source := proof.Must(g.Export(ge, export.Origin{Name: name}, controller))(t)
			program := exporttest.Command(t, "python", source)
			once := exec.Command(program.Path, append(program.Args[1:len(program.Args):len(program.Args)],
				lines[0])...)
			proof.Is(t, strings.TrimSpace(string(proof.Must(once.Output())(t))), want[0], "the first state")
			file := program.Args[len(program.Args)-1]
			each := exec.Command(program.Path, "-S", "-c", forEach, file)
			each.Stdin = strings.NewReader(strings.Join(lines, "\n"))
			answers := strings.TrimSpace(string(proof.Must(each.Output())(t)))
			exporttest.Compare(t, strings.Split(answers, "\n"), want)
		})
	}
}

// TestExportRefuses holds that a species that reads what the controller does not tell has no form
// for it; the species is of the test's own making.
func TestExportRefuses(t *testing.T) {
	g := New().(*game)
	ge := proof.Must(g.Grammar().Parse(
		"(constint 1) (constint 1) (changed (rect 0 0 1 1)) (constint 1)"))(t)
	proof.Fails(g.Export(ge, export.Origin{}, controller))(t, `"changed"`)
}
