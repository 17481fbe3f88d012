package slurm

import (
	"fmt"
	"strings"

	"clade/experiments/study"
	"clade/gp/bom"
)

// Site holds the options for a site's Slurm. A site file is its TOML form; options of the command
// line override it. An empty field leaves the option to Slurm's own default.
type Site struct {
	Partition string `toml:"partition"`
	Account   string `toml:"account"`
	QOS       string `toml:"qos"`
	// Time is the limit of a task as Slurm writes it, such as "8:00:00". A task that reaches it
	// saves its runs, waits in the queue again and resumes them.
	Time   string `toml:"time"`
	Memory string `toml:"memory"` // of a task, such as "4G"
	CPUs   uint64 `toml:"cpus"`   // of a task; default 1
	// Tasks is the most that the array may have; 0 means one a run, up to the MaxArraySize that
	// Slurm tells.
	Tasks    uint64 `toml:"tasks"`
	Parallel uint64 `toml:"parallel"` // most tasks that run at a time; 0 means no limit
	// Grace is how many seconds before the time limit a task saves its runs and steps down;
	// default 120.
	Grace   uint64   `toml:"grace"`
	Options []string `toml:"options"` // further options of sbatch, such as "--constraint=avx512"
	// Setup are lines of shell that every task begins with, such as "module load go".
	Setup []string `toml:"setup"`
	// Container are the words that stand before the program's name, such as "apptainer", "exec",
	// "--bind", "/scratch", "debian.sif". What they start must pass signals on, and see the sweep's
	// directory, in which the program lies.
	Container []string `toml:"container"`
}

// ReadSite reads a site file. Errors name the file, line and column.
func ReadSite(path string) (*Site, error) {
	s := &Site{}
	text, err := bom.ReadFile(path)
	if err == nil {
		err = study.Decode(path, text, s)
	}
	return s, err
}

// check refuses values that could change the meaning of the job script.
func (s *Site) check() error {
	for _, f := range []struct{ key, value string }{
		{"partition", s.Partition}, {"account", s.Account}, {"qos", s.QOS}, {"time", s.Time},
		{"memory", s.Memory}, {"options", strings.Join(s.Options, " ")},
		{"container", strings.Join(s.Container, " ")},
	} {
		if strings.ContainsAny(f.value, "\n\r") {
			return fmt.Errorf("%s must be of one line, not %q", f.key, f.value)
		}
	}
	return nil
}
