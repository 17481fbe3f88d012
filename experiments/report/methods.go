package report

import (
	_ "embed"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"clade/analysis/figure"
	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/experiments/sweep"
)

//go:embed methods.bib
var references string

// methods are the paragraphs of a paper that say how runs were bred, measured and compared. A {key}
// in them is the key of a reference.
type methods struct {
	Paragraphs []string `json:"paragraphs"`
	// Runs are the seeds and fingerprints, a line each, with the group.
	Runs []string `json:"runs"`

	version string // of the program
}

// MethodForms are the names of the forms of Text.
func MethodForms() []string { return []string{"text", "markdown", "latex"} }

// DescribeMethods describes the methods of groups of runs that Compare compares with options. It
// measures nothing itself, leaves out runs that have not ended, and says so.
func DescribeMethods(groups []runner.Group, o CompareOptions) (*methods, error) {
	groups, missing, err := ended(groups, func() {})
	if err != nil {
		return nil, err
	}
	w := methodWriter{groups: groups, first: groups[0].Runs[0], options: o}
	m := &methods{version: w.first.Manifest.Version}
	for _, part := range []func() (string, error){w.program, w.settings, w.budget, w.champions,
		w.statistics} {
		text, err := part()
		if err != nil {
			return nil, err
		}
		if text != "" {
			m.Paragraphs = append(m.Paragraphs, text)
		}
	}
	if s := missing.Sentence(); s != "" {
		m.Paragraphs = append(m.Paragraphs, s)
	}
	for _, g := range groups {
		for _, r := range g.Runs {
			sum, err := r.Ended()
			if err != nil {
				return nil, err
			}
			m.Runs = append(m.Runs, fmt.Sprintf("%s, seed %d: %s", g.Name, r.Whole.Seed, sum.Fingerprint))
		}
	}
	return m, nil
}

type methodWriter struct {
	groups  []runner.Group
	first   *runner.Run
	options CompareOptions
}

