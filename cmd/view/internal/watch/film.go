package watch

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"clade/analysis/film"
	"clade/cmd/view/site"
	"clade/engine"
)

// Bounds of the film of a game, any scene of which may be requested.
const (
	filmBytes = 16 << 20         // of its reels in memory; the oldest give way
	ahead     = 32               // reels that are made before they are asked for
	patience  = 30 * time.Second // that a film waits for its page
)

// layer is one view of a game: its scenes, or one of the layers of an engine.Layered.
type layer struct {
	Name    string       `json:"name"`
	Width   int          `json:"width"`
	Height  int          `json:"height"`
	Scale   int          `json:"scale"`
	Tile    int          `json:"tile"`   // pixels of a cell; 0 where there are no squares
	Ground  int          `json:"ground"` // entries of the palette of what is no life
	Palette colours      `json:"palette"`
	Seats   []string     `json:"seatColours"`    // as in the picture
	Frames  int          `json:"frames"`         // scenes of a reel
	Plan    *engine.Plan `json:"plan,omitempty"` // of the board; its reels are of pieces if not dense

	film frameCache
}

// pieces reports whether the layer's reels are of pieces.
func (l *layer) pieces() bool { return l.Plan != nil && !l.Plan.Dense }

// reach is the side of a tile in the picture of scale 1, or what stands for it.
func (l *layer) reach() int {
	if l.Tile == 0 {
		return 8
	}
	return max(1, l.Tile/l.Scale)
}

// layerOf returns a scene's layer by number: 0 is the scene itself.
func layerOf(s engine.Scene, n int) engine.Scene {
	if l, ok := s.(engine.Layered); ok && n > 0 {
		return l.Layer(n - 1)
	}
	return s
}

// layersOf lists the layers of a game, from its first scene.
func layersOf(s engine.Scene, seats int) []*layer {
	names := []string{"board"}
	if l, ok := s.(engine.Layered); ok {
		names = append(names, l.Layers()...)
	}
	var layers []*layer
	for n, name := range names {
		shown := layerOf(s, n)
		one := &layer{Name: name, Scale: film.Scale(shown.Size(1), sideWanted),
			Frames: film.ReelFrames(shown.Size(1))}
		if p, ok := shown.(engine.Planned); ok {
			one.Plan = p.Plan()
			// the page enlarges it: sixteen pixels for a cell would be as many to send
			if one.Plan != nil && one.Plan.Dense {
				one.Scale = 1
			}
		}
		img := engine.Picture(shown, one.Scale)
		one.Width, one.Height = img.Rect.Dx(), img.Rect.Dy()
		one.Palette, one.Ground = colours(img.Palette), 1
		if g, ok := shown.(interface{ Ground() int }); ok {
			one.Ground = g.Ground()
		}
		if t, ok := shown.(engine.Tiled); ok {
			one.Tile = t.Tile(one.Scale)
		}
		if one.pieces() {
			one.Frames = film.PlanFrames
		}
		for seat := range seats {
			ink := engine.Seats + seat
			if own, ok := shown.(engine.Inked); ok {
				ink = int(own.Ink(seat))
			}
			one.Seats = append(one.Seats, hex(img.Palette[ink%len(img.Palette)]))
		}
		layers = append(layers, one)
	}
	return layers
}

// frameCache makes the reels of a film on request, and keeps them. A render job continues from reel
// to reel as long as pages follow it; a request for another part starts a new one.
type frameCache struct {
	mu    sync.Mutex
	reels map[int][]byte
	order []int // of making
	size  int   // bytes of all
	grown chan struct{}
	now   *renderJob // under way, nil without
}

// renderJob is a game that is played to be drawn.
type renderJob struct {
	next, want int           // the reel that it makes next, and the last one asked for
	wake       chan struct{} // holds one: another reel is asked for
	err        error
	over       bool
	end        context.CancelFunc
}

