package repro

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"
	"unicode/utf8"

	"gonum.org/v1/gonum/stat"

	ranks "clade/analysis/stat"
	"clade/gp/input"
)

// pageOf returns the page of a folder of results, made from its template and numbers; nil if it has
// no template. In a template, from text/template,
//
//	{{value "step" 0 "wins"}}       is what a step said, by keys and places in lists
//	{{share "step" 0}}              is a player's share of a match in percent, with one digit
//	{{interval "step" 0}}           is the 95 % interval of that share
//	{{wilson 40 100}}               is the 95 % interval of a share of so many, in percent
//	{{percent (value …)}}           is a share in percent with one digit
//	{{fixed 3 (value …)}}           is a number with so many digits
//	{{base $row.player}}            is the name of a species whose file is a player
//	{{at "f.csv" "y" "x" "1"}}      is the number in column y of the one row of f.csv whose x is 1
//	{{column "f.csv" "y" "x" ">1"}} are the numbers in column y of the rows whose x is above 1;
//	{{numbered "a-%d" 1 9 0 "wins"}} are what the numbered steps say, by keys and places in lists
//	                                least, most, mean and deviation are those of such numbers, len
//	                                is how many, above is how many are above another number, minus
//	                                takes numbers from as many others one by one, and band is the
//	                                95 % interval of the mean of shares (Student's t), in percent
//	{{ahead "a-%d" "b-%d" 1 9 0}}   is the share of pairs of matches with these numbers, one of
//	                                each form, in whose first the player won more, a tie half;
//	                                unlike takes the same and is Mann and Whitney's p
//	{{caption "f.svg"}}             is the description that a figure carries
//	{{elo $row}}                    is a player's Elo in a league with its interval, or the bound
//	                                that is all that a league tells of who won or lost everything
//	{{correlation "step" "other"}}  is that of the players' points in two leagues, and ranks that
//	                                of their ranks (Spearman's)
//	{{points "step" "run:a-"}}      are the points in a league of the players whose names begin so
//	{{command "step"}}              is the command of a step, as a reader types it
//	{{seconds "step" "other"}}      is the processor time of steps, as the manifest says it; minutes
//	                                writes it in minutes
//	{{range seq 1 3}}               goes through whole numbers; mul, div, add and sub compute
func pageOf(dir string) ([]byte, error) {
	name := filepath.Join(dir, templateFile)
	source, err := input.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	m, err := Read(dir)
	if err != nil {
		return nil, err
	}
	numbers, err := ReadNumbers(dir)
	if err != nil {
		return nil, err
	}
	csvs := tables{}
	t, err := template.New(name).Option("missingkey=error").Funcs(template.FuncMap{
		"value": numbers.value,
		"share": func(step string, player int) string {
			return percent(numbers.value(step, player, "share"))
		},
		"interval": numbers.interval,
		"median":   numbers.median,
		"correlation": func(league, other string) float64 {
			x, y := numbers.both(league, other)
			return stat.Correlation(x, y, nil)
		},
		"ranks": func(league, other string) float64 {
			x, y := numbers.both(league, other)
			return ranks.Spearman(x, y)
		},
		"points": func(league, prefix string) (all []float64) {
			of := numbers.points(league)
			for _, player := range slices.Sorted(maps.Keys(of)) {
				if strings.HasPrefix(player, prefix) {
					all = append(all, of[player])
				}
			}
			return all
		},
		"ahead": func(form, other string, first, last, player int) float64 {
			return ranks.A12(numbers.wins(form, other, first, last, player))
		},
		"unlike": func(form, other string, first, last, player int) float64 {
			return ranks.MannWhitney(numbers.wins(form, other, first, last, player)).P
		},
		"percent": percent,
		"wilson":  wilson,
		"at": func(file, column string, where ...string) (float64, error) {
			return csvs.at(filepath.Join(dir, filepath.Base(file)), column, where)
		},
		"column": func(file, column string, where ...string) ([]float64, error) {
			return csvs.numbers(filepath.Join(dir, filepath.Base(file)), column, where)
		},
		"least": slices.Min[[]float64],
		"most":  slices.Max[[]float64],
		"mean":  func(all []float64) float64 { return stat.Mean(all, nil) },
		"deviation": func(all []float64) float64 {
			_, sd := ranks.MeanSD(all)
			return sd
		},
		"above": func(all []float64, bound any) (some int) {
			for _, x := range all {
				if x > number(bound) {
					some++
				}
			}
			return some
		},
		"minus":    minus,
		"band":     band,
		"numbered": numbers.numbered,
		"fixed":    fixed,
		"elo":      elo,
		"names":    func(all ...string) []string { return all },
		"seq": func(first, last int) (all []int) {
			for i := first; i <= last; i++ {
				all = append(all, i)
			}
			return all
		},
		"mul": func(a, b any) float64 { return number(a) * number(b) },
		"div": func(a, b any) float64 { return number(a) / number(b) },
		"add": func(a, b any) float64 { return number(a) + number(b) },
		"sub": func(a, b any) float64 { return number(a) - number(b) },
		"caption": func(file string) (string, error) {
			return caption(filepath.Join(dir, filepath.Base(file)))
		},
		"command": m.command,
		"seconds": m.seconds,
		"minutes": func(names ...string) string { return fixed(0, must(m.seconds(names...))/60) },
		"base": func(v any) string {
			return strings.TrimSuffix(path.Base(fmt.Sprint(v)), ".species")
		},
	}).Parse(string(source))
	if err != nil {
		return nil, err
	}
	var page bytes.Buffer
	if err := t.Execute(&page, nil); err != nil {
		return nil, err
	}
	return []byte(wrapped(page.String())), nil
}