// each returns the distinct texts of runs, in their order.
func (w *methodWriter) each(say func(*runner.Run) string) string {
	var all []string
	for _, g := range w.groups {
		for _, r := range g.Runs {
			if s := say(r); s != "" && !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	return strings.Join(all, "; ")
}

func (w *methodWriter) program() (string, error) {
	info := w.first.Game.Info()
	text := fmt.Sprintf("Species of strongly typed genetic programs {montana1995} that play %s "+
		"(version %s of the rules) were bred by clade %s {clade} (%s; %s)", info.Title,
		w.each(func(r *runner.Run) string { return fmt.Sprint(r.Manifest.Rules) }),
		w.each(func(r *runner.Run) string { return r.Manifest.Describe() }),
		w.each(func(r *runner.Run) string { return r.Manifest.Go }),
		w.each(func(r *runner.Run) string {
			m := r.Manifest
			s := fmt.Sprintf("%s, %d cores", m.Platform, m.Cores)
			if m.Processor != "" {
				s = m.Processor + ", " + s
			}
			if m.Kernels != "" {
				s += ", kernels " + m.Kernels
			}
			return s
		}))
	for _, g := range w.groups {
		for _, r := range g.Runs {
			if r.Manifest.Unrepeatable {
				return text + ". Runs ended by the clock, and so do not repeat.", nil
			}
		}
	}
	return text + ". Runs repeat to the byte for any number of processors.", nil
}

// settings describes the settings of the runs that are not defaults, and the differences of groups.
func (w *methodWriter) settings() (string, error) {
	s := w.first.Whole
	standard, err := study.Parse(s.Scope(), "default.toml", fmt.Appendf(nil, "game = %q\n", s.Game))
	if err != nil {
		return "", err
	}
	defaults, values := standard.Values(), s.Values()
	differences := differences(w.groups)
	own := map[string]bool{} // of the groups
	for _, d := range differences {
		own[d.Key] = true
	}
	var set []string
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if value := values[key]; !own[key] && value != defaults[key] {
			said := fmt.Sprintf("%s = %s", key, brief(firstLine(value)))
			if was := defaults[key]; was != "" {
				said += fmt.Sprintf(" (default %s)", firstLine(was))
			}
			set = append(set, said)
		}
	}
	text := "All settings were the program's defaults"
	if set != nil {
		text = "Settings other than the program's defaults were " + strings.Join(set, ", ")
	}
	for i, g := range w.groups {
		var of []string
		for _, d := range differences {
			of = append(of, fmt.Sprintf("%s = %s", d.Key, firstLine(d.Values[i])))
		}
		if of != nil {
			text += fmt.Sprintf(". Group %q had %s", g.Name, strings.Join(of, ", "))
		}
	}
	for _, g := range w.groups {
		stages, err := stages(g)
		if err != nil {
			return "", err
		}
		text += stages
	}
	return text + ".", nil
}

// stages tells what stages the runs of a group had, if they had any, and what was set for each.
func stages(g runner.Group) (string, error) {
	whole := g.Runs[0].Whole
	plan, err := whole.Plan()
	if err != nil || len(plan) == 0 {
		return "", err
	}
	var parts []string
	for i, st := range plan {
		part := fmt.Sprintf("%q of %d %s", st.Name, st.Populations,
			plural("population", st.Populations))
		one, err := whole.StageStudy(plan, i, 0, nil)
		if err != nil {
			return "", err
		}
		if n := one.Evolve.Games; n > 0 {
			part += fmt.Sprintf(" of %d games", n)
		}
		var set []string
		for _, d := range differences([]runner.Group{{Runs: []*runner.Run{{Whole: whole}}},
			{Runs: []*runner.Run{{Whole: one}}}}) {
			if d.Key != "evolve.games" && !strings.HasPrefix(d.Key, "stage") {
				set = append(set, fmt.Sprintf("%s = %s", d.Key, firstLine(d.Values[1])))
			}
		}
		if set != nil {
			part += " (" + strings.Join(set, ", ") + ")"
		}
		from := map[string]string{study.Champions: "the last champions", study.Every: "all champions",
			study.Own: "the champions", study.Population: "the last populations"}[st.Founders]
		if from != "" && st.Best > 0 {
			from += fmt.Sprintf(" of the best %d", st.Best)
		}
		if from != "" {
			part += ", founded by " + from + " of the stage before"
		}
		if i < len(plan)-1 {
			part += fmt.Sprintf(", whose last champions raced, %d games a pair", st.Race)
		}
		parts = append(parts, part)
	}
	return fmt.Sprintf(". Runs of group %q had %d stages: %s", g.Name, len(plan),
		strings.Join(parts, "; ")), nil
}

// firstLine shortens a text of several lines, such as a board.
func firstLine(text string) string {
	line, _, more := strings.Cut(text, "\n")
	if more {
		line += " …"
	}
	return line
}

func (w *methodWriter) budget() (string, error) {
	var parts []string
	runs, total := 0, runner.Cost{}
	for _, g := range w.groups {
		sum := runner.Cost{}
		var seeds []uint64
		for _, r := range g.Runs {
			c, err := sweep.CostOf(r.Dir)
			if err != nil {
				return "", err
			}
			sum.Add(c)
			seeds = append(seeds, r.Whole.Seed)
		}
		n := float64(len(g.Runs))
		runs += len(g.Runs)
		total.Add(sum)
		parts = append(parts, fmt.Sprintf("%s: %d %s (%s), %.0f games of selection and %.0f of the "+
			"champion's races a run, %.1f s of processor time", g.Name, len(g.Runs),
			plural("run", len(g.Runs)), seedRange(seeds), float64(sum.Games)/n,
			float64(sum.RaceGames)/n, sum.Processor/n))
	}
	text := "A run is the unit of all statistics; runs of a group differ in the seed alone. " +
		strings.Join(parts, "; ") + "."
	if runs == 1 {
		return text, nil
	}
	took := fmt.Sprintf("%.1f s", total.Processor)
	if total.Processor >= 3600 {
		took = fmt.Sprintf("%.1f h", total.Processor/3600)
	}
	return fmt.Sprintf("%s All %d runs took %d games and %s of processor time for breeding.",
		text, runs, total.Games+total.RaceGames, took), nil
}

func plural(word string, n int) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

// seedRange formats seeds, consecutive ones as a range.
func seedRange(seeds []uint64) string {
	seeds = slices.Sorted(slices.Values(seeds))
	var parts []string
	for i := 0; i < len(seeds); {
		j := i
		for j+1 < len(seeds) && seeds[j+1] == seeds[j]+1 {
			j++
		}
		if j > i {
			parts = append(parts, fmt.Sprintf("%d to %d", seeds[i], seeds[j]))
		} else {
			parts = append(parts, fmt.Sprint(seeds[i]))
		}
		i = j + 1
	}
	return plural("seed", len(seeds)) + " " + strings.Join(parts, ", ")
}

// race tells how the champions of a study are chosen.
func race(s *study.Study) string {
	c := s.Evolve.Champion
	text := fmt.Sprintf("A champion was chosen every %d generations and of the last one", c.Every)
	if c.Every == 1 {
		text = "A champion was chosen of every generation"
	}
	switch c.Against {
	case "fitness":
		return text + ": the fittest individual"
	case "none":
		return "No champions were chosen"
	}
	whom := "individuals of the population"
	if c.Against == "panel" {
		whom = "the players " + strings.Join(s.Players.Reference, ", ")
	} else if c.Archive > 0 {
		whom += fmt.Sprintf(" or, in %.3g %% of the rounds, champions of earlier generations",
			100*c.Archive)
	}
	candidates := fmt.Sprintf("at most %d individuals, those that selection chose most often,",
		c.Candidates)
	if c.Candidates == 0 {
		candidates = "all individuals"
	}
	return text + fmt.Sprintf(" by a race of %s against %s, in which the better half stays; the last "+
		"two had played %d games each", candidates, whom, c.Games)
}

func (w *methodWriter) champions() (string, error) {
	var races []string
	of := map[string][]string{} // groups by their race
	for _, g := range w.groups {
		r := race(g.Runs[0].Study)
		if of[r] == nil {
			races = append(races, r)
		}
		of[r] = append(of[r], fmt.Sprintf("%q", g.Name))
	}
	for i, r := range races {
		if len(races) > 1 {
			races[i] += fmt.Sprintf(" (of %s)", strings.Join(of[r], ", "))
		}
	}
	text := strings.Join(races, ". ") + "."
	sum, err := w.first.Ended()
	if err != nil || len(sum.Final) == 0 {
		return text, err
	}
	against := w.options.Against
	if len(against) == 0 {
		for _, f := range sum.Final {
			against = append(against, f.Opponent())
		}
	}
	games, err := w.finalGames()
	if err != nil {
		return "", err
	}
	text += fmt.Sprintf(" The last champion of each run was measured in %s games against each "+
		"of %s, on boards that no selection had seen, each board once in every seat; a tie is half a "+
		"point.", games, strings.Join(against, ", "))
	if len(sum.League) > 0 {
		seats := w.first.Game.Info().MinSeats
		text += fmt.Sprintf(" It was rated in a league with the %d species that are kept with the "+
			"program and fit the game, %d games in each meeting.", len(sum.League)-1,
			(w.first.Study.Measure.League+seats-1)/seats*seats)
	}
	return text, nil
}

// finalGames tells how many games the last champions played against each opponent.
func (w *methodWriter) finalGames() (string, error) {
	var all []int
	for _, g := range w.groups {
		for _, r := range g.Runs {
			sum, err := r.Ended()
			if err != nil {
				return "", err
			}
			for _, f := range sum.Final {
				all = append(all, f.Games)
			}
		}
	}
	least, most := slices.Min(all), slices.Max(all)
	if least < most {
		return fmt.Sprintf("%d to %d", least, most), nil
	}
	return fmt.Sprint(most), nil
}

func (w *methodWriter) statistics() (string, error) {
	measure := w.options.Measure
	score := measure.What() + ", in the mean over opponents where there are several"
	if measure.String() == "points" {
		sum, err := w.first.Ended()
		if err != nil || len(sum.Final) == 0 {
			return "", err // nothing was measured that could be compared
		}
		score = "the mean of its points over these opponents"
	}
	c, err := read(w.groups, w.options, func() {})
	if err != nil {
		return "", err
	}
	text := fmt.Sprintf("A run's score is %s. Groups are told by ", score)
	if measure.Until() {
		text += "how many runs reached it, and by medians over all runs, of which one that never did " +
			"counts as the last."
	} else {
		text += fmt.Sprintf("means, standard deviations and interquartile means over runs and "+
			"opponents {agarwal2021} with 95 %% intervals by percentile bootstrap over runs (%d "+
			"resamples)", resamples)
		if c.OfGames() {
			text += "; where all runs have the same result, intervals are Wilson's {wilson1927} over " +
				"games, as many as count with so few runs {korn1998}"
		}
		text += "."
	}
	if len(w.groups) < 2 {
		return text, nil
	}
	exact := true
	for _, g := range w.groups {
		exact = exact && len(g.Runs) < 50
	}
	kind := "exact, ties included {streitberg1986}"
	if !exact {
		kind = "by the normal approximation with corrections for ties and continuity where a group " +
			"has 50 runs or more, else exact {streitberg1986}"
	}
	of := "each pair of groups"
	if w.options.Control {
		of = fmt.Sprintf("each group and the first, %q,", w.groups[0].Name)
	}
	text += fmt.Sprintf(" Runs of %s are compared by Mann and Whitney's two-sided test {mann1947}, "+
		"%s, with Holm's correction {holm1979}; effect sizes are Vargha and Delaney's A12 "+
		"{vargha2000}, Cliff's delta {cliff1993} and the probability of improvement {agarwal2021} "+
		"with a 95 %% interval by bootstrap over runs (%d resamples), Wilson's {wilson1927} over the "+
		"runs of the smaller group where one always does.", of, kind, resamples)
	if len(c.Effects) > 0 {
		text += " Main effects of settings that are crossed with all others are means of runs with " +
			"Student's 95 % intervals, tested by Kruskal and Wallis's test {kruskal1952} with the " +
			"chi-square approximation."
	}
	if c.Friedman != nil {
		text += " Friedman's test {friedman1937}, also in Iman and Davenport's form, and Nemenyi's " +
			"post-hoc test {demsar2006}, all approximate, take opponents as cases."
	}
	return text, nil
}

// quoted finds quotations of TeXText, which have the same mark on both sides.
var quoted = regexp.MustCompile(`''([^']*)''`)

// citation finds keys of references.
var citation = regexp.MustCompile(` ?\{([a-z]+[0-9]*)\}`)

// Text returns the methods in a form, one of Forms, with the BibTeX entries of the citations at the
// end.
func (m *methods) Text(form string) string {
	var b strings.Builder
	var cited []string
	for _, p := range m.Paragraphs {
		at := 0
		for _, match := range citation.FindAllStringSubmatchIndex(p, -1) {
			key := p[match[2]:match[3]]
			b.WriteString(plain(form, p[at:match[0]]))
			switch form {
			case "latex":
				fmt.Fprintf(&b, "~\\cite{%s}", key)
			case "markdown":
				fmt.Fprintf(&b, " [@%s]", key)
			default:
				fmt.Fprintf(&b, " [%s]", key)
			}
			if !slices.Contains(cited, key) {
				cited = append(cited, key)
			}
			at = match[1]
		}
		b.WriteString(plain(form, p[at:]) + "\n\n")
	}
	prefix := map[string]string{"latex": "% ", "markdown": "    "}[form]
	fmt.Fprintf(&b, "%sFingerprints of the runs (SHA-256 of all that must repeat):\n", prefix)
	for _, r := range m.Runs {
		b.WriteString(prefix + r + "\n")
	}
	b.WriteByte('\n')
	if form == "markdown" {
		b.WriteString("```bibtex\n")
	}
	for i, entry := range bib(m.version, cited) {
		if i > 0 {
			b.WriteByte('\n')
		}
		for line := range strings.Lines(entry) {
			if form == "latex" {
				line = "% " + line // for a file of its own
			}
			b.WriteString(line)
		}
	}
	if form == "markdown" {
		b.WriteString("```\n")
	}
	return b.String()
}

// plain escapes text for a form.
func plain(form, text string) string {
	switch form {
	case "latex":
		return quoted.ReplaceAllString(figure.TeXText(text), "``$1''")
	case "markdown":
		return strings.NewReplacer("_", `\_`, "*", `\*`, "[", `\[`).Replace(text)
	}
	return text
}

// bib returns the entries of keys, in their order.
func bib(version string, keys []string) (all []string) {
	known := map[string]string{"clade": fmt.Sprintf("@software{clade,\n  author  = {{The clade "+
		"authors}},\n  title   = {clade: a workbench that breeds species which play games},\n"+
		"  version = {%s},\n  license = {MIT}\n}\n", version)}
	for entry := range strings.SplitSeq(references, "\n\n") {
		_, key, _ := strings.Cut(entry, "{")
		key, _, _ = strings.Cut(key, ",")
		known[key] = strings.TrimSpace(entry) + "\n"
	}
	for _, key := range keys {
		if known[key] == "" {
			panic("methods: no reference " + key)
		}
		all = append(all, known[key])
	}
	return all
}
