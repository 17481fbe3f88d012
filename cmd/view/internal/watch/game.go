// Package watch shows a game on a page: its film, its events, what its players weighed up at any
// step, and what a changed player would do.
package watch

import (
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"clade/analysis/why"
	"clade/cmd/view/site"
	"clade/engine"
	"clade/gp"
)

// games serves the games that pages watch.
type games struct {
	*site.Site
	cache cache
}

// Add adds the routes of games and of their players' reasons.
func Add(to *site.Site) {
	s := &games{Site: to}
	s.get("game", s.showGame)
	s.Handle("game/reel", s.showReel)
	s.get("game/inspect", s.inspect)
	s.get("game/text", s.printScene)
	s.get("game/analysis", s.analyse)
	s.get("game/record", s.saveRecord)
	s.Post("record", s.dropRecord)
	s.get("why", s.showWhy)
	s.Get("why/idle", s.showIdle)
	s.Get("why/champions", s.askChampions)
	s.get("why/margins", s.listMargins)
	s.Get("why/species", s.showSpecies)
	s.Post("why/change", s.changeSpecies)
	s.Stream("why/trial", s.tryChange)
}

// get answers GET /api/NAME with a value made of the link's game.
func (s *games) get(name string, answer func(*watched, *http.Request) (any, error)) {
	s.Get(name, func(r *http.Request) (any, error) {
		w, err := s.watch(r)
		if err != nil {
			return nil, err
		}
		return answer(w, r)
	})
}

// Bounds of a game that is shown.
const (
	mostEvents = 4000 // of each kind
	sideWanted = 640  // pixels of the longer side of small boards
	keptGames  = 16   // that stay in memory: a wall of them, and some
)

// watched is a game on a page, with what is known of it. Results that take long are computed at the
// first request.
type watched struct {
	game   engine.Game // with the record's settings
	record *engine.Record
	seats  []why.Seat
	scenes int
	steps  []int       // of the scenes, nil where scene n is step n
	scores [][]float64 // by seat: scene and score, for each scene in which it changes
	layers []*layer
	kinds  []kind
	events []event // by scene
	series []series

	mu      sync.Mutex           // held while something is made
	choices map[int]*why.Choices // by seat
	idle    map[int]*idle        // by seat
	margins []margin             // nil until they were asked for
}

// event is something that happened between two scenes.
type event struct {
	Scene int    `json:"scene"` // the one after it
	Seat  int    `json:"seat"`
	Kind  int    `json:"kind"` // index in kinds
	Text  string `json:"text"`
}

// kind is a sort of events.
type kind struct {
	Name  string `json:"name"`
	Daily bool   `json:"daily"` // it happens in more than half of all scenes
}

// series is a count by scene and seat; nil where there is nothing to count.
type series struct {
	Title  string       `json:"title"`
	Unit   string       `json:"unit"`
	Values [][]*float64 `json:"values"`
}

// colours is a palette as a page reads it.
type colours color.Palette

func (p colours) MarshalJSON() ([]byte, error) {
	words := make([]string, len(p))
	for i, c := range p {
		words[i] = hex(c)
	}
	return json.Marshal(words)
}

// hex writes a colour as style sheets do.
func hex(c color.Color) string {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	return fmt.Sprintf("#%02x%02x%02x", n.R, n.G, n.B)
}

// shown is the first answer to a page about a game.
type shown struct {
	Game     string      `json:"game"`
	Title    string      `json:"title"`
	Rules    string      `json:"rules"`
	Settings string      `json:"settings"`
	Players  []string    `json:"players"`
	Tells    []bool      `json:"tells"`    // by seat: it can be asked why
	Analyst  bool        `json:"analyst"`  // its positions can be searched
	Playable bool        `json:"playable"` // a person can take a seat
	Seed     string      `json:"seed"`
	Winner   int         `json:"winner"`
	Final    []float64   `json:"final"` // scores at the end
	Scenes   int         `json:"scenes"`
	Steps    []int       `json:"steps"`  // of the scenes, null where scene n is step n
	Scores   [][]float64 `json:"scores"` // by seat: scene and score, where it changes
	Looks    []*layer    `json:"looks"`
	Kinds    []kind      `json:"kinds"` // of events
	Events   []event     `json:"events"`
	Series   []series    `json:"series"`
}

// showGame plays a game, or plays a recorded one again, and returns all but its pictures.
func (s *games) showGame(w *watched, _ *http.Request) (any, error) {
	info := w.game.Info()
	v := shown{Game: info.Name, Title: info.Title, Rules: info.Rules, Settings: w.record.Settings,
		Players: w.record.Players, Seed: strconv.FormatUint(w.record.Seed, 10),
		Winner: w.record.Winner, Final: w.record.Scores, Scenes: w.scenes, Steps: w.steps,
		Scores: w.scores, Looks: w.layers, Kinds: w.kinds, Events: w.events, Series: w.series}
	_, v.Analyst = w.game.(engine.Analyst)
	_, v.Playable = w.game.(engine.Interactive)
	for _, seat := range w.seats {
		v.Tells = append(v.Tells, seat.Tells(w.game))
	}
	return v, nil
}

