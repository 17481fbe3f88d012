package cluster

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nuid"

	"clade/engine/durable"
)

// Access says where NATS is and how to get in.
type Access struct {
	URL   string `json:"url"`             // several with commas
	Token string `json:"token,omitempty"` // of an embedded server
	Creds string `json:"creds,omitempty"` // file with a user's credentials of a site's own NATS
	// CA is a file with certificates to check the server's against; empty means the system's.
	CA string `json:"ca,omitempty"`
	// Cert is a file with a certificate of ours, where the server wants one, and Key one with its
	// key.
	Cert string `json:"cert,omitempty"`
	Key  string `json:"key,omitempty"`
}

// AccessFile is the name of the file in a sweep's directory that tells workers how to reach the
// server inside the sweep. Who can read it can take part.
const AccessFile = "nats.json"

// storeFolder holds the server's store beside it.
const storeFolder = "nats"

// ReadAccess reads a file like nats.json; anything else is taken for a URL.
func ReadAccess(where string) (Access, error) {
	if strings.Contains(where, "://") {
		return Access{URL: where}, nil
	}
	content, err := os.ReadFile(where)
	if err != nil {
		return Access{}, fmt.Errorf("%w; name a URL such as nats://host:4222, or a sweep's %s", err,
			AccessFile)
	}
	var a Access
	if err := json.Unmarshal(content, &a); err != nil {
		return Access{}, fmt.Errorf("%s is damaged: %w; copy the sweep's or run's %s again", where,
			err, AccessFile)
	}
	if a.URL == "" {
		return Access{}, fmt.Errorf("%s names no URL; name a sweep's or run's %s", where,
			AccessFile)
	}
	return a, nil
}

// connect reaches the server. When the server is gone, the connection goes on trying for ever.
func (a *Access) connect(name string, log *slog.Logger) (*nats.Conn, error) {
	options := []nats.Option{
		nats.Name(name), nats.MaxReconnects(-1), nats.ReconnectWait(500 * time.Millisecond),
		nats.PingInterval(5 * time.Second), nats.MaxPingsOutstanding(2),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				log.Warn("NATS", "error", err)
			}
		}),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			log.Warn("NATS", "error", err)
		}),
	}
	if a.Token != "" {
		options = append(options, nats.Token(a.Token))
	}
	if a.Creds != "" {
		options = append(options, nats.UserCredentials(a.Creds))
	}
	if a.CA != "" {
		options = append(options, nats.RootCAs(a.CA))
	}
	if a.Cert != "" {
		options = append(options, nats.ClientCert(a.Cert, a.Key))
	}
	c, err := nats.Connect(a.URL, options...)
	if err != nil {
		return nil, fmt.Errorf("cannot reach NATS at %s: %w", a.URL, err)
	}
	return c, nil
}

// Server is a NATS server inside this process.
type Server struct {
	*server.Server
	Access Access
}

// Serve starts a server for a sweep, with its store in the sweep's directory, and writes how to
// reach it to nats.json there, which only this user can read. Listen is host:port; port 0 means the
// one of the last time, or any. Workers find a server that comes back after its death.
func Serve(dir, listen string) (*Server, error) {
	host, port, err := splitListen(listen)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, AccessFile)
	token := nuid.Next() + nuid.Next()
	if before, err := ReadAccess(path); err == nil && before.Token != "" {
		token = before.Token
		if u, err := url.Parse(before.URL); err == nil && port == 0 {
			port, _ = strconv.Atoi(u.Port())
		}
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	s, err := server.NewServer(&server.Options{
		ServerName: "clade", Host: host, Port: port, Authorization: token, JetStream: true,
		StoreDir: filepath.Join(dir, storeFolder), NoSigs: true, NoLog: true,
	})
	if err != nil {
		return nil, fmt.Errorf("cannot start NATS: %w", err)
	}
	s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		s.Shutdown()
		return nil, fmt.Errorf("NATS does not listen on %s:%d; is the port taken?", host, port)
	}
	a := Access{URL: "nats://" + net.JoinHostPort(reachable(host),
		strconv.Itoa(s.Addr().(*net.TCPAddr).Port)), Token: token}
	content, err := json.Marshal(a)
	if err == nil {
		err = durable.WriteFile(path, append(content, '\n'), 0o600)
	}
	if err != nil {
		s.Shutdown()
		return nil, err
	}
	return &Server{s, a}, nil
}

// Forget removes what Serve has left in a directory, so that a run's directory ends as without a
// server. The server must have shut down.
func Forget(dir string) error {
	err := os.Remove(filepath.Join(dir, AccessFile))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return errors.Join(err, os.RemoveAll(filepath.Join(dir, storeFolder)))
}

func splitListen(listen string) (string, int, error) {
	host, text, err := net.SplitHostPort(listen)
	if err != nil {
		return "", 0, fmt.Errorf("%q is not of the form host:port: %w", listen, err)
	}
	port, err := strconv.Atoi(text)
	if err != nil || port < 0 || port > 65535 {
		return "", 0, errors.New("the port must be in 0..65535")
	}
	if host == "" {
		host = "0.0.0.0"
	}
	return host, port, nil
}

// reachable returns the name under which others find a server that listens on every address.
func reachable(host string) string {
	if ip := net.ParseIP(host); ip == nil || !ip.IsUnspecified() {
		return host
	}
	name, err := os.Hostname()
	if err != nil {
		return "127.0.0.1"
	}
	if _, err := net.LookupHost(name); err != nil {
		return "127.0.0.1"
	}
	return name
}
