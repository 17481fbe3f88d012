package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"clade/evolve"
)

// exitCodes is the table of exit statuses, as help and the README show it.
const exitCodes = `Exit status:
    0  done
    1  a failure
    2  wrong use: a command, flag, setting, file or run that there is not
   75  a task of an array was stopped and saved, and has work left
  129  stopped because the terminal went away (SIGHUP); a run is saved, and
       goes on by clade resume
  130  stopped by Ctrl-C (SIGINT), likewise; or, of clade play, by the end of
       the input
  143  stopped by SIGTERM, likewise`

// usageError marks wrong use of the command line: exit status 2.
type usageError struct{ error }

func (u usageError) Unwrap() error { return u.error }

// misuse words wrong use of the command line.
func misuse(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// unfinishedError marks a task of an array that was stopped and saved, with work left: exit status
// 75 (EX_TEMPFAIL of sysexits.h), so that a batch system does not take it for done.
type unfinishedError struct{ error }

func (u unfinishedError) Unwrap() error { return u.error }

// stopSignal is the cause of a context that a signal has ended.
type stopSignal struct{ os.Signal }

func (s stopSignal) Error() string { return "stopped by " + s.String() }

// status returns the exit status of a command whose context is ctx: see exitCodes.
func status(ctx context.Context, err error) int {
	var usage usageError
	var unfinished unfinishedError
	var stop stopSignal
	switch {
	case err == nil:
		return 0
	case errors.As(err, &unfinished):
		return 75
	case errors.Is(err, errInputEnded):
		return 130
	case errors.As(context.Cause(ctx), &stop) && stop.Signal == syscall.SIGTERM:
		return 143
	case stop.Signal == syscall.SIGHUP:
		return 129
	case stop.Signal != nil, errors.Is(context.Cause(ctx), context.Canceled):
		return 130
	case errors.As(err, &usage), errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR),
		errors.Is(err, syscall.EISDIR):
		return 2
	default:
		return 1
	}
}

// withSignals returns a context that SIGINT, SIGTERM and SIGHUP end, the last unless clade was
// started to outlive its terminal (nohup).
func withSignals(ctx context.Context) context.Context {
	ctx, cancel := context.WithCancelCause(ctx)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
	go func() {
		s := <-signals
		// A second Ctrl-C ends at once what cannot stop now. A second SIGTERM does not: batch
		// systems send it to all processes of a task, and a task's script sends it again.
		signal.Reset(os.Interrupt)
		if s == syscall.SIGHUP { // what read our output is gone, too, and must not end us by that
			signal.Ignore(syscall.SIGPIPE)
		}
		cancel(stopSignal{s})
	}()
	return ctx
}

// How long commands may take after a signal. All files are consistent at any time, so a command
// that does not stop by itself (a long game, a large figure, a disk that does not answer) can be
// ended.
const (
	afterTerm      = 800 * time.Millisecond
	afterInterrupt = 1600 * time.Millisecond
	// A worker hands its runs over through a network. Batch systems grant 30 s.
	afterWork = 10 * time.Second
	// forRest is the part of that time which is left when saving is given up.
	forRest = 100 * time.Millisecond
	// forWord is how long a busy machine may then take to report the outcome.
	forWord = 5 * time.Second
)

// saves is the key, in a command's context, of a flag: that the command saves its work and will
// report the outcome, also after saving was given up. On a busy machine the rest of the grace is too
// short for that.
type saves struct{}

// grace returns how long a command may take after the end of its context.
func grace(ctx context.Context, command string) time.Duration {
	var stop stopSignal
	if command == "worker" {
		return afterWork
	}
	if errors.As(context.Cause(ctx), &stop) && stop.Signal != os.Interrupt {
		return afterTerm
	}
	return afterInterrupt
}

// await runs an operation. Once the context has ended it waits for the grace less rest, and then
// for the report of operations that are saving.
func await(ctx context.Context, command string, rest time.Duration, carry func() error) (err error,
	ended bool) {
	end := make(chan error, 1)
	go func() { end <- carry() }()
	select {
	case err := <-end:
		return err, true
	case <-ctx.Done():
	}
	late := time.After(grace(ctx, command) - rest)
	for {
		select {
		case err := <-end:
			return err, true
		case <-late:
		}
		if flag, ok := ctx.Value(saves{}).(*atomic.Bool); rest > 0 || !ok || !flag.Load() {
			return nil, false
		}
		rest, late = forWord, time.After(forWord)
	}
}

// saving runs an operation that saves its work when its context ends. If that takes too long it is
// given up, and lost says what is lost.
func saving(c *cobra.Command, carry func() error, lost func() string) error {
	if flag, ok := c.Context().Value(saves{}).(*atomic.Bool); ok {
		flag.Store(true)
	}
	err, ended := await(c.Context(), c.Name(), forRest, carry)
	if !ended {
		err = fmt.Errorf("%w; %s", evolve.ErrStopped, lost())
	}
	return err
}

// promptly runs a command, and waits no longer than its grace once the context has ended.
func promptly(ctx context.Context, command string, carry func() error) error {
	in := int(os.Stdin.Fd())
	state, noTerminal := term.GetState(in)
	err, ended := await(ctx, command, 0, carry)
	if ended {
		return err
	}
	if noTerminal == nil { // it may be in raw mode, with a hidden cursor
		_ = term.Restore(in, state)
		fmt.Fprint(os.Stderr, "\x1b[0m\x1b[?25h")
	}
	return fmt.Errorf("clade %s: %w before its end; what was under way is dropped", command,
		context.Cause(ctx))
}

// standardOutput keeps the first error of writing to standard output, at which most commands do not
// look: they print once all is done.
type standardOutput struct {
	file  *os.File
	fault atomic.Pointer[error]
}

func (s *standardOutput) Write(text []byte) (int, error) {
	n, err := s.file.Write(text)
	if err != nil {
		s.fault.CompareAndSwap(nil, &err)
	}
	return n, err
}

// Fd makes a terminal's width known.
func (s *standardOutput) Fd() uintptr { return s.file.Fd() }

// check returns an error if something was not written.
func (s *standardOutput) check() error {
	if err := s.fault.Load(); err != nil {
		return fmt.Errorf("what was to be printed is not whole: %w", reword(*err))
	}
	return nil
}
