package claims
import ("testing";"fmt";"time")
func TestTmp(t *testing.T){
 for _, f := range []func() Claim{Advantages,Symmetry,Unboundedness,CaseOne,CaseTwo,ExtremeCase,CaseThree,NeutralPieces,CaseFourPolicy,Misprints}{
  s:=time.Now(); c:=f(); fmt.Println("##",c.Name,time.Since(s)); fmt.Println(c.Verdict); for _,e:=range c.Evidence{fmt.Println("  ",e)}; fmt.Println(c.Table.CSV())
 }
}