// weighs reports whether bred players of the game can explain their choices.
func (w *watched) weighs() bool {
	_, ok := w.game.(engine.Weigher)
	return ok
}

// inspect describes what is at a pixel of a scene.
func (s *games) inspect(w *watched, r *http.Request) (any, error) {
	var at [2]int
	var err error
	for i, name := range []string{"x", "y"} {
		if at[i], err = site.Number(r, name, 0, 0, 1<<30); err != nil {
			return nil, err
		}
	}
	n, err := w.layerIn(r)
	if err != nil {
		return nil, err
	}
	v := &inWords{}
	return v, s.atScene(w, r, func(scene engine.Scene) {
		if inspector, ok := layerOf(scene, n).(engine.Inspector); ok {
			v.Text = inspector.Inspect(image.Pt(at[0], at[1]), w.layers[n].Scale)
		}
	})
}

// inWords is a text about a scene.
type inWords struct {
	Text string `json:"text"`
}

// printScene returns a scene as a terminal shows it.
func (s *games) printScene(w *watched, r *http.Request) (any, error) {
	v := &inWords{}
	return v, s.atScene(w, r, func(scene engine.Scene) {
		if speaker, ok := scene.(engine.Speaker); ok {
			v.Text = speaker.Text()
		}
	})
}

// searched bounds the positions of a search for a page.
const searched = 300_000

// analyse searches the position of a scene as `clade solve` does.
func (s *games) analyse(w *watched, r *http.Request) (any, error) {
	var position []byte
	if err := s.atScene(w, r, func(scene engine.Scene) {
		if e, ok := scene.(engine.Exporter); ok {
			position, _ = e.Export()
		}
	}); err != nil {
		return nil, err
	}
	analyst, ok := w.game.(engine.Analyst)
	if !ok || position == nil {
		return nil, site.Refuse("positions of %s cannot be searched", w.record.Game)
	}
	done, err := s.Work(r.Context())
	if err != nil {
		return nil, err
	}
	defer done()
	found, err := analyst.Analyse(strings.TrimSpace(string(position)), searched, 0, "")
	if err != nil {
		return nil, site.Wrong(err)
	}
	return inWords{found.Text()}, nil
}

// atScene calls a function with the scene of a link.
func (s *games) atScene(w *watched, r *http.Request, see func(engine.Scene)) error {
	n, err := site.Number(r, "scene", 0, 0, w.scenes-1)
	if err != nil {
		return err
	}
	ctx := r.Context()
	done, err := s.Work(ctx)
	if err != nil {
		return err
	}
	defer done()
	there, stop := context.WithCancel(ctx)
	defer stop()
	i := 0
	err = w.replay(there, engine.OnStep(func(now engine.Scene) {
		if i == n {
			see(now)
			stop() // the rest of the game is not needed
		}
		i++
	}))
	if there.Err() != nil && ctx.Err() == nil {
		return nil
	}
	return err
}

// dropRecord takes the text of a record, and returns its name for links.
func (s *games) dropRecord(r *http.Request) (any, error) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, site.Wrong(err)
	}
	if _, err := engine.ParseRecord("the dropped file", text); err != nil {
		return nil, site.Wrong(err)
	}
	return struct {
		Record string `json:"record"`
	}{s.Drop(string(text))}, nil
}

// saveRecord returns the game as a record file.
func (s *games) saveRecord(w *watched, _ *http.Request) (any, error) {
	text, err := w.record.Encode()
	return inWords{string(text)}, err
}

// replay plays the recorded game again.
func (w *watched) replay(ctx context.Context, rec engine.Recorder) error {
	return engine.Until(ctx, rec, func(rec engine.Recorder) error {
		_, err := engine.Replay(w.game, w.record, rec)
		return err
	})
}

// eventCollector collects scores, steps and events while a game is played for the first time.
type eventCollector struct {
	w      *watched
	last   []float64 // scores of the scene before
	counts [][]int   // by seat: what has happened up to the scene before
	leader int
	kept   []int // events of each kind
	scenes []int // in which each kind happens
}

func (f *eventCollector) look(s engine.Scene) {
	w := f.w
	scores := s.Scores(nil)
	if w.scenes == 0 {
		f.begin(s, len(scores))
	}
	for seat, v := range scores {
		if w.scenes == 0 || v != f.last[seat] {
			w.scores[seat] = append(w.scores[seat], float64(w.scenes), v)
		}
	}
	if w.scenes > 0 {
		f.lead(scores)
		f.happen(s, scores)
	}
	f.last = scores
	if step := s.Step(); w.steps != nil || step != w.scenes {
		for i := len(w.steps); i < w.scenes; i++ {
			w.steps = append(w.steps, i)
		}
		w.steps = append(w.steps, step)
	}
	w.scenes++
}

