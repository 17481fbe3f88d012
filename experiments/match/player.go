package match

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"clade/engine"
	"clade/engine/system/terminal"
	"clade/gp/input"
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
	Rows    int           // of the terminal, with Key
	Colours terminal.Colours
	Title   string        // of the game, above the board
	Status  func() string // both scores
	Moves

	resigned, stopped bool
	drawn             bool
	due               time.Time // of an answer, with Pace
	again             int       // times that the last answer is given again
	last              []byte
	note              string // a message to the person
}

// Resigned implements engine.Person; a person whose input ends has, too.
func (s *Player) Resigned() bool { return s.resigned || s.stopped }

// Stopped reports whether the input ended, or holds a line too long to be one, before the game did.
func (s *Player) Stopped() bool { return s.stopped }

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

// answer converts the text of a person to an answer, and returns how often to give it.
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

// ask shows the decision and returns the text that the person writes or presses; false at the end
// of input.
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
			text, _ := input.SkipMark(s.Lines.Text()) // a file may stand for the keyboard
			return text, true
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

// mostNames bounds the actions that are listed for a person who writes.
const mostNames = 40

// nextWords returns the words that may follow those typed so far, if actions are named by several
// words and none has a key; else nil.
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

// onlyWords adds words as long as there is only one choice, and reports whether the action is
// complete.
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

// keypad maps directions to keys, with no move in the middle.
var keypad = map[string]string{"nw": "7", "n": "8", "ne": "9", "w": "4", "yield": "5", "e": "6",
	"sw": "1", "s": "2", "se": "3"}

// keyOf returns the key of an action, "" for none.
func keyOf(a engine.Action) string { return cmp.Or(a.Key, keypad[a.Name]) }

// pressed returns the text for a key, "" for none. A name of one letter is also a key, if no other
// name begins with it.
func pressed(actions []engine.Action, key byte) string {
	var begun []string
	for _, a := range actions {
		if keyOf(a) == string(rune(key)) {
			return a.Name
		}
		if strings.HasPrefix(a.Name, string(rune(key))) {
			begun = append(begun, a.Name)
		}
	}
	if len(begun) == 1 && len(begun[0]) == 1 {
		return begun[0]
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
	board, about := fmt.Sprint(d.Observation()), ""
	tint := func(rune) uint8 { return 0 }
	if speaker, ok := d.(engine.Speaker); ok {
		var drawn bool
		board, about, drawn = strings.Cut(speaker.Text(), "\n\n")
		if t, ok := d.(engine.Tinted); ok && drawn && s.Key != nil {
			tint = t.Tint
		}
	}
	head := s.Title + "\n" + s.Status()
	lines := s.arrange(tint, head, board, about, s.note, s.named(actions, words))
	prompt := map[bool]string{true: ":", false: "> "}[free] + typed
	text := "\n" + strings.Join(lines, "\n") + "\n" + prompt
	if s.Key != nil {
		start := "\x1b[H"
		if !s.drawn {
			s.drawn, start = true, "\x1b[2J\x1b[H"
		}
		// a line is cleared first: behind its last column a terminal would clear that one
		text = start + "\x1b[K" + strings.Join(lines, "\n\x1b[K") + "\n\x1b[J" + prompt
	}
	if _, err := io.WriteString(s.Out, text); err != nil {
		s.stopped = true // nobody sees the game any more
	}
}

// least is the number of columns that texts beside a board need to be readable.
const least = 24

// arrange returns the lines above the prompt: the board below the head, or, if the terminal has too
// few rows, to the left of everything else. If there is still no room it drops the explanation of
// letters, and then the first lines.
func (s *Player) arrange(tint func(rune) uint8, head, board, about string,
	rest ...string) []string {
	room := s.Rows - 1
	below := folded(s.Columns, head)
	left := folded(s.Columns, board)
	lines := slices.Concat(below, []string{""}, s.tinted(left, tint), []string{""},
		folded(s.Columns, append([]string{about}, rest...)...))
	if s.Key == nil || len(lines) <= room {
		return lines
	}
	wide := 0
	for _, line := range left {
		wide = max(wide, utf8.RuneCountInString(line))
	}
	if beside := s.Columns - wide - 2; beside >= least {
		right := folded(beside, append([]string{head, about}, rest...)...)
		if len(right) > room {
			right = folded(beside, append([]string{head}, rest...)...)
		}
		lines = s.tinted(left, tint)
		for i, line := range right {
			if i == len(lines) {
				lines, left = append(lines, ""), append(left, "")
			}
			gap := strings.Repeat(" ", wide+2-utf8.RuneCountInString(left[i]))
			lines[i] = strings.TrimRight(lines[i]+gap+line, " ")
		}
	}
	return lines[max(0, len(lines)-room):]
}

// folded wraps paragraphs to a number of columns, with an empty line between them.
func folded(columns int, paragraphs ...string) []string {
	var lines []string
	for _, p := range paragraphs {
		p = strings.TrimRight(p, "\n")
		if p == "" {
			continue
		}
		if lines != nil {
			lines = append(lines, "")
		}
		p = strings.ReplaceAll(terminal.Wrap(p, columns), "\u00a0", " ")
		lines = append(lines, strings.Split(p, "\n")...)
	}
	return lines
}

// named lists what may be pressed or written, with its keys.
func (s *Player) named(actions []engine.Action, words []string) string {
	names := make([]string, 0, len(actions)+3)
	for i, word := range words[:min(len(words), 26)] {
		names = append(names, fmt.Sprintf("%c %s", 'a'+i, word))
	}
	for _, a := range actions {
		switch key := keyOf(a); {
		case words != nil || len(actions) > mostNames:
		case key == " ":
			names = append(names, a.Name+" (space)")
		case key != "" && key != a.Name:
			names = append(names, a.Name+" ("+key+")")
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
	return strings.Join(names, ", ")
}

// tinted colours the letters of a board that have colours for seats, goods and hazards. Ground and
// unseen cells have letters only.
func (s *Player) tinted(board []string, tint func(rune) uint8) []string {
	palette := engine.Palette()
	lines := make([]string, len(board))
	for i, line := range board {
		for _, r := range line {
			letter := string(r)
			if entry := tint(r); entry > engine.Veil && r != ' ' {
				letter = s.Colours.Chip(letter, palette[entry])
			}
			lines[i] += letter
		}
	}
	return lines
}

// Watch is an engine.Recorder that records the scores.
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
