package external

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// This file runs processes that may misbehave. It knows no protocol.

// processLimits are the resources that a process may use. Memory, files and time are limited for
// each process, the number of processes for all together.
type processLimits struct {
	Memory    uint64 // bytes of data
	File      uint64 // bytes of a file that it writes
	Files     uint64 // open at once
	Processes uint64 // threads counted
	Seconds   uint64 // of processor time
}

// defaultLimits returns limits that programs of the usual languages keep.
func defaultLimits() processLimits {
	return processLimits{Memory: 2 << 30, File: 64 << 20, Files: 256, Processes: 64, Seconds: 600}
}

// process is a running process with its folder.
type process struct {
	*exec.Cmd
	command *command
	folder  string
	errors  tail
	jail    jail
	wait    func() error // once
}

var (
	errTime  = errors.New("the time was up")
	errEnded = errors.New("the program ended")
	errFlood = fmt.Errorf("the answer is longer than %d bytes", maxReply)
)

// start starts a command in a new folder, with these ends of pipes, which the caller closes.
func (s *Supervisor) start(c *command, in, out *os.File) (*process, error) {
	folder, err := os.MkdirTemp("", "clade-player-")
	if err == nil { // as the program will call it
		folder, err = filepath.EvalSymlinks(folder)
	}
	if err != nil {
		return nil, fmt.Errorf("no folder for it among temporary files (see TMPDIR): %w", err)
	}
	limits := s.limits
	if limits == (processLimits{}) {
		limits = defaultLimits()
	}
	p := &process{command: c, folder: folder}
	for _, closed := range []bool{true, false} { // with namespaces, and without
		p.Cmd = exec.Command(c.words[0], c.words[1:]...)
		p.Dir, p.Stdin, p.Stdout, p.Stderr = folder, in, out, &p.errors
		p.Env = environment(folder)
		p.WaitDelay = 50 * time.Millisecond // a child of the child may hold its output open
		if err = p.jail.start(p.Cmd, limits, closed, s.say); err == nil {
			p.wait = sync.OnceValue(p.Wait)
			return p, nil
		}
		if !closed || !refused(err) {
			break
		}
		s.say("this system grants no namespaces (%v): programs may use the network, and what "+
			"leaves its process group outlives a game", err)
	}
	return nil, errors.Join(c.refused(err), os.RemoveAll(folder))
}

// environment returns the environment of a process: where programs are, and its folder.
func environment(folder string) []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + folder, "TMPDIR=" + folder, "LANG=C.UTF-8"}
}

// end kills the process with all that it started, removes its folder, and returns how it ended.
func (p *process) end() error {
	p.jail.kill()
	err := p.wait()
	p.jail.kill() // what was started while it died
	p.jail.remove()
	if left := os.RemoveAll(p.folder); left != nil {
		// a killed process may still have been writing
		time.Sleep(10 * time.Millisecond)
		if again := os.RemoveAll(p.folder); again != nil {
			return errors.Join(err, again)
		}
	}
	return err
}

// said adds the end of the process's standard error to an error, with files by the names that the
// user gave them.
func (p *process) said(err error) error {
	if text := lastLine(p.command.asWritten(p.errors.String(), p.folder)); text != "" {
		return fmt.Errorf("%w: %s", err, text)
	}
	return err
}

// ended returns the error for a process that has ended. A process without any answer may never have
// started, which is not the player's fault.
func (p *process) ended(err error, answered bool) error {
	if answered || p.ProcessState == nil {
		return p.said(err)
	}
	if why := p.command.notFound(p.ProcessState.ExitCode()); why != "" {
		return &Fault{Err: p.said(errors.New(why))}
	}
	return p.said(err)
}

// tail is a writer that keeps the end of what is written.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(p []byte) (int, error) {
	const most = 2048
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	t.text = t.text[max(0, len(t.text)-most):]
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}

// grace is how long to read the output of a process that has ended while one that left its group
// keeps the pipe open. Everything written before is read well within that time.
const grace = time.Second

