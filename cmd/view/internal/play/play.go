// Package play lets a person at a page play a game.
package play

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"clade/analysis/film"
	"clade/cmd/view/site"
	"clade/engine"
	"clade/experiments/match"
	"clade/experiments/player"
)

// games serves the games that people play on pages.
type games struct {
	*site.Site
	mu    sync.Mutex
	open  map[string]*humanPlayer
	begun int
}

// Add adds the routes of games that people play.
func Add(to *site.Site) {
	s := &games{Site: to, open: map[string]*humanPlayer{}}
	s.Stream("play", s.play)
	s.Post("play/act", s.act)
	s.Get("play/ladder", s.showLadder)
}

// humanPlayer is a person at a page who plays one seat of a game.
type humanPlayer struct {
	ctx      context.Context // ends when the page goes away
	send     site.Sender
	answers  chan answer
	resigned bool
	seat     int // from 0
	headings engine.Headings
	match.Moves
}

// answer is a move of the person, or resigns, or takes back a move. taken gets the game's error.
type answer struct {
	text         []byte
	resign, back bool
	taken        chan error
}

// turn is a decision that a page shows to its person.
type turn struct {
	Number      int    `json:"number"` // decisions before this one
	Back        bool   `json:"back"`   // the last one can be taken back
	Observation any    `json:"observation"`
	Text        string `json:"text,omitempty"` // the same for a terminal
	Actions     []deed `json:"actions"`
	Whole       bool   `json:"whole"` // there are no other answers

	// what the person knows of the board; without a plan it is in the text only
	Plan   *engine.Plan `json:"plan,omitempty"`
	Pieces []int        `json:"pieces,omitempty"` // as in a reel
	Actor  *[2]int      `json:"actor,omitempty"`  // the cell of who is asked, if it stands there
}

// deed is an engine.Action for a page.
type deed struct {
	Name string `json:"name"`
	Key  string `json:"key"`
}

// Act implements engine.Agent. A person who has gone or resigned makes no decision.
func (p *humanPlayer) Act(d engine.Decision) {
	if p.resigned || p.ctx.Err() != nil || p.Settled(d) {
		return
	}
	t := turn{Number: p.Made(), Back: p.Reversible(), Observation: d.Observation()}
	actions, whole := d.Actions()
	t.Whole = whole
	for _, a := range actions {
		t.Actions = append(t.Actions, deed(a))
	}
	if speaker, ok := d.(engine.Speaker); ok {
		t.Text = speaker.Text()
	}
	p.view(d, &t)
	if p.send("turn", t) != nil {
		return
	}
	for {
		select {
		case <-p.ctx.Done():
			return
		case a := <-p.answers:
			if a.resign {
				p.resigned = true
				a.taken <- nil
				return
			}
			if a.back {
				err := p.Undo()
				a.taken <- err
				if err == nil {
					return
				}
				continue
			}
			err := p.Take(d, a.text)
			a.taken <- err
			if err == nil {
				return
			}
		}
	}
}

// view adds the visible board to a turn.
func (p *humanPlayer) view(d engine.Decision, t *turn) {
	v, ok := d.(engine.Viewed)
	if !ok {
		return
	}
	planned, at := v.View(p.seat)
	if planned == nil {
		return
	}
	t.Plan = planned.Plan()
	if at.X >= 0 {
		t.Actor = &[2]int{at.X, at.Y}
	}
	pieces := planned.Pieces(nil)
	p.headings.Turn(t.Plan, pieces)
	for _, one := range pieces {
		t.Pieces = film.AppendPiece(t.Pieces, one)
	}
}

func (p *humanPlayer) End(*engine.Result) {}
func (p *humanPlayer) Resigned() bool     { return p.resigned }

// over is the result that a page gets at the end.
type over struct {
	match.Game
	Tally  match.Tally `json:"tally"`
	Record string      `json:"record"` // text of the record file
}

// play plays a game between the person of a page and the players of the link, who take the other
// seats in order; a single one takes them all.
func (s *games) play(ctx context.Context, r *http.Request, send site.Sender) error {
	g, err := s.Game(r)
	if err != nil {
		return err
	}
	interactive, ok := g.(engine.Interactive)
	if !ok {
		return site.Refuse("%s has no seats for people", g.Info().Title)
	}
	seat, err := site.Number(r, "seat", 1, 1, engine.MaxSeats)
	if err != nil {
		return err
	}
	board, err := site.Seed(r, "seed", 1)
	if err != nil {
		return err
	}
	p := &humanPlayer{ctx: ctx, send: send, answers: make(chan answer), seat: seat - 1,
		Moves: match.Moves{Open: !g.Info().Hidden}}
	names, players, err := s.opponents(interactive, r)
	if err != nil {
		return err
	}
	if seat > len(players)+1 {
		return site.Refuse("there is no seat %d among %d", seat, len(players)+1)
	}
	person := &engine.External{Begin: func(engine.Opening) engine.Agent { return p }}
	players = append(players[:seat-1:seat-1], append([]engine.Player{person},
		players[seat-1:]...)...)
	seated := append(names[:seat-1:seat-1], append([]string{"person"}, names[seat-1:]...)...)
	name := s.sit(p)
	defer s.leave(name)
	if err := send("begin", map[string]any{"played": name, "players": seated, "seat": seat,
		"title": g.Info().Title, "rules": g.Info().Rules,
		"facts": interactive.Facts()}); err != nil {
		return err
	}
	var record *engine.Record
	err = p.Play(p.ctx, nil, func(rec engine.Recorder) (err error) {
		record, _, err = engine.PlayRecorded(g, seated, players, uint64(board), rec)
		return err
	})
	if ctx.Err() != nil {
		return nil // nobody is there any more
	}
	if err != nil {
		return err
	}
	return s.keepGame(record, names, seat-1, p)
}

