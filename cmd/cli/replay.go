package cli

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"image/gif"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"clade/analysis/why"
	"clade/engine"
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
		Short: "Play a recorded game again",
		Long: `Plays a recorded game again, checks that it ends as recorded, and shows it: as
text, as a film in the terminal, step by step with an inspector, as PNG frames
or as a GIF. It can also export positions in the format of the game's community,
such as RLE. Keys of --watch: + and - change the speed, space pauses, a full
stop shows one step, q stops showing. With --step, w tells why a bred player
decided as it did: what each candidate was worth to it, and its tree with values.`,
		Example: `  clade replay game.record
  clade replay game.record --gif game.gif --scale 2
  clade replay game.record --png frames
  clade replay game.record --watch
  clade replay game.record --step
  clade replay game.record --every 100 --export boards
  clade replay game.record --set view=isometric --gif game.gif`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if v.scale < 1 || v.scale > 16 || v.delay < 1 || v.delay > 1000 || v.every < 1 {
				return misuse("--scale must be in 1..16, --delay in 1..1000 and --every at least 1")
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
			v.out = c.OutOrStdout()
			switch {
			case step:
				var seats []why.Seat
				if seats, err = o.scope.Seats(game, record); err != nil {
					return err
				}
				err = stepThrough(game, record, seats, os.Stdout)
			case watch:
				err = watchReplay(c, game, record, v.every)
			default:
				if o.asJSON {
					v.out = io.Discard
				}
				err = v.show(game, record, movie)
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
	f.IntVar(&v.scale, "scale", 1, "size of the pictures")
	f.IntVar(&v.delay, "delay", 20, "hundredths of a second a step of the GIF")
	f.BoolVar(&step, "step", false,
		"step through the game on the terminal, with an inspector of the selected place")
	f.IntVar(&v.every, "every", 1, "show every n-th step")
	return c
}

// ending says how a recorded game ended.
func ending(r *engine.Record) string {
	if r.Winner == engine.Tie {
		return fmt.Sprintf("%v, a tie", r.Scores)
	}
	return fmt.Sprintf("%v, %s wins in seat %d", r.Scores, r.Players[r.Winner], r.Winner+1)
}

// viewer is a Recorder that shows each step.
type viewer struct {
	out                 io.Writer
	frames, exports     string
	movie               *gif.GIF
	scale, delay, every int
	err                 error // the first that a picture met with
}

// show plays a record again and writes what is asked for.
func (v *viewer) show(game engine.Game, record *engine.Record, movie string) error {
	for _, dir := range []string{v.frames, v.exports} {
		if dir == "" {
			continue
		}
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	if movie != "" {
		v.movie = &gif.GIF{}
	}
	fmt.Fprintf(v.out, "%s: %s, seed %d\n", game.Info().Title,
		strings.Join(record.Players, " against "), record.Seed)
	if _, err := engine.Replay(game, record, v); err != nil || v.err != nil {
		return cmp.Or(err, v.err)
	}
	if movie == "" {
		return nil
	}
	if n := len(v.movie.Delay); n > 0 {
		v.movie.Delay[n-1] = 10 * v.delay // the end stays a while
	}
	return writeFile(movie, func(w io.Writer) error { return gif.EncodeAll(w, v.movie) })
}

func (v *viewer) Decide(int, uint64) {}

func (v *viewer) Step(s engine.Scene) {
	if s.Step()%v.every != 0 || v.err != nil {
		return
	}
	if v.exports != "" {
		v.export(s)
		return
	}
	if v.frames == "" && v.movie == nil {
		if t, ok := s.(engine.Speaker); ok {
			fmt.Fprintln(v.out, t.Text())
		}
		return
	}
	img := image.NewPaletted(image.Rectangle{Max: s.Size(v.scale)}, nil)
	s.Draw(img, v.scale)
	if v.movie != nil {
		v.movie.Image = append(v.movie.Image, img)
		v.movie.Delay = append(v.movie.Delay, v.delay)
	}
	if v.frames != "" {
		v.err = writeFile(filepath.Join(v.frames, fmt.Sprintf("%05d.png", s.Step())),
			func(w io.Writer) error { return png.Encode(w, img) })
	}
}

// export writes a position down.
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
	return playUntil(ctx, func() error {
		_, err := engine.Replay(game, record, s)
		return err
	})
}

// writeFile creates a file and reports the first error, that of closing included.
func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	err = write(f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}