// once runs a process on an input until it ends, and returns its standard output. It returns an
// error after the time limit, for too much output, and for an exit status other than 0.
func (s *Supervisor) once(command *command, input []byte, limit time.Duration) ([]byte, error) {
	c, err := s.open(command)
	if err != nil {
		return nil, &Fault{Err: err}
	}
	until := time.Now().Add(limit)
	err = c.out.SetReadDeadline(until)
	sent := make(chan error, 1)
	go func() {
		_, err := c.in.Write(input)
		sent <- errors.Join(err, c.in.Close())
	}()
	ended := make(chan struct{})
	go func() {
		_ = c.wait() // asked for below
		c.jail.kill()
		if time.Until(until) > grace {
			_ = c.out.SetReadDeadline(time.Now().Add(grace)) // of what left its group
		}
		close(ended)
	}()
	var answer []byte
	if err == nil {
		answer, err = io.ReadAll(io.LimitReader(c.out, maxReply+1))
	}
	if err == nil && len(answer) > maxReply {
		err = errFlood
	}
	if err == nil { // its output is closed: it has ended, or has until the limit
		select {
		case <-ended:
		case <-time.After(time.Until(until)):
		}
	}
	over := time.Now().After(until)
	closed := c.close()
	<-sent // a program need not read all
	<-ended
	switch {
	case over:
		return nil, errTime
	case errors.Is(err, errFlood):
		return nil, err
	case c.ProcessState != nil && !c.ProcessState.Success():
		return nil, c.ended(errors.New(c.ProcessState.String()), false)
	case closed != nil:
		return nil, &Fault{Err: closed}
	}
	return answer, nil
}

// conversation is a process that answers line by line.
//
// Output must not be taken as the answer to a question that the process has not read yet. So a
// message is sent in two parts, the first of which, its head, is the same for all messages. Once
// the process has read the head it is done with earlier messages, and what it has written until
// then cannot answer the new one. This works for a process that reads and writes in one thread, on
// Linux.
type conversation struct {
	*process
	in, out *os.File // to and from the process
	rest    []byte   // read behind the last line
	begun   bool     // the head of a message was sent
}

// head is the beginning of every message.
const head = `{"type":"`

// settling is how long to wait, after an answer, for the process to read on, which shows that its
// answer is complete. Most take microseconds. Later output is noticed at the next question.
const settling = 10 * time.Millisecond

// several is the error for a program that wrote more than one line for a question, so that its
// answer is ambiguous. It can be asked again.
type several struct{ text string }

func (s *several) Error() string {
	return fmt.Sprintf("it wrote more than one line for one question: %q", cut(s.text))
}

// open starts a process with pipes.
func (s *Supervisor) open(c *command) (*conversation, error) {
	theirIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, theirIn.Close(), in.Close())
	}
	p, err := s.start(c, theirIn, theirOut)
	theirs := errors.Join(theirIn.Close(), theirOut.Close())
	if err != nil {
		return nil, errors.Join(err, in.Close(), out.Close())
	}
	talk := &conversation{process: p, in: in, out: out}
	if theirs != nil {
		return nil, errors.Join(theirs, talk.close())
	}
	return talk, nil
}

// tell sends a message that needs no answer, and waits until the process has read it.
func (c *conversation) tell(message []byte, until time.Time) error {
	if err := c.limit(until); err != nil {
		return err
	}
	sent := c.send(message)
	for {
		select {
		case err := <-sent:
			if err == nil {
				err = c.settle(until)
			}
			return wordy(err)
		default:
		}
		// a process that writes before it has read all must not lock up with us
		if err := c.collect(); err != nil {
			_ = c.in.SetWriteDeadline(time.Now()) // stops the writer
			<-sent
			return wordy(err)
		}
		nap(0)
	}
}

