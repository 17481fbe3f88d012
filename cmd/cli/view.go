package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strconv"

	"github.com/spf13/cobra"

	"clade/cmd/view"
	"clade/cmd/view/site"
	"clade/experiments/player"
)

func newView(scope *player.Scope) *cobra.Command {
	var o site.Options
	var listen string
	var open bool
	c := &cobra.Command{
		Use:   "view [PATH...]",
		Short: "Look at runs, games and leagues in the browser",
		Long: `Serves one page for everything below the given folders (default: here): a table
of all runs, which moves while they are bred; a run's curves, champions,
descent and matrices; leagues played in the background. It reads and plays, and
changes no run. Players that you keep from a page are written to the folder
shelf below the first one.

The page listens on this machine only. With another address in --listen, the
page opens only with the token in the printed link. Nothing on a page can start
a program unless --allow-programs is given.`,
		Example: `  clade view                       everything below this folder
  clade view runs results --open   two folders, and open the browser
  clade view runs --listen :8080   for other machines, with a token`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			o.Paths, o.Scope = args, *scope
			l, err := net.Listen("tcp", listenAt(listen))
			if err != nil {
				return misuse("cannot listen: %w; choose another address with --listen", err)
			}
			link, err := admission(l, &o)
			if err != nil {
				return errors.Join(err, l.Close())
			}
			s, err := view.New(o)
			if err != nil {
				return errors.Join(misuse("%w", err), l.Close())
			}
			fmt.Fprintf(c.OutOrStdout(), "%s (Ctrl-C ends it)\n", link)
			if open {
				if err := openBrowser(link); err != nil {
					fmt.Fprintln(os.Stderr, "the browser does not open:", err)
				}
			}
			if err := s.Serve(c.Context(), l); err != nil {
				return err
			}
			return context.Cause(c.Context())
		},
	}
	f := c.Flags()
	f.StringVar(&listen, "listen", "localhost:4545", "`address` to listen on: a port of this "+
		"machine alone, or HOST:PORT; port 0 takes a free one")
	f.StringSliceVar(&o.Hosts, "host", nil,
		"another `name` under which browsers may ask for this machine")
	f.BoolVar(&open, "open", false, "open the page in the browser")
	return c
}

// admission returns the link of the page, and sets a token if other machines can reach it.
func admission(l net.Listener, o *site.Options) (link string, err error) {
	at := l.Addr().(*net.TCPAddr)
	host := at.IP.String()
	if at.IP.IsLoopback() {
		return fmt.Sprintf("http://%s/", net.JoinHostPort("localhost", fmt.Sprint(at.Port))), nil
	}
	o.Token = rand.Text()
	o.Hosts = append(o.Hosts, host)
	if at.IP.IsUnspecified() {
		if host, err = os.Hostname(); err != nil {
			return "", fmt.Errorf("this machine has no known name: %w; name an address in "+
				"--listen", err)
		}
		addresses, err := net.InterfaceAddrs()
		if err != nil {
			return "", err
		}
		o.Hosts = append(o.Hosts, host)
		for _, a := range addresses {
			if n, ok := a.(*net.IPNet); ok {
				o.Hosts = append(o.Hosts, n.IP.String())
			}
		}
	}
	return fmt.Sprintf("http://%s/?%s=%s", net.JoinHostPort(host, fmt.Sprint(at.Port)),
		site.TokenKey, o.Token), nil
}

// openBrowser opens a link as the desktop does.
func openBrowser(link string) error {
	command := map[string][]string{"darwin": {"open"},
		"windows": {"rundll32", "url.dll,FileProtocolHandler"}}[runtime.GOOS]
	if command == nil {
		command = []string{"xdg-open"}
	}
	return exec.Command(command[0], append(command[1:], link)...).Start()
}

// listenAt returns the address HOST:PORT that a flag names: a port alone is one of this machine.
func listenAt(address string) string {
	if _, err := strconv.ParseUint(address, 10, 16); err == nil {
		return net.JoinHostPort("localhost", address)
	}
	return address
}
