package antwars

import (
	"fmt"
	"strconv"
	"strings"

	"clade/gp"
)

// cLimit is the size in bytes that the contest allowed an entry's source to have.
const cLimit = 5000

// cPreamble is the part of every ant's C source that does not depend on its trees. Its names are
// short because the contest limits the size.
//
// m is the memory: food, the move at which it was seen, cells visited, moves made, points. q asks
// about a rectangle turned by k quarters: 0 isFood, 1 isEnemy, 2 noFood, 3 noEmpty, 4 noVisited. h
// is foodHope for a step to (x, y). The numbers of a cell are 0 for empty, 1 for food and 2 for the
// enemy.
const cPreamble = `#include <math.h>
static struct{int f[11][11],s[11][11],v[11][11],t,p;}m;
static int r,c,k,ey,ex,en;
static float H;
static float w(int i,int j){return floor(4096*pow(.9,m.t-m.s[i][j])+.5)/4096;}
static float q(int o,int x1,int y1,int x2,int y2){float a=0;int x,y,n,X,Y,Z,i,j;
for(y=y1;y<=y2;y++)for(x=x1;x<=x2;x++){X=x;Y=y;for(n=k;n--;){Z=-Y;Y=X;X=Z;}i=(r+Y+22)%11;j=(c+X+22)%11;
switch(o){case 0:if(m.f[i][j])return 1;break;case 1:if(en&&i==ey&&j==ex)return 1;break;case 2:if(m.f[i][j])a+=w(i,j);break;
case 3:a+=X*X<5&&Y*Y<5&&!m.f[i][j]&&!(en&&i==ey&&j==ex);break;case 4:a+=m.v[i][j];}}return a;}
static float h(int x,int y){int n,Z,i,j,a=0;for(n=k;n--;){Z=-y;y=x;x=Z;}
for(i=-1;i<2;i++)for(j=-1;j<2;j++)if(i||j)a|=m.f[(r+y+i+22)%11][(c+x+j+22)%11];
return (m.f[(r+y+22)%11][(c+x+22)%11]?1.f:0.f)+(a?.89990234375f:0.f);}
#define T (35.f-m.t)
#define P ((float)m.p)
#define L (15.f-m.p)
`

// cMove is the function that the contest asks for.
const cMove = `int Move(int**grid,int my_row,int my_column){int i,j,d,b=0;float u,g=0;r=my_row;c=my_column;en=0;
for(i=0;i<5;i++)for(j=0;j<5;j++){int y=(r+i+9)%11,x=(c+j+9)%11;m.f[y][x]=grid[i][j]==1;m.s[y][x]=m.t;if(grid[i][j]==2){en=1;ey=y;ex=x;}}
m.v[r][c]=1;
for(d=0;d<8;d++){k=d/2;H=d&1?h(0,-1):h(-1,-1);u=d&1?S():D();if(!d||u>g){g=u;b=d;}}
i=(r+"00012221"[b]-'1'+11)%11;j=(c+"01222100"[b]-'1'+11)%11;m.p+=m.f[i][j];m.t++;return b;}
`

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
	b.WriteString(cPreamble)
	for slot, name := range [...]string{slotStraight: "S", slotDiagonal: "D"} {
		b.WriteString("static float " + name + "(){return ")
		g.writeC(&b, ge[slot])
		b.WriteString(";}\n")
	}
	b.WriteString(cMove)
	return b.String(), cLimit, nil
}

// cNames are the sensors without arguments.
var cNames = [...]string{scalarTimeLeft: "T", scalarPoints: "P", scalarPointsLeft: "L",
	scalarFoodHope: "H"}

// cQueries are the first arguments of q.
var cQueries = map[string]int{"isFood": 0, "isEnemy": 1, "noFood": 2, "noEmpty": 3, "noVisited": 4}

func (g *game) writeC(b *strings.Builder, t gp.Tree) {
	op := &g.grammar.Operators[t[0].Op]
	args := func(before string, between ...string) {
		b.WriteString(before)
		for i, start := 0, 1; start < len(t); i++ {
			end := g.grammar.End(t, start)
			g.writeC(b, t[start:end])
			b.WriteString(between[i])
			start = end
		}
	}
	switch op.Form {
	case gp.Const, gp.ConstInt:
		v := strconv.FormatFloat(float64(t[0].Float()), 'g', -1, 32)
		if !strings.ContainsAny(v, ".e") {
			v += "."
		}
		if v[0] == '-' && strings.HasSuffix(b.String(), "-") {
			b.WriteByte(' ') // C reads two of them as a decrement
		}
		b.WriteString(v + "f")
	case gp.Scalar:
		b.WriteString(cNames[op.Index])
	case gp.Any, gp.Count, gp.Sum:
		x1, y1, x2, y2 := t[1].Rect().Corners(int(g.grammar.Rects.SideSum))
		fmt.Fprintf(b, "q(%d,%d,%d,%d,%d)", cQueries[op.Name], x1, y1, x2, y2)
	case gp.If:
		args("(", "?", ":", ")")
	case gp.Not:
		args("!", "")
	default:
		sign := map[gp.Form]string{gp.Add: "+", gp.Sub: "-", gp.Mul: "*", gp.And: "&&", gp.Or: "||",
			gp.IsSmaller: "<", gp.IsEqual: "=="}[op.Form]
		args("(", sign, ")")
	}
}
