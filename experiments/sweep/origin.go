package sweep

import (
	"fmt"
	"path/filepath"
	"slices"

	"clade/engine/system/durable"
)

// OriginFile names, in the directory of a run that was handed in, the worker that bred it.
const OriginFile = "origin.json"

// Origin is the content of origin.json.
type Origin struct {
	Worker string `json:"worker"`
	Host   string `json:"host"` // as the worker says
	// Before are the workers whose work it continued, as their snapshots say.
	Before []string `json:"before,omitempty"`
	Audit  Audit    `json:"audit,omitempty"` // empty where the run is not bred again
}

// Audit is the state of the audit of a run: it is bred again on the sweep's machine, and compared.
type Audit string

// States of an audit.
const (
	AuditDue  Audit = "due"
	AuditSame Audit = "same" // it was bred again, to the same bytes
)

// Joint reports whether several workers had a part in the run.
func (o *Origin) Joint() bool { return len(o.Before) > 0 }

// workers returns all workers that are said to have bred a part of the run.
func (o *Origin) workers() []string { return append([]string{o.Worker}, o.Before...) }

// Write writes the origin into a run's directory.
func (o *Origin) Write(run string) error {
	return durable.WriteJSON(filepath.Join(run, OriginFile), o, 0o666)
}

// ReadOrigin reads the origin of a run; nil for a run that was bred here.
func ReadOrigin(run string) (*Origin, error) {
	o := &Origin{}
	read, err := durable.ReadJSON(filepath.Join(run, OriginFile), o)
	switch {
	case !read:
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("%w; remove the run, and it is bred again", err)
	}
	return o, nil
}

// Rejected names the workers whose runs are not accepted.
type Rejected struct {
	Alone  map[string]bool // workers of which nothing is taken
	Shared map[string]bool // workers of which nothing is taken that several had a part in
}

// ReadRejected reads the workers that are shut out of a sweep.
func ReadRejected(sweep string) (*Rejected, error) {
	all, err := ReadShutOut(sweep)
	r := &Rejected{map[string]bool{}, map[string]bool{}}
	for i := range all {
		r.note(&all[i])
	}
	return r, err
}

// note adds a worker.
func (r *Rejected) note(s *ShutOut) {
	if s.Joint {
		r.Shared[s.Worker] = true
	} else {
		r.Alone[s.Worker] = true
	}
}

// Refuses reports whether a run of this origin is not accepted.
func (r *Rejected) Refuses(o *Origin) bool {
	return r.Alone[o.Worker] || o.Joint() && slices.ContainsFunc(o.workers(),
		func(w string) bool { return r.Shared[w] || r.Alone[w] })
}

// shutOuts returns the workers responsible for a run that was bred again and differs, except those
// that are shut out already. If several had a part in it, nobody can tell which of them cheated:
// from then on each of them works alone, so that the next false result has one author.
func (r *Rejected) shutOuts(o *Origin, key, differs string) (all []ShutOut) {
	for _, worker := range o.workers() {
		if r.Alone[worker] || o.Joint() && r.Shared[worker] {
			continue
		}
		s := ShutOut{Worker: worker, Run: key, Differs: differs, Joint: o.Joint()}
		if worker == o.Worker {
			s.Host = o.Host
		}
		all = append(all, s)
	}
	return all
}

// Unaudited returns the origin of a run that was handed in and does not count, because it is still
// to be bred again here or because its worker was shut out; nil for any other.
func Unaudited(run string) (*Origin, error) {
	o, err := ReadOrigin(run)
	if o == nil || err != nil || o.Audit == AuditSame {
		return nil, err
	}
	if o.Audit == AuditDue {
		return o, nil
	}
	r, err := ReadRejected(filepath.Dir(filepath.Clean(run)))
	if err != nil || r.Refuses(o) {
		return o, err
	}
	return nil, nil
}

func (o *Origin) String() string {
	if o.Host == "" {
		return "worker " + o.Worker
	}
	return fmt.Sprintf("worker %s on %s", o.Worker, o.Host)
}
