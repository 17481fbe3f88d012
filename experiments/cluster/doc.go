// Package cluster carries sweeps and runs out on many machines: Slurm places whole runs; NATS
// JetStream hands runs, islands of runs, and games of one population to workers that come and go.
// It is no scheduler of its own, and it decides no result: files in the run directories do.
package cluster
