package broker

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"clade/gp/proof"
)

var quiet = slog.New(slog.DiscardHandler)

// began starts a server with a coordinator and a worker.
func began(t *testing.T) (s *Server, home, far *Broker) {
	t.Helper()
	s = serve(t, t.TempDir())
	home = proof.Must(Open(t.Context(), s.Inside, "home", time.Minute, quiet))(t)
	t.Cleanup(home.Close)
	return s, home, join(t, s.Access)
}

func serve(t *testing.T, dir string) *Server {
	t.Helper()
	s := proof.Must(Serve(dir, "127.0.0.1:0"))(t)
	t.Cleanup(s.Shutdown)
	return s
}

func join(t *testing.T, a Access) *Broker {
	t.Helper()
	b := proof.Must(Join(t.Context(), a, "far", quiet))(t)
	t.Cleanup(b.Close)
	return b
}

// A worker can do its work, and nothing else.
func TestWorkerRights(t *testing.T) {
	proof.Slow(t)
	s, home, far := began(t)
	ctx := t.Context()
	proof.OK(t, errors.Join(home.Offer(ctx, RunPrefix+"s.k", []byte("true")),
		home.Offer(ctx, RunPrefix+"s.k", []byte("again"))))
	task := proof.Must(far.Next(ctx))(t)
	proof.Is(t, string(task.Data()), "true", "the task")
	for _, content := range []string{"one", "two"} { // the second takes the first one's place
		proof.OK(t, far.Put(ctx, "o", "by "+content, []byte(content)))
		if by, err := home.By(ctx, "o"); err != nil || by != "by "+content {
			t.Errorf("%q, %v", by, err)
		}
	}
	for _, b := range []*Broker{far, home} {
		proof.Is(t, string(proof.Must(b.Get(ctx, "o"))(t)), "two", "the object")
	}
	proof.Is(t, len(proof.Must(home.Objects(ctx, "o"))(t)), 1, "objects")
	proof.OK(t, errors.Join(far.Remove(ctx, "o"), far.Remove(ctx, "o")))
	if _, err := far.Get(ctx, "o"); !errors.Is(err, ErrNone) {
		t.Errorf("%v", err)
	}
	proof.Is(t, proof.Must(far.By(ctx, "o"))(t), "", "by whom nothing is")
	stop, err := home.Answer(ResultPrefix+"s", func(q []byte) []byte {
		return append(q, '!')
	})
	proof.OK(t, err)
	defer stop()
	proof.Is(t, string(proof.Must(far.Ask(ctx, ResultPrefix+"s", []byte("yes")))(t)), "yes!",
		"the answer")
	proof.OK(t, errors.Join(task.InProgress(), task.DoubleAck(ctx)))
	heard := make(chan string, 1)
	deaf, err := home.Hear(func(worker string, said []byte) { heard <- worker + string(said) })
	proof.OK(t, err)
	defer deaf()
	proof.OK(t, errors.Join(home.conn.Flush(), far.Announce("w", []byte("!"))))
	proof.Is(t, <-heard, "w!", "what was heard")

	js := far.js
	var tried sync.WaitGroup // side by side, since each waits for an answer that does not come
	soon, cancel := context.WithTimeout(ctx, 500*time.Millisecond)
	defer cancel()
	for what, try := range map[string]func() error{
		"offers a run":      func() error { return far.Offer(soon, RunPrefix+"s.forged", nil) },
		"offers an epoch":   func() error { return far.Offer(soon, EpochPrefix+"s.forged", nil) },
		"withdraws":         func() error { return far.Withdraw(soon, RunPrefix+">") },
		"deletes the queue": func() error { return js.DeleteStream(soon, tasksStream) },
		"makes a stream": func() error {
			_, err := js.CreateStream(soon, jetstream.StreamConfig{Name: "x", Subjects: []string{"x"}})
			return err
		},
		"makes a consumer of tasks": func() error {
			_, err := js.CreateConsumer(soon, tasksStream, jetstream.ConsumerConfig{Durable: "x"})
			return err
		},
		"deletes all objects": func() error { return js.DeleteObjectStore(soon, objectsStore) },
	} {
		tried.Go(func() {
			if err := try(); err == nil {
				t.Errorf("a worker %s", what)
			}
		})
	}
	tried.Wait()
	for _, subject := range []string{ResultPrefix + ">", insideInbox + ".>", "$JS.>", ">"} {
		heard, err := far.conn.SubscribeSync(subject)
		if err == nil {
			err = far.conn.Flush()
		}
		proof.OK(t, err)
		_, err = home.Ask(ctx, ResultPrefix+"s", nil)
		// what the server sent before it answered comes before its next answer
		proof.OK(t, errors.Join(err, far.conn.Flush()))
		if n, _, _ := heard.Pending(); n > 0 {
			t.Errorf("a worker hears %d messages by %s", n, subject)
		}
	}
	for what, change := range map[string]func(a *Access){
		"a guessed token":      func(a *Access) { a.Token = "guess" },
		"no token":             func(a *Access) { a.User, a.Token = "", "" },
		"another name":         func(a *Access) { a.User = insideUser },
		"another key":          func(a *Access) { a.Server = strings.Repeat("0", 64) },
		"the system's trust":   func(a *Access) { a.Server = "" },
		"no encryption at all": func(a *Access) { a.Server = ""; a.URL = "nats" + a.URL[3:] },
	} {
		a := s.Access
		change(&a)
		if b, err := Join(ctx, a, "thief", quiet); err == nil {
			b.Close()
			t.Errorf("with %s one comes in", what)
		}
	}
}

