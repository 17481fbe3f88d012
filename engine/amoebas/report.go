package amoebas

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"io"
	"math/bits"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/renameio/v2"

	"clade/engine"
)

// Flags say what a Report writes: those of the original (section 4.1 of the source), and a moving
// picture. Other than there, saving frames needs no window.
type Flags struct {
	GenerationalStats bool   // a console line after every round
	ReportExtinctions bool   // a console line after a round in which species died out
	LastGenStats      bool   // a console line after the last round
	SaveGraphics      bool   // a frame after every round: g00000.png, g00001.png, ...
	CSVStats          bool   // popsize.csv and energy.csv: a row for the start and for every round
	GIF               bool   // all frames in game.gif
	Directory         string // for the files; made if it does not exist; default "."
}

// frameScale is the number of pixels a cell's side has in frames, and gifScale in the moving
// picture, gifDelay the hundredths of a second that a frame stays.
const (
	frameScale = 4
	gifScale   = 2
	gifDelay   = 6
)

// Entrant is a species of a tournament as its output shows it.
type Entrant struct {
	Name   string      // a word: letters, digits, hyphens and underscores
	Colour color.NRGBA // of its amoebas in pictures
}

// Report watches a game, as its engine.Recorder, and writes what the original's tournament writes.
// The first error ends the writing; Close returns it.
type Report struct {
	entrants []Entrant
	genesis  []int // the seats in the original's order
	flags    Flags
	console  io.Writer
	err      error
	rounds   int
	alive    [engine.MaxSeats]bool
	sizes    bytes.Buffer
	energies bytes.Buffer
	last     string // statistics of the last round
	movie    gif.GIF
}

// NewReport returns a report of a game between the entrants, by seat. It returns an error for a
// name that is no word or stands twice, or if the directory cannot be made.
func NewReport(entrants []Entrant, flags Flags, console io.Writer) (*Report, error) {
	r := &Report{entrants: slices.Clone(entrants), flags: flags, console: console}
	if len(entrants) < 1 || len(entrants) > engine.MaxSeats {
		return nil, fmt.Errorf("amoebas: a tournament has 1 to %d species, not %d", engine.MaxSeats,
			len(entrants))
	}
	seen := map[string]bool{}
	for i, e := range entrants {
		if seen[e.Name] || !isWord(e.Name) {
			return nil, fmt.Errorf("amoebas: the name %q of a species stands twice or is no word "+
				"of letters, digits, hyphens and underscores", e.Name)
		}
		seen[e.Name] = true
		r.genesis = append(r.genesis, i)
		r.alive[i] = true
	}
	if len(entrants) > mapOrder {
		slices.SortStableFunc(r.genesis, r.byHash)
	}
	if r.flags.Directory == "" {
		r.flags.Directory = "."
	}
	if flags.SaveGraphics || flags.CSVStats || flags.GIF {
		if err := os.MkdirAll(r.flags.Directory, 0o777); err != nil {
			return nil, fmt.Errorf(
				"amoebas: cannot make the directory for the tournament's files: %w", err)
		}
	}
	var header []string
	for _, s := range r.genesis {
		header = append(header, ":"+entrants[s].Name)
	}
	fmt.Fprintln(&r.sizes, strings.Join(header, ","))
	fmt.Fprintln(&r.energies, strings.Join(header, ","))
	return r, nil
}

func isWord(s string) bool {
	for _, c := range s {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' ||
			c == '_') {
			return false
		}
	}
	return s != ""
}

// mapOrder is the number of entries up to which the original's maps keep the order in which entries
// came; larger ones are ordered by hash.
const mapOrder = 8

