package evolve

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/engine/games/antwars"
	"clade/gp"
	"clade/gp/proof"
)

// ants is a small setup in Ant Wars.
func ants() Setup {
	c := small()
	c.Population, c.Generations, c.Islands, c.Migration = 60, 6, 2, Migration{Every: 2, Migrants: 5}
	return Setup{Game: antwars.New(), Config: c, Seed: 1}
}

func TestAntWarsRepeats(t *testing.T) {
	proof.Slow(t)
	s := ants()
	s.Workers = 1
	path, done := evolved(t, s)
	want := contents(t, path)
	for _, workers := range []int{2, 5} {
		s.Workers = workers
		path, d := evolved(t, s)
		compare(t, want, contents(t, path))
		proof.Is(t, d.Fingerprint, done.Fingerprint, "%d workers: the fingerprint", workers)
	}
	path = t.TempDir()
	r := proof.Must(Create(path, s))(t)
	for stops := 0; ; stops++ {
		ctx, cancel := context.WithCancel(context.Background())
		r.Progress = func(Progress) { cancel() }
		_, err := r.Evolve(ctx)
		cancel()
		r.Close()
		if err == nil {
			break
		}
		if !errors.Is(err, ErrStopped) || stops > 6 {
			t.Fatal(err)
		}
		r = proof.Must(Resume(path, s))(t)
	}
	compare(t, want, contents(t, path))
}

// TestAntWarsExecutorsAgree holds that a run is the same, byte for byte, whatever executor plays
// it.
func TestAntWarsExecutorsAgree(t *testing.T) {
	proof.Slow(t)
	s := ants()
	var want map[string]string
	for _, executor := range antwars.New().(engine.Accelerated).Executors() {
		g := proof.Must(antwars.New().(engine.Accelerated).Using(executor))(t)
		s.Game = g
		path, _ := evolved(t, s)
		if got := contents(t, path); want == nil {
			want = got
		} else {
			t.Log(executor)
			compare(t, want, got)
		}
	}
}

// BenchmarkGrowth measures the whole loop of the paper's study (tournaments of five, breeding, the
// choice of the champion, log and checkpoint) by population, mean size of a tree and workers, and
// "bare" what is left when nothing is done but to play as many matches among the same individuals.
// Probes, which come every tenth generation and in the last, are left out: they would be in every
// other generation of these few.
func BenchmarkGrowth(b *testing.B) {
	for _, population := range []int{500, 2250, 5000, 20000} {
		for _, size := range []int{20, 50, 100, 200, 500} {
			if proof.Quick() && (population > 2250 || size == 50 || size == 200 ||
				population == 500 != (size == 20)) {
				continue
			}
			var genomes []gp.Genome
			for _, workers := range []int{1, 2} {
				for _, kind := range []string{"loop", "bare"} {
					if kind == "bare" && population != 2250 ||
						proof.Quick() && size == 500 && (workers == 2 || kind == "bare") {
						continue
					}
					b.Run(fmt.Sprintf("%d/%d-nodes/%d-workers/%s", population, size, workers, kind),
						func(b *testing.B) {
							if genomes == nil {
								genomes = sized(b, population, size)
							}
							r := populated(b, genomes, workers)
							defer r.Close()
							b.ResetTimer()
							rate := enginetest.Rate(b)
							var matches, games int64
							if kind == "bare" {
								matches, games = bare(b, r)
							} else {
								r.Progress = func(r Progress) {
									matches, games = matches+r.Line.Matches, games+r.Line.Games
								}
								proof.Must(r.Evolve(context.Background()))(b)
							}
							rate(float64(games), "games")
							rate(float64(matches), "matches")
						})
				}
			}
		}
	}
}

// sized returns genomes whose trees have about a number of nodes in the mean, crossed from kept
// champions and random ones.
func sized(b *testing.B, n, size int) []gp.Genome {
	b.Helper()
	g := antwars.New().Grammar()
	files, err := filepath.Glob(filepath.Join("..", "results", "antwars", "*.species"))
	if err != nil || len(files) == 0 {
		b.Fatalf("no champions are kept: %v", err)
	}
	var parents []gp.Genome
	for _, file := range files {
		text := proof.Must(os.ReadFile(file))(b)
		s, err := gp.ParseSpecies(string(text), func(string, int) (*gp.Grammar, error) { return g, nil })
		if err != nil {
			continue // of the game with keen senses
		}
		parents = append(parents, s.Genome)
	}
	if len(parents) < 5 {
		b.Fatalf("only %d kept champions are of the paper's game", len(parents))
	}
	for r := rand.New(rand.NewPCG(1, 1)); len(parents) < 64; {
		parents = append(parents, g.Ramped(r, 2, 6))
	}
	v := growing()
	return enginetest.Sized(g, parents, n, size*len(g.Slots), &v)
}

// growing is the paper's variation with a depth limit that leaves trees of 500 nodes room.
func growing() gp.Variation {
	v := gp.PaperVariation
	v.MaxDepth = 17
	return v
}

// populated returns a run of b.N generations whose population is given instead of grown.
func populated(b *testing.B, genomes []gp.Genome, workers int) *Run {
	b.Helper()
	c := Default()
	c.Population, c.Generations, c.Variation, c.Probes.Games = len(genomes), max(1, b.N), growing(), 0
	r := proof.Must(Create(b.TempDir(), Setup{Game: antwars.New(), Config: c, Seed: 1,
		Workers: workers}))(b)
	population := make([]*Individual, len(genomes))
	for i, ge := range genomes {
		population[i] = r.newIndividual(r.childID(0, 0, i), ge)
	}
	r.state = &state{lineage: newLineage(), log: r.dir.Log(), populations: [][]*Individual{population}}
	r.state.lineage.add(population, c.Lineage)
	return r
}

// bare plays the matches of b.N generations among a run's individuals.
func bare(b *testing.B, r *Run) (matches, games int64) {
	islands := proof.Must(r.islands())(b)
	is := islands[0]
	n := len(is.population)
	for range b.N {
		proof.Must(is.played(is.population, n*(r.Config.Tournament-1), 1, anything,
			func(w *worker, i int, _ []uint64) error {
				is.beats(w, is.population[i%n], is.population[(7*i+i/n+1)%n], is.stream("match", i))
				return nil
			}))(b)
	}
	return is.tally.Matches, is.tally.Games
}
