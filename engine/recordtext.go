package engine

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"

	"clade/gp/input"
)

// recordFormat is the version of the text form of records. It rises with every change of the
// format.
//
// Each line is a keyword and values. Their order and notation are fixed, so that a record has
// exactly one text:
//
//	clade record 1
//	game antwars
//	version 1
//	setting food = 15                    any number of these: the lines of the settings' TOML
//	seed 12345
//	seat "hyper" score 8 decisions 35    once for each seat, and after each
//	3 7 7 2 0                            its decisions, 32 a line
//	winner 0                             or: winner none
//	steps 70
//	fingerprint 00c0ffee00c0ffee
//	sha256 <64 hexadecimal digits>       over all bytes above
const recordFormat = 1

const (
	recordMagic  = "clade record "
	decisionLine = 32 // decisions a line
)

// Encode returns the text form. It returns an error for a record that the format cannot hold.
func (r *Record) Encode() ([]byte, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s%d\ngame %s\nversion %d\n", recordMagic, recordFormat, r.Game, r.Version)
	for line := range strings.Lines(r.Settings) {
		b.WriteString("setting " + line)
	}
	fmt.Fprintf(&b, "seed %d\n", r.Seed)
	for seat, decisions := range r.Decisions {
		fmt.Fprintf(&b, "seat %s score %s decisions %d\n", strconv.Quote(r.Players[seat]),
			formatScore(r.Scores[seat]), len(decisions))
		for i, d := range decisions {
			end := byte(' ')
			if i%decisionLine == decisionLine-1 || i == len(decisions)-1 {
				end = '\n'
			}
			b.Write(append(strconv.AppendUint(b.AvailableBuffer(), d, 10), end))
		}
	}
	fmt.Fprintf(&b, "winner %s\nsteps %d\nfingerprint %016x\n", formatWinner(r.Winner), r.Steps,
		r.Fingerprint)
	sum := sha256.Sum256(b.Bytes())
	fmt.Fprintf(&b, "sha256 %x\n", sum)
	return b.Bytes(), nil
}

// check returns an error that names the part of the record that the format cannot hold.
func (r *Record) check() error {
	seats := len(r.Decisions)
	switch {
	case !isGameName(r.Game):
		return fmt.Errorf(
			"engine: record of a game named %q; a name is lower case letters and digits", r.Game)
	case r.Version < 1 || r.Steps < 0:
		return fmt.Errorf("engine: record with version %d of the rules and %d steps", r.Version, r.Steps)
	case seats < 1 || seats > MaxSeats || len(r.Players) != seats || len(r.Scores) != seats:
		return fmt.Errorf("engine: record with %d players, %d scores and decisions of %d seats; "+
			"all must be the same number, in 1..%d",
			len(r.Players), len(r.Scores), seats, MaxSeats)
	case r.Winner < Tie || r.Winner >= seats:
		return fmt.Errorf("engine: record of a game for %d that seat %d won", seats, r.Winner)
	case r.Settings != "" && !strings.HasSuffix(r.Settings, "\n"):
		return fmt.Errorf("engine: the settings of a record must be whole lines")
	}
	for seat, score := range r.Scores {
		if math.IsNaN(score) || math.IsInf(score, 0) {
			return fmt.Errorf("engine: record in which seat %d scored %v", seat, score)
		}
	}
	return nil
}

// isGameName tells whether s may be the name of a game: lower case letters and digits, a letter
// first.
func isGameName(s string) bool {
	for i, c := range s {
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' && i > 0) {
			return false
		}
	}
	return s != ""
}

