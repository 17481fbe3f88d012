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

// The parts of an ant's C source that do not depend on its trees. Names are short because the
// contest limits the size.
//
// m is the memory, by cell: f whether there is food, s 1 + the move at which the cell was last in
// view, v whether the ant has been there; t counts moves and p points. Z is the cell of a row and a
// column, e the enemy's or -1. q computes sensor o of layers for a rectangle turned by k quarters;
// z is the cell that it looks at, X to the right of the ant and Y below it. h is foodHope for a
// step to (x, y).
const (
	cBegin = `#include <math.h>
#pragma GCC optimize("fp-contract=off")
static struct{int f[121],s[121],v[121],t,p%s;}m;
static int r,c,k,e;
static float H%s;
static int Z(int y,int x){return(y+22)%%11*11+(x+22)%%11;}
static float w(int z){return floor(4096*pow(.9,m.t+1-m.s[z])+.5)/4096;}
`
	cAsk = `static float q(int o,int x1,int y1,int x2,int y2){float a=0;int x,y,n,X,Y,z;
for(y=y1;y<=y2;y++)for(x=x1;x<=x2;x++){X=x;Y=y;for(n=k;n--;){z=-Y;Y=X;X=z;}
z=Z(r+Y,c+X);switch(o){`
	cHope = `}}return a;}
static float h(int x,int y){int n,z,i,j,a=0;for(n=k;n--;){z=-y;y=x;x=z;}
for(i=-1;i<2;i++)for(j=-1;j<2;j++)if(i||j)a|=m.f[Z(r+y+i,c+x+j)];
return(m.f[Z(r+y,c+x)]?1.f:0.f)+(a?.89990234375f:0.f);}
`
	// cMove is the function that the contest asks for. g is the field of view, by cell, plus 1.
	cMove = `int Move(int**grid,int my_row,int my_column){
int i,j,d,b=0,z,g[121]={0};float u,a=0;r=my_row;c=my_column;e=-1;
for(i=0;i<5;i++)for(j=0;j<5;j++)g[Z(r+i-2,c+j-2)]=grid[i][j]+1;
for(z=0;z<121;z++)if(g[z]){%sm.f[z]=g[z]==2;m.s[z]=m.t+1;if(g[z]==3)e=z;}
m.v[Z(r,c)]=1;%s
for(d=0;d<8;d++){k=d/2;H=d&1?h(0,-1):h(-1,-1);%su=d&1?S():D();if(!d||u>a){a=u;b=d;}}
z=%s;m.p+=m.f[z];m.t++;return b;}
`
	cStep = `Z(r+"00012221"[%[1]s]-'1',c+"01222100"[%[1]s]-'1')`

	// Of keen ants: g says where the other ant may be, y is its cell if it was in view a move ago,
	// n counts the food that has been seen. U tells whether a cell has never been in view, d
	// returns the moves from one cell to another. K updates g; b is where the other ant may have
	// been a move ago, nowhere if this ant has just stepped on it.
	cKeenMemory = ",g[121],n,y"
	cKeenSee    = "if(U(z))m.n+=g[z]==2;"
	cKeenTrack  = "K(g);"
	cKeen       = `static int U(int z){return!m.s[z]&&z!=57&&z!=63;}
static int d(int a,int b){int y=(a/11-b/11+11)%11,x=(a%11-b%11+11)%11;y=y>5?11-y:y;
x=x>5?11-x:x;return y>x?y:x;}
static void K(int*v){int i,j,h=Z(r,c),b[121];for(i=0;i<121;i++)
b[i]=m.t?m.y!=h&&m.g[i]:i==120-h;
for(i=0;i<121;i++){m.g[i]=b[i];
if(m.t||h>57)for(j=0;j<9;j++)m.g[i]|=b[Z(i/11+j/3-1,i%11+j%3-1)];
if(v[i])m.g[i]=0;if(e>=0)m.g[i]=i==e;}m.y=e;}
`
	// cRoute returns the worth of the best route from a cell after some moves.
	cRoute = `static float O(int a,int t){float b=0,x;int i,j,n,l=35-m.t<5?35-m.t:5;
for(i=0;i<121;i++)if(m.f[i]&&(n=t+d(a,i))<l){x=w(i);for(j=n;j--;)x*=.7f;
m.f[i]=0;x+=O(i,n);m.f[i]=1;if(x>b)b=x;}return b;}
`
	cKeenSense = "R=O(%s,0);"

	// Of ants with foresight: k is the chance that food is still on a cell, l the expected number
	// of cells whose food was eaten before they were first in view. X is the number of cells on
	// which food that was never seen may lie, V what may be found around each piece of food, and E
	// the worth of winning with the move.
	cFarMemory = ",g[121],n,y;float k[121],l"
	cFarSee    = "if(U(z)){if(g[z]==2)m.n++;else if(m.t)m.l+=1-m.k[z];}"
	cFarTrack  = "K(g);B(g);"
	cFar       = `static float X,V[121];
static float A(int a){static const float W[]={1,.6f,.36f,.216f,.1296f,.07776f};float b=0;int i;
for(i=0;i<121;i++)if(U(i))b+=(15-m.n)/X*m.k[i]*W[d(a,i)];return b;}
static void B(int*v){int i,n=0;float s;for(i=0;i<121;i++){n+=m.g[i];if(!m.t)m.k[i]=1;}
s=9/(float)(n?n:1);s=1-(s>.9f?.9f:s);X=0;for(i=0;i<121;i++){if(v[i]){if(m.f[i])m.k[i]=1;}
else if(m.g[i]&&(m.f[i]||U(i)))m.k[i]*=s;X+=U(i);}
X+=m.l;if(X<1)X=1;for(i=0;i<121;i++)V[i]=m.f[i]?A(i):0;}
`
	cOutlook = `static float O(int a,int t){float b=0,x,y,z;int i,j,n,l=35-m.t<5?35-m.t:5;
for(i=0;i<121;i++)if(m.f[i]&&(n=t+d(a,i))<l){x=m.k[i];y=V[i];for(j=n;j--;){x*=.7f;y*=.7f;}
m.f[i]=0;z=O(i,n);m.f[i]=1;x+=y>z?y:z;if(x>b)b=x;}return b;}
`
	cFarSense = "z=%s;E=m.p==7&&m.f[z]?15:0;R=O(z,0);u=A(z);if(u>R)R=u;"
)

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
	memory, scalars, see, track, sense, more := "", "", "", "", "", ""
	switch step := fmt.Sprintf(cStep, "d"); {
	case g.settings.Foresight:
		memory, scalars, see, track, sense = cFarMemory, ",R,E", cFarSee, cFarTrack,
			fmt.Sprintf(cFarSense, step)
		more = cKeen + cFar + cOutlook
	case g.settings.KeenSenses:
		memory, scalars, see, track, sense = cKeenMemory, ",R", cKeenSee, cKeenTrack,
			fmt.Sprintf(cKeenSense, step)
		more = cKeen + cRoute
	}
	var b strings.Builder
	names := map[string][]string{}
	fmt.Fprintf(&b, cBegin, memory, scalars)
	b.WriteString(more + cAsk)
	layers := 0
	for _, s := range g.sensors {
		names[s.name] = []string{s.c}
		if s.form != gp.Scalar {
			fmt.Fprintf(&b, "case %d:%sbreak;\n", layers, s.c)
			names[s.name] = []string{"q", strconv.Itoa(layers)}
			layers++
		}
	}
	b.WriteString(cHope)
	for _, s := range g.sensors {
		if s.isCount() {
			fmt.Fprintf(&b, "#define %s (%d.f%c%s)\n", s.c, s.from,
				map[int32]rune{1: '+', -1: '-'}[s.sign], sources[s.of].c)
		}
	}
	p := export.Printer{Syntax: compactC, Grammar: g.grammar,
		Sensor: func(op *gp.Operator) []string { return names[op.Name] }}
	for slot, name := range [...]string{slotStraight: "S", slotDiagonal: "D"} {
		text, err := p.Expression(ge[slot])
		if err != nil {
			return "", err
		}
		b.WriteString("static float " + name + "(void){return " + text + ";}\n")
	}
	fmt.Fprintf(&b, cMove, see, track, sense, fmt.Sprintf(cStep, "b"))
	return b.String(), nil
}