// keepGame records a game of a person as clade play does, and sends the result to the page.
func (s *games) keepGame(record *engine.Record, names []string, seat int, p *humanPlayer) error {
	text, err := record.Encode()
	if err != nil {
		return err
	}
	o := over{Record: string(text)}
	if len(names) > 0 { // else nobody is the opponent
		opponent := strings.Join(slices.Compact(slices.Clone(names)), ", ")
		o.Game = match.NewGame(record, opponent, seat, p)
		path, past, err := s.history()
		if err == nil {
			err = o.Game.Append(path)
		}
		if err != nil {
			return err
		}
		o.Tally = append(past, o.Game).Tally(o.Game)
	}
	return p.send("over", o)
}

// history returns the file of the games that people have played, and its content.
func (s *games) history() (path string, past match.History, err error) {
	if path = s.History; path == "" {
		if path, err = match.GamesPath(); err != nil {
			return "", nil, err
		}
	}
	past, err = match.ReadGames(path)
	return path, past, err
}

// rung is an opponent of a ladder.
type rung struct {
	Name  string `json:"name"`
	Games int    `json:"games"` // of people against it, under these rules
	Wins  int    `json:"wins"`  // of theirs
}

// mostRungs bounds a ladder; of more champions it has evenly spaced ones.
const mostRungs = 12

// showLadder lists the opponents of a ladder: the champions of the link's run, the first one first,
// or else the built-in players of its game.
func (s *games) showLadder(r *http.Request) (any, error) {
	g, err := s.Game(r)
	if err != nil {
		return nil, err
	}
	var names []string
	if run := r.Form.Get("run"); run != "" {
		opened, err := s.Run(run)
		if err != nil {
			return nil, err
		}
		all, err := player.Champions(opened.Dir)
		if err != nil {
			return nil, site.Wrong(err)
		}
		n := min(len(all), mostRungs)
		for i := range n {
			c := all[i*(len(all)-1)/max(1, n-1)]
			names = append(names, fmt.Sprintf("run:%s@%d", run, c.Generation))
		}
	} else {
		for _, e := range player.Plain(g) {
			names = append(names, e.Name)
		}
	}
	_, past, err := s.history()
	if err != nil {
		return nil, err
	}
	info := g.Info()
	ladder := []rung{}
	for _, name := range names {
		one := rung{Name: name}
		for _, p := range past {
			if p.Game == info.Name && p.Version == info.Version && p.Opponent == name {
				one.Games++
				if p.Result == match.Won {
					one.Wins++
				}
			}
		}
		ladder = append(ladder, one)
	}
	return ladder, nil
}

// opponents returns the players of a link; without any, the champion of its run, or the strongest
// built-in player.
func (s *games) opponents(g engine.Game, r *http.Request) (names []string, players []engine.Player,
	err error) {
	names = r.Form["players"]
	if champion := site.Champion(r.Form); champion != "" && len(names) == 0 {
		names = []string{champion}
	}
	if own := player.Plain(g); len(names) == 0 && len(own) > 0 {
		names = []string{own[len(own)-1].Name}
	}
	if names, err = match.Field(g.Info(), names); err != nil {
		return nil, nil, site.Wrong(err)
	}
	for _, name := range names {
		p, err := s.Player(g, r.Form.Get("run"), name)
		if err != nil {
			return nil, nil, err
		}
		players = append(players, p)
	}
	return names, players, nil
}

// sit registers a game of a person, and returns its name.
func (s *games) sit(p *humanPlayer) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begun++
	name := strconv.Itoa(s.begun)
	s.open[name] = p
	return name
}

func (s *games) leave(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, name)
}

// act takes a person's answer.
func (s *games) act(r *http.Request) (any, error) {
	s.mu.Lock()
	p := s.open[r.FormValue("played")]
	s.mu.Unlock()
	v := struct {
		Refused string `json:"refused,omitempty"` // why the game does not take the answer
	}{}
	if p == nil {
		v.Refused = "the game is over"
		return v, nil
	}
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, site.Wrong(err)
	}
	a := answer{text: text, resign: r.FormValue("resign") != "",
		back: r.FormValue("back") != "", taken: make(chan error, 1)}
	select {
	case p.answers <- a:
	case <-p.ctx.Done():
		v.Refused = "the game is over"
		return v, nil
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
	if err := <-a.taken; err != nil {
		v.Refused = err.Error()
	}
	return v, nil
}
