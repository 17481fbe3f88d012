package life

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// This file runs programs that may misbehave. It knows no game.

// program is a command line that can be run any number of times.
type program struct{ words []string }

// newProgram splits a command line into words, as a shell does, but expands nothing. Blanks
// separate words; quotes and backslashes keep them. Between double quotes, a backslash stands for
// itself except before $ ` " \ and a line end. It returns an error unless the first word is a
// program.
func newProgram(command string) (*program, error) {
	words, err := splitWords(command)
	if err != nil {
		return nil, err
	}
	if len(words) == 0 {
		return nil, errors.New("no command: write one such as exec:\"python3 bot.py\"")
	}
	path, err := exec.LookPath(words[0])
	if err != nil {
		return nil, fmt.Errorf("command %q: %w", words[0], err)
	}
	words[0] = path
	return &program{words}, nil
}

// splitWords parts a command line.
func splitWords(s string) ([]string, error) {
	var words []string
	var word strings.Builder
	started := false
	quote := byte(0)
	escaped := false
	for i := range len(s) { // bytes: a name may be in any encoding
		switch c := s[i]; {
		case c == 0:
			return nil, errors.New("the command holds a zero byte")
		case escaped:
			escaped = false
			if c == '\n' { // the line goes on
				break
			}
			if quote != 0 && strings.IndexByte("$`\"\\", c) < 0 {
				word.WriteByte('\\')
			}
			word.WriteByte(c)
			started = true
		case c == '\\' && quote != '\'':
			escaped = true
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteByte(c)
		case c == '\'' || c == '"':
			quote, started = c, true
		case c == ' ' || c == '\t' || c == '\n':
			if started {
				words = append(words, word.String())
				word.Reset()
				started = false
			}
		default:
			word.WriteByte(c)
			started = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("the command %q lacks a closing %c", s, quote)
	}
	if escaped {
		return nil, fmt.Errorf("the command %q ends with a backslash", s)
	}
	if started {
		words = append(words, word.String())
	}
	return words, nil
}

// command prepares a process in a group of its own, so that it can be killed with all that it
// starts.
func (p *program) command(ctx context.Context, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, p.words[0], append(p.words[1:len(p.words):len(p.words)],
		args...)...)
	c.SysProcAttr = ownGroup()
	c.Cancel = func() error { return killGroup(c.Process) }
	c.WaitDelay = 50 * time.Millisecond // a child of the child may hold its input open
	return c
}

// killGroup kills a process and all of its group. The group may be gone already.
func killGroup(p *os.Process) error {
	if err := syscall.Kill(-p.Pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
		return err
	}
	return nil
}

// grace is how long the answer of a process that has ended may be kept open by one that left its
// group. All that was written is read well within that time.
const grace = time.Second

var (
	errTime  = errors.New("the time is up")
	errFlood = errors.New("the output is too long")
)

// run starts a process with additional arguments and input, waits until it ends, and returns its
// standard output. It returns an error after the time limit, beyond most bytes of output, and for
// an exit status other than 0. No process of its group is left.
func (p *program) run(args []string, input []byte, limit time.Duration, most int) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	c := p.command(ctx, args...)
	if input != nil {
		c.Stdin = bytes.NewReader(input)
	}
	// our own: exec's copy of the output would be cut off when it is late on a busy machine
	out, theirs, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer out.Close()
	c.Stdout = theirs
	err = c.Start()
	if err = errors.Join(err, theirs.Close()); err != nil {
		return nil, err
	}
	answer := &limitedBuffer{left: most, full: cancel}
	read := make(chan struct{})
	go func() {
		// ends with the last process that holds the other end, a flood, or the deadline
		_, _ = io.Copy(answer, out)
		close(read)
	}()
	err = c.Wait()
	late := ctx.Err() != nil
	_ = killGroup(c.Process)                       // what it left behind
	_ = out.SetReadDeadline(time.Now().Add(grace)) // of what left its group
	<-read
	switch {
	case answer.flooded:
		return nil, errFlood
	case late:
		return nil, errTime
	// leaving a child behind is allowed; it is dead now
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return nil, err
	}
	return answer.buffer.Bytes(), nil
}

// limitedBuffer keeps up to left bytes; more call full.
type limitedBuffer struct {
	buffer  bytes.Buffer
	left    int
	full    func()
	flooded bool
}

func (b *limitedBuffer) Write(p []byte) (int, error) {
	if len(p) > b.left {
		b.flooded = true
		b.full()
		return 0, errFlood
	}
	b.left -= len(p)
	return b.buffer.Write(p)
}

// conversation is a process that answers line by line.
type conversation struct {
	command *exec.Cmd
	in, out *os.File // to and from the process
	rest    []byte   // read behind the last line
}

// start starts a process for a conversation.
func (p *program) start() (*conversation, error) {
	theirIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, theirIn.Close(), in.Close())
	}
	c := &conversation{command: p.command(context.Background()), in: in, out: out}
	c.command.Stdin, c.command.Stdout = theirIn, theirOut
	err = c.command.Start()
	theirs := errors.Join(theirIn.Close(), theirOut.Close())
	if err != nil {
		return nil, errors.Join(err, in.Close(), out.Close())
	}
	if theirs != nil {
		return nil, errors.Join(theirs, c.close())
	}
	return c, nil
}

// ask sends a line, without its end, and returns the line that comes back. After an error the
// conversation is of no use and must be closed.
func (c *conversation) ask(line []byte, limit time.Duration, most int) ([]byte, error) {
	until := time.Now().Add(limit)
	if err := errors.Join(c.in.SetWriteDeadline(until), c.out.SetReadDeadline(until)); err != nil {
		return nil, err
	}
	sent := make(chan error, 1)
	go func() { // a process that writes before it has read all must not lock up with us
		_, err := c.in.Write(append(line, '\n'))
		sent <- err
	}()
	reply, err := c.line(most)
	if err != nil {
		_ = c.in.SetWriteDeadline(time.Now()) // stops the writer
	}
	if wrote := <-sent; err == nil {
		err = wrote
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = errTime
	}
	return reply, err
}

// line reads a line of at most most bytes.
func (c *conversation) line(most int) ([]byte, error) {
	for searched := 0; ; {
		if i := bytes.IndexByte(c.rest[searched:], '\n'); i >= 0 {
			line := c.rest[:searched+i]
			if len(line) > most {
				return nil, errFlood
			}
			c.rest = append([]byte(nil), c.rest[searched+i+1:]...)
			return line, nil
		}
		if searched = len(c.rest); searched > most {
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

// close ends the process and its group.
func (c *conversation) close() error {
	err := errors.Join(c.in.Close(), c.out.Close(), killGroup(c.command.Process))
	_ = c.command.Wait() // killed: its status says nothing
	_ = killGroup(c.command.Process)
	return err
}
