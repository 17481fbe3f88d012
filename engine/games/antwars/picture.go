package antwars

import "strings"

// compass names the directions, keypad the keys that stand for them.
var (
	compass = [8]string{"nw", "n", "ne", "e", "se", "s", "sw", "w"}
	keypad  = [8]string{"7", "8", "9", "6", "3", "2", "1", "4"}
)

// picture draws what the ant sees and remembers, the ant in the middle.
func (m *memory) picture() string {
	var b strings.Builder
	edge := "+" + strings.Repeat("-", 2*width+1) + "+\n"
	b.WriteString(edge)
	for _, row := range m.rows() {
		b.WriteByte('|')
		for i := range len(row) {
			b.WriteByte(' ')
			b.WriteByte(row[i])
		}
		b.WriteString(" |\n")
	}
	b.WriteString(edge)
	return b.String()
}

// rows draws the board row by row, the ant in the middle.
func (m *memory) rows() []string {
	rows := make([]string, width)
	for r := range rows {
		var letters [width]byte
		for c := range letters {
			letters[c] = m.letter(cellAt(int(m.at)/width+r-width/2, int(m.at)%width+c-width/2))
		}
		rows[r] = string(letters[:])
	}
	return rows
}

// letter draws one cell.
func (m *memory) letter(cell int) byte {
	inView := m.view.Has(cell)
	switch {
	case cell == int(m.at):
		return '@'
	case cell == m.enemy:
		return 'X'
	case m.food.Has(cell) && inView:
		return 'O'
	case m.food.Has(cell):
		return 'o'
	case m.visited.Has(cell):
		return ':'
	case inView:
		return '.'
	default:
		return ' '
	}
}
