package league

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"clade/gp/proof"
)

// TestCache: a cache opens again with its description, and is empty with another one or damaged.
func TestCache(t *testing.T) {
	path := filepath.Join(t.TempDir(), "below", "results")
	open := func(description string) *Cache {
		t.Helper()
		return proof.Must(OpenCache(path, description))(t)
	}
	kept := func(n *Cache) (v [2]float64, ok bool) { return Recall[[2]float64](n, "a") }
	first := open("x")
	if _, ok := kept(first); ok {
		t.Error("a new cache is not empty")
	}
	first.Record("a", [2]float64{1. / 3, 2}) // it waits to be written
	if _, ok := kept(open("x")); ok {
		t.Error("every result is written at once")
	}
	if err := first.Save(); err != nil || first.Found() || !open("x").Found() {
		t.Error(err, "or it is found where it was not, or not where it was")
	}
	if v, ok := kept(open("x")); !ok || v != [2]float64{1. / 3, 2} {
		t.Errorf("%v, %v are recorded", v, ok)
	}
	if _, ok := kept(open("y")); ok {
		t.Error("a cache of something else is believed")
	}
	text := proof.Must(os.ReadFile(path))(t)
	for _, i := range []int{0, 70, len(text) - 3} {
		damaged := append([]byte(nil), text...)
		damaged[i] ^= 1
		proof.OK(t, os.WriteFile(path, damaged, 0o666))
		if _, ok := kept(open("x")); ok {
			t.Errorf("a cache damaged at byte %d is believed", i)
		}
	}
	for range 2 {
		proof.OK(t, first.Discard())
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a discarded cache is still there")
	}
	proof.OK(t, errors.Join(os.RemoveAll(filepath.Dir(path)),
		os.WriteFile(filepath.Dir(path), nil, 0o666)))
	first.Record("c", 1)
	if first.Save() == nil {
		t.Error("a cache that cannot be written is not an error")
	}
	var none *Cache
	none.Record("a", 1)
	if _, ok := kept(none); ok || none.Save() != nil || none.Discard() != nil {
		t.Error("no cache is not empty")
	}
}