// byHash compares species by the order of a large map of the original: by the digits of the hash of
// a keyword.
func (r *Report) byHash(a, b int) int {
	x, y := orderKey(hashKeyword(r.entrants[a].Name)), orderKey(hashKeyword(r.entrants[b].Name))
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// hashKeyword is MurmurHash3 over the UTF-16 units of the name, two at a time, made a symbol's and
// then a keyword's hash. Names are ASCII.
func hashKeyword(name string) uint32 {
	const golden = 0x9e3779b9
	var h uint32
	for i := 1; i < len(name); i += 2 {
		h = mixMurmur(h, uint32(name[i-1])|uint32(name[i])<<16)
	}
	if len(name)%2 == 1 {
		k := bits.RotateLeft32(uint32(name[len(name)-1])*0xcc9e2d51, 15) * 0x1b873593
		h ^= k
	}
	h = finishMurmur(h, uint32(2*len(name)))
	h ^= golden + h<<6 + uint32(int32(h)>>2)
	return h + golden
}

// Decide implements engine.Recorder.
func (r *Report) Decide(int, uint64) {}

// Step implements engine.Recorder. The scene must be one of this game.
func (r *Report) Step(s engine.Scene) {
	scene := s.(*Scene)
	w := scene.w
	r.row(&r.sizes, w, &w.sizes)
	r.row(&r.energies, w, &w.energies)
	r.rounds = w.round
	if w.round == 0 || r.err != nil {
		return
	}
	r.last = r.statistics(w)
	if r.flags.GenerationalStats {
		r.print("%d :  %s\n", w.round-1, r.last)
	}
	r.extinctions(w)
	if r.flags.SaveGraphics {
		r.keep(r.writeFrame(scene))
	}
	if r.flags.GIF {
		r.movie.Image = append(r.movie.Image, r.picture(scene, gifScale))
		r.movie.Delay = append(r.movie.Delay, gifDelay)
	}
}

// keep remembers the first error.
func (r *Report) keep(err error) {
	if err != nil && r.err == nil {
		r.err = fmt.Errorf("amoebas: %w", err)
	}
}

func (r *Report) print(format string, args ...any) {
	_, err := fmt.Fprintf(r.console, format, args...)
	r.keep(err)
}

// row adds a row of a CSV file; the field of an extinct species is empty.
func (r *Report) row(to *bytes.Buffer, w *World, values *[engine.MaxSeats]int) {
	for i, s := range r.genesis {
		if i > 0 {
			to.WriteByte(',')
		}
		if w.sizes[s] > 0 {
			fmt.Fprint(to, values[s])
		}
	}
	to.WriteByte('\n')
}

// statistics writes the totals as the original prints its maps.
func (r *Report) statistics(w *World) string {
	var sizes, energies, live []string
	for _, s := range r.living(w) {
		name := ":" + r.entrants[s].Name
		sizes = append(sizes, fmt.Sprintf("%s %d", name, w.sizes[s]))
		energies = append(energies, fmt.Sprintf("%s %d", name, w.energies[s]))
		live = append(live, name)
	}
	list := "nil"
	if len(live) > 0 {
		list = "(" + strings.Join(live, " ") + ")"
	}
	return fmt.Sprintf("{:size {%s}, :energy {%s}, :live-species %s}", strings.Join(sizes, ", "),
		strings.Join(energies, ", "), list)
}

// living returns the seats that have amoebas in the original's order: that in which they are met in
// the map of positions, or of a large map.
func (r *Report) living(w *World) []int {
	var seats []int
	n := 0
	for s := range w.seats {
		if w.sizes[s] > 0 {
			n++
		}
	}
	for i, word := range w.present {
		for ; word != 0 && len(seats) < n; word &= word - 1 {
			s := int(w.who[w.g.order[i<<6+bits.TrailingZeros64(word)]].species)
			if !slices.Contains(seats, s) {
				seats = append(seats, s)
			}
		}
	}
	if n > mapOrder {
		slices.SortStableFunc(seats, r.byHash)
	}
	return seats
}

// extinctions notes, and reports, the species that died out in this round.
func (r *Report) extinctions(w *World) {
	var gone []string
	for _, s := range r.genesis {
		if r.alive[s] && w.sizes[s] == 0 {
			r.alive[s] = false
			gone = append(gone, ":"+r.entrants[s].Name)
		}
	}
	if len(gone) > 0 && r.flags.ReportExtinctions {
		r.print("extinct at  %d :  (%s)\n", w.round-1, strings.Join(gone, " "))
	}
}

// picture draws a scene in the entrants' colours.
func (r *Report) picture(s *Scene, scale int) *image.Paletted {
	img := image.NewPaletted(image.Rectangle{Max: s.Size(scale)}, nil)
	s.In(r.entrants).Draw(img, scale)
	return img
}

func (r *Report) writeFrame(s *Scene) error {
	return r.write(fmt.Sprintf("g%05d.png", s.w.round-1),
		func(f io.Writer) error { return png.Encode(f, r.picture(s, frameScale)) })
}

// write writes a file of the directory as a whole: it is never half there.
func (r *Report) write(name string, content func(io.Writer) error) error {
	var b bytes.Buffer
	if err := content(&b); err != nil {
		return err
	}
	return renameio.WriteFile(filepath.Join(r.flags.Directory, name), b.Bytes(), 0o666)
}

// Close writes what stands at the end of a tournament, and returns the first error.
func (r *Report) Close() error {
	if r.flags.LastGenStats && r.err == nil {
		r.print("finished ( %d  generations):  %s\n", r.rounds, r.last)
	}
	if r.flags.CSVStats && r.err == nil {
		r.keep(r.write("popsize.csv",
			func(f io.Writer) error { _, err := r.sizes.WriteTo(f); return err }))
		r.keep(r.write("energy.csv",
			func(f io.Writer) error { _, err := r.energies.WriteTo(f); return err }))
	}
	if r.flags.GIF && len(r.movie.Image) > 0 && r.err == nil {
		r.keep(r.write("game.gif", func(f io.Writer) error { return gif.EncodeAll(f, &r.movie) }))
	}
	return r.err
}

// Film returns the command that makes a film of the frames in a directory, and false where ffmpeg
// is not installed.
func Film(directory string) (command []string, ok bool) {
	_, err := exec.LookPath("ffmpeg")
	return []string{"ffmpeg", "-i", filepath.Join(directory, "g%05d.png"),
		filepath.Join(directory, "video.mp4")}, err == nil
}
