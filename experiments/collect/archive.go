package collect

import (
	"archive/zip"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"clade/engine/system/packed"
	"clade/evolve/rundir"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/experiments/sweep"
	"clade/experiments/version"
)

//go:embed README.tmpl verify.sh
var files embed.FS

// entry is a run in the archive.
type entry struct {
	Name        string // of its folder below runs, and of its study below studies
	Fingerprint string
	Generations int
	*runner.Manifest
	dir string
}

// page holds the data of README.md.
type page struct {
	Runs     []entry
	Programs []program
	Commit   string // of all programs, where there is one; it has no changes
}

// program is one that bred some of the runs.
type program struct {
	version.Build
	Go string
}

// newPage lists runs and their programs.
func newPage(runs []entry) *page {
	p := &page{Runs: runs}
	for _, r := range runs {
		if one := (program{r.Build, r.Go}); !slices.Contains(p.Programs, one) {
			p.Programs = append(p.Programs, one)
		}
	}
	if len(p.Programs) == 1 && !p.Programs[0].Modified {
		p.Commit = p.Programs[0].Commit
	}
	return p
}

// sources returns the hash of each program's sources, as clade version prints it, a line each, for
// verify.sh.
func (p *page) sources() string {
	var lines strings.Builder
	for _, one := range p.Programs {
		fmt.Fprintln(&lines, cmp.Or(one.Sources, one.Version)) // of older ones the commit
	}
	return lines.String()
}

// Pack writes runs into a zip archive: their files as the checksums list them, times and last
// state, their studies, a page that lists them and tells of the program, and a script that checks
// them. The same runs give the same bytes. A run that is not over, is damaged or has no checksums
// is an error.
func Pack(scope player.Scope, dirs []string, w io.Writer) error {
	runs, err := entries(scope, dirs)
	if err != nil {
		return err
	}
	z := zip.NewWriter(w)
	put := func(name string, mode fs.FileMode, write func(io.Writer) error) error {
		h := packed.Header(name)
		h.SetMode(mode)
		f, err := z.CreateHeader(h)
		if err == nil {
			err = write(f)
		}
		if err != nil {
			return fmt.Errorf("cannot pack %s: %w", name, err)
		}
		return nil
	}
	text, err := template.ParseFS(files, "README.tmpl")
	if err != nil {
		return err
	}
	script, err := files.ReadFile("verify.sh")
	if err != nil {
		return err
	}
	page := newPage(runs)
	err = errors.Join(
		put("README.md", 0o644, func(w io.Writer) error { return text.Execute(w, page) }),
		put("programs.txt", 0o644, func(w io.Writer) error {
			_, err := io.WriteString(w, page.sources())
			return err
		}),
		put("verify.sh", 0o755, func(w io.Writer) error { _, err := w.Write(script); return err }))
	for i := 0; i < len(runs) && err == nil; i++ {
		r := &runs[i]
		err = put("studies/"+r.Name+".toml", 0o644, func(w io.Writer) error {
			_, err := io.WriteString(w, r.Study)
			return err
		})
		var sums rundir.Checksums
		if err == nil {
			sums, err = rundir.ReadChecksums(r.dir)
		}
		if err != nil {
			break
		}
		// the last state, without which nobody can compute the fingerprint, and the times have no
		// checksums of their own there
		for _, name := range append(slices.Sorted(maps.Keys(sums)), rundir.ChecksumFile,
			rundir.TimesFile, rundir.CheckpointFile(r.Generations)) {
			if err = put("runs/"+r.Name+"/"+name, 0o644, func(w io.Writer) error {
				content, err := packed.ReadFile(filepath.Join(r.dir, filepath.FromSlash(name)))
				if err == nil {
					_, err = w.Write(content)
				}
				return err
			}); err != nil {
				break
			}
		}
	}
	return errors.Join(err, z.Close())
}

// entries checks runs and gives each a name in the archive.
func entries(scope player.Scope, dirs []string) ([]entry, error) {
	runs := make([]entry, len(dirs))
	names := map[string]bool{}
	for i, dir := range dirs {
		v, err := runner.Verify(scope, dir)
		if err != nil {
			return nil, err
		}
		for _, f := range v.Faults {
			return nil, &rundir.Problem{Dir: dir, Remedy: rundir.Mend,
				Err: fmt.Errorf("%s: %s %s; mend the run", dir, f.File, f.What)}
		}
		for _, what := range v.Unchecked {
			return nil, fmt.Errorf("%s is not checked, so it is not packed: %s", dir, what)
		}
		sum, err := (&runner.Run{Dir: dir}).Ended()
		if err != nil {
			return nil, err
		}
		m, err := runner.ReadManifest(dir)
		if err != nil {
			return nil, err
		}
		name := strings.Trim(strings.Map(func(r rune) rune {
			if strings.ContainsRune(`/\:. `, r) {
				return '-'
			}
			return r
		}, filepath.Clean(dir)), "-")
		if names[name] || name == "" {
			return nil, fmt.Errorf("%s is named twice, or has no name", dir)
		}
		names[name] = true
		if m.Study, err = studyOf(scope, dir, name, m); err != nil {
			return nil, err
		}
		runs[i] = entry{name, sum.Fingerprint, sum.Generations, m, dir}
	}
	return runs, nil
}

// studyOf returns the study that breeds a run again where the archive is. Founders may be elsewhere,
// and are the copies that lie in the run; a staged run's are what its stages breed.
func studyOf(scope player.Scope, dir, name string, m *runner.Manifest) (string, error) {
	if sweep.IsStaged(dir) {
		text, err := packed.ReadFile(filepath.Join(dir, sweep.StudyFile))
		return string(text), err
	}
	if len(m.Founders) == 0 {
		return m.Study, nil
	}
	s, err := study.Parse(scope, dir, []byte(m.Study))
	if err != nil {
		return "", err
	}
	s.Evolve.Founders.Species = m.FounderFiles("runs/" + name)
	text, err := s.Text()
	return string(text), err
}
