package enginetest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"clade/engine"
)

// checkExternal checks what engine.Interactive promises: agents are shown data that encode and
// repeat; every listed action is accepted, also with the agent's own keys beside it, and nothing
// else is; an agent that never answers does no harm; and every agent is told the end once.
func checkExternal(s *subject) error {
	g, ok := s.game.(engine.Interactive)
	if !ok {
		return nil
	}
	if err := encodes("Facts", g.Facts()); err != nil {
		return err
	}
	own, err := bindAll(g, randomGenomes(g, 1))
	if err != nil {
		return err
	}
	for _, silent := range []bool{false, true} {
		for _, seats := range []int{s.info.MinSeats, s.info.MaxSeats} {
			var first *table
			for range 2 {
				t := &table{game: s.info.Name, seats: seats, silent: silent}
				if err := t.play(g, own[0], s.seeds[1]); err != nil {
					return fmt.Errorf("external players in %d seats, silent %v: %w", seats, silent, err)
				}
				if first == nil {
					first = t
				} else if first.log != t.log {
					return fmt.Errorf("external players in %d seats see and do something else "+
						"when the game is played again", seats)
				}
			}
		}
	}
	return nil
}

// encodes checks that a value encodes as a JSON object.
func encodes(what string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("%s does not encode: %w", what, err)
	}
	if text[0] != '{' {
		return fmt.Errorf("%s is no JSON object: %s", what, text)
	}
	return nil
}

// table is a game with external players in it.
type table struct {
	game     string
	seats    int
	silent   bool // the agents answer nothing
	log      uint64
	asked    int
	open     int
	openings [engine.MaxSeats]int
	fault    error
	ends     []engine.Result
}

// play plays a game in which every seat but the second, if there is one, is external.
func (t *table) play(g engine.Interactive, other engine.Player, seed uint64) error {
	outsider := &engine.External{Begin: func(o engine.Opening) engine.Agent {
		t.open++
		t.openings[o.Seat]++
		t.add(o.Seed)
		if o.Info.Name != t.game || o.Seats != t.seats || o.Seed >= 1<<53 {
			t.fail(fmt.Errorf("an agent is told of %s for %d with seed %d", o.Info.Name, o.Seats, o.Seed))
		}
		return &prober{table: t, random: engine.NewRandom(o.Seed)}
	}}
	players := make([]engine.Player, t.seats)
	for i := range players {
		if players[i] = outsider; i == 1 {
			players[i] = other
		}
	}
	record, result, err := engine.PlayRecorded(g, make([]string, t.seats), players, seed, nil)
	if err != nil {
		return err
	}
	if t.fault != nil {
		return t.fault
	}
	t.add(result.Fingerprint)
	if want := t.seats - min(t.seats-1, 1); t.open != want || len(t.ends) != want {
		return fmt.Errorf("%d agents began and %d were told the end, want %d", t.open, len(t.ends), want)
	}
	for _, end := range t.ends {
		if err := same("the result, and what an agent was told", result, end); err != nil {
			return err
		}
	}
	if t.asked == 0 {
		return errors.New("nobody was asked for a decision")
	}
	if _, ok := g.(engine.Recordable); ok {
		if _, err := engine.Replay(g, record, nil); err != nil {
			return fmt.Errorf("the record of it: %w", err)
		}
	}
	return nil
}

func (t *table) add(n uint64) { t.log = engine.Hash(t.log, n) }

func (t *table) fail(err error) {
	if t.fault == nil {
		t.fault = err
	}
}

// prober is an agent that tries senseless answers and then does any listed action.
type prober struct {
	table  *table
	random engine.Random
}

func (p *prober) Act(d engine.Decision) {
	t := p.table
	t.asked++
	text, err := json.Marshal(d.Observation())
	if err != nil || text[0] != '{' {
		t.fail(fmt.Errorf("the observation %s is no JSON object: %w", text, err))
		return
	}
	for _, b := range text {
		t.add(uint64(b))
	}
	actions, whole := d.Actions()
	if whole && len(actions) == 0 {
		t.fail(errors.New("there are decisions without an action"))
		return
	}
	names := map[string]bool{}
	for _, a := range actions {
		if a.Name == "" || names[a.Name] {
			t.fail(fmt.Errorf("action %q stands twice or has no name (that of an engine.Offer is "+
				"its Name)", a.Name))
		}
		names[a.Name] = true
	}
	if t.asked < 100 {
		for _, senseless := range []string{"", "null", "0", `"a"`, "[]", "{", `{"action":null}`,
			`{"action":"no such action"}`, `{"action":{}}`, `{"action":-1}`, `{"ation":"rest"}`,
			`{"action":[[]]}`, "\xff", `{}`} {
			if d.Take([]byte(senseless)) == nil {
				t.fail(fmt.Errorf("the answer %q was taken", senseless))
			}
		}
	}
	if t.silent || len(actions) == 0 {
		return
	}
	a := actions[p.random.Below(len(actions))]
	answer := bytes.TrimSuffix(engine.Answer(a.Name), []byte("}"))
	answer = append(answer, `,"why":{"scores":[1,null]},"Action":"no such action"}`...)
	if err := d.Take(answer); err != nil {
		t.fail(fmt.Errorf("the listed action %q was refused: %w", a.Name, err))
	}
}

func (p *prober) End(r *engine.Result) {
	if r == nil {
		p.table.fail(errors.New("an agent was told that the game did not end"))
		return
	}
	p.table.ends = append(p.table.ends, *r)
}
