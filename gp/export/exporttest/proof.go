package exporttest

import (
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"clade/gp/proof"
)

// proofsFile is the table of what was compared, seen from the module's folder. A test that finds
// another number than stands there fails; with CLADE_UPDATE=1 in its environment it writes its own,
// packages one after the other (go test -p 1), and with CLADE_FULL=1 all of them. A module of
// another's has no table, and is held to none.
const proofsFile = "results/exports/proofs.csv"

// Species is whose programs are compared.
type Species struct {
	World, Name string
	Nodes       int
}

// row is a line of the table: a species in a form, and how many situations and games were alike.
type row struct {
	Species
	form              string
	situations, games int
}

var columns = []string{"world", "species", "nodes", "form", "situations", "games"}

// Alike notes that a program decided so many situations, and played so many games, as its species
// does. 0 is for what another test counts.
func (s Species) Alike(tb testing.TB, form, source string, situations, games int) {
	tb.Helper()
	tb.Logf("%d bytes, %d situations and %d games alike", len(source), situations, games)
	proofs.Lock()
	defer proofs.Unlock()
	table := proof.Must(Above(proofsFile))(tb)
	rows, err := readProofs(table)
	if os.IsNotExist(err) {
		return
	} else if err != nil {
		tb.Fatal(err)
	}
	i := slices.IndexFunc(rows, func(r row) bool {
		return r.World == s.World && r.Name == s.Name && r.form == form
	})
	was := row{}
	if i < 0 {
		i, rows = len(rows), append(rows, was)
	}
	was = rows[i]
	rows[i] = row{s, form, max(situations, was.situations), max(games, was.games)}
	if situations > 0 {
		rows[i].situations = situations
	}
	if games > 0 {
		rows[i].games = games
	}
	if rows[i] == was {
		return
	}
	if !proof.Update() {
		tb.Errorf("%s says %+v, and it is %+v; write it anew with CLADE_UPDATE=1", proofsFile, was,
			rows[i])
		return
	}
	var b strings.Builder
	w := csv.NewWriter(&b)
	lines := [][]string{columns}
	slices.SortFunc(rows, func(a, b row) int { return slices.Compare(a.record(), b.record()) })
	for _, r := range rows {
		lines = append(lines, r.record())
	}
	proof.OK(tb, w.WriteAll(lines))
	proof.OK(tb, os.WriteFile(table, []byte(b.String()), 0o666))
}

// proofs guards the table of proofs, which tests side by side read and write.
var proofs sync.Mutex

// Above returns the path of a file from the root of the module that is tested.
func Above(file string) (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, file), nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("the test is of no module")
		}
		dir = parent
	}
}

func (r row) record() []string {
	return []string{r.World, r.Name, strconv.Itoa(r.Nodes), r.form, strconv.Itoa(r.situations),
		strconv.Itoa(r.games)}
}

func readProofs(path string) (rows []row, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	records, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil || len(records) == 0 || !slices.Equal(records[0], columns) {
		return nil, fmt.Errorf("%s is damaged: %v", path, err)
	}
	for _, c := range records[1:] {
		r := row{Species: Species{World: c[0], Name: c[1]}, form: c[3]}
		for i, n := range map[int]*int{2: &r.Nodes, 4: &r.situations, 5: &r.games} {
			if *n, err = strconv.Atoi(c[i]); err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
		}
		rows = append(rows, r)
	}
	return rows, nil
}
