package engine

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"

	"clade/gp/bom"
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
	text, err := bom.Skip(text)
	if err != nil {
		return nil, fmt.Errorf("engine: %s: %w", name, err)
	}
	if line, err := checkFrame(text); err != nil {
		return nil, fmt.Errorf("engine: %s:%d: %w", name, line, err)
	}
	p := recordParser{rest: string(text)}
	r, err := p.record()
	if err != nil {
		return nil, fmt.Errorf("engine: %s:%d: %w; the file was written by hand or by another "+
			"program: play the game again", name, p.line, err)
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
}

// next returns the next line, and "" after the last; no line of a record is empty.
func (p *recordParser) next() string {
	var line string
	line, p.rest, _ = strings.Cut(p.rest, "\n")
	p.line++
	return line
}

// value returns the next line without its keyword.
func (p *recordParser) value(keyword string) (string, error) {
	line := p.next()
	v, ok := strings.CutPrefix(line, keyword+" ")
	if !ok {
		return "", fmt.Errorf("%q where %q and a value must stand", clip(line), keyword)
	}
	return v, nil
}

// clip shortens what is quoted in an error.
func clip(s string) string {
	const longest = 60
	if len(s) > longest {
		return s[:longest] + "..."
	}
	return s
}

func (p *recordParser) record() (*Record, error) {
	r := &Record{}
	p.next() // checked by checkFrame
	if err := p.head(r); err != nil {
		return nil, err
	}
	for strings.HasPrefix(p.rest, "seat ") {
		if err := p.seat(r); err != nil {
			return nil, err
		}
	}
	if err := p.foot(r); err != nil {
		return nil, err
	}
	if err := r.check(); err != nil {
		return nil, err
	}
	if _, err := p.value("sha256"); err != nil {
		return nil, err
	}
	if p.rest != "" {
		return nil, fmt.Errorf("%q behind the end", clip(p.rest))
	}
	return r, nil
}

func (p *recordParser) head(r *Record) error {
	var err error
	if r.Game, err = p.value("game"); err != nil {
		return err
	}
	if r.Version, err = p.number("version"); err != nil {
		return err
	}
	for strings.HasPrefix(p.rest, "setting ") {
		r.Settings += strings.TrimPrefix(p.next(), "setting ") + "\n"
	}
	seed, err := p.value("seed")
	if err != nil {
		return err
	}
	r.Seed, err = parseUint(seed)
	return err
}

func (p *recordParser) foot(r *Record) error {
	winner, err := p.value("winner")
	if err != nil {
		return err
	}
	if r.Winner = Tie; winner != "none" {
		if r.Winner, err = parseInt(winner); err != nil {
			return err
		}
	}
	if r.Steps, err = p.number("steps"); err != nil {
		return err
	}
	digits, err := p.value("fingerprint")
	if err != nil {
		return err
	}
	r.Fingerprint, err = strconv.ParseUint(digits, 16, 64)
	if err != nil || digits != fmt.Sprintf("%016x", r.Fingerprint) {
		return fmt.Errorf("fingerprint %q is not 16 hexadecimal digits", clip(digits))
	}
	return nil
}

// number reads a line with one whole number.
func (p *recordParser) number(keyword string) (int, error) {
	v, err := p.value(keyword)
	if err != nil {
		return 0, err
	}
	return parseInt(v)
}

// seat reads the line of a seat and its decisions.
func (p *recordParser) seat(r *Record) error {
	v, err := p.value("seat")
	if err != nil {
		return err
	}
	quoted, err := strconv.QuotedPrefix(v)
	if err != nil {
		return fmt.Errorf("the player's name must stand in quotation marks, not %q", clip(v))
	}
	player, err := strconv.Unquote(quoted)
	if err != nil || strconv.Quote(player) != quoted {
		return fmt.Errorf("the player's name %s is not in the writing of records", clip(quoted))
	}
	fields := strings.Split(v[len(quoted):], " ")
	if len(fields) != 5 || fields[0] != "" || fields[1] != "score" || fields[3] != "decisions" {
		return fmt.Errorf("%q where a score and a number of decisions must stand", clip(v[len(quoted):]))
	}
	score, err := strconv.ParseFloat(fields[2], 64)
	if err != nil || formatScore(score) != fields[2] {
		return fmt.Errorf("%q is not a score in the writing of records", clip(fields[2]))
	}
	n, err := parseInt(fields[4])
	if err != nil {
		return err
	}
	decisions, err := p.decisions(n)
	if err != nil {
		return err
	}
	r.Players = append(r.Players, player)
	r.Scores = append(r.Scores, score)
	r.Decisions = append(r.Decisions, decisions)
	return nil
}

// decisions reads n decisions.
func (p *recordParser) decisions(n int) ([]uint64, error) {
	if n > len(p.rest)/2 {
		return nil, fmt.Errorf("%d decisions are said to follow, more than the file has room for", n)
	}
	if n == 0 {
		return nil, nil
	}
	decisions := make([]uint64, 0, n)
	for len(decisions) < n {
		want := min(decisionLine, n-len(decisions))
		words := strings.Split(p.next(), " ")
		if len(words) != want {
			return nil, fmt.Errorf("%d decisions where %d must stand", len(words), want)
		}
		for _, word := range words {
			d, err := parseUint(word)
			if err != nil {
				return nil, err
			}
			decisions = append(decisions, d)
		}
	}
	return decisions, nil
}

// parseUint reads a whole number in the one notation that Encode uses.
func parseUint(s string) (uint64, error) {
	v, err := strconv.ParseUint(s, 10, 64)
	if err != nil || strconv.FormatUint(v, 10) != s {
		return 0, fmt.Errorf("%q is not a whole number in 0..%d", clip(s), uint64(math.MaxUint64))
	}
	return v, nil
}

func parseInt(s string) (int, error) {
	v, err := strconv.Atoi(s)
	if err != nil || v < 0 || strconv.Itoa(v) != s {
		return 0, fmt.Errorf("%q is not a whole number in 0..%d", clip(s), math.MaxInt)
	}
	return v, nil
}
