package broker

import (
	"context"
	"crypto/ed25519"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"clade/gp/input"
)

// Access holds the address of NATS and the credentials.
type Access struct {
	URL string `json:"url"` // several with commas
	// User and Token are name and password at an embedded server.
	User  string `json:"user,omitempty"`
	Token string `json:"token,omitempty"`
	// Server is the public key of an embedded server, in hexadecimal digits. Then workers accept no
	// other's certificate, and no task or answer that its coordinators have not signed.
	Server string `json:"server,omitempty"`
	Creds  string `json:"creds,omitempty"` // file with a user's credentials of a site's own NATS
	// CA is a file with certificates to check the server's against; empty means the system's.
	CA string `json:"ca,omitempty"`
	// Cert is a file with a certificate of ours, where the server wants one, and Key one with its
	// key.
	Cert string `json:"cert,omitempty"`
	Key  string `json:"key,omitempty"`

	inside *inside // nil for a server elsewhere
}

// inside is a server of this process, with the key that signs its coordinators' tasks.
type inside struct {
	server *server.Server
	key    ed25519.PrivateKey
}

// AccessFile is the name of the file in a sweep's directory that tells workers how to reach the
// server inside the sweep. Who can read it can take part as a worker.
const AccessFile = "nats.json"

// ReadAccess reads a file like nats.json; an argument with :// is taken for a URL.
func ReadAccess(where string) (Access, error) {
	if strings.Contains(where, "://") {
		return Access{URL: where}, nil
	}
	content, err := input.ReadFile(where)
	if err != nil {
		return Access{}, fmt.Errorf("%w; name a URL such as nats://host:4222, or a sweep's %s", err,
			AccessFile)
	}
	var a Access
	if err = json.Unmarshal(content, &a); err == nil && a.URL == "" {
		err = errors.New("it names no URL")
	}
	if err != nil {
		err = fmt.Errorf("%s is damaged: %w; copy the sweep's or run's %s again", where, err,
			AccessFile)
	}
	return a, err
}

// connect connects to the server. If the server goes away later, the connection retries for ever,
// less and less often, unless an embedded server has said that it ends for good.
func (a *Access) connect(name string, log *slog.Logger) (*Broker, error) {
	over, end := context.WithCancel(context.Background())
	ending := nats.LameDuckModeHandler(func(*nats.Conn) { end() })
	options := []nats.Option{
		nats.Name(name), nats.MaxReconnects(-1),
		nats.CustomReconnectDelay(func(tries int) time.Duration { // not all workers at once
			return time.Duration((0.5 + rand.Float64()/2) * float64(Backoff(tries-1)))
		}),
		nats.PingInterval(5 * time.Second), nats.MaxPingsOutstanding(2),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil && over.Err() == nil {
				log.Warn("lost NATS, trying again", "error", err)
			}
		}),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			log.Warn("NATS", "error", err)
		}),
	}
	if a.Token != "" {
		options = append(options, nats.UserInfo(a.User, a.Token))
	}
	if a.inside != nil {
		// a network that is cut does not reach it, and workers cannot read its answers
		options = append(options, nats.InProcessServer(a.inside.server),
			nats.CustomInboxPrefix(insideInbox))
	} else if a.Server != "" {
		options = append(options, nats.Secure(a.pinned()), ending)
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
	b := &Broker{access: *a, over: over}
	var err error
	if b.conn, err = nats.Connect(a.URL, options...); err != nil {
		return nil, fmt.Errorf("cannot reach NATS at %s: %w", a.URL, err)
	}
	b.js, err = jetstream.New(b.conn, jetstream.WithDefaultTimeout(Patience))
	return b, err
}

// is reports whether a key is that of the embedded server.
func (a *Access) is(key any) bool { return fmt.Sprintf("%x", key) == a.Server }

// pinned accepts certificates of one key, with any name and any signer.
func (a *Access) pinned() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS13, InsecureSkipVerify: true,
		VerifyConnection: func(s tls.ConnectionState) error {
			if a.is(s.PeerCertificates[0].PublicKey) {
				return nil
			}
			return fmt.Errorf("the server at %s does not have the key of %s; copy the file again: "+
				"if that does not help, it is another server", a.URL, AccessFile)
		}}
}

// away reports whether an error means that no server could be reached, rather than that one
// refused.
func away(err error) bool {
	var network *net.OpError
	return errors.Is(err, nats.ErrNoServers) || errors.Is(err, nats.ErrTimeout) ||
		errors.As(err, &network) && network.Op == "dial"
}

// Wait waits for a time, or until the context ends.
func Wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
