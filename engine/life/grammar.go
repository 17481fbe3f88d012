package life

import "clade/gp"

func newGrammar() *gp.Grammar { return nil }
