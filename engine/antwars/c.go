package antwars

import (
	"fmt"
	"strconv"
	"strings"

	"clade/gp"
)

// cLimit is the size in bytes that the contest allowed an entry's source to have.
const cLimit = 5000

// The part of every ant's C source that does not depend on its trees. Its names are short because
// the contest limits the size.
//
// m is the memory: food, the move at which it was seen, cells visited, moves made, points. q asks
// about a rectangle turned by k quarters; o is the number of the sensor among those of layers. h is
// foodHope for a step to (x, y). The numbers of a cell are 0 for empty, 1 for food and 2 for the
// enemy.
const (
	cBegin = `#include <math.h>
static struct{int f[11][11],s[11][11],v[11][11],t,p;}m;
static int r,c,k,ey,ex,en;
static float H;
static float w(int i,int j){return floor(4096*pow(.9,m.t-m.s[i][j])+.5)/4096;}
static float q(int o,int x1,int y1,int x2,int y2){float a=0;int x,y,n,X,Y,Z,i,j;
for(y=y1;y<=y2;y++)for(x=x1;x<=x2;x++){X=x;Y=y;for(n=k;n--;){Z=-Y;Y=X;X=Z;}
i=(r+Y+22)%11;j=(c+X+22)%11;
switch(o){`
	cHope = `}}return a;}
static float h(int x,int y){int n,Z,i,j,a=0;for(n=k;n--;){Z=-y;y=x;x=Z;}
for(i=-1;i<2;i++)for(j=-1;j<2;j++)if(i||j)a|=m.f[(r+y+i+22)%11][(c+x+j+22)%11];
return (m.f[(r+y+22)%11][(c+x+22)%11]?1.f:0.f)+(a?.89990234375f:0.f);}
`
	// cMove is the function that the contest asks for.
	cMove = `int Move(int**grid,int my_row,int my_column){
int i,j,d,b=0;float u,g=0;r=my_row;c=my_column;en=0;
for(i=0;i<5;i++)for(j=0;j<5;j++){int y=(r+i+9)%11,x=(c+j+9)%11;
m.f[y][x]=grid[i][j]==1;m.s[y][x]=m.t;if(grid[i][j]==2){en=1;ey=y;ex=x;}}
m.v[r][c]=1;
for(d=0;d<8;d++){k=d/2;H=d&1?h(0,-1):h(-1,-1);u=d&1?S():D();if(!d||u>g){g=u;b=d;}}
i=(r+"00012221"[b]-'1'+11)%11;j=(c+"01222100"[b]-'1'+11)%11;m.p+=m.f[i][j];m.t++;return b;}
`
)

// cSources are the sources of scalars; foodAhead is computed before a tree is.
var cSources = [...]string{countMoves: "m.t", countPoints: "m.p"}

// C returns the source of an ant as the contest's function int Move(int **grid, int my_row, int
// my_column): grid is the field of view, 5 x 5 cells with 0 for empty, 1 for food and 2 for the
// opponent. It is to be compiled without contraction of floating-point operations; then it makes
// the same moves as the species. The contest starts a program anew for each game, which clears its
// memory.
func (g *game) C(ge gp.Genome) (string, int, error) {
	if err := g.grammar.Check(ge); err != nil {
		return "", cLimit, fmt.Errorf("antwars: %w", err)
	}
	var b strings.Builder
	w := cWriter{&b, g.grammar, map[string]string{}}
	w.sensors()
	for slot, name := range [...]string{slotStraight: "S", slotDiagonal: "D"} {
		b.WriteString("static float " + name + "(){return ")
		if err := w.tree(ge[slot]); err != nil {
			return "", cLimit, err
		}
		b.WriteString(";}\n")
	}
	b.WriteString(cMove)
	return b.String(), cLimit, nil
}

// cWriter writes trees.
type cWriter struct {
	*strings.Builder
	grammar *gp.Grammar
	names   map[string]string // of sensors; those of layers go on with the rectangle
}

// sensors writes what computes the sensors.
func (w cWriter) sensors() {
	w.WriteString(cBegin)
	layers := 0
	for _, s := range sensors {
		w.names[s.name] = s.c
		if s.form != gp.Scalar {
			fmt.Fprintf(w, "case %d:%sbreak;\n", layers, s.c)
			w.names[s.name] = fmt.Sprintf("q(%d,", layers)
			layers++
		}
	}
	w.WriteString(cHope)
	for _, s := range counts {
		fmt.Fprintf(w, "#define %s (%d.f%c%s)\n", s.c, s.from,
			map[int32]rune{1: '+', -1: '-'}[s.sign], cSources[s.of])
	}
}

// cForms are what stands before, between and behind the arguments of an operator.
var cForms = map[gp.Form][]string{
	gp.If: {"(", "?", ":", ")"}, gp.Not: {"!", ""},
	gp.Add: {"(", "+", ")"}, gp.Sub: {"(", "-", ")"}, gp.Mul: {"(", "*", ")"},
	gp.And: {"(", "&&", ")"}, gp.Or: {"(", "||", ")"},
	gp.IsSmaller: {"(", "<", ")"}, gp.IsEqual: {"(", "==", ")"},
}

func (w cWriter) tree(t gp.Tree) error {
	op := &w.grammar.Operators[t[0].Op]
	name, sensor := w.names[op.Name]
	parts := cForms[op.Form]
	switch {
	case op.Form == gp.Const, op.Form == gp.ConstInt:
		v := strconv.FormatFloat(float64(t[0].Float()), 'g', -1, 32)
		if !strings.ContainsAny(v, ".e") {
			v += "."
		}
		if v[0] == '-' && strings.HasSuffix(w.String(), "-") {
			w.WriteByte(' ') // C reads two of them as a decrement
		}
		w.WriteString(v + "f")
	case sensor && op.Form == gp.Scalar:
		w.WriteString(name)
	case sensor:
		x1, y1, x2, y2 := t[1].Rect().Corners(int(w.grammar.Rects.SideSum))
		fmt.Fprintf(w, "%s%d,%d,%d,%d)", name, x1, y1, x2, y2)
	case parts != nil:
		w.WriteString(parts[0])
		start := 1
		for _, behind := range parts[1:] {
			end := w.grammar.End(t, start)
			if err := w.tree(t[start:end]); err != nil {
				return err
			}
			w.WriteString(behind)
			start = end
		}
	default:
		return fmt.Errorf("antwars: C has no operator %q", op.Name)
	}
	return nil
}
