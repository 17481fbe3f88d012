package slurm

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"clade/experiments/study"
	"clade/gp/input"
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
	text, err := input.ReadFile(path)
	if err == nil {
		err = study.Decode(path, text, s)
	}
	return s, err
}

// Check refuses values that could change the meaning of the job script, those that sbatch does not
// take, and a time limit in which a task would only save and be queued again.
func (s *Site) Check() error {
	for _, f := range []struct{ key, value string }{
		{"partition", s.Partition}, {"account", s.Account}, {"qos", s.QOS}, {"time", s.Time},
		{"memory", s.Memory}, {"options", strings.Join(s.Options, " ")},
		{"container", strings.Join(s.Container, " ")},
	} {
		if strings.ContainsAny(f.value, "\n\r") {
			return fmt.Errorf("%s must be of one line, not %q", f.key, f.value)
		}
	}
	if s.Memory != "" && !memory.MatchString(s.Memory) {
		return fmt.Errorf("memory must be a whole number with K, M, G or T, such as 4G, not %q",
			s.Memory)
	}
	for _, o := range s.Options {
		if !strings.HasPrefix(o, "-") {
			return fmt.Errorf("options: %q is no option of sbatch, which begins with a dash", o)
		}
		if own := scripts.FindStringSubmatch(o); own != nil {
			return fmt.Errorf("options: the job script has %s itself, which this would replace", own[1])
		}
	}
	limit, err := seconds(s.Time)
	if err != nil {
		return err
	}
	if least := s.grace() + signalEarly; limit > 0 && limit <= least {
		return fmt.Errorf("time %s is too short: a task saves its runs %d s before its end, and Slurm "+
			"may tell it a minute earlier; ask for more than %d s, or for a smaller grace in a site file",
			s.Time, s.grace(), least)
	}
	return nil
}

// signalEarly is by how many seconds Slurm may announce the time limit too early.
const signalEarly = 60

// grace returns the seconds before the time limit.
func (s *Site) grace() uint64 { return cmp.Or(s.Grace, 120) }

var (
	// scripts finds an option that the job script has itself.
	scripts = regexp.MustCompile(
		`(?:^|\s)(-[acnoJ]|--(?:array|cpus-per-task|job-name|ntasks|output|signal))(?:=|\s|$|\d)`)
	memory   = regexp.MustCompile(`(?i)^\d+([kmgt]b?)?$`)
	duration = regexp.MustCompile(`^(?:(\d{1,5})-)?(\d{1,9})(?::(\d{1,9}))?(?::(\d{1,9}))?$`)
)

// seconds reads a time limit as sbatch does; 0 stands for none. The numbers are minutes, minutes
// and seconds, or hours, minutes and seconds, and after days hours, minutes and seconds.
func seconds(limit string) (sum uint64, err error) {
	if strings.EqualFold(limit, "unlimited") || strings.EqualFold(limit, "infinite") || limit == "" {
		return 0, nil
	}
	f := duration.FindStringSubmatch(limit)
	if f == nil {
		return 0, fmt.Errorf("time must be minutes, hours:minutes:seconds or days-hours, such as "+
			"8:00:00, not %q", limit)
	}
	units := []uint64{24 * 3600, 3600, 60, 1}
	if f[1] == "" && f[4] == "" {
		units = []uint64{0, 60, 1, 0}
	}
	for i, unit := range units {
		n, _ := strconv.ParseUint(cmp.Or(f[i+1], "0"), 10, 64) // it has digits only
		sum += n * unit
	}
	return sum, nil
}