func formatScore(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func formatWinner(winner int) string {
	if winner == Tie {
		return "none"
	}
	return strconv.Itoa(winner)
}

// ParseRecord reads the text form. Errors give name as that of the file, the line, and the remedy.
func ParseRecord(name string, text []byte) (*Record, error) {
	text, err := input.SkipMark(text)
	if err != nil {
		return nil, fmt.Errorf("engine: %s: %w", name, err)
	}
	if line, err := checkFrame(text); err != nil {
		return nil, fmt.Errorf("engine: %s:%d: %w", name, line, err)
	}
	p := recordParser{rest: string(text)}
	r := p.record()
	if p.err == nil {
		p.compare(r, string(text))
	}
	if p.err != nil {
		return nil, fmt.Errorf("engine: %s:%d: %w; the file was written by hand or by another "+
			"program: play the game again", name, p.line, p.err)
	}
	return r, nil
}

// checkFrame returns an error and its line for a text that is not a record, is of another format,
// cut short or damaged.
func checkFrame(text []byte) (line int, err error) {
	const remedy = "fetch the file again or play the game again"
	first, _, _ := bytes.Cut(text, []byte("\n"))
	format, isRecord := strings.CutPrefix(string(first), recordMagic)
	switch {
	case len(text) == 0:
		return 1, fmt.Errorf("the file is empty, not a record; play the game again")
	case !isRecord:
		return 1, fmt.Errorf("not a record of a game: a record starts with %q",
			recordMagic+strconv.Itoa(recordFormat))
	case strings.HasSuffix(format, "\r"):
		return 1, fmt.Errorf("a record whose lines were made to end in CR LF on the way; %s", remedy)
	case format != strconv.Itoa(recordFormat):
		return 1, fmt.Errorf("a record of format %q, and this program reads format %d; read it "+
			"with the program that wrote it", format, recordFormat)
	}
	lines := bytes.Count(text, []byte("\n"))
	body := bytes.TrimSuffix(text, []byte("\n"))
	last := bytes.LastIndexByte(body, '\n') + 1
	digits, isSum := strings.CutPrefix(string(body[last:]), "sha256 ")
	if len(body) == len(text) || !isSum {
		return lines + 1,
			fmt.Errorf("the record is cut short: it does not end with its checksum; %s", remedy)
	}
	sum := sha256.Sum256(text[:last])
	if digits != hex.EncodeToString(sum[:]) {
		return lines,
			fmt.Errorf("the record is damaged: its checksum does not fit lines 1 to %d; %s", lines-1, remedy)
	}
	return 0, nil
}

// recordParser reads the lines of a record in order.
type recordParser struct {
	rest string
	line int // number of the line last read
	err  error
}

// next returns the next line, and "" after the last; no line of a record is empty.
func (p *recordParser) next() string {
	var line string
	line, p.rest, _ = strings.Cut(p.rest, "\n")
	p.line++
	return line
}

// shown makes of a form for fmt.Sscanf what a reader understands.
var shown = strings.NewReplacer("%q", `"NAME"`, "%s", "NAME", "%d", "NUMBER", "%g", "NUMBER", "%x",
	"DIGITS")

// scan reads the values of the next line, which is of a form for fmt.Sscanf, unless a line before
// was wrong.
func (p *recordParser) scan(form string, values ...any) {
	if p.err != nil {
		return
	}
	line := p.next()
	if _, err := fmt.Sscanf(line, form, values...); err != nil {
		p.err = fmt.Errorf("%q where %q must stand", clip(line), shown.Replace(form))
	}
}

// clip shortens what is quoted in an error.
func clip(s string) string {
	const longest = 60
	if len(s) > longest {
		return s[:longest] + "..."
	}
	return s
}

// record reads the values of a record, in whatever notation; compare knows the right one.
func (p *recordParser) record() *Record {
	r, winner := &Record{}, ""
	p.next() // checked by checkFrame
	p.scan("game %s", &r.Game)
	p.scan("version %d", &r.Version)
	for p.err == nil && strings.HasPrefix(p.rest, "setting ") {
		r.Settings += strings.TrimPrefix(p.next(), "setting ") + "\n"
	}
	p.scan("seed %d", &r.Seed)
	for p.err == nil && strings.HasPrefix(p.rest, "seat ") {
		p.seat(r)
	}
	if p.scan("winner %s", &winner); winner == formatWinner(Tie) {
		r.Winner = Tie
	} else if n, err := strconv.Atoi(winner); err == nil {
		r.Winner = n
	} else {
		p.err = cmp.Or(p.err, fmt.Errorf("%q where a seat or none must stand", clip(winner)))
	}
	p.scan("steps %d", &r.Steps)
	p.scan("fingerprint %x", &r.Fingerprint)
	return r
}

// seat reads the line of a seat and its decisions.
func (p *recordParser) seat(r *Record) {
	player, score, n, decisions := "", 0.0, 0, []uint64(nil)
	p.scan("seat %q score %g decisions %d", &player, &score, &n)
	for p.err == nil && len(decisions) < n {
		for word := range strings.SplitSeq(p.next(), " ") {
			d, err := strconv.ParseUint(word, 10, 64)
			if err != nil {
				p.err = cmp.Or(p.err, fmt.Errorf("%q where a decision must stand", clip(word)))
			}
			decisions = append(decisions, d)
		}
	}
	r.Players, r.Scores = append(r.Players, player), append(r.Scores, score)
	r.Decisions = append(r.Decisions, decisions)
}

// compare finds a fault where the text is not the one that the record has: in its first line that
// differs.
func (p *recordParser) compare(r *Record, text string) {
	want, err := r.Encode()
	if p.err = err; err != nil || string(want) == text {
		return
	}
	p.rest, p.line = text, 0
	wanted := recordParser{rest: string(want)}
	for p.err == nil {
		if is, must := p.next(), wanted.next(); is != must {
			p.err = fmt.Errorf("%q where %q must stand", clip(is), clip(must))
		}
	}
}
