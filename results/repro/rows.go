package repro

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"html"
	"os"
	"strconv"
	"strings"

	"clade/gp/input"
)

// tables holds the rows of the CSV files that a page has asked for, by path.
type tables map[string][]map[string]string

// rows returns the rows of a CSV file, by the names of their columns.
func (t tables) rows(path string) ([]map[string]string, error) {
	if all := t[path]; all != nil {
		return all, nil
	}
	text, err := input.ReadFile(path)
	if err != nil {
		return nil, err
	}
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil || len(lines) == 0 {
		return nil, fmt.Errorf("%s has no rows (%v)", path, err)
	}
	for _, cells := range lines[1:] {
		row := map[string]string{}
		for i, name := range lines[0] {
			row[name] = cells[i]
		}
		t[path] = append(t[path], row)
	}
	return t[path], nil
}

// at returns a number of a CSV file: its column, in the only row that where selects.
func (t tables) at(path, column string, where []string) (float64, error) {
	all, err := t.numbers(path, column, where)
	if err == nil && len(all) > 1 {
		err = fmt.Errorf("%s has several rows with %q", path, where)
	}
	if err != nil {
		return 0, err
	}
	return all[0], nil
}

// numbers returns the numbers of a column of a CSV file in the rows that meet where: a
// column's name, and behind it the text that stands there, or a bound, which is one of <, <=, >
// and >= with a number or the name of a column. There is at least one such row.
func (t tables) numbers(path, column string, where []string) ([]float64, error) {
	rows, err := t.rows(path)
	if err != nil {
		return nil, err
	}
	var all []float64
	for _, row := range rows {
		fits := true
		for k := 0; k+1 < len(where) && fits; k += 2 {
			fits = meets(row, row[where[k]], where[k+1])
		}
		if !fits {
			continue
		}
		v, err := strconv.ParseFloat(row[column], 64)
		if err != nil {
			return nil, fmt.Errorf("%s has no %s with %q", path, column, where)
		}
		all = append(all, v)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has no %s with %q", path, column, where)
	}
	return all, nil
}

// meets reports whether a cell of a row is the wanted text, or within the bound.
func meets(row map[string]string, cell, want string) bool {
	bound := strings.TrimLeft(want, "<>=")
	sign := want[:len(want)-len(bound)]
	if other, ok := row[bound]; ok {
		bound = other
	}
	x, err := strconv.ParseFloat(cell, 64)
	y, wrong := strconv.ParseFloat(bound, 64)
	if sign == "" || err != nil || wrong != nil {
		return cell == want
	}
	return sign == "<" && x < y || sign == "<=" && x <= y || sign == ">" && x > y ||
		sign == ">=" && x >= y
}

// caption returns the description that an SVG figure carries.
func caption(path string) (string, error) {
	svg, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	_, rest, _ := strings.Cut(string(svg), "<desc>")
	text, _, ok := strings.Cut(rest, "</desc>")
	if !ok {
		return "", fmt.Errorf("%s has no description", path)
	}
	return html.UnescapeString(text), nil
}
