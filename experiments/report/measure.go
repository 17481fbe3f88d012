package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"clade/analysis"
	"clade/experiments/runner"
	"clade/gp/input"
)

// Measure is the quantity by which runs are compared. The zero value is the points of a run's last
// champion against the built-in players.
type Measure struct {
	name  string // of runner.Observation; "" for points
	kind  kind
	level float64 // for games
	text  string
}

// kind is how the values of a measure by generation become one number.
type kind int

const (
	atEnd      kind = iota // the newest
	areaUnder              // the mean over the games of selection
	gamesUntil             // the games of selection until a value reaches a level
)

// ParseMeasure parses a measure: "points"; the name of a measure of runner.Observation, for its
// last value; area:NAME for its mean over the run's games of selection, which is the area under its
// curve, by trapezoids, over their number; or games:NAME=LEVEL for the games of selection until it
// first is LEVEL or more, infinite for a run in which it never is.
func ParseMeasure(text string) (Measure, error) {
	m := Measure{text: text}
	if text == "points" || text == "" {
		return Measure{}, nil
	}
	prefix, rest, ok := strings.Cut(text, ":")
	m.name = rest
	switch {
	case !ok:
		m.name = text
	case prefix == "area":
		m.kind = areaUnder
	case prefix == "games":
		var level string
		var err error
		m.kind = gamesUntil
		m.name, level, _ = strings.Cut(rest, "=")
		if m.level, err = strconv.ParseFloat(level, 64); err != nil || math.IsNaN(m.level) {
			return m, fmt.Errorf("must be games:NAME=LEVEL, such as games:wins=0.5, not %q", text)
		}
	}
	if m.name == "" || ok && m.kind == atEnd {
		return m, fmt.Errorf("must be points, NAME, area:NAME or games:NAME=LEVEL, not %q", text)
	}
	return m, nil
}

// points reports whether the measure is that of the zero value.
func (m Measure) points() bool { return m.name == "" }

// String returns the form that ParseMeasure reads.
func (m Measure) String() string {
	if m.points() {
		return "points"
	}
	return m.text
}

// Until reports whether the measure is a number of games until a level is reached, which some runs
// may never do.
func (m Measure) Until() bool { return m.kind == gamesUntil }

// share reports whether values lie in 0..1, and are printed in percent.
func (m Measure) share() bool {
	switch analysis.Measure(strings.TrimPrefix(m.name, "final_")) {
	case "", analysis.Wins, analysis.GenotypicDiversity, analysis.BehaviouralDiversity:
		return !m.Until()
	}
	return false
}

// unit returns the factor of printed values and the words for their unit.
func (m Measure) unit() (factor float64, in string) {
	if m.share() {
		return 100, " in percent"
	}
	return 1, ""
}

// What returns the name of the measure for captions.
func (m Measure) What() string {
	of := strings.ReplaceAll(m.name, "_", " ")
	of = strings.ReplaceAll(of, "final ", "final champions' ")
	switch m.kind {
	case areaUnder:
		return "the mean of " + of + " over the games of selection"
	case gamesUntil:
		return fmt.Sprintf("games of selection until %s is %g or more", of, m.level)
	}
	return of + " at the end"
}

// observed holds the values of a measure in a run, one for each opponent, or a single one for a
// measure without opponents.
type observed struct {
	cases          []string
	values, trials []float64 // games that a value is the mean of; 0 for none, or not known
}

// of returns the measure of a run.
func (m Measure) of(r *runner.Run) (o observed, err error) {
	all, err := r.Observations()
	if err != nil {
		return o, err
	}
	spent := map[int]float64{} // games of selection, by generation
	curves := map[string][]runner.Observation{}
	var known []string
	for _, v := range all {
		if !slices.Contains(known, v.Measure) {
			known = append(known, v.Measure)
		}
		if v.Measure == "selection_games" {
			spent[v.Generation] = v.Value
		}
		if v.Measure == m.name {
			if curves[v.Against] == nil {
				o.cases = append(o.cases, v.Against)
			}
			curves[v.Against] = append(curves[v.Against], v)
		}
	}
	if o.cases == nil {
		return o, fmt.Errorf("%s: %s", r.Dir, input.Unknown("measure", m.name, known))
	}
	for _, against := range o.cases {
		curve := curves[against]
		end := curve[len(curve)-1]
		value, trials := end.Value, 0.0
		switch m.kind {
		case atEnd:
			if m.share() {
				trials = float64(end.Games)
			}
		case areaUnder:
			value = meanOver(curve, spent)
		case gamesUntil:
			value = math.Inf(1)
			if i := slices.IndexFunc(curve, func(v runner.Observation) bool {
				return v.Value >= m.level
			}); i >= 0 {
				value = spent[curve[i].Generation]
			}
		}
		o.values, o.trials = append(o.values, value), append(o.trials, trials)
	}
	return o, nil
}

// meanOver returns the mean of a curve over the games of selection; its value where it is a point.
func meanOver(curve []runner.Observation, spent map[int]float64) float64 {
	sum, length := 0.0, 0.0
	for i := 1; i < len(curve); i++ {
		width := spent[curve[i].Generation] - spent[curve[i-1].Generation]
		sum += width * (curve[i].Value + curve[i-1].Value) / 2
		length += width
	}
	if length == 0 {
		return curve[len(curve)-1].Value
	}
	return sum / length
}
