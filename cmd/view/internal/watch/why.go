package watch

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"

	"clade/analysis/stat"
	"clade/analysis/why"
	"clade/cmd/view/site"
	"clade/engine"
	"clade/experiments/player"
	"clade/experiments/study"
	"clade/gp"
)

// keptChoices bounds the choices of a seat that are kept to be asked again.
const keptChoices = 2048

// reason is a choice, and the others of the same step.
type reason struct {
	*why.Explanation
	Others []why.Moment `json:"others"` // all choices of bred players at this step
	// Prospects are what a search expects of each candidate, where the game has one
	Prospects []float32 `json:"prospects,omitempty"`
}

// showWhy explains a choice at a step of a game: that of a seat, by number, or of the actor at a
// pixel of the picture of scale 1; else the first choice of a bred player. The link may name
// another candidate than the chosen one.
func (s *games) showWhy(w *watched, r *http.Request) (any, error) {
	var n [6]int
	var err error
	for i, name := range []string{"at", "seat", "number", "candidate", "x", "y"} {
		if n[i], err = site.Number(r, name, -1, -1, 1<<30); err != nil {
			return nil, err
		}
	}
	done, err := s.Work(r.Context())
	if err != nil {
		return nil, err
	}
	defer done()
	var found *why.Kept
	near := w.layers[0].reach() // no pixel that is as far away counts
	v := reason{Others: []why.Moment{}}
	see := func(at why.Moment, c *engine.Choice) {
		if at.Step != n[0] {
			return
		}
		if len(v.Others) < 1000 {
			v.Others = append(v.Others, at)
		}
		if n[1] >= 0 && at.Seat != n[1] || n[2] >= 0 && at.Number != n[2] {
			return
		}
		better := found == nil || w.seats[found.Seat].Genome == nil && w.seats[at.Seat].Genome != nil
		if n[4] >= 0 {
			d := max(abs(c.Actor.X-n[4]), abs(c.Actor.Y-n[5]))
			if better = d < near; better {
				near = d
			}
		}
		if better {
			found = &why.Kept{Moment: at, Choice: c.Clone()}
			if c.Prospects != nil {
				v.Prospects = c.Prospects()
			}
		}
	}
	if err := w.ask(r.Context(), see); err != nil {
		return nil, site.Wrong(err)
	}
	if found == nil {
		return v, nil
	}
	candidate := found.Chosen
	if n[3] >= 0 && n[3] < len(found.Candidates) {
		candidate = n[3]
	}
	v.Explanation = why.Explain(w.game.Grammar(), w.seats[found.Seat].Genome, found.Moment,
		found.Choice, candidate, nil)
	return v, nil
}

func abs(n int) int { return max(n, -n) }

// ask replays the game with players that report what they weigh up.
func (w *watched) ask(ctx context.Context, see func(why.Moment, *engine.Choice)) error {
	return engine.Until(ctx, nil, func(rec engine.Recorder) error {
		return why.Replay(w.game, w.record, w.seats, see, rec)
	})
}