// ask sends a message and returns the line that answers it, without its end, and what the process
// had written before. After an error other than several the conversation is unusable and must be
// closed.
func (c *conversation) ask(message []byte, until time.Time) (answer []byte, early string,
	err error) {
	if err = c.limit(until); err == nil {
		err = c.begin(until)
	}
	if err != nil {
		return nil, "", wordy(err)
	}
	early = string(bytes.TrimSpace(c.rest))
	c.rest, c.begun = nil, false
	sent := c.send(message[len(head):])
	answer, err = c.line()
	if err != nil {
		_ = c.in.SetWriteDeadline(time.Now()) // stops the writer
	}
	if wrote := <-sent; err == nil {
		err = wrote
	}
	for err == nil && blank(answer) { // an empty line is no answer, unless nothing follows
		if err = c.begin(until); err == nil && blank(c.rest) {
			return nil, early, nil
		}
		if err == nil {
			answer, err = c.line()
		}
	}
	if err != nil {
		return nil, early, wordy(err)
	}
	if soon := time.Now().Add(settling); soon.Before(until) {
		until = soon
	}
	if err := c.begin(until); errors.Is(err, errFlood) {
		return nil, early, err
	} // else it has ended or thinks, which the next question shows
	answer = bytes.TrimSpace(append(answer, c.rest...))
	c.rest = nil
	if bytes.IndexByte(answer, '\n') >= 0 {
		err = &several{string(answer)}
	}
	return answer, early, err
}

func blank(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }

// limit sets the time until which the process may read and write.
func (c *conversation) limit(until time.Time) error {
	return errors.Join(c.in.SetWriteDeadline(until), c.out.SetReadDeadline(until))
}

// wordy returns a plain error for one that ended a conversation.
func wordy(err error) error {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return errTime
	case errors.Is(err, io.EOF), errors.Is(err, syscall.EPIPE):
		return errEnded
	}
	return err
}

// send writes to the process while others read from it.
func (c *conversation) send(text []byte) <-chan error {
	sent := make(chan error, 1)
	go func() {
		_, err := c.in.Write(text)
		sent <- err
	}()
	return sent
}

// begin sends the head of the next message, unless it was sent, and waits until the process has
// read it.
func (c *conversation) begin(until time.Time) error {
	if !c.begun {
		if _, err := c.in.WriteString(head); err != nil {
			return err
		}
		c.begun = true
	}
	return c.settle(until)
}

// settle waits until the process has read all that was sent, and keeps what it wrote before.
func (c *conversation) settle(until time.Time) error {
	for try := 0; ; try++ {
		read := unread(c.in) == 0 // or nobody will
		if err := c.collect(); err != nil || read {
			return err
		}
		if !time.Now().Before(until) {
			return os.ErrDeadlineExceeded
		}
		nap(try)
	}
}

// collect reads what the process has written.
func (c *conversation) collect() error {
	for unread(c.out) > 0 {
		if len(c.rest) > maxReply {
			return errFlood
		}
		if err := c.read(); err != nil {
			return err
		}
	}
	return nil
}

// read reads some of what the process writes, once there is something.
func (c *conversation) read() error {
	var chunk [4096]byte
	n, err := c.out.Read(chunk[:])
	c.rest = append(c.rest, chunk[:n]...)
	if n > 0 {
		return nil
	}
	return err
}

// line reads a line of at most maxReply bytes.
func (c *conversation) line() ([]byte, error) {
	for searched := 0; ; {
		if i := bytes.IndexByte(c.rest[searched:], '\n'); i >= 0 {
			line := c.rest[:searched+i+1]
			if len(line) > maxReply+1 {
				return nil, errFlood
			}
			c.rest = append([]byte(nil), c.rest[searched+i+1:]...)
			return line, nil
		}
		if searched = len(c.rest); searched > maxReply {
			return nil, errFlood
		}
		if err := c.read(); err != nil {
			return nil, err
		}
	}
}

// dismiss sends the last message and gives the process a moment to exit.
func (c *conversation) dismiss(text []byte) error {
	const moment = 100 * time.Millisecond
	err := errors.Join(c.in.SetWriteDeadline(time.Now().Add(moment)),
		c.out.SetReadDeadline(time.Now().Add(moment)))
	if err == nil {
		if c.begun {
			text = text[len(head):]
		}
		_, _ = c.in.Write(text) // it need not listen
		err = c.in.Close()
		_, _ = io.Copy(io.Discard, c.out) // until it ends or the moment is over
	}
	return errors.Join(err, c.close())
}

// close ends the process and all that it started.
func (c *conversation) close() error {
	_, _ = c.in.Close(), c.out.Close() // may be closed already
	err := c.process.end()
	if _, ended := errors.AsType[*exec.ExitError](err); ended || errors.Is(err, exec.ErrWaitDelay) {
		return nil // killed or ended: its status says nothing here
	}
	return err
}
