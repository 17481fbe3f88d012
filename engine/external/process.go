package external

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// This file runs processes that may misbehave. It knows no protocol.

// Limits are what a process may use. Those of memory, files and time are of each process, the
// number of processes is of all together.
type Limits struct {
	Memory    uint64 // bytes of data
	File      uint64 // bytes of a file that it writes
	Files     uint64 // open at once
	Processes uint64 // threads counted
	Seconds   uint64 // of processor time
}

// DefaultLimits returns limits in which programs of the usual languages run.
func DefaultLimits() Limits {
	return Limits{Memory: 2 << 30, File: 64 << 20, Files: 256, Processes: 64, Seconds: 600}
}

// process is a running process with its folder.
type process struct {
	*exec.Cmd
	folder string
	errors tail
	jail   jail
	wait   func() error // once
}

var (
	errTime  = errors.New("the time was up")
	errFlood = fmt.Errorf("the answer is longer than %d bytes", maxReply)
)

// start starts a command in a folder of its own, with these ends of pipes, which the caller closes.
func (s *Supervisor) start(words []string, in, out *os.File) (*process, error) {
	folder, err := os.MkdirTemp("", "clade-player-")
	if err != nil {
		return nil, err
	}
	limits := s.Limits
	if limits == (Limits{}) {
		limits = DefaultLimits()
	}
	p := &process{folder: folder}
	for _, closed := range []bool{true, false} { // with namespaces, and without
		p.Cmd = exec.Command(words[0], words[1:]...)
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
	return nil, errors.Join(err, os.RemoveAll(folder))
}

// environment is all that a process gets of ours: where programs are, and its folder.
func environment(folder string) []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + folder, "TMPDIR=" + folder,
		"LANG=C.UTF-8"}
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

// said adds what the process wrote last on its standard error to an error.
func (p *process) said(err error) error {
	if text := lastLine(p.errors.String()); text != "" {
		return fmt.Errorf("%w: %s", err, text)
	}
	return err
}

// tail keeps the end of what is written to it.
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

// grace is how long the answer of a process that has ended may be kept open by one that left its
// group. All that was written is read well within that time.
const grace = time.Second

// once runs a process on an input until it ends, and returns its standard output. It returns an
// error after the time limit, for too much output, and for an exit status other than 0.
func (s *Supervisor) once(words []string, input []byte, limit time.Duration) ([]byte, error) {
	c, err := s.open(words)
	if err != nil {
		return nil, err
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
		return nil, c.said(errors.New(c.ProcessState.String()))
	case closed != nil:
		return nil, closed
	}
	return answer, nil
}

// conversation is a process that answers line by line.
type conversation struct {
	*process
	in, out *os.File // to and from the process
	rest    []byte   // read behind the last line
}

// open starts a process with pipes.
func (s *Supervisor) open(words []string) (*conversation, error) {
	theirIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, theirIn.Close(), in.Close())
	}
	p, err := s.start(words, theirIn, theirOut)
	theirs := errors.Join(theirIn.Close(), theirOut.Close())
	if err != nil {
		return nil, errors.Join(err, in.Close(), out.Close())
	}
	c := &conversation{process: p, in: in, out: out}
	if theirs != nil {
		return nil, errors.Join(theirs, c.close())
	}
	return c, nil
}

// ask sends lines and returns the line that comes back, without its end. After an error the
// conversation is of no use and must be closed.
func (c *conversation) ask(lines []byte, limit time.Duration) ([]byte, error) {
	until := time.Now().Add(limit)
	if err := errors.Join(c.in.SetWriteDeadline(until), c.out.SetReadDeadline(until)); err != nil {
		return nil, err
	}
	sent := make(chan error, 1)
	go func() { // a process that writes before it has read all must not lock up with us
		_, err := c.in.Write(lines)
		sent <- err
	}()
	reply, err := c.line()
	if err != nil {
		_ = c.in.SetWriteDeadline(time.Now()) // stops the writer
	}
	wrote := <-sent
	switch {
	case err == nil && wrote != nil:
		err = wrote
	case errors.Is(err, os.ErrDeadlineExceeded):
		err = errTime
	case errors.Is(err, io.EOF):
		err = errors.New("the program ended")
	}
	return reply, err
}

// line reads a line of at most maxReply bytes.
func (c *conversation) line() ([]byte, error) {
	for searched := 0; ; {
		if i := bytes.IndexByte(c.rest[searched:], '\n'); i >= 0 {
			line := c.rest[:searched+i]
			if len(line) > maxReply {
				return nil, errFlood
			}
			c.rest = append([]byte(nil), c.rest[searched+i+1:]...)
			return line, nil
		}
		if searched = len(c.rest); searched > maxReply {
			return nil, errFlood
		}
		var chunk [4096]byte
		n, err := c.out.Read(chunk[:])
		c.rest = append(c.rest, chunk[:n]...)
		if err != nil && n == 0 {
			return nil, err
		}
	}
}

// dismiss tells the process the end and gives it a moment to go on its own.
func (c *conversation) dismiss(text []byte) error {
	const moment = 100 * time.Millisecond
	err := errors.Join(c.in.SetWriteDeadline(time.Now().Add(moment)),
		c.out.SetReadDeadline(time.Now().Add(moment)))
	if err == nil {
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
	var status *exec.ExitError
	if errors.As(err, &status) || errors.Is(err, exec.ErrWaitDelay) {
		return nil // killed or ended: its status says nothing here
	}
	return err
}
