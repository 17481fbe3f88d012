package study_test

import (
	"testing"

	"clade/engine/games/all"
	"clade/experiments/player"
	"clade/experiments/study"
	"clade/gp/proof"
)

// The games are all that there are. The text of a study, as manifests hold it, can be read again.
func TestTextsAreRead(t *testing.T) {
	scope := player.Scope{Games: all.Games(), Trust: player.Files}
	for _, g := range all.Games() {
		if g.Info().MaxSeats == 1 {
			continue // its default is no study
		}
		s, err := study.Parse(scope, "s", []byte(`game = "`+g.Info().Name+`"`))
		if err != nil {
			if g.Info().MinSeats > 2 {
				continue // likewise
			}
			t.Fatal(err)
		}
		text := proof.Must(s.Text())(t)
		if _, err := study.Parse(scope, "again", text); err != nil {
			t.Errorf("%v\nin\n%s", err, text)
		}
	}
}
