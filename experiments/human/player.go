package human

import (
	"bufio"
	"fmt"
	"image/color"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"clade/engine"
	"clade/engine/terminal"
)

// Player is a person at a terminal in one seat of a game that shows data and takes answers: an
// engine.Agent, and the engine.Person of the game. With Key the screen is drawn in place and a key
// is a move; without, it is for one answer a line.
type Player struct {
	Out   io.Writer
	Lines *bufio.Scanner // answers, where Key is nil
	// waits for a key for at most a time, forever if it is negative; 0 for none
	Key     func(wait time.Duration) byte
	Pace    time.Duration // that a decision with Key may take, then it is not answered; 0 for ever
	Columns int           // of the terminal, for line breaks
	Title   string        // of the game, above the board
	Status  func() string // both scores
	Moves

	resigned, stopped bool
	drawn             bool
	due               time.Time // of an answer, with Pace
	again             int       // times that the last answer is given again
	last              []byte
	note              string // what is to be told
}

// Resigned implements engine.Person; a person whose input ends has, too.
func (s *Player) Resigned() bool { return s.resigned || s.stopped }

// End implements engine.Agent.
func (s *Player) End(*engine.Result) {}

// playerHelp is the answer to "help".
const playerHelp = "Write an action's name, or press its key; ':' begins what else may be " +
	"written, and a letter before a word stands for it. '50 NAME' does so 50 times. '{…}' is an " +
	"answer as JSON, as programs give it. " +
	"'resign' gives the game up; Ctrl-C leaves it, and it does not count."

// Act implements engine.Agent. A person who has resigned or gone makes no decision.
func (s *Player) Act(d engine.Decision) {
	if s.resigned || s.stopped || s.Settled(d) {
		return
	}
	if s.again > 0 {
		if s.again--; s.Take(d, s.last) == nil {
			return
		}
		s.again, s.note = 0, "that is not possible any more"
	}
	actions, _ := d.Actions()
	s.due = time.Now().Add(s.Pace)
	for {
		text, ok := s.ask(d, actions)
		text = strings.TrimSpace(text)
		switch {
		case !ok && s.Pace > 0:
			return // the rules say what becomes of it
		case !ok:
			s.stopped = true
			return
		case text == "":
			continue
		case text == "help" || text == "?":
			s.note = playerHelp
			continue
		case text == "resign" || text == "quit":
			s.resigned = true
			return
		case text == "undo" && s.Open:
			err := s.Undo()
			if err == nil {
				s.note = ""
				return
			}
			s.note = err.Error()
			continue
		}
		times, answer := s.answer(text, actions)
		if err := s.Take(d, answer); err != nil {
			s.note = err.Error()
			continue
		}
		s.again, s.last, s.note = times-1, answer, ""
		return
	}
}

// answer turns what a person writes into an answer, and tells how often it is to be given.
func (s *Player) answer(text string, actions []engine.Action) (times int, answer []byte) {
	times = 1
	if first, rest, ok := strings.Cut(text, " "); ok {
		if n, err := strconv.Atoi(first); err == nil && n > 0 {
			times, text = n, strings.TrimSpace(rest)
		}
	}
	if strings.HasPrefix(text, "{") {
		return times, []byte(text)
	}
	if strings.HasPrefix(text, "[") {
		return times, []byte(`{"action":` + text + "}")
	}
	for _, a := range actions {
		if a.Name == text || a.Key == text && a.Key != "" {
			return times, engine.Answer(a.Name)
		}
	}
	return times, engine.Answer(text)
}

// ask shows the decision and returns what the person writes or presses; false at the end of input.
func (s *Player) ask(d engine.Decision, actions []engine.Action) (string, bool) {
	typed, free := "", false
	if s.Key != nil {
		typed, _ = onlyWords(actions, "")
	}
	for {
		var words []string
		if s.Key != nil && !free {
			words = nextWords(actions, typed)
		}
		s.show(d, actions, words, typed, free)
		if s.Key == nil {
			if !s.Lines.Scan() {
				return "", false
			}
			s.note = ""
			return s.Lines.Text(), true
		}
		s.note = ""
		switch k := s.key(); {
		case k == 0:
			return "", false
		case k == '\r' || k == '\n':
			return typed, true
		case k == 127 || k == 8:
			switch n := len(typed); {
			case n > 0 && words != nil:
				typed = typed[:max(0, strings.LastIndexByte(typed, ' '))]
			case n > 0:
				typed = typed[:n-1]
			default:
				free = false
			}
		case !free && k == ':' && (typed == "" || words != nil):
			typed, free = "", true
		case words != nil && k == 'U':
			return "undo", true
		case words != nil && k != '?':
			if i := int(k) - 'a'; i >= 0 && i < len(words) {
				var whole bool
				if typed, whole = onlyWords(actions, joined(typed, words[i])); whole {
					return typed, true
				}
			}
		case typed == "" && !free && pressed(actions, k) != "":
			return pressed(actions, k), true
		case k >= ' ' && k < 127:
			typed += string(rune(k))
		}
	}
}

// mostNames is how many actions are named to one who writes.
const mostNames = 40

