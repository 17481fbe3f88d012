package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"clade/engine/system/packed"
	"clade/gp/input"
)

// place is the role of a flag's value in the file system.
type place int

const (
	nowhere place = iota // or something that is only read
	folder               // a directory to write into, made where it is not there
	file                 // a file to write; its directory is made where it is not there
)

// placeOf returns what a flag of a command names.
func placeOf(c *cobra.Command, f *pflag.Flag) place {
	switch f.Name {
	case "out":
		if c.Name() == "export" || c.Name() == "artifact" {
			return file
		}
		return folder
	case "curves", "png", "export", "table", "scratch", "directory":
		return folder
	case "record", "gif", "csv":
		return file
	}
	return nowhere
}

// maxWorkers is the most goroutines that evolve breeds with, and more than help any other work.
const maxWorkers = 4096

// checkFlags checks shared flags before any work: files must be writable, and the number of workers
// must be in range. It expands the ~ of --out=~/x, which shells leave alone, and puts ./ before a
// path with a leading dash, which could not be an operand of the commands that messages suggest.
func checkFlags(c *cobra.Command, _ []string) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		var wrong error
		value, at := f.Value.String(), placeOf(c, f)
		if f.Value.Type() == "string" {
			whole := input.Home(value)
			if at != nowhere && strings.HasPrefix(whole, "-") {
				whole = "./" + whole
			}
			if whole != value {
				value, wrong = whole, f.Value.Set(whole)
			}
		}
		switch {
		case at != nowhere && value == "": // of a variable that is not set
			wrong = errors.New("the path is empty; leave the flag out for its default")
		case wrong != nil, c.Flags().Changed("dry-run"): // nothing is written
		case at == folder:
			wrong = checkFolder(value)
		case at == file:
			wrong = checkFile(value)
		}
		if wrong != nil && err == nil {
			err = misuse("--%s: %w", f.Name, wrong)
		}
	})
	if f := c.Flags().Lookup("workers"); f != nil && err == nil {
		workers, wrong := c.Flags().GetInt(f.Name)
		if err = wrong; err == nil {
			err = within(f.Name, workers, 0, maxWorkers)
		}
	}
	return err
}

// within refuses a flag whose value is out of a range.
func within(flag string, v, low, high int) error {
	switch {
	case v >= low && v <= high:
		return nil
	case high == math.MaxInt:
		return misuse("--%s must be at least %d, not %d", flag, low, v)
	default:
		return misuse("--%s must be in %d..%d, not %d", flag, low, high, v)
	}
}

// checkFolder returns an error if nothing can be written into a directory, which need not exist
// yet.
func checkFolder(path string) error {
	at := filepath.Clean(path)
	for {
		info, err := packed.Stat(at)
		if err == nil && !info.IsDir() {
			return fmt.Errorf("%s is a file, not a directory", at)
		}
		if err == nil {
			break
		}
		if above := filepath.Dir(at); above != at && (errors.Is(err, fs.ErrNotExist) ||
			errors.Is(err, syscall.ENOTDIR)) {
			at = above
			continue
		}
		return reword(err)
	}
	return checkWritable(at)
}

// checkFile returns an error if a file cannot be written, and makes its directory.
func checkFile(path string) error {
	if info, err := packed.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a directory, not a file", path)
	}
	dir := filepath.Dir(path)
	if err := checkFolder(dir); err != nil {
		return err
	}
	return reword(os.MkdirAll(dir, 0o777))
}

// checkWritable returns an error if no file can be made in a directory.
func checkWritable(dir string) error {
	f, err := os.CreateTemp(dir, ".clade-*")
	if err != nil {
		return fmt.Errorf("no file can be made in %s (%w)", dir, errors.Unwrap(err))
	}
	defer os.Remove(f.Name())
	return f.Close()
}

// reworded is an error in other words.
type reworded struct {
	error
	text string
}

func (r reworded) Error() string { return r.text }

func (r reworded) Unwrap() error { return r.error }

// reword puts a sentence in place of the operating system's name for what is wrong with a path.
func reword(err error) error {
	path, cause := "", error(nil)
	var one *fs.PathError
	var two *os.LinkError
	if errors.As(err, &one) {
		path, cause = one.Path, one
	} else if errors.As(err, &two) {
		path, cause = two.New, two
	} else {
		return err
	}
	words := ""
	switch {
	case errors.Is(cause, fs.ErrNotExist):
		words = "there is no " + path
	case errors.Is(cause, syscall.ENOTDIR):
		for above := path; words == ""; above = filepath.Dir(above) {
			if _, err := os.Stat(above); err == nil || above == filepath.Dir(above) {
				words = above + " is a file, not a directory"
			}
		}
	case errors.Is(cause, syscall.EISDIR):
		words = path + " is a directory, not a file"
	case errors.Is(cause, fs.ErrPermission):
		words = "you have no right to use " + path
	case errors.Is(cause, syscall.ENOSPC):
		words = "there is no space left for " + path
	default:
		return err
	}
	return reworded{err, strings.Replace(err.Error(), cause.Error(), words, 1)}
}

// plainly wraps a command so that its errors of the file system are sentences.
func plainly(
	run func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error { return reword(run(c, args)) }
}
