package cli

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"clade/gp/proof"
)

// errno finds how an operating system says that something is not there, or in the way.
var errno = regexp.MustCompile(`no such file|: not a directory|: is a directory|file exists`)

// TestBadInput gives every command what it cannot take: names that there are not, places where
// nothing can be written, numbers out of range. Each is told in one line and in words, with exit
// status 2, before anything is played or written.
func TestBadInput(t *testing.T) {
	proof.Slow(t)
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, dir, "game = \"antwars\"\n[measure]\nfinal = 0\n[evolve]\npopulation = 10\n"+
		"generations = 3\ntournament = 2\nboards = 1\n[evolve.champion]\ngames = 8\n")
	for _, line := range []string{"run s.toml --out r",
		"match antwars greedy random --games 2 --record g.record"} {
		proof.Must(clade(strings.Fields(line)...))(t)
	}
	for line, want := range map[string]string{"run s.toml --out r": "clade resume r",
		"compare damaged": "clade verify --mend damaged"} {
		proof.OK(t, os.CopyFS("damaged", os.DirFS("r")))
		proof.OK(t, os.Truncate("damaged/summary.json", 9))
		_, err := clade(strings.Fields(line)...)
		proof.Is(t, remedy(err), ": `"+want+"`", "clade %s: %v", line, err)
		proof.OK(t, os.RemoveAll("damaged"))
	}
	proof.OK(t, errors.Join(os.WriteFile("afile", nil, 0o666), os.Mkdir("adir", 0o777)))
	const many = " --games 100000000" // it would take minutes
	for _, c := range []struct{ line, want string }{
		{"run none.toml", "there is no none.toml; name the file of a study"},
		{"run adir", "adir is a directory, not a file"},
		{"run s.toml --out afile", "--out: afile is a file, not a directory"},
		{"run s.toml --out afile/x/y", "--out: afile is a file, not a directory"},
		{"run s.toml --out r", "r already holds a run"},
		{`run s.toml --set evolve.founders.species=["run:r@9"]`,
			"r has no champion of generation 9"},
		{"run s.toml --out=", "--out: the path is empty"},
		{"match antwars greedy random --record=", "--record: the path is empty"},
		{"run s.toml --seed 9 --set seed=4", "--seed and --set seed are the same"},
		{"breed antwars --games 5 --seed 9 --set seed=4", "--seed and --set seed are the same"},
		{"run s.toml --seed=-1", "a whole number of 0 or more is needed here"},
		{"run s.toml --workers two", "a whole number is needed here"},
		{"breed antwars --games 1e3", "a whole number is needed here"},
		{"breed antwars --for 10", "a time such as 90s, 10m or 4h is needed here"},
		{"breed antwars --for 9999999h", "a time such as 90s, 10m or 4h is needed here"},
		{"sweep s.toml --audit much", "a number is needed here"},
		{"run s.toml --workers -3", "--workers must be in 0..4096, not -3"},
		{"run s.toml --set evolve.populaton=3", `did you mean "evolve.population"?`},
		{"run s.toml --set population=3", `did you mean "evolve.population"?`},
		{"run s.toml --set evolve.population", "not of the form key=value"},
		{"run s.toml --set evolve.population=ten", "a whole number is needed here"},
		{"run s.toml --set evolve.population=-5",
			"the setting evolve.population=-5: evolve.population must be in 2..1000000, not -5"},
		{"run s.toml --set game=life", "cannot be overridden"},
		{"resume none", "none is not a run directory: there is no none/manifest.json"},
		{"resume afile", "afile is a file, not a directory"},
		{"resume adir", "adir is not a run directory"},
		{"plot none", "there is no none; name a run directory, or a folder of some"},
		{"plot afile", "afile is a file, not a directory"},
		{"plot adir", "adir is not a run directory, and holds none"},
		{"plot r --out afile", "--out: afile is a file"},
		{"plot r --as jpeg", `there is no form "jpeg"`},
		{"monitor none", "none is not a run directory"},
		{"monitor r --out afile/x" + many, "--out: afile is a file"},
		{"monitor r --games 0", "--games must be even and in 2..1073741824, not 0"},
		{"monitor r --games 7", "--games must be even"},
		{"monitor r --every -1", "--every must be at least 0, not -1"},
		{"monitor r --workers -1", "--workers must be in"},
		{"report none", "there is no none"},
		{"report r --out afile" + many, "--out: afile is a file"},
		{"report r --games 0", "--games must be even and in 2..1073741824, not 0"},
		{"compare none", "there is no none"},
		{"compare r --out afile/x", "--out: afile is a file"},
		{"compare r --as svg", "--as is for --out, which is missing"},
		{"verify none", "there is no none"},
		{"population none", "none is not a run directory"},
		{"population r --generation 9", "r has no checkpoint of generation 9"},
		{"population r x", `no individual "x" lives`},
		{"population r 1 --out afile/x", "--out: afile is a file"},
		{"phylogeny none", "there is no none"},
		{"phylogeny r --out afile/x", "--out: afile is a file"},
		{"show none.species", "there is no none.species; name a species file"},
		{"show adir", "adir is a directory, not a file; name a species file"},
		{"show kept:antwars/none", "unknown kept species"},
		{"show run:none", "none is not a run directory"},
		{"show run:r@77", "no champion of generation 77"},
		{"show run:r@x", `"x" is not the number of a generation`},
		{"show run:r --situations 0", "--situations must be at least 1, not 0"},
		{"show run:r --as svg --out afile", "--out: afile is a file"},
		{"export none --to c", "there is no none; name a species file"},
		{"export run:r --to pyton", `did you mean "python"?`},
		{"export run:r --to c --introns --games 0", "--games must be in 1..1073741824, not 0"},
		{"export run:r --to c --introns --as-bred", "--introns is not for --as-bred"},
		{"export run:r --to c --out afile/x.c", "--out: afile is a file, not a directory"},
		{"exploit none.species", "there is no none.species"},
		{"exploit run:r --games 0", "--games must be at least "},
		{"exploit run:r --seeds 0", "--seeds must be in 1..1000, not 0"},
		{"exploit run:r --out afile", "--out: afile is a file"},
		{"match antwars greedy random --games 0", "--games must be in 1..1073741824, not 0"},
		{"match antwars greedy random --workers -1", "--workers must be in 0..4096, not -1"},
		{"match antwars greedy random --record afile/x" + many, "--record: afile is a file"},
		{"match antwars greedy random --record adir" + many, "adir is a directory, not a file"},
		{"match antwars greedy random --curves afile" + many, "--curves: afile is a file"},
		{"match amoebas caesar theroots --record adir" + many, "adir is a directory"},
		{"league antwars greedy random smart --out adir --width 3" + many,
			`must be "column", "page" or millimetres in 40..1000, not "3"`},
		{"match life guard grower --set widht=3",
			`the setting widht=3: unknown key "widht", did you mean "width"?`},
		{"match life guard grower --set width=-3", "width must be in 1..16384, not -3"},
		{"match life guard grower --set start=@none", "life: start: there is no none; write start="},
		{"match life guard grower --set start=@adir", "life: start: adir is a directory"},
		{"match life guard grower --set start=@s.toml", `life: s.toml:1: "game = \"antwars\"`},
		{"match life guard grower --set start=", "the setting start= has no value"},
		{"league antwars greedy smart --games 0", "--games must be in 1..1073741824, not 0"},
		{"league antwars greedy smart --out afile/x" + many, "--out: afile is a file"},
		{"league antwars greedy none.species", "there is no none.species"},
		{"tournament darwin rover pirate --csv afile/x.csv", "--csv: afile is a file"},
		{"tournament amoeboid greedy cautious", "has no tournament of its own"},
		{"replay none", "there is no none"},
		{"replay adir", "adir is a directory, not a file"},
		{"replay g.record --gif afile/x.gif", "--gif: afile is a file"},
		{"replay g.record --png afile/x", "--png: afile is a file"},
		{"replay g.record --scale 99", "--scale must be in 0..16, not 99"},
		{"replay g.record --delay 0", "--delay must be in 1..1000, not 0"},
		{"replay g.record --every -1", "--every must be at least 0, not -1"},
		{"why none", "there is no none"},
		{"why g.record --player 1=run:r@9", "r has no champion of generation 9"},
		{"match antwars wasm: greedy", "a module's path is missing: write wasm:FILE"},
		{"sweep none.toml", "there is no none.toml"},
		{"sweep s.toml --out afile/x", "--out: afile is a file"},
		{"sweep s.toml --slurm --time 00:01:00", "time 00:01:00 is too short"},
		{"sweep s.toml --slurm --memory lots", "memory must be a whole number with K, M, G or T"},
		{"sweep s.toml --slurm --cpus 0", "--cpus must be at least 1, not 0"},
		{"sweep s.toml --cells none", "--cells: there is no none"},
		{"sweep s.toml --workers -1", "--workers must be in"},
		{"status none", "there is no none; name runs, sweeps, or folders of some"},
		{"status adir", "there is no run and no sweep at or below adir"},
		{"collect none", "there is no none/study.toml"},
		{"collect r", "r is not a sweep's directory"},
		{"view none", "there is no none"},
		{"worker --nats none", "there is no none; name a URL"},
		{"bench none.toml", "there is no none.toml"},
		{"bench --game antwars --seconds 0", "--seconds must be above 0"},
		{"bench --strength 100", "--strength needs one --game"},
		{"bench --game antwars --strength 0", "at least 1, not 0"},
		{"bench --game antwars --strength 9 --runs 1", "--runs must be in 2..1000"},
		{"bench --game antwars --strength 9 --set seed=3", "the seeds of --strength are --seed"},
		{"bench --game antwars --strength 9 --seed 9223372036854775807", "--seed must be at most"},
		{"bench --game antwars --seed 3", "are for --strength"},
		{"bench --game antwars --out x", "are for --strength"},
		{"solve amoeboid x", "start with A or B"},
		{"solve amoeboid --budget 0", "--budget must be at least 1, not 0"},
		{"players nothing", `unknown game "nothing"`},
		{"games x", `unknown game "x"`},
		{"players a b", `"a b" does not fit; the command is used as: clade players`},
	} {
		_, err := clade(strings.Fields(c.line)...)
		refused(t, err, 2, c.want, c.line)
		if said := fmt.Sprint(err); errno.MatchString(said) || strings.Contains(said, "\n") {
			t.Errorf("%s: %s", c.line, said)
		}
	}
	left := proof.Must(os.ReadDir("."))(t)
	proof.Is(t, len(left), 5, "files that are there, %v", left)
}
