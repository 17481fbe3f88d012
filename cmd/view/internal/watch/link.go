package watch

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"clade/analysis/why"
	"clade/cmd/view/site"
	"clade/engine"
	"clade/engine/system/durable"
	"clade/experiments/player"
	"clade/experiments/study"
)

// cache keeps the games that were watched last.
type cache struct {
	mu    sync.Mutex
	games []*entry // the one asked for last is at the end
}

// entry is a game by its link. It is played once; other requests wait for it.
type entry struct {
	link string
	mu   sync.Mutex
	game *watched // nil until it was played
}

// get returns the entry of a link, a new one if it is not kept.
func (c *cache) get(link string) *entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.IndexFunc(c.games, func(e *entry) bool { return e.link == link })
	e := &entry{link: link}
	if i >= 0 {
		e = c.games[i]
		c.games = slices.Delete(c.games, i, i+1)
	}
	if len(c.games) == keptGames {
		c.games = slices.Delete(c.games, 0, 1)
	}
	c.games = append(c.games, e)
	return e
}

// linkKeys are the parameters of a link that say which game it is; see the package comment.
var linkKeys = [...]string{"run", "game", "set", "record", "generation", "players", "seed"}

// watch returns the game of a link, which it plays at the first request.
func (s *games) watch(r *http.Request) (*watched, error) {
	if err := r.ParseForm(); err != nil {
		return nil, site.Wrong(err)
	}
	link := url.Values{}
	for _, key := range linkKeys {
		if values := r.Form[key]; len(values) > 0 {
			link[key] = values
		}
	}
	e := s.cache.get(link.Encode())
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.game != nil {
		return e.game, nil
	}
	w, err := s.begin(r)
	if err == nil {
		e.game = w
	}
	return w, err
}

// begin plays the game of a link.
func (s *games) begin(r *http.Request) (*watched, error) {
	ctx := r.Context()
	done, err := s.Work(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	w := &watched{choices: map[int]*why.Choices{}, idle: map[int]*idle{}}
	if r.Form.Get("record") != "" {
		return w, s.rerun(ctx, w, r.Form)
	}
	if w.game, err = s.Game(r); err != nil {
		return nil, err
	}
	names, seed, err := s.cast(w.game, r.Form)
	if err != nil {
		return nil, err
	}
	run := r.Form.Get("run")
	var players []engine.Player
	for _, name := range names {
		p, err := s.Player(w.game, run, name)
		if err != nil {
			return nil, err
		}
		players = append(players, p)
		seat := why.Seat{Player: p}
		if seat.Genome, err = s.Genome(w.game, run, name); err != nil {
			return nil, err
		}
		w.seats = append(w.seats, seat)
	}
	for i, name := range names { // a record is read without the link
		if generation, ok := strings.CutPrefix(name, site.ChampionPrefix); ok {
			names[i] = "run:" + run + "@" + generation
		}
	}
	return w, w.play(ctx, names, players, seed)
}

// rerun replays a record file.
func (s *games) rerun(ctx context.Context, w *watched, link url.Values) error {
	path := link.Get("record")
	dropped, here := s.Dropped(path)
	text := []byte(dropped)
	if !here {
		var err error
		if path, err = s.Path(path); err != nil {
			return err
		}
		if text, err = durable.ReadFile(path, durable.MaxText); err != nil {
			return err
		}
	}
	var err error
	if w.record, err = engine.ParseRecord(path, text); err != nil {
		return site.Wrong(err)
	}
	if here {
		if err := study.CheckFile(s.LinkScope(), w.record); err != nil {
			return site.Wrong(err)
		}
	}
	if err := study.Adjust(s.LinkScope(), w.record, link["set"]...); err != nil {
		return site.Wrong(err)
	}
	game, err := s.Scope.Game(w.record.Game)
	if err != nil {
		return site.Wrong(err)
	}
	if w.game, err = w.record.Adjust(game); err != nil {
		return site.Wrong(err)
	}
	if err := w.play(ctx, nil, nil, 0); err != nil {
		return site.Wrong(err)
	}
	w.seats = make([]why.Seat, len(w.record.Players))
	for i, name := range w.record.Players {
		// who cannot be found, or not from here, plays as recorded
		if w.seats[i].Genome, err = s.Genome(w.game, "", name); err != nil {
			w.seats[i].Genome = nil
		}
		if _, isBuiltIn := player.Named(w.game, name); isBuiltIn && w.seats[i].Genome == nil {
			if w.seats[i].Player, err = s.Player(w.game, "", name); err != nil {
				w.seats[i].Player = nil
			}
		}
	}
	return nil
}

// cast returns the players of a link, and its seed.
func (s *games) cast(g engine.Game, link url.Values) (names []string, seed uint64, err error) {
	if names = slices.Clone(link["players"]); len(names) == 0 {
		names = defaultCast(g, site.Champion(link))
	}
	info := g.Info()
	if n := len(names); n < info.MinSeats || n > info.MaxSeats {
		return nil, 0, site.Refuse("%s is for %s, and the link names %d", info.Title, info.Seats(), n)
	}
	text := link.Get("seed")
	if text == "" {
		text = "1"
	}
	if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
		return nil, 0, site.Refuse("seed %q is not a whole number from 0 to 2^64-1", text)
	}
	return names, seed, nil
}

// defaultCast returns the players of a link that names none: the champion, if there is one, against
// the last, which is the strongest, of the built-in players; without any the champion against
// itself.
func defaultCast(g engine.Game, champion string) []string {
	var field []string
	if champion != "" {
		field = append(field, champion)
	}
	entries := player.Plain(g)
	for i := len(entries) - 1; i >= 0 && len(field) < max(2, g.Info().MinSeats); i-- {
		field = append(field, entries[i].Name)
	}
	names := []string{}
	for i := range min(max(2, g.Info().MinSeats), g.Info().MaxSeats) {
		if len(field) > 0 {
			names = append(names, field[i%len(field)])
		}
	}
	return names
}
