package parallel

import (
	"fmt"
	"testing"
)

func TestEach(t *testing.T) {
	for _, n := range []int{0, 1, 1000} {
		seen := make([]int, n)
		Each(n, func() func(int) { return func(i int) { seen[i]++ } })
		for i, times := range seen {
			if times != 1 {
				t.Errorf("%d of %d was called %d times", i, n, times)
			}
		}
	}
}

func ExampleEach() {
	squares := make([]int, 5)
	Each(5, func() func(int) { return func(i int) { squares[i] = i * i } })
	fmt.Println(squares)
	// Output: [0 1 4 9 16]
}
