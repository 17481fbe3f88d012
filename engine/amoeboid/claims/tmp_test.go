package claims

import (
	"fmt"
	"testing"
	"time"
)

func TestTmp(t *testing.T) {
	for _, f := range []func() Claim{CaseFourAny} {
		s := time.Now()
		c := f()
		fmt.Println("##", c.Name, time.Since(s))
		fmt.Println(c.Verdict)
		for _, e := range c.Evidence {
			fmt.Println("  ", e)
		}
		fmt.Println(c.Table.CSV())
	}
}
