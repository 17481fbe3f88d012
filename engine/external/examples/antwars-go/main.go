// Command antwars-go is an ant that kills what stands beside it and else goes to the nearest food
// that it knows of. As a WebAssembly module:
//
//	GOOS=wasip1 GOARCH=wasm go build -o ant.wasm ./engine/external/examples/antwars-go
//	clade match antwars wasm:ant.wasm greedy
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

var (
	names = [8]string{"nw", "n", "ne", "e", "se", "s", "sw", "w"}
	steps = [8][2]int{{-1, -1}, {-1, 0}, {-1, 1}, {0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}}
)

func main() {
	var message struct {
		Type        string
		Seed        uint64
		Observation struct{ Board []string }
	}
	heading := 0
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		if err := json.Unmarshal(lines.Bytes(), &message); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		switch message.Type {
		case "game":
			heading = int(message.Seed % 8)
		case "turn":
			fmt.Printf("{\"action\":%q}\n", names[choose(message.Observation.Board, heading)])
		}
	}
}

// choose returns a direction on a board with the ant in its middle.
func choose(board []string, heading int) int {
	best, near, middle := heading, len(board), len(board)/2
	for direction, step := range steps {
		row, column := middle+step[0], middle+step[1]
		if board[row][column] == 'X' {
			return direction
		}
		for r, letters := range board {
			for c, letter := range letters {
				distance := max(r-row, row-r, c-column, column-c)
				if (letter == 'O' || letter == 'o') && distance < near {
					best, near = direction, distance
				}
			}
		}
	}
	return best
}
