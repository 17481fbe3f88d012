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
	"slices"
	"strings"
	"text/template"

	"gonum.org/v1/gonum/stat"

	ranks "clade/analysis/stat"

	"clade/gp/bom"
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
//	                                least, most and mean are theirs, len is how many
//	{{ahead "a-%d" "b-%d" 1 9 0}}   is the share of pairs of matches with these numbers, one of
//	                                each form, in whose first the player won more, a tie half;
//	                                unlike takes the same and is Mann and Whitney's p
//	{{caption "f.svg"}}             is the description that a figure carries
//	{{elo $row}}                    is a player's Elo in a league with its interval, or the bound
//	                                that is all that a league tells of who won or lost everything
//	{{correlation "step" "other"}}  is that of the players' points in two leagues
//	{{command "step"}}              is the command of a step, as a reader types it
//	{{seconds "step" "other"}}      is the processor time of steps, as the manifest says it; minutes
//	                                writes it in minutes
//	{{range seq 1 3}}               goes through whole numbers; mul, add and sub compute
func pageOf(dir string) ([]byte, error) {
	name := filepath.Join(dir, templateFile)
	source, err := bom.ReadFile(name)
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
	t, err := template.New(name).Option("missingkey=error").Funcs(template.FuncMap{
		"value": numbers.value,
		"share": func(step string, player int) (string, error) {
			v, err := numbers.value(step, player, "share")
			if err != nil {
				return "", err
			}
			return percent(v)
		},
		"interval":    numbers.interval,
		"median":      numbers.median,
		"correlation": numbers.correlation,
		"ahead": func(form, other string, first, last, player int) (float64, error) {
			x, y, err := numbers.wins(form, other, first, last, player)
			if err != nil {
				return 0, err
			}
			return ranks.A12(x, y), nil
		},
		"unlike": func(form, other string, first, last, player int) (float64, error) {
			x, y, err := numbers.wins(form, other, first, last, player)
			if err != nil {
				return 0, err
			}
			return ranks.MannWhitney(x, y).P, nil
		},
		"percent": percent,
		"wilson":  wilson,
		"at": func(file, column string, where ...string) (float64, error) {
			return at(filepath.Join(dir, filepath.Base(file)), column, where)
		},
		"column": func(file, column string, where ...string) ([]float64, error) {
			return numbersIn(filepath.Join(dir, filepath.Base(file)), column, where)
		},
		"least": slices.Min[[]float64],
		"most":  slices.Max[[]float64],
		"mean":  func(all []float64) float64 { return stat.Mean(all, nil) },
		"fixed": fixed,
		"elo":   elo,
		"names": func(all ...string) []string { return all },
		"seq": func(first, last int) (all []int) {
			for i := first; i <= last; i++ {
				all = append(all, i)
			}
			return all
		},
		"mul": func(a, b any) (float64, error) {
			x, y, err := numbersOf(a, b)
			return x * y, err
		},
		"add": func(a, b any) (float64, error) {
			x, y, err := numbersOf(a, b)
			return x + y, err
		},
		"sub": func(a, b any) (float64, error) {
			x, y, err := numbersOf(a, b)
			return x - y, err
		},
		"caption": func(file string) (string, error) {
			return caption(filepath.Join(dir, filepath.Base(file)))
		},
		"command": m.command,
		"seconds": m.seconds,
		"minutes": func(names ...string) (string, error) {
			all, err := m.seconds(names...)
			if err != nil {
				return "", err
			}
			return fixed(0, all/60)
		},
		"base": base,
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

// value finds what a step said, by keys and places in lists.
func (n Numbers) value(step string, path ...any) (any, error) {
	v, ok := n[step]
	if !ok {
		return nil, fmt.Errorf("%s has nothing of step %q", numbersFile, step)
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
			return nil, fmt.Errorf("what step %s said has no %v in %v", step, p, path)
		}
	}
	return v, nil
}

// numbered returns what the numbered steps of a form say of a player under a key.
func (n Numbers) numbered(form string, first, last, player int, key string) ([]float64, error) {
	var all []float64
	for i := first; i <= last; i++ {
		v, err := n.value(fmt.Sprintf(form, i), player, key)
		if err != nil {
			return nil, err
		}
		x, err := number(v)
		if err != nil {
			return nil, err
		}
		all = append(all, x)
	}
	return all, nil
}

// median writes the median of a player's shares in the numbered steps of a form, in percent.
func (n Numbers) median(form string, first, last, player int) (string, error) {
	shares, err := n.numbered(form, first, last, player, "share")
	if err != nil {
		return "", err
	}
	slices.Sort(shares)
	return percent((shares[(len(shares)-1)/2] + shares[len(shares)/2]) / 2)
}

// wins returns how many games a player won in the numbered steps of two forms.
func (n Numbers) wins(form, other string, first, last, player int) (x, y []float64, err error) {
	if x, err = n.numbered(form, first, last, player, "wins"); err == nil {
		y, err = n.numbered(other, first, last, player, "wins")
	}
	return x, y, err
}

// correlation returns that of the points in one league with those in another (Pearson's r).
func (n Numbers) correlation(league, other string) (float64, error) {
	var x, y []float64
	of, err := n.points(league)
	if err != nil {
		return 0, err
	}
	with, err := n.points(other)
	if err != nil {
		return 0, err
	}
	for _, player := range slices.Sorted(maps.Keys(of)) {
		points, ok := with[player]
		if !ok || len(of) != len(with) {
			return 0, fmt.Errorf("the players of steps %s and %s differ", league, other)
		}
		x, y = append(x, of[player]), append(y, points)
	}
	return stat.Correlation(x, y, nil), nil
}

// points returns the shares of points of the players of a league.
func (n Numbers) points(league string) (map[string]float64, error) {
	v, err := n.value(league, "standings")
	if err != nil {
		return nil, err
	}
	all := map[string]float64{}
	standings, _ := v.([]any)
	for i := range standings {
		player, err := n.value(league, "standings", i, "player")
		if err != nil {
			return nil, err
		}
		share, err := n.value(league, "standings", i, "points")
		if err != nil {
			return nil, err
		}
		if all[fmt.Sprint(player)], err = number(share); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// elo writes a player's rating in a league with its interval, or the bound on it.
func elo(row map[string]any) (string, error) {
	low, high := row["elo_low"], row["elo_high"]
	switch row["bound"] {
	case "at least":
		least, err := fixed(0, low)
		return "at least " + least, err
	case "at most":
		most, err := fixed(0, high)
		return "at most " + most, err
	case "not known":
		return "not known", nil
	}
	rating, err := fixed(0, row["elo"])
	if err != nil {
		return "", err
	}
	from, err := fixed(0, low)
	if err != nil {
		return "", err
	}
	to, err := fixed(0, high)
	return fmt.Sprintf("%s (%s..%s)", rating, from, to), err
}

// interval writes the interval of a player's share in percent.
func (n Numbers) interval(step string, player int) (string, error) {
	low, err := n.value(step, player, "low")
	if err != nil {
		return "", err
	}
	high, err := n.value(step, player, "high")
	if err != nil {
		return "", err
	}
	from, err := percent(low)
	if err != nil {
		return "", err
	}
	to, err := percent(high)
	return from + "-" + to, err
}

// wilson writes the interval of the share that so many of all are, in percent.
func wilson(some, all any) (string, error) {
	k, n, err := numbersOf(some, all)
	if err != nil {
		return "", err
	}
	if !(k >= 0 && k <= n) {
		return "", fmt.Errorf("no interval of %v of %v", some, all)
	}
	i := ranks.Wilson(k, n, 0.95)
	return fmt.Sprintf("%.1f-%.1f", 100*i.Low, 100*i.High), nil
}

// percent writes a share as percent with one digit.
func percent(v any) (string, error) {
	f, err := number(v)
	return ranks.Fixed(1, 100*f), err
}

// fixed writes a number with so many digits.
func fixed(digits int, v any) (string, error) {
	f, err := number(v)
	return ranks.Fixed(digits, f), err
}

// number reads a number of JSON or of Go.
func number(v any) (float64, error) {
	switch v := v.(type) {
	case float64:
		return v, nil
	case int:
		return float64(v), nil
	case json.Number:
		return v.Float64()
	}
	return 0, fmt.Errorf("%v is not a number", v)
}

func numbersOf(a, b any) (x, y float64, err error) {
	if x, err = number(a); err == nil {
		y, err = number(b)
	}
	return x, y, err
}

// base returns the name of a player that may be a species file.
func base(v any) string { return strings.TrimSuffix(path.Base(fmt.Sprint(v)), ".species") }
