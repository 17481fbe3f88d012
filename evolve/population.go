package evolve

import (
	"context"
	"fmt"
	"io"

	"clade/evolve/rundir"
	"clade/gp"
)

// Member is an individual where it lives.
type Member struct {
	*Individual
	Island, Index int
	Born          int    // the generation that has it first; 0 is the founders'
	Origin        string // the act by which it came to be
}

// Members reads all individuals of a run of this setup, island by island, from its newest sound
// checkpoint, or with a generation of 0 or more from that of it. It returns the checkpoint's
// generation, too. It writes nothing, so that the run may be under way.
func (s *Setup) Members(path string, generation int) ([]Member, int, error) {
	b, state, at, err := s.checkpoint(path, generation)
	if err != nil {
		return nil, 0, err
	}
	var all []Member
	for island, population := range state.populations {
		for index, in := range population {
			born, _ := b.birth(in.ID)
			all = append(all, Member{in, island, index, born, in.origin.String()})
		}
	}
	return all, at, nil
}

// WriteLineage writes the lineage in a run's newest sound checkpoint as the file has it that a run
// writes when it ends. As Members it may be called while the run is under way.
func (s *Setup) WriteLineage(w io.Writer, path string) error {
	b, state, _, err := s.checkpoint(path, -1)
	if err != nil {
		return err
	}
	return state.lineage.write(w, b)
}

// checkpoint reads a checkpoint as Members finds it.
func (s *Setup) checkpoint(path string, generation int) (*breeder, *state, int, error) {
	if err := s.Check(); err != nil {
		return nil, nil, 0, err
	}
	payload, at, err := rundir.Checkpoint(path, s.Hash(), generation)
	if err != nil {
		return nil, nil, 0, err
	}
	b := s.breeder(context.Background())
	state, err := b.decode(payload)
	return b, state, at, err
}

// Species returns a member of a run's checkpoint of a generation as a species file.
func (s *Setup) Species(m *Member, generation int) []byte {
	return s.speciesFile("", generation, m.Island, m.Individual)
}

// speciesFile returns an individual as a file that says where it comes from.
func (s *Setup) speciesFile(what string, generation, island int, in *Individual) []byte {
	info := s.Game.Info()
	origin := fmt.Sprintf("%sgeneration %d, individual %d of island %d, seed %d", what, generation,
		in.ID, island, s.Seed)
	return []byte(s.Game.Grammar().PrintSpecies(&gp.Species{Game: info.Name, Version: info.Version,
		Origin: []string{origin}, Settings: s.Settings, Genome: in.Genome}))
}