// Who says that it answers can be asked at once, by any connection.
func TestAnswersAtOnce(t *testing.T) {
	_, home, far := began(t)
	for i := range 200 {
		subject := fmt.Sprintf("%ss%d", ResultPrefix, i)
		stop := proof.Must(home.Answer(subject, func(q []byte) []byte { return q }))(t)
		if a, err := far.Ask(t.Context(), subject, []byte("yes")); err != nil || string(a) != "yes" {
			t.Fatalf("question %d: %q, %v", i, a, err)
		}
		stop()
	}
}

// plant lets a worker store bytes as a part of an object, and returns the question that lets the
// server send them anywhere.
func plant(t *testing.T, far *Broker, to string, evil []byte) *nats.Msg {
	t.Helper()
	at := "$O." + objectsStore + ".C.evil"
	proof.Must(far.js.Publish(t.Context(), at, evil))(t)
	m := nats.NewMsg("$JS.API.DIRECT.GET.OBJ_" + objectsStore + "." + at)
	m.Reply = to
	return m
}

// A worker lets the server itself send what it likes to the queue, as the answer to a question or
// as the delivery of a consumer, also with a signature of its own. Nobody takes such a task.
func TestForgedTask(t *testing.T) {
	_, home, far := began(t)
	ctx := t.Context()
	_, own, err := ed25519.GenerateKey(nil)
	proof.OK(t, err)
	answers := plant(t, far, RunPrefix+"s.forged", Sign(own, RunPrefix+"s.forged", []byte("evil")))
	proof.OK(t, far.conn.PublishMsg(answers))
	consumer, err := json.Marshal(map[string]any{"stream_name": "OBJ_" + objectsStore,
		"config": map[string]any{"deliver_subject": RunPrefix + "s.forged2", "ack_policy": "none",
			"deliver_policy": "all"}})
	proof.OK(t, err)
	if _, err := far.conn.Request("$JS.API.CONSUMER.CREATE.OBJ_"+objectsStore, consumer,
		5*time.Second); err != nil {
		t.Log(err)
	}
	proof.OK(t, home.Offer(ctx, RunPrefix+"s.true", []byte("true")))
	forged := 0
	for {
		task, err := far.Next(ctx)
		if errors.Is(err, ErrNone) {
			t.Fatal("the true task is lost")
		}
		if err != nil {
			forged++
			if !strings.Contains(err.Error(), "no coordinator has signed") {
				t.Fatal(err)
			}
			continue
		}
		if task.Subject() != RunPrefix+"s.true" {
			t.Errorf("a worker would do %s: %s", task.Subject(), task.Data())
			continue
		}
		break
	}
	t.Logf("%d forged tasks came in, and were thrown away", forged)
}

// A worker that knows where an answer is waited for lets the server send another there. It is not
// taken for the coordinator's.
func TestForgedAnswer(t *testing.T) {
	s, home, far := began(t)
	honest := join(t, s.Access)
	if _, err := home.conn.Subscribe(ResultPrefix+"s", func(q *nats.Msg) {
		_ = far.conn.PublishMsg(plant(t, far, q.Reply, []byte("evil")))
	}); err != nil || home.conn.Flush() != nil {
		t.Fatal(err)
	}
	soon, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	proof.Fails(honest.Ask(soon, ResultPrefix+"s", nil))(t, "no coordinator has signed")
}