// must panics with an error, which a template makes an error of its own.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// value returns the output of a step, by keys and places in lists.
func (n Numbers) value(step string, path ...any) any {
	v, ok := n[step]
	if !ok {
		panic(fmt.Errorf("%s has nothing of step %q", numbersFile, step))
	}
	for _, p := range path {
		switch at := v.(type) {
		case map[string]any:
			v, ok = at[fmt.Sprint(p)]
		case []any:
			i, isPlace := p.(int)
			if ok = isPlace && i >= 0 && i < len(at); ok {
				v = at[i]
			}
		default:
			ok = false
		}
		if !ok {
			panic(fmt.Errorf("what step %s said has no %v in %v", step, p, path))
		}
	}
	return v
}

// numbered returns the outputs of the numbered steps of a form, by keys and places in lists.
func (n Numbers) numbered(form string, first, last int, path ...any) (all []float64) {
	for i := first; i <= last; i++ {
		all = append(all, number(n.value(fmt.Sprintf(form, i), path...)))
	}
	return all
}

// median writes the median of a player's shares in the numbered steps of a form, in percent.
func (n Numbers) median(form string, first, last, player int) string {
	shares := n.numbered(form, first, last, player, "share")
	slices.Sort(shares)
	return percent((shares[(len(shares)-1)/2] + shares[len(shares)/2]) / 2)
}

// wins returns how many games a player won in the numbered steps of two forms.
func (n Numbers) wins(form, other string, first, last, player int) (x, y []float64) {
	return n.numbered(form, first, last, player, "wins"),
		n.numbered(other, first, last, player, "wins")
}

// both returns the points of the same players in two leagues.
func (n Numbers) both(league, other string) (x, y []float64) {
	of, with := n.points(league), n.points(other)
	for _, player := range slices.Sorted(maps.Keys(of)) {
		points, ok := with[player]
		if !ok || len(of) != len(with) {
			panic(fmt.Errorf("the players of steps %s and %s differ", league, other))
		}
		x, y = append(x, of[player]), append(y, points)
	}
	return x, y
}

