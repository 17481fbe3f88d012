package cli

import (
	"cmp"
	"context"
	"fmt"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"clade/analysis/film"
	"clade/analysis/why"
	"clade/engine"
	"clade/engine/system/parallel"
	"clade/experiments/league"
	"clade/experiments/player"
	"clade/experiments/study"
)

func newReplay(scope *player.Scope) *cobra.Command {
	o := flags{scope: scope}
	v := viewer{}
	var movie string
	var step, watch bool
	c := &cobra.Command{
		Use:   "replay RECORD",
		Short: "Show a recorded game",
		Long: `Plays a recorded game again, checks that it ends as recorded, and shows it: as
text, as a film in the terminal, step by step with an inspector, as PNG frames,
or as a GIF, of which ffmpeg and others make films. It can also export positions
in the format of the game's community, such as RLE. Keys of --watch: + and -
change the speed, space pauses, a full stop shows one step, q stops showing.
With --step, w explains the decision of a bred player, as clade why does.
Pictures in the terminal have the colours that TERM and COLORTERM name; with
NO_COLOR they are letters.`,
		Example: `  clade replay game.record
  clade replay game.record --gif game.gif --scale 8 --delay 5
  clade replay game.record --png frames
  clade replay game.record --watch
  clade replay game.record --step
  clade replay life.record --every 100 --export boards      if the game has one
  clade replay darwin.record --set view=isometric --gif game.gif`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := cmp.Or(within("scale", v.scale, 0, 16), within("delay", v.delay, 1, 1000),
				within("every", v.every, 0, math.MaxInt)); err != nil {
				return err
			}
			record, err := engine.ReadRecordFile(args[0])
			if err != nil {
				return err
			}
			game, err := scope.Game(record.Game)
			if err != nil {
				return err
			}
			if err := study.Adjust(*o.scope, record, o.set...); err != nil {
				return usageError{err}
			}
			v.out = plain(c)
			switch {
			case step:
				var seats []why.Seat
				if seats, err = o.scope.Seats(game, record); err != nil {
					return usageError{err}
				}
				err = stepThrough(game, record, seats, os.Stdout)
			case watch:
				err = watchReplay(c, game, record, max(1, v.every))
			default:
				if o.asJSON {
					v.out = io.Discard
				}
				if movie == "" || v.frames != "" || v.exports != "" {
					err = v.show(game, record)
				}
				if err == nil && movie != "" {
					err = v.film(c, game, record, movie)
				}
			}
			if err != nil {
				return err
			}
			return o.print(c, struct {
				Game    string    `json:"game"`
				Players []string  `json:"players"`
				Seed    uint64    `json:"seed"`
				Scores  []float64 `json:"scores"`
				Winner  int       `json:"winner"` // seat from 0, -1 for a tie
				Steps   int       `json:"steps"`
			}{record.Game, record.Players, record.Seed, record.Scores, record.Winner, record.Steps},
				func(w io.Writer) { fmt.Fprintf(w, "ended as recorded: %s\n", ending(record)) })
		},
	}
	o.add(c, help{
		"set":  "a setting of the game that changes how it is drawn, KEY=VALUE; may be repeated",
		"json": "print the end as one line of JSON instead of the game"})
	f := c.Flags()
	f.StringVar(&v.frames, "png", "", "write a picture of every step into this directory")
	f.StringVar(&v.exports, "export", "",
		"write every position in the format of the game's community into this directory")
	f.BoolVar(&watch, "watch", false, "show the game in the terminal")
	f.StringVar(&movie, "gif", "", "write a moving picture into this file")
	f.IntVar(&v.scale, "scale", 0, "size of the pictures (default: 1, and so that a moving one is "+
		"320 pixels wide)")
	f.IntVar(&v.delay, "delay", 20, "hundredths of a second a frame of a moving picture")
	f.BoolVar(&step, "step", false,
		"step through the game on the terminal, with an inspector of the selected place")
	f.IntVar(&v.every, "every", 0,
		"show every n-th step (default: each, and of a GIF as many that "+
			"it has at most 600 frames and 10 MB)")
	return c
}