// A worker waits for a server that is away, and for a coordinator. After the end nothing is left.
func TestWaiting(t *testing.T) {
	proof.Slow(t)
	dir := t.TempDir()
	s := serve(t, dir)
	access := s.Access
	s.Shutdown()
	s.WaitForShutdown()
	joined := make(chan error, 1)
	go func() {
		b, err := Join(t.Context(), access, "far", quiet)
		if err == nil {
			defer b.Close()
			_, err = b.Next(t.Context())
		}
		joined <- err
	}()
	short, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	proof.Fails(Join(short, access, "far", quiet))(t, "cannot reach NATS")
	s = serve(t, dir)
	proof.Is(t, s.Access, access, "the access of the server that came back")
	short, cancel = context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	proof.Fails(Join(short, access, "far", quiet))(t, "JetStream")
	home := proof.Must(Open(t.Context(), s.Inside, "home", time.Minute, quiet))(t)
	defer home.Close()
	proof.OK(t, home.Offer(t.Context(), RunPrefix+"s.k", []byte("task")))
	proof.OK(t, <-joined)
	for _, name := range []string{AccessFile, identityFile} {
		proof.Is(t, proof.Must(os.Stat(filepath.Join(dir, name)))(t).Mode().Perm(), 0o600,
			"the mode of %s", name)
	}
	s.Shutdown()
	s.WaitForShutdown()
	proof.OK(t, Forget(dir))
	if left, err := fs.Glob(os.DirFS(dir), "*"); err != nil || len(left) > 0 {
		t.Errorf("%v is left over (%v)", left, err)
	}
	if err := Forget(dir); err != nil {
		t.Errorf("twice: %v", err)
	}
}

// Two servers have nothing in common: token and key are new each time.
func TestIdentities(t *testing.T) {
	a, b := serve(t, t.TempDir()).Access, serve(t, t.TempDir()).Access
	if a.Token == b.Token || a.Server == b.Server || len(a.Token) < 26 {
		t.Errorf("%+v, %+v", a, b)
	}
	dir := t.TempDir()
	for _, c := range []struct{ file, content, want string }{
		{identityFile, "{", "is damaged; remove it"},
		{identityFile, `{"token":"x"}`, "is damaged; remove it"},
	} {
		proof.OK(t, os.WriteFile(filepath.Join(dir, c.file), []byte(c.content), 0o600))
		proof.Fails(Serve(dir, "127.0.0.1:0"))(t, c.want)
	}
	unread := filepath.Join(dir, identityFile)
	proof.OK(t, errors.Join(os.Remove(unread), os.Mkdir(unread, 0o700)))
	if _, err := Serve(dir, "127.0.0.1:0"); err == nil || strings.Contains(err.Error(), "damaged") {
		t.Errorf("an identity that cannot be read: %v", err)
	}
	for content, want := range map[string]string{"{": "is damaged", "{}": "names no URL"} {
		path := filepath.Join(dir, AccessFile)
		proof.OK(t, os.WriteFile(path, []byte(content), 0o600))
		proof.Fails(ReadAccess(path))(t, want)
	}
	for _, listen := range []string{"nowhere", ":x", ":70000"} {
		if _, err := Serve(t.TempDir(), listen); err == nil {
			t.Errorf("a server listens on %s", listen)
		}
	}
}

func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	server, err := Serve(dir, "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	defer server.Shutdown()
	ctx := context.Background()
	home, err := Open(ctx, server.Inside, "coordinator", Silence, quiet)
	if err != nil {
		panic(err)
	}
	defer home.Close()
	far, err := Join(ctx, server.Access, "worker", quiet)
	if err != nil {
		panic(err)
	}
	defer far.Close()
	if err := home.Offer(ctx, RunPrefix+"sweep.run", []byte("breed this")); err != nil {
		panic(err)
	}
	task, err := far.Next(ctx)
	if err != nil {
		panic(err)
	}
	fmt.Println(task.Subject(), string(task.Data()), task.DoubleAck(ctx))
	// Output: clade.task.sweep.run breed this <nil>
}

// A file that was copied by way of an editor on Windows may begin with its mark.
func TestReadAccessWithAMark(t *testing.T) {
	path := filepath.Join(t.TempDir(), AccessFile)
	proof.OK(t, os.WriteFile(path, []byte("\xef\xbb\xbf{\"url\": \"nats://h:1\"}"), 0o666))
	proof.Is(t, proof.Must(ReadAccess(path))(t).URL, "nats://h:1", "the address")
}