// points returns the shares of points of the players of a league.
func (n Numbers) points(league string) map[string]float64 {
	all := map[string]float64{}
	standings, _ := n.value(league, "standings").([]any)
	for i := range standings {
		player := fmt.Sprint(n.value(league, "standings", i, "player"))
		all[player] = number(n.value(league, "standings", i, "points"))
	}
	return all
}

// elo writes a player's rating in a league with its interval, or the bound on it.
func elo(row map[string]any) string {
	low, high := row["elo_low"], row["elo_high"]
	switch row["bound"] {
	case "at least":
		return "at least " + fixed(0, low)
	case "at most":
		return "at most " + fixed(0, high)
	case "not known":
		return "not known"
	}
	return fmt.Sprintf("%s (%s..%s)", fixed(0, row["elo"]), fixed(0, low), fixed(0, high))
}

// interval writes the interval of a player's share in percent.
func (n Numbers) interval(step string, player int) string {
	return percent(n.value(step, player, "low")) + "-" + percent(n.value(step, player, "high"))
}

// wilson writes the interval of the share that so many of all are, in percent.
func wilson(some, all any) string {
	k, n := number(some), number(all)
	if !(k >= 0 && k <= n) {
		panic(fmt.Errorf("no interval of %v of %v", some, all))
	}
	i := ranks.Wilson(k, n, 0.95)
	return fmt.Sprintf("%.1f-%.1f", 100*i.Low, 100*i.High)
}

// minus returns the differences of numbers and others, one by one.
func minus(x, y []float64) []float64 {
	if len(x) != len(y) {
		panic(fmt.Errorf("%d numbers less %d", len(x), len(y)))
	}
	all := make([]float64, len(x))
	for i := range all {
		all[i] = x[i] - y[i]
	}
	return all
}

// band writes the interval of the mean of shares, or of their differences, in percent.
func band(all []float64) string {
	i := ranks.MeanT(all, 0.95)
	if i.Low < 0 {
		return percent(i.Low) + " to " + percent(i.High)
	}
	return percent(i.Low) + "-" + percent(i.High)
}

// percent writes a share as percent with one digit.
func percent(v any) string { return ranks.Fixed(1, 100*number(v)) }

// fixed writes a number with so many digits.
func fixed(digits int, v any) string { return ranks.Fixed(digits, number(v)) }

// number reads a number of JSON or of Go.
func number(v any) float64 {
	switch v := v.(type) {
	case float64:
		return v
	case int:
		return float64(v)
	case json.Number:
		return must(v.Float64())
	}
	panic(fmt.Errorf("%v is not a number", v))
}

// mark matches a word that would begin an item, a heading or a row, and so must not begin a line of
// a paragraph.
var mark = regexp.MustCompile(`^([*+-]|\d+[.)]|[#>|].*)$`)

// wrapped fills the paragraphs and items of a page to lines of 100 columns, since a number has
// another length than the template's action that prints it. Headings, tables, pictures and code
// stay as they are.
func wrapped(page string) string {
	var out strings.Builder
	var words []string // of the paragraph that is read
	indent := ""
	end := func() {
		line := 0
		for i, w := range words {
			switch n := utf8.RuneCountInString(w); {
			case i > 0 && line+1+n > 100 && !mark.MatchString(w):
				out.WriteString("\n" + indent + w)
				line = len(indent) + n
			case i > 0:
				out.WriteString(" " + w)
				line += 1 + n
			default:
				out.WriteString(w)
				line = n
			}
		}
		if words != nil {
			out.WriteByte('\n')
		}
		words, indent = nil, ""
	}
	code := false
	for line := range strings.Lines(page) {
		text := strings.TrimSpace(line)
		fence := strings.HasPrefix(text, "```")
		code = code != fence
		switch {
		case code || fence || text == "" || strings.ContainsAny(text[:1], "|#!<>"):
			end()
			out.WriteString(line)
			continue
		case strings.HasPrefix(text, "* "):
			end()
			indent = "  "
		}
		words = append(words, strings.Fields(text)...)
	}
	end()
	return out.String()
}