// ending describes the end of a recorded game.
func ending(r *engine.Record) string {
	if r.Winner == engine.Tie {
		return fmt.Sprintf("%v, a tie", r.Scores)
	}
	return fmt.Sprintf("%v, %s wins in seat %d", r.Scores, r.Players[r.Winner], r.Winner+1)
}

// viewer is a Recorder that prints, draws or exports each step.
type viewer struct {
	out                 io.Writer
	frames, exports     string
	scale, delay, every int
	err                 error // the first that a picture met with
}

// show replays a record and writes the requested texts, pictures or positions.
func (v *viewer) show(game engine.Game, record *engine.Record) error {
	dirs := slices.DeleteFunc([]string{v.frames, v.exports},
		func(dir string) bool { return dir == "" })
	for _, dir := range dirs {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	fmt.Fprintf(v.out, "%s: %s, seed %d\n", game.Info().Title,
		strings.Join(record.Players, " against "), record.Seed)
	_, err := engine.Replay(game, record, v)
	if err = cmp.Or(err, v.err); err != nil {
		return err
	}
	for _, dir := range dirs {
		complain(fmt.Sprintf("wrote %s: %s", dir, pace(v.every)))
	}
	return nil
}

// film writes a moving picture.
func (v *viewer) film(c *cobra.Command, game engine.Game, record *engine.Record,
	path string) error {
	shown := *record
	shown.Players = league.Labels(record.Players) // a caption has no room for folders
	p := newProgress(nil)
	made, err := film.GIF(c.Context(), path, game, &shown, film.Options{Scale: v.scale,
		Every: v.every, Delay: v.delay, Progress: p.stageOf("drawing " + path)})
	p.close()
	if err != nil {
		return brokenOff(err)
	}
	complain(fmt.Sprintf("wrote %s: %d frames of %d x %d, %s", path, made.Frames, made.Size.X,
		made.Size.Y, pace(made.Every)))
	return nil
}

// pace says which steps are shown.
func pace(every int) string {
	if every > 1 {
		return fmt.Sprintf("every %d steps", every)
	}
	return "every step"
}

func (v *viewer) Decide(int, uint64) {}

func (v *viewer) Step(s engine.Scene) {
	if s.Step()%max(1, v.every) != 0 || v.err != nil {
		return
	}
	if t, ok := s.(engine.Speaker); ok && v.frames+v.exports == "" {
		fmt.Fprintln(v.out, t.Text())
	}
	if v.exports != "" {
		v.export(s)
	}
	if v.frames == "" || v.err != nil {
		return
	}
	scale := max(1, v.scale)
	img := engine.Picture(s, scale)
	v.err = writeFile(filepath.Join(v.frames, fmt.Sprintf("%05d.png", s.Step())),
		func(w io.Writer) error { return png.Encode(w, img) })
}

// export writes a position in the format of the game's community.
func (v *viewer) export(s engine.Scene) {
	e, ok := s.(engine.Exporter)
	if !ok {
		v.err = misuse("this game's positions have no format of their own; take --png")
		return
	}
	text, extension := e.Export()
	v.err = os.WriteFile(filepath.Join(v.exports, fmt.Sprintf("%05d%s", s.Step(), extension)), text,
		0o666)
}

// watchReplay shows a recorded game in the terminal.
func watchReplay(c *cobra.Command, game engine.Game, record *engine.Record, every int) error {
	ctx, stop := context.WithCancel(c.Context())
	defer stop()
	s, err := openScreen(c.OutOrStdout(), stop, record.Players, every)
	if err != nil {
		return usageError{err}
	}
	defer fmt.Fprintln(os.Stderr) // below the picture
	defer s.close()
	return brokenOff(parallel.Promptly(ctx, func() error {
		_, err := engine.Replay(game, record, s)
		return err
	}))
}

// writeFile creates a file and reports the first error, that of closing included.
func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return cmp.Or(write(f), f.Close())
}
