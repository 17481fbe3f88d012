package sweep

import (
	"fmt"
	"os"
	"strconv"

	"clade/experiments/study"
)

// taskVariables are the environment variables that give a task of an array its index: those of
// Slurm and of a Kubernetes Indexed Job, and one for everything else.
var taskVariables = [...]string{"SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "CLADE_TASK"}

// TaskIndex returns the index of this task in an array of several: the given one, or, if that is
// negative, that of the environment.
func TaskIndex(given, tasks int) (int, error) {
	source := "the index"
	for i := 0; given < 0; i++ {
		if i == len(taskVariables) {
			return 0, fmt.Errorf("there are %d tasks, and neither --task nor one of "+
				"%v says which this is", tasks, taskVariables)
		}
		text, ok := os.LookupEnv(taskVariables[i])
		if !ok {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return 0, fmt.Errorf("%s is %q, and must be a whole number from 0 on", taskVariables[i], text)
		}
		source, given = taskVariables[i], n
	}
	if tasks < 1 || given >= tasks {
		return 0, fmt.Errorf("%s is %d of %d tasks; it must be less", source, given, tasks)
	}
	return given, nil
}

// Pick returns the cells with these keys, in this order.
func Pick(g *study.Grid, keys []string) ([]study.Cell, error) {
	place := map[string]int{}
	for i := range g.Cells {
		place[g.Cells[i].Key] = i
	}
	cells := []study.Cell{}
	for _, k := range keys {
		i, ok := place[k]
		if !ok {
			return nil, fmt.Errorf("the sweep has no run %.40s; it was another sweep, "+
				"or the study has changed since", k)
		}
		cells = append(cells, g.Cells[i])
	}
	return cells, nil
}
