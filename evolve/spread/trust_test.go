package spread

import (
	"testing"
)

// TestTrust: the first of every worker is due, and then what the audit chooses; a lie tells since
// when the run may be untrue, and nothing where nothing of the liar was taken. What is saved of a
// worker is where it came in first.
func TestTrust(t *testing.T) {
	audit := false
	saved := map[string]int{}
	trust := &Trust{Audit: func() bool { return audit }, Save: func(since map[string]int) error {
		saved = since
		return nil
	}}
	for range 2 {
		if !trust.Due("w") {
			t.Error("its first is believed")
		}
	}
	trust.Right("w")
	if trust.Due("w") || !trust.Due("other") {
		t.Error("who was right once is due, or another is not")
	}
	for _, generation := range []int{7, 3, 5} {
		if err := trust.Takes("w", generation); err != nil {
			t.Fatal(err)
		}
	}
	if len(saved) != 1 || saved["w"] != 3 {
		t.Errorf("%v had a part", saved)
	}
	if lie := trust.Lied("other"); lie.Since != -1 || trust.Worst() != nil {
		t.Errorf("a liar of which nothing was taken makes a run untrue: %v", lie)
	}
	if audit = true; !trust.Due("w") {
		t.Error("what the audit chooses is not due")
	}
	lie := trust.Lied("w")
	if lie.Since != 3 || trust.Worst() != lie || len(trust.Lies()) != 2 {
		t.Errorf("%v, %v", lie, trust.Lies())
	}
	if !trust.ShutOut("w") || !trust.ShutOut("other") || trust.ShutOut("third") {
		t.Error("others than the liars are shut out")
	}
}
