// Command schema reads a manifest from standard input as Kubernetes' own type of a Job, strictly: a
// field that a Job does not have, or has twice, or of another type, is an error. It is a module of
// its own so that nothing else depends on Kubernetes.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	batch "k8s.io/api/batch/v1"
	"sigs.k8s.io/yaml"
)

func main() {
	text, err := io.ReadAll(os.Stdin)
	var job batch.Job
	if err == nil {
		err = yaml.UnmarshalStrict(text, &job)
	}
	mode := job.Spec.CompletionMode
	if err == nil && (job.APIVersion != "batch/v1" || job.Kind != "Job" || mode == nil ||
		*mode != batch.IndexedCompletion) {
		err = errors.New("it is no Indexed Job of batch/v1")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