// reel returns a reel of a film that is made by a camera. play plays the game before a recorder,
// and work asks for a place to do so.
func (p *frameCache) reel(ctx context.Context, n int, c film.Reels,
	play func(context.Context, engine.Recorder) error,
	work func(context.Context) (func(), error)) ([]byte, error) {
	for {
		p.mu.Lock()
		data, ok := p.reels[n]
		if f := p.now; f != nil && !f.over && (ok || n >= f.next && n < f.next+ahead) {
			f.want = n
			select {
			case f.wake <- struct{}{}:
			default: // it is awake
			}
		} else if !ok {
			if f != nil && f.over && f.err != nil {
				p.now = nil
				p.mu.Unlock()
				return nil, f.err
			}
			if f != nil {
				f.end()
			}
			p.render(n, c, play, work)
		}
		grown := p.grown
		p.mu.Unlock()
		if ok {
			return data, nil
		}
		select {
		case <-grown:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// render starts a render job at a reel. The caller holds the lock.
func (p *frameCache) render(from int, c film.Reels,
	play func(context.Context, engine.Recorder) error,
	work func(context.Context) (func(), error)) {
	if p.reels == nil {
		p.reels = map[int][]byte{}
	}
	ctx, end := context.WithCancel(context.Background())
	f := &renderJob{next: from, want: from, wake: make(chan struct{}, 1), end: end}
	p.now, p.grown = f, make(chan struct{})
	var done func() // gives the place free
	c.From = from
	c.Keep = func(n int, data []byte) bool {
		p.keep(f, n, data)
		if !p.far(f) {
			return ctx.Err() == nil
		}
		done() // others draw while it waits
		if !p.wait(ctx, f) {
			done = func() {}
			return false
		}
		var err error
		if done, err = work(ctx); err != nil {
			done = func() {}
		}
		return err == nil
	}
	go func() {
		defer end()
		var err error
		if done, err = work(ctx); err == nil {
			if err = play(ctx, &c); err == nil {
				c.End()
			}
			done()
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		f.over = true
		if ctx.Err() == nil { // else nobody waits for it
			f.err = err
		}
		if p.now == f {
			close(p.grown)
			p.grown = make(chan struct{})
		}
	}()
}

// keep stores a reel.
func (p *frameCache) keep(f *renderJob, n int, data []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f.next = n + 1
	if _, ok := p.reels[n]; ok {
		return
	}
	p.reels[n] = data
	p.order = append(p.order, n)
	p.size += len(data)
	for p.size > filmBytes && len(p.order) > ahead {
		p.size -= len(p.reels[p.order[0]])
		delete(p.reels, p.order[0])
		p.order = slices.Delete(p.order, 0, 1)
	}
	if p.now == f {
		close(p.grown)
		p.grown = make(chan struct{})
	}
}

// far reports whether a render job is far ahead of the requests.
func (p *frameCache) far(f *renderJob) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return f.next > f.want+ahead
}

// wait returns true when the render job is to continue, or false when it is to end.
func (p *frameCache) wait(ctx context.Context, f *renderJob) bool {
	for {
		if !p.far(f) {
			return ctx.Err() == nil
		}
		select {
		case <-f.wake:
		case <-ctx.Done():
			return false
		case <-time.After(patience):
			f.end()
			return false
		}
	}
}

// layerIn returns the layer that a link names by its number.
func (w *watched) layerIn(r *http.Request) (int, error) {
	return site.Number(r, "layer", 0, 0, len(w.layers)-1)
}

// showReel answers with one reel of a game's film.
func (s *games) showReel(rw http.ResponseWriter, r *http.Request) {
	data, err := s.reel(r)
	if err != nil {
		site.Fail(rw, err)
		return
	}
	rw.Header().Set("Content-Type", "application/octet-stream")
	site.Write(rw, data)
}

func (s *games) reel(r *http.Request) ([]byte, error) {
	w, err := s.watch(r)
	if err != nil {
		return nil, err
	}
	at, err := w.layerIn(r)
	if err != nil {
		return nil, err
	}
	l := w.layers[at]
	n, err := site.Number(r, "reel", 0, 0, (w.scenes-1)/l.Frames)
	if err != nil {
		return nil, err
	}
	c := film.Reels{Scale: l.Scale, Frames: l.Frames, Pieces: l.pieces(),
		Look: func(s engine.Scene) engine.Scene { return layerOf(s, at) }}
	return l.film.reel(r.Context(), n, c, w.replay, s.Work)
}
