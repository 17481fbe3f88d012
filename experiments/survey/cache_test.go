package survey

import (
	"os"
	"path/filepath"
	"testing"
)

// Notes are there again for who asks with the same description, and for nobody else; damaged ones
// are not.
func TestNotes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "below", "notes")
	open := func(description string) *notes {
		t.Helper()
		n, err := openNotes(path, description)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	kept := func(n *notes) (v [2]float64, ok bool) { return recall[[2]float64](n, "a") }
	first := open("x")
	if _, ok := kept(first); ok {
		t.Error("new notes are not empty")
	}
	first.note("a", [2]float64{1. / 3, 2}) // the first one is written at once
	if v, ok := kept(open("x")); !ok || v != [2]float64{1. / 3, 2} {
		t.Errorf("%v, %v are noted", v, ok)
	}
	if _, ok := kept(open("y")); ok {
		t.Error("notes on something else are believed")
	}
	first.note("b", 7) // and this one waits
	if _, ok := recall[int](open("x"), "b"); ok {
		t.Error("every note is written at once")
	}
	if err := first.save(); err != nil {
		t.Error(err)
	}
	if v, ok := recall[int](open("x"), "b"); !ok || v != 7 {
		t.Error("saved notes are not there")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{0, 70, len(text) - 3} {
		damaged := append([]byte(nil), text...)
		damaged[i] ^= 1
		if err := os.WriteFile(path, damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, ok := kept(open("x")); ok {
			t.Errorf("notes damaged at byte %d are believed", i)
		}
	}
	for range 2 {
		if err := first.discard(); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("discarded notes are still there")
	}
	if err := os.RemoveAll(filepath.Dir(path)); err != nil {
		t.Fatal(err)
	}
	first.note("c", 1)
	if first.save() == nil {
		t.Error("notes that cannot be written are no error")
	}
	var none *notes
	none.note("a", 1)
	if _, ok := kept(none); ok || none.save() != nil || none.discard() != nil {
		t.Error("no notes are not empty")
	}
}
