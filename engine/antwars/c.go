package antwars

import (
	"fmt"
	"strconv"
	"strings"

	"clade/gp"
	"clade/gp/export"
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
#pragma GCC optimize("fp-contract=off")
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

// compactC is C without a space. Two minus signs in a row would be read as a decrement.
var compactC = export.Syntax{
	Forms: map[gp.Form][]string{
		gp.If: {"(", "?", ":", ")"}, gp.Not: {"!", ""},
		gp.Add: {"(", "+", ")"}, gp.Sub: {"(", "-", ")"}, gp.Mul: {"(", "*", ")"},
		gp.And: {"(", "&&", ")"}, gp.Or: {"(", "||", ")"},
		gp.IsSmaller: {"(", "<", ")"}, gp.IsEqual: {"(", "==", ")"},
	},
	Number: func(v string) string {
		if !strings.ContainsAny(v, ".e") {
			v += "."
		}
		if v[0] == '-' {
			v = " " + v
		}
		return v + "f"
	},
	Call: [4]string{"", "(", ",", ")"},
}

// contestC returns the source of an ant as the contest's function int Move(int **grid, int my_row,
// int my_column): grid is the field of view, 5 x 5 cells with 0 for empty, 1 for food and 2 for the
// opponent. It makes the same moves as the species. The contest starts a program anew for each
// game, which clears its memory.
func (g *game) contestC(ge gp.Genome) (string, error) {
	if err := g.grammar.Check(ge); err != nil {
		return "", fmt.Errorf("antwars: %w", err)
	}
	var b strings.Builder
	names := map[string][]string{}
	b.WriteString(cBegin)
	layers := 0
	for _, s := range sensors {
		names[s.name] = []string{s.c}
		if s.form != gp.Scalar {
			fmt.Fprintf(&b, "case %d:%sbreak;\n", layers, s.c)
			names[s.name] = []string{"q", strconv.Itoa(layers)}
			layers++
		}
	}
	b.WriteString(cHope)
	for _, s := range counts {
		fmt.Fprintf(&b, "#define %s (%d.f%c%s)\n", s.c, s.from,
			map[int32]rune{1: '+', -1: '-'}[s.sign], cSources[s.of])
	}
	p := export.Printer{Syntax: compactC, Grammar: g.grammar,
		Sensor: func(op *gp.Operator) []string { return names[op.Name] }}
	for slot, name := range [...]string{slotStraight: "S", slotDiagonal: "D"} {
		text, err := p.Expression(ge[slot])
		if err != nil {
			return "", err
		}
		b.WriteString("static float " + name + "(){return " + text + ";}\n")
	}
	b.WriteString(cMove)
	return b.String(), nil
}
