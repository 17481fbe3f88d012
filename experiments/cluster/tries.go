package cluster

import (
	"fmt"

	"clade/experiments/cluster/protocol"
)

// maxTries is how often a run or epoch is tried without getting any further before it is set aside.
const maxTries = 3

// tries counts the tries of runs or epochs, by key, for as long as this process lives.
type tries map[string]*try

// try holds the tries of a run or epoch since it last progressed.
type try struct {
	number, generation int
	host               string // of the worker that is at it; empty for none
	fault              string // of the last that ended
}

// note records the begin or the end of a try. It returns why no other is made, "" if one is.
func (t tries) note(r *protocol.Result) (aside string) {
	a := t[r.Key]
	if a == nil {
		a = &try{}
		t[r.Key] = a
	}
	switch {
	case r.Back:
		if a.host == r.Host { // or it gives up before it has begun
			a.number, a.host = a.number-1, ""
		}
		return ""
	case r.Error != "":
		if a.host != r.Host { // nobody was here when it began
			a.number++
		}
		a.fault, a.host = fmt.Sprintf("%s, on worker %s", r.Error, r.Host), ""
	default:
		if a.host != "" {
			a.fault = fmt.Sprintf("worker %s was not heard of any more", a.host)
		}
		a.host = r.Host
		if a.number++; r.Generation > a.generation {
			a.number, a.generation = 1, r.Generation
		}
	}
	if a.number < maxTries || a.number == maxTries && a.host != "" {
		return ""
	}
	return fmt.Sprintf("set aside after %d tries that did not get any further; the last: %s",
		maxTries, a.fault)
}
