package resultcache_test

import (
	"fmt"
	"os"
	"path/filepath"

	"clade/experiments/resultcache"
)

func Example() {
	dir, err := os.MkdirTemp("", "resultcache")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "unfinished")
	for call := range 2 { // the second call goes on where the first one was broken off
		cache, err := resultcache.Open(path, "antwars, seed 1")
		if err != nil {
			panic(err)
		}
		wins, found := resultcache.Recall[int](cache, "first pair")
		if !found {
			wins = 17 // played
			cache.Record("first pair", wins)
		}
		fmt.Println(call, found, wins)
		if err := cache.Save(); err != nil {
			panic(err)
		}
	}
	// Output:
	// 0 false 17
	// 1 true 17
}
