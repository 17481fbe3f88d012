package watch

import (
	"net/http"
	"strings"

	"clade/analysis/why"
	"clade/cmd/view/site"
	"clade/experiments/player"
)

// asked is the choice of a champion in a position.
type asked struct {
	Generation int          `json:"generation"`
	Chosen     int          `json:"chosen"`    // index in the position's candidates
	Utilities  []why.Number `json:"utilities"` // of the candidates
}

// Bounds of the question to the champions of a run.
const (
	mostAsked      = 200 // champions; of more as many are asked, as far apart as can be
	mostCandidates = 100 // whose utilities are sent, of each position
)

// champions returns all champions of the run of a player, oldest first; none if the player is no
// champion.
func (s *games) champions(name string) ([]player.Champion, error) {
	run, ok := strings.CutPrefix(name, "run:")
	if !ok {
		return nil, nil
	}
	run, _, err := player.AtGeneration(run)
	if err != nil {
		return nil, site.Wrong(err)
	}
	dir, err := s.Path(run)
	if err != nil {
		return nil, err
	}
	all, err := player.Champions(dir)
	return all, site.Wrong(err)
}

// askChampions returns the choices of a run's champions, in the order in which they were bred, in a
// position in which one of them chose: at a step of a game, in a seat, by number.
func (s *games) askChampions(r *http.Request) (any, error) {
	w, seat, _, err := s.seatOf(r)
	if err != nil {
		return nil, err
	}
	var n [2]int
	for i, name := range []string{"at", "number"} {
		if n[i], err = site.Number(r, name, 0, 0, 1<<30); err != nil {
			return nil, err
		}
	}
	champions, err := s.champions(w.record.Players[seat])
	if err != nil {
		return nil, err
	}
	if champions == nil {
		return nil, site.Refuse("no champion of a run sits in seat %d", seat+1)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	choices, err := w.asked(r.Context(), s, seat)
	if err != nil {
		return nil, err
	}
	var kept *why.Kept
	for i := range choices.Kept {
		if k := &choices.Kept[i]; k.Moment == (why.Moment{Step: n[0], Seat: seat, Number: n[1]}) {
			kept = k
		}
	}
	if kept == nil {
		return nil, site.Refuse("the choice at step %d is not kept; of %d choices, %d are", n[0],
			choices.Total, len(choices.Kept))
	}
	all := []asked{}
	count := min(len(champions), mostAsked)
	for i := range count {
		c := champions[i*(len(champions)-1)/max(1, count-1)]
		sp, err := player.ReadSpecies(w.game, c.Path)
		if err != nil {
			return nil, site.Wrong(err)
		}
		as := kept.As(w.game.Grammar(), sp.Genome)
		one := asked{Generation: c.Generation, Chosen: as.Chosen}
		for _, k := range as.Candidates[:min(len(as.Candidates), mostCandidates)] {
			one.Utilities = append(one.Utilities, why.Number(k.Utility))
		}
		all = append(all, one)
	}
	return all, nil
}
