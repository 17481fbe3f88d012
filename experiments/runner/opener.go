package runner

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"clade/experiments/player"
)

// Opener opens many runs. What the studies of replicates say is read once, which else takes a
// millisecond and more a run, and half a megabyte. It is safe for concurrent use.
type Opener struct {
	Scope player.Scope // what studies may name

	mu    sync.Mutex
	alike map[string]*Run // by version of the rules and study without seed
}

// Open is Open for a run of several.
func (o *Opener) Open(dir string) (*Run, error) {
	m, err := ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	rest, seed := CutSeed(m.Study)
	key := fmt.Sprintf("%d %s", m.Rules, rest)
	o.mu.Lock()
	like := o.alike[key]
	o.mu.Unlock()
	if n, err := strconv.ParseUint(seed, 10, 63); like != nil && err == nil && n > 0 {
		s := *like.Study
		s.Seed = n
		return &Run{Dir: dir, Study: &s, Game: like.Game, Manifest: m}, nil
	}
	r, err := m.run(o.Scope, dir)
	if err != nil {
		return nil, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.alike == nil {
		o.alike = map[string]*Run{}
	}
	o.alike[key] = &Run{Study: r.Study, Game: r.Game}
	return r, nil
}

// CutSeed takes the seed out of a study as manifests hold it; it is "" where it is not plain to
// see.
func CutSeed(study string) (rest, seed string) {
	before, after, ok := strings.Cut(study, "\nseed = ")
	if !ok || strings.Contains(before, "\n[") {
		return study, ""
	}
	seed, after, _ = strings.Cut(after, "\n")
	if n, err := strconv.ParseUint(seed, 10, 64); err != nil || fmt.Sprint(n) != seed {
		return study, ""
	}
	return before + "\n" + after, seed
}