// kindLead is the kind of events of every game: a player takes the lead or has nothing left, and
// the end.
const kindLead = 0

// begin names the kinds of events: those that the game counts, else changes of scores.
func (f *eventCollector) begin(s engine.Scene, seats int) {
	w := f.w
	w.layers, w.scores = layersOf(s, seats), make([][]float64, seats)
	f.last, f.leader, f.counts = make([]float64, seats), engine.Tie, make([][]int, seats)
	w.kinds = []kind{{Name: "lead"}}
	if c, ok := s.(engine.Chronicler); ok {
		for _, name := range c.Events() {
			w.kinds = append(w.kinds, kind{Name: name})
		}
		for seat := range f.counts {
			f.counts[seat] = c.Happened(nil, seat)
		}
	}
	if len(w.kinds) == 1 {
		w.kinds, f.counts = append(w.kinds, kind{Name: "score"}), nil
	}
	f.kept, f.scenes = make([]int, len(w.kinds)), make([]int, len(w.kinds))
}

// happen records the events that the game has counted since the scene before, or else changes of
// scores.
func (f *eventCollector) happen(s engine.Scene, scores []float64) {
	seen := make([]bool, len(f.w.kinds))
	for seat := range scores {
		if f.counts == nil {
			if by := scores[seat] - f.last[seat]; by != 0 {
				seen[1] = true
				f.add(seat, 1, fmt.Sprintf("%+g", by))
			}
			continue
		}
		now := s.(engine.Chronicler).Happened(nil, seat)
		for i, n := range now {
			text := f.w.kinds[1+i].Name
			if n -= f.counts[seat][i]; n <= 0 {
				continue
			} else if n > 1 {
				text = fmt.Sprintf("%d × %s", n, text)
			}
			seen[1+i] = true
			f.add(seat, 1+i, text)
		}
		f.counts[seat] = now
	}
	for i, yes := range seen {
		if yes {
			f.scenes[i]++
		}
	}
}

// add records an event, unless there are too many of its kind.
func (f *eventCollector) add(seat, kind int, text string) {
	if f.kept[kind]++; f.kept[kind] <= mostEvents {
		f.w.events = append(f.w.events, event{f.w.scenes, seat, kind, text})
	}
}

// lead records who takes the lead, and who loses everything.
func (f *eventCollector) lead(scores []float64) {
	for seat, v := range scores {
		if v <= 0 && f.last[seat] > 0 {
			f.add(seat, kindLead, "has nothing left")
		}
		alone := true
		for other, o := range scores {
			alone = alone && (other == seat || o < v)
		}
		if alone && len(scores) > 1 && f.leader != seat {
			f.leader = seat
			f.add(seat, kindLead, "takes the lead")
		}
	}
}

// end finds the kinds of events that happen in most scenes.
func (f *eventCollector) end() {
	w := f.w
	for i := range w.kinds {
		w.kinds[i].Daily = 2*f.scenes[i] > w.scenes
	}
	w.events = append(w.events, event{w.scenes - 1, w.record.Winner, kindLead, "end"})
}

// play plays a game, or replays a record, and collects everything that can be counted.
func (w *watched) play(ctx context.Context, names []string, players []engine.Player,
	seed uint64) error {
	f := &eventCollector{w: w}
	recorders := engine.Recorders{engine.OnStep(f.look)}
	var counter engine.Counter
	var measures []engine.Measure
	if census, ok := w.game.(engine.Census); ok {
		measures, counter = census.Count()
		recorders = append(recorders, counter)
	}
	err := engine.Until(ctx, recorders, func(rec engine.Recorder) (err error) {
		if w.record == nil {
			w.record, _, err = engine.PlayRecorded(w.game, names, players, seed, rec)
			return err
		}
		_, err = engine.Replay(w.game, w.record, rec)
		return err
	})
	if err != nil {
		return err
	}
	f.end()
	for i, m := range measures {
		one := series{Title: m.Title, Unit: m.Unit}
		for seat := range w.record.Players {
			values := counter.Series(seat)[i]
			if len(values) != w.scenes {
				break // counted by something else than scenes
			}
			one.Values = append(one.Values, finite(values, m.Scale))
		}
		if len(one.Values) == len(w.record.Players) {
			w.series = append(w.series, one)
		}
	}
	return nil
}

// finite returns values that JSON can hold.
func finite(values []float64, scale float64) []*float64 {
	all := make([]*float64, len(values))
	for i, v := range values {
		if v == v {
			v *= scale
			all[i] = &v
		}
	}
	return all
}

// genomeOf returns the genome of a seat.
func (w *watched) genomeOf(seat int) (gp.Genome, error) {
	if seat < 0 || seat >= len(w.seats) || w.seats[seat].Genome == nil {
		return nil, site.Refuse("no bred player sits in seat %d", seat+1)
	}
	if !w.weighs() {
		return nil, site.Refuse("evolved programs of %s weigh no candidates against each other",
			w.record.Game)
	}
	return w.seats[seat].Genome, nil
}
