// Package cluster carries sweeps out on many machines: Slurm places whole runs, NATS JetStream hands them to workers that come and go. It is no scheduler of its own, and
// it decides no result: files in the run directories do.
package cluster
