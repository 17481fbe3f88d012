package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"clade/experiments/cluster/broker"
	"clade/experiments/cluster/protocol"
	"clade/experiments/study"
	"clade/experiments/version"
)

// workID returns the name of a sweep or run, made of host and directory, so that two sweeps of one
// study do not take each other's results.
func workID(dir string) string {
	host, _ := os.Hostname()
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(host+"\x00"+dir)))[:16]
}

// offer queues a run, or an epoch whose object has the sum, unless it is in the queue.
func offer(ctx context.Context, b protocol.Broker, subject string, s *study.Study,
	sum []byte) error {
	text, err := s.Text()
	if err != nil {
		return err
	}
	content, err := json.Marshal(&protocol.Task{Program: version.This().Name(),
		Study: string(text), Name: s.Name, Sum: sum})
	if err != nil {
		return err
	}
	return b.Offer(ctx, subject, content)
}

// answerResults answers the results that workers report of a sweep or run, until the function that
// it returns is called.
func answerResults(b protocol.Broker, log *slog.Logger, id string, take func(ctx context.Context,
	worker string, r *protocol.Result) (protocol.Answer, error)) (stop func(), err error) {
	subject := broker.ResultPrefix + id
	return b.Answer(subject, func(question []byte) []byte {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		var r protocol.Result
		var a protocol.Answer
		worker, content, err := broker.Verify(subject, question)
		if err == nil {
			err = json.Unmarshal(content, &r)
		}
		if err == nil {
			a, err = take(ctx, worker, &r)
		}
		if err != nil {
			log.Warn("a result was not taken", "worker", worker, "host", r.Host, "error", err)
			a.Error = err.Error()
		}
		content, _ = json.Marshal(a) // a struct of texts and truths, which never fails
		return content
	})
}
