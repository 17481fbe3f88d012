// Package claims examines what the authors of Amoeboid say about their game, each claim by a small
// study with a verdict. In case IV, how much larger a piece of A must be to win for certain,
// policies of A are played against every roll and reply of B. It plays no part in any game.
package claims

import (
	"context"
	"fmt"
	"strings"

	"clade/engine/system/parallel"
)

// quick runs the studies that take well under a second each.
func quick() []claim {
	return []claim{symmetry(), caseTwo(), extremeCase(), neutralPieces(), misprints()}
}

// all runs every study, for some minutes, and returns them in the order of the document. The same
// numbers come out on every machine.
func all() []claim {
	studies := []func() claim{
		advantages, symmetry, unboundedness, caseOne, caseTwo, extremeCase, caseThree,
		neutralPieces, policy, centre, posts, few,
		misprints,
	}
	claims := make([]claim, len(studies))
	_ = parallel.Each(context.Background(), len(studies), 0, func(_, i int) error {
		claims[i] = studies[i]() // a study that fails is a mistake of this package and panics
		return nil
	})
	return claims
}

// report returns the page of the claims; command is how a reader repeats it.
func report(claims []claim, command string) string {
	var b strings.Builder
	b.WriteString("# What the document claims, and what was found\n\n")
	b.WriteString("The document is S. Dabdoub and S. Cuellar, *Amoeboid: A Partisan " +
		"Combinatorial Game of Chance* (MIT SP.268, 2010). ")
	b.WriteString("The board is 3 x 3 with eight neighbours and the die has six sides unless a " +
		"study says otherwise. ")
	fmt.Fprintf(&b, "This page and the data beside it are made by\n\n```\n%s\n```\n\n", command)
	b.WriteString("| claim | verdict |\n|---|---|\n")
	for _, c := range claims {
		fmt.Fprintf(&b, "| %s | %s |\n", c.Name, c.Verdict)
	}
	b.WriteByte('\n')
	for _, c := range claims {
		fmt.Fprintf(&b, "## %s\n\n**Claim.** %s\n\n**Verdict: %s.**\n\n", c.Name, c.Says, c.Verdict)
		for _, paragraph := range c.Evidence {
			b.WriteString(paragraph + "\n\n")
		}
		if len(c.Table.Rows) > 0 {
			c.Table.Markdown(&b)
		}
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}