// nextWords returns, where actions are named by several words and none has a key, the words that
// may follow those typed so far; else nil.
func nextWords(actions []engine.Action, typed string) []string {
	var words []string
	composed := false
	for _, a := range actions {
		if a.Key != "" {
			return nil
		}
		composed = composed || strings.Contains(a.Name, " ")
		rest, ok := strings.CutPrefix(a.Name, joined(typed, ""))
		if word, _, _ := strings.Cut(rest, " "); ok && !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	if !composed {
		return nil
	}
	return words
}

// onlyWords adds the words for which there is no other, and tells whether the action is whole.
func onlyWords(actions []engine.Action, typed string) (string, bool) {
	words := nextWords(actions, typed)
	for len(words) == 1 {
		typed = joined(typed, words[0])
		words = nextWords(actions, typed)
	}
	return typed, len(words) == 0 && typed != ""
}

func joined(typed, word string) string {
	if typed == "" {
		return word
	}
	return typed + " " + word
}

// pressed returns what a key says, "" if nothing.
func pressed(actions []engine.Action, key byte) string {
	for _, a := range actions {
		if a.Key == string(rune(key)) || a.Key == "" && a.Name == string(rune(key)) {
			return a.Name
		}
	}
	if key == '?' {
		return "help"
	}
	return ""
}

// key returns a key, an arrow as the digit that lies there on a keypad.
func (s *Player) key() byte {
	wait := time.Duration(-1)
	if s.Pace > 0 {
		wait = max(0, time.Until(s.due))
	}
	k := s.Key(wait)
	if k != 0x1b {
		return k
	}
	if s.Key(wait) != '[' {
		return s.key()
	}
	switch s.Key(wait) {
	case 'A':
		return '8'
	case 'B':
		return '2'
	case 'C':
		return '6'
	case 'D':
		return '4'
	}
	return s.key()
}

// show draws the decision: in place where keys are pressed, else below what was shown before.
func (s *Player) show(d engine.Decision, actions []engine.Action, words []string, typed string,
	free bool) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n\n", terminal.Wrap(s.Title, s.Columns),
		terminal.Wrap(s.Status(), s.Columns))
	if speaker, ok := d.(engine.Speaker); ok {
		text := speaker.Text()
		board, rest, cut := strings.Cut(text, "\n\n")
		if t, ok := d.(engine.Tinted); ok && s.Key != nil {
			board = tinted(board, t.Tint)
		}
		b.WriteString(board)
		if cut {
			b.WriteString("\n\n")
			for line := range strings.Lines(rest) {
				b.WriteString(terminal.Wrap(strings.TrimSuffix(line, "\n"), s.Columns) + "\n")
			}
		}
	} else {
		fmt.Fprintf(&b, "%v\n", d.Observation())
	}
	if s.note != "" {
		b.WriteString("\n" + terminal.Wrap(s.note, s.Columns) + "\n")
	}
	names := make([]string, 0, len(actions)+3)
	for i, word := range words[:min(len(words), 26)] {
		names = append(names, fmt.Sprintf("%c %s", 'a'+i, word))
	}
	for _, a := range actions {
		switch {
		case words != nil || len(actions) > mostNames:
		case a.Key == " ":
			names = append(names, a.Name+" (space)")
		case a.Key != "" && a.Key != a.Name:
			names = append(names, a.Name+" ("+a.Key+")")
		default:
			names = append(names, a.Name)
		}
	}
	if s.Reversible() {
		names = append(names, map[bool]string{true: "U undo", false: "undo"}[words != nil])
	}
	names = append(names, "help (?)", "resign")
	for i := range names { // a name stays on its line
		names[i] = strings.ReplaceAll(names[i], " ", "\u00a0")
	}
	fmt.Fprintf(&b, "\n%s\n",
		strings.ReplaceAll(terminal.Wrap(strings.Join(names, ", "), s.Columns),
			"\u00a0", " "))
	if free {
		b.WriteByte(':')
	} else {
		b.WriteString("> ")
	}
	b.WriteString(typed)
	text := "\n" + b.String()
	if s.Key != nil {
		text = b.String()
		start := "\x1b[H"
		if !s.drawn {
			s.drawn, start = true, "\x1b[2J\x1b[H"
		}
		text = start + strings.ReplaceAll(text, "\n", "\x1b[K\n") + "\x1b[K\x1b[J"
	}
	if _, err := io.WriteString(s.Out, text); err != nil {
		s.stopped = true // nobody sees the game any more
	}
}

// tinted colours the letters of a board.
func tinted(board string, tint func(rune) uint8) string {
	palette := engine.Palette()
	var b strings.Builder
	for _, r := range board {
		entry := tint(r)
		if entry == 0 || r == ' ' || r == '\n' {
			b.WriteRune(r)
			continue
		}
		c := color.NRGBAModel.Convert(palette[entry]).(color.NRGBA)
		fmt.Fprintf(&b, "\x1b[1;38;2;%d;%d;%dm%c\x1b[0m", c.R, c.G, c.B, r)
	}
	return b.String()
}

// Watch is an engine.Recorder that keeps the scores.
type Watch struct{ scores []float64 }

// Decide implements engine.Recorder.
func (w *Watch) Decide(int, uint64) {}

// Step implements engine.Recorder.
func (w *Watch) Step(scene engine.Scene) { w.scores = scene.Scores(w.scores[:0]) }

// Scores returns the scores by seat, with the players' names.
func (w *Watch) Scores(names []string) string {
	var b strings.Builder
	for i, score := range w.scores {
		if i > 0 {
			b.WriteString(" : ")
		}
		fmt.Fprintf(&b, "%s %g", names[i], score)
	}
	return b.String()
}
