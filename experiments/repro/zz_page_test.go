package repro
import ("testing";"os")
func TestZZ(t *testing.T){ d:=os.Getenv("ZZ"); p,err:=Page(d); if err!=nil {t.Fatal(err)}; os.WriteFile(d+"/README.md",p,0o666)}