// asked returns the choices of a seat, which it collects once.
func (w *watched) asked(ctx context.Context, s *games, seat int) (*why.Choices, error) {
	if all := w.choices[seat]; all != nil {
		return all, nil
	}
	done, err := s.Work(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	all, err := why.Collect(w.game, w.record, w.seats, seat, keptChoices)
	if err != nil {
		return nil, site.Wrong(err)
	}
	w.choices[seat] = all
	return all, nil
}

// margin is the advantage of a choice over the next best one.
type margin struct {
	why.Moment
	Share float32 `json:"share"` // see why.Contrast
	// Lost is how far the run's last champion sees it behind what it would take, as a share of what
	// lies between the best and the worst; 0 where it would take the same, or there is none. Where
	// the game has a search it is how much less that expects of it than of the best, see
	// engine.Choice
	Lost     float32 `json:"lost,omitempty"`
	Searched bool    `json:"searched,omitempty"`
}

// judges returns the genomes of the last champions of the runs whose other champions play, by seat.
func (s *games) judges(w *watched) (map[int]gp.Genome, error) {
	all := map[int]gp.Genome{}
	for seat, name := range w.record.Players {
		champions, err := s.champions(name)
		if err != nil {
			return nil, err
		}
		if len(champions) == 0 {
			continue
		}
		sp, err := player.ReadSpecies(w.game, champions[len(champions)-1].Path)
		if err != nil {
			return nil, site.Wrong(err)
		}
		all[seat] = sp.Genome
	}
	return all, nil
}

// mostMargins bounds the listed choices: the first ones.
const mostMargins = 20_000

// listMargins lists the margins of a game's choices, in order, except where there was only one
// candidate.
func (s *games) listMargins(w *watched, r *http.Request) (any, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.margins != nil {
		return w.margins, nil
	}
	done, err := s.Work(r.Context())
	if err != nil {
		return nil, err
	}
	defer done()
	judges, err := s.judges(w)
	if err != nil {
		return nil, err
	}
	all := []margin{}
	g := w.game.Grammar()
	if err := w.ask(r.Context(), func(at why.Moment, c *engine.Choice) {
		if len(all) == mostMargins {
			return
		}
		if v := why.Against(g, nil, c); v != nil {
			m := margin{Moment: at, Share: v.Share}
			if c.Prospects != nil {
				prospects := c.Prospects()
				m.Lost, m.Searched = slices.Max(prospects)-prospects[c.Chosen], true
			} else if judge := judges[at.Seat]; judge != nil {
				as := (&why.Kept{Moment: at, Choice: c}).As(g, judge)
				as.Chosen = c.Chosen
				m.Lost = max(0, -why.Against(g, nil, as).Share)
			}
			all = append(all, m)
		}
	}); err != nil {
		return nil, site.Wrong(err)
	}
	w.margins = all
	return all, nil
}

// idleGames is the number of games of the same players in which nodes may matter.
const idleGames = 20

// idle names the nodes of a seat's trees that never mattered.
type idle struct {
	Idle    [][]int `json:"idle"` // numbers of nodes, by slot
	Kept    int     `json:"kept"` // choices that were asked again
	Choices int     `json:"choices"`
	Games   int     `json:"games"` // this one, and others of the same players
}

// showIdle returns the nodes of a seat's trees that never mattered in the game and in others.
func (s *games) showIdle(r *http.Request) (any, error) {
	w, seat, ge, err := s.seatOf(r)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if v := w.idle[seat]; v != nil {
		return v, nil
	}
	own, err := w.asked(r.Context(), s, seat)
	if err != nil {
		return nil, err
	}
	done, err := s.Work(r.Context())
	if err != nil {
		return nil, err
	}
	defer done()
	all := why.Choices{Kept: slices.Clone(own.Kept), Total: own.Total}
	v := &idle{Games: 1}
	if cast, err := w.castWith(seat, ge); err == nil { // who is known by a record alone cannot play
		if v.Games, err = w.others(r.Context(), cast, seat, &all); err != nil {
			return nil, err
		}
	}
	marks, err := all.Idle(w.game.Grammar(), ge)
	if err != nil {
		return nil, err
	}
	v.Kept, v.Choices = len(all.Kept), all.Total
	for _, nodes := range marks {
		numbers := []int{}
		for i, idle := range nodes {
			if idle {
				numbers = append(numbers, i)
			}
		}
		v.Idle = append(v.Idle, numbers)
	}
	w.idle[seat] = v
	return v, nil
}

// others plays other games of the cast, and adds the choices of a seat as long as there is room. It
// returns the number of games, with the first.
func (w *watched) others(ctx context.Context, cast []engine.Player, seat int, all *why.Choices) (
	games int, err error) {
	boards := engine.Seed(w.record.Seed).Name("idle")
	players := slices.Clone(cast)
	for games = 1; games < idleGames && len(all.Kept) < keptChoices; games++ {
		players[seat] = w.game.(engine.Weigher).Weigh(cast[seat], func(c *engine.Choice) {
			if all.Total++; len(all.Kept) < keptChoices {
				all.Kept = append(all.Kept, why.Kept{Choice: c.Clone()})
			}
		})
		if err := engine.Until(ctx, nil, func(rec engine.Recorder) error {
			w.game.Play(players, uint64(boards.Num(uint64(games))), rec)
			return nil
		}); err != nil {
			return games, err
		}
	}
	return games, nil
}

// seatOf returns the game of a request, and the bred player that it is about.
func (s *games) seatOf(r *http.Request) (*watched, int, gp.Genome, error) {
	w, err := s.watch(r)
	if err != nil {
		return nil, 0, nil, err
	}
	seat, err := site.Number(r, "seat", 0, 0, engine.MaxSeats)
	if err != nil {
		return nil, 0, nil, err
	}
	ge, err := w.genomeOf(seat)
	return w, seat, ge, err
}

// showSpecies returns the text of a seat's species file.
func (s *games) showSpecies(r *http.Request) (any, error) {
	w, seat, ge, err := s.seatOf(r)
	if err != nil {
		return nil, err
	}
	info := w.game.Info()
	said, err := study.Said(s.Scope, w.game)
	if err != nil {
		return nil, err
	}
	return struct {
		Text string `json:"text"`
	}{w.game.Grammar().PrintSpecies(&gp.Species{Game: info.Name, Version: info.Version,
		Origin: []string{"from " + w.record.Players[seat]}, Settings: said, Genome: ge})}, nil
}

// edit is a change of a species: a new subtree.
type edit struct {
	Species string `json:"species"`
	Slot    int    `json:"slot"`
	Node    int    `json:"node"` // negative to leave the species as it is
	Code    string `json:"code"` // of the subtree that takes its place
}

// apply returns the changed species.
func (e *edit) apply(g *gp.Grammar) (*gp.Species, error) {
	s, err := gp.ParseSpecies(e.Species, func(string, int) (*gp.Grammar, error) { return g, nil })
	if err != nil || e.Node < 0 {
		return s, err
	}
	if e.Slot < 0 || e.Slot >= len(s.Genome) || e.Node >= len(s.Genome[e.Slot]) {
		return nil, site.Refuse("there is no node %d in tree %d", e.Node, e.Slot)
	}
	tree := s.Genome[e.Slot]
	sub, err := g.ParseTree(e.Code, g.Type(tree[e.Node]))
	if err != nil {
		return nil, err
	}
	s.Genome[e.Slot] = gp.Splice(tree, e.Node, g.End(tree, e.Node), sub)
	return s, g.Check(s.Genome)
}

// changed holds the choices of a changed species in the positions of a game.
type changed struct {
	Species string           `json:"species"` // printed
	Name    string           `json:"name"`    // under which it can be asked for again
	Changes []why.Change     `json:"changes"`
	Kept    int              `json:"kept"` // choices that were asked again
	Choices int              `json:"choices"`
	Here    *why.Explanation `json:"here"` // the choice that is looked at, if it was kept
}

// changeSpecies changes a species, and returns the choices of the game that it would make
// otherwise.
func (s *games) changeSpecies(r *http.Request) (any, error) {
	var e edit
	if err := json.NewDecoder(r.Body).Decode(&e); err != nil {
		return nil, site.Wrong(err)
	}
	w, seat, _, err := s.seatOf(r)
	if err != nil {
		return nil, err
	}
	g := w.game.Grammar()
	species, err := e.apply(g)
	if err != nil {
		return nil, site.Wrong(err)
	}
	var n [3]int
	for i, name := range []string{"at", "number", "candidate"} {
		if n[i], err = site.Number(r, name, -1, -1, 1<<30); err != nil {
			return nil, err
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	all, err := w.asked(r.Context(), s, seat)
	if err != nil {
		return nil, err
	}
	v := changed{Species: g.PrintSpecies(species), Kept: len(all.Kept), Choices: all.Total}
	if v.Changes, err = all.Changes(g, species.Genome); err != nil {
		return nil, site.Wrong(err)
	}
	for i := range all.Kept {
		if k := &all.Kept[i]; k.Moment == (why.Moment{Step: n[0], Seat: seat, Number: n[1]}) {
			as := k.As(g, species.Genome)
			candidate := as.Chosen
			if n[2] >= 0 && n[2] < len(as.Candidates) {
				candidate = n[2]
			}
			v.Here = why.Explain(g, species.Genome, k.Moment, as, candidate, nil)
		}
	}
	v.Name = s.Drop(v.Species)
	return v, nil
}

// trial compares a changed player with the original, over games on fresh boards.
type trial struct {
	Games  int        `json:"games"`  // of each so far
	Of     int        `json:"of"`     // in all
	Shares [2]share   `json:"shares"` // of games won, before and after
	Scores [2]float64 `json:"scores"` // means
	// Gain is the share of games that the change wins more, its interval over Boards, which both
	// play: absent before the last game, its ends where all boards agree.
	Gain   *float64 `json:"gain,omitempty"`
	Low    *float64 `json:"low,omitempty"`
	High   *float64 `json:"high,omitempty"`
	Boards int      `json:"boards"`
}

// share is a share with its 95 % interval.
type share struct {
	Share float64 `json:"share"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

const (
	trialGames = 1000
	trialBatch = 20 // boards
)

// tryChange plays a thousand games each with a player before and after a change, against the others
// of the game, on the same fresh boards, and sends the results so far.
func (s *games) tryChange(ctx context.Context, r *http.Request, send site.Sender) error {
	w, seat, ge, err := s.seatOf(r)
	if err != nil {
		return err
	}
	changed, err := s.Species(w.game, "", r.FormValue("changed"))
	if err != nil {
		return err
	}
	var casts [2][]engine.Player
	for i, genome := range []gp.Genome{ge, changed.Genome} {
		if casts[i], err = w.castWith(seat, genome); err != nil {
			return site.Wrong(err)
		}
	}
	var wins, games, scores [2]float64
	n := len(w.seats)
	gains := make([]float64, (trialGames+n*trialBatch-1)/(n*trialBatch)*trialBatch) // by board
	boards := engine.Seed(w.record.Seed).Name("trial")
	for first := 0; first*n < trialGames && ctx.Err() == nil; first += trialBatch {
		done, err := s.Work(ctx)
		if err != nil {
			return err
		}
		for i, cast := range casts {
			// in turn t of n, player p takes seat (p + t) mod n
			for game, result := range new(engine.Referee).Boards(w.game, cast, boards, first,
				first+trialBatch) {
				at := (seat + game) % n
				games[i]++
				scores[i] += result.Scores[at]
				if result.Winner() == at {
					wins[i]++
					gains[first+game/n] += float64(2*i-1) / float64(n)
				}
			}
		}
		done()
		t := trial{Games: int(games[0]), Of: trialGames, Boards: len(gains)}
		for i := range casts {
			interval := stat.Wilson(wins[i], games[i], 0.95)
			t.Shares[i] = share{wins[i] / games[i], interval.Low, interval.High}
			t.Scores[i] = scores[i] / games[i]
		}
		if first+trialBatch == len(gains) {
			gain := stat.MeanT(gains, 0.95)
			t.Gain, t.Low, t.High = &gain.Estimate, stat.Known(gain.Low), stat.Known(gain.High)
		}
		if err := send("trial", t); err != nil {
			return err
		}
	}
	return nil
}

// castWith returns the players of the game, one with another genome. People, and others known only
// by their moves, cannot play again.
func (w *watched) castWith(seat int, ge gp.Genome) (cast []engine.Player, err error) {
	for i, s := range w.seats {
		p := s.Player
		if i == seat {
			p, err = w.game.Bind(ge)
		} else if p == nil && s.Genome != nil {
			p, err = w.game.Bind(s.Genome)
		}
		if err != nil {
			return nil, err
		}
		if p == nil {
			return nil, site.Refuse("%s cannot be found to play again", w.record.Players[i])
		}
		cast = append(cast, p)
	}
	return cast, nil
}
