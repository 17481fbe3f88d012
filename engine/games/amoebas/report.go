package amoebas

import (
	"bytes"
	"cmp"
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

	"clade/engine"
	"clade/engine/system/durable"
)

// frameScale is the number of pixels a cell's side has in frames, and gifScale in the moving
// picture, gifDelay the hundredths of a second that a frame stays.
const (
	frameScale = 4
	gifScale   = 2
	gifDelay   = 6
)

// report records a game and writes what the original's tournament writes: an engine.NativeReport.
// The first error ends the writing; Close returns it.
type report struct {
	entrants []entrant
	genesis  []int // the seats in the original's order
	output   output
	console  io.Writer
	notes    io.Writer
	err      error
	rounds   int
	alive    [engine.MaxSeats]bool
	sizes    bytes.Buffer
	energies bytes.Buffer
	last     string // statistics of the last round
	movie    gif.GIF
}

// newReport returns a report of a game between the entrants, by seat. It returns an error for a
// name that is not a word or occurs twice, or if the directory cannot be made.
func newReport(entrants []entrant, o output, console, notes io.Writer) (*report, error) {
	r := &report{entrants: entrants, output: o, console: console, notes: notes}
	if len(entrants) < 1 || len(entrants) > engine.MaxSeats {
		return nil, fmt.Errorf("amoebas: a tournament has 1 to %d species, not %d", engine.MaxSeats,
			len(entrants))
	}
	seen := map[string]bool{}
	for i, e := range entrants {
		if seen[e.name] || !isWord(e.name) {
			return nil, fmt.Errorf("amoebas: the name %q of a species stands twice or is not a "+
				"word of letters, digits, hyphens and underscores", e.name)
		}
		seen[e.name] = true
		r.genesis = append(r.genesis, i)
		r.alive[i] = true
	}
	if len(entrants) > mapOrder {
		slices.SortStableFunc(r.genesis, r.byHash)
	}
	if o.saveGraphics || o.csvStats || o.gif {
		if err := os.MkdirAll(o.directory, 0o777); err != nil {
			return nil, fmt.Errorf(
				"amoebas: cannot make the directory for the tournament's files: %w", err)
		}
	}
	var header []string
	for _, s := range r.genesis {
		header = append(header, ":"+entrants[s].name)
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
func (r *report) byHash(a, b int) int {
	key := func(seat int) uint32 { return orderKey(hashKeyword(r.entrants[seat].name)) }
	return cmp.Compare(key(a), key(b))
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
func (r *report) Decide(int, uint64) {}

// Step implements engine.Recorder. The scene must be one of this game.
func (r *report) Step(s engine.Scene) {
	w := s.(*scene).w
	r.row(&r.sizes, w, &w.sizes)
	r.row(&r.energies, w, &w.energies)
	r.rounds = w.round
	if w.round == 0 || r.err != nil {
		return
	}
	r.last = r.statistics(w)
	if r.output.generationalStats {
		r.print("%d :  %s\n", w.round-1, r.last)
	}
	r.extinctions(w)
	if r.output.saveGraphics {
		r.keep(r.writeFrame(s))
	}
	if r.output.gif {
		r.movie.Image = append(r.movie.Image, r.picture(s, gifScale))
		r.movie.Delay = append(r.movie.Delay, gifDelay)
	}
}

// keep remembers the first error.
func (r *report) keep(err error) {
	if err != nil && r.err == nil {
		r.err = fmt.Errorf("amoebas: %w", err)
	}
}

func (r *report) print(format string, args ...any) {
	_, err := fmt.Fprintf(r.console, format, args...)
	r.keep(err)
}

// row adds a row of a CSV file; the field of an extinct species is empty.
func (r *report) row(to *bytes.Buffer, w *world, values *[engine.MaxSeats]int) {
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
func (r *report) statistics(w *world) string {
	var sizes, energies, live []string
	for _, s := range r.living(w) {
		name := ":" + r.entrants[s].name
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

// living returns the seats that have amoebas in the original's order: as the map of positions lists
// them or, if they are more than mapOrder, as a large map does.
func (r *report) living(w *world) []int {
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

// extinctions notes the species that died out in this round, and prints them if the output asks for
// it.
func (r *report) extinctions(w *world) {
	var gone []string
	for _, s := range r.genesis {
		if r.alive[s] && w.sizes[s] == 0 {
			r.alive[s] = false
			gone = append(gone, ":"+r.entrants[s].name)
		}
	}
	if len(gone) > 0 && r.output.reportExtinctions {
		r.print("extinct at  %d :  (%s)\n", w.round-1, strings.Join(gone, " "))
	}
}

// picture draws a scene in the entrants' colours.
func (r *report) picture(s engine.Scene, scale int) *image.Paletted {
	shown, _ := r.Show(s)
	return engine.Picture(shown, scale)
}

func (r *report) writeFrame(s engine.Scene) error {
	return r.write(fmt.Sprintf("g%05d.png", s.Step()-1),
		func(f io.Writer) error { return png.Encode(f, r.picture(s, frameScale)) })
}

// write writes a file of the directory, whole or not at all.
func (r *report) write(name string, content func(io.Writer) error) error {
	var b bytes.Buffer
	if err := content(&b); err != nil {
		return err
	}
	return durable.WriteFile(filepath.Join(r.output.directory, name), b.Bytes(), 0o666)
}

// Show implements engine.NativeReport: the scene in the entrants' colours, and how many amoebas and
// how much energy each has.
func (r *report) Show(s engine.Scene) (shown engine.Scene, words []string) {
	look := originalLook()
	look.seats = make([]color.NRGBA, len(r.entrants))
	w := s.(*scene).w
	for i, e := range r.entrants {
		look.seats[i] = e.colour
		words = append(words, fmt.Sprintf("%s %d (%d)", e.name, w.sizes[i], w.energies[i]))
	}
	return &scene{w: w, palette: look.palette(w.constants.MaxCellEnergy)}, words
}

// Close implements engine.NativeReport.
func (r *report) Close(result engine.Result) (end any, err error) {
	if r.output.lastGenStats && r.err == nil {
		r.print("finished ( %d  generations):  %s\n", r.rounds, r.last)
	}
	if r.output.csvStats && r.err == nil {
		r.keep(r.write("popsize.csv",
			func(f io.Writer) error { _, err := r.sizes.WriteTo(f); return err }))
		r.keep(r.write("energy.csv",
			func(f io.Writer) error { _, err := r.energies.WriteTo(f); return err }))
	}
	if r.output.gif && len(r.movie.Image) > 0 && r.err == nil {
		r.keep(r.write("game.gif", func(f io.Writer) error { return gif.EncodeAll(f, &r.movie) }))
	}
	if _, missing := exec.LookPath("ffmpeg"); r.output.saveGraphics && missing == nil {
		fmt.Fprintf(r.notes, "a film of the frames: ffmpeg -i %s %s\n",
			filepath.Join(r.output.directory, "g%05d.png"),
			filepath.Join(r.output.directory, "video.mp4"))
	}
	return r.end(&result), r.err
}

// end is the end of a game for JSON.
func (r *report) end(result *engine.Result) any {
	type species struct {
		Name   string  `json:"name"`
		Player string  `json:"player"`
		Energy float64 `json:"energy"`
		Size   int     `json:"size"`
	}
	end := struct {
		Rounds      int       `json:"rounds"`
		Winner      string    `json:"winner"` // "" for a tie
		Species     []species `json:"species"`
		Fingerprint uint64    `json:"fingerprint"`
	}{Rounds: result.Steps, Fingerprint: result.Fingerprint}
	if result.Winner() != engine.Tie {
		end.Winner = r.entrants[result.Winner()].name
	}
	for i, e := range r.entrants {
		end.Species = append(end.Species, species{e.name, e.player, result.Scores[i],
			int(result.Marks[i][markPopulation])})
	}
	return end
}
