package broker

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"clade/engine/system/durable"
)

// Names of what a server leaves beside its address file.
const (
	storeFolder  = "nats"          // of JetStream
	identityFile = "nats-key.json" // what the server has to keep secret
)

// Users of an embedded server.
const (
	workerUser = "worker"
	insideUser = "coordinator"
	// insideInbox begins the subjects of answers to coordinators, which workers can neither read
	// nor write to.
	insideInbox = "_HOME"
)

// Server is a NATS server inside this process.
type Server struct {
	*server.Server
	Access Access // for workers, as in the address file
	Inside Access // for coordinators, which are in this process
}

// identity is the secret that a server must keep across restarts, so that workers recognize it.
type identity struct {
	// Seed is that of the Ed25519 key of its certificate, which also signs tasks. No task could be
	// taken for what TLS signs, which begins with spaces.
	Seed  []byte `json:"seed"`
	Token string `json:"token"` // of workers
}

// certificate makes a certificate of the server's key. Workers recognize it by the key, so names
// and dates in it do not matter.
func certificate(key ed25519.PrivateKey) (tls.Certificate, error) {
	c := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "clade"},
		NotBefore: time.Unix(0, 0), NotAfter: time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)}
	der, err := x509.CreateCertificate(nil, c, c, key.Public(), key)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, err
}

// identify reads the identity of a directory's server, or makes one.
func identify(dir string) (*identity, error) {
	path := filepath.Join(dir, identityFile)
	id := &identity{}
	read, err := durable.ReadJSON(path, id)
	switch {
	case !read && err != nil:
		return nil, err
	case !read:
		id = &identity{make([]byte, ed25519.SeedSize), rand.Text()}
		_, _ = rand.Read(id.Seed) // never fails
		return id, durable.WriteJSON(path, id, 0o600)
	}
	if err != nil || len(id.Seed) != ed25519.SeedSize || id.Token == "" {
		return nil, fmt.Errorf("%s is damaged; remove it, and copy %s to the workers again", path,
			AccessFile)
	}
	return id, nil
}

// Serve starts a server for a sweep or a run, with its store in the directory, and writes how to
// reach it to nats.json there, which only this user can read. Listen is host:port; without host it
// is every address of this machine, and port 0 means the one of the last time, or any. The server
// speaks TLS with a certificate of its own making. Workers find a server that comes back after its
// death.
func Serve(dir, listen string) (*Server, error) {
	at, err := net.ResolveTCPAddr("tcp", listen)
	if err != nil {
		return nil, fmt.Errorf("%q is not of the form host:port: %w", listen, err)
	}
	host, _, _ := net.SplitHostPort(at.String())
	port := at.Port
	path := filepath.Join(dir, AccessFile)
	if before, err := ReadAccess(path); err == nil && port == 0 {
		if u, err := url.Parse(before.URL); err == nil {
			port, _ = strconv.Atoi(u.Port())
		}
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	id, err := identify(dir)
	if err != nil {
		return nil, err
	}
	key := ed25519.NewKeyFromSeed(id.Seed)
	own, err := certificate(key)
	if err != nil {
		return nil, fmt.Errorf("cannot make a certificate: %w", err)
	}
	secret := rand.Text()
	s, err := server.NewServer(&server.Options{
		ServerName: "clade", Host: host, Port: port, JetStream: true,
		StoreDir: filepath.Join(dir, storeFolder), NoSigs: true, NoLog: true,
		TLSConfig:  &tls.Config{MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{own}},
		TLSTimeout: 10, AuthTimeout: 10, LameDuckGracePeriod: goodbye, LameDuckDuration: 2 * goodbye,
		Users: []*server.User{
			{Username: insideUser, Password: secret},
			{Username: workerUser, Password: id.Token, Permissions: workerRights()},
		},
	})
	if err != nil {
		return nil, fmt.Errorf("cannot start NATS: %w", err)
	}
	s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		s.Shutdown()
		return nil, fmt.Errorf("NATS does not listen on %s:%d; is the port taken?", host, port)
	}
	a := Access{URL: "tls://" + net.JoinHostPort(reachable(host),
		strconv.Itoa(s.Addr().(*net.TCPAddr).Port)), User: workerUser, Token: id.Token,
		Server: fmt.Sprintf("%x", key.Public())}
	if err := durable.WriteJSON(path, a, 0o600); err != nil {
		s.Shutdown()
		return nil, err
	}
	return &Server{s, a, Access{URL: "nats://inside", User: insideUser, Token: secret,
		inside: &inside{s, key}}}, nil
}

// goodbye is how long a server that ends for good waits for its workers to leave.
const goodbye = 3 * time.Second

// End ends the server for good: workers are told that there is no more work, and leave. See
// Broker.Served. The connections of this process must be closed.
func (s *Server) End() {
	ended := make(chan struct{})
	go func() { s.LameDuckShutdown(); close(ended) }()
	for deadline := time.Now().Add(goodbye); s.NumClients() > 0 && time.Now().Before(deadline); {
		time.Sleep(20 * time.Millisecond)
	}
	s.Shutdown()
	s.WaitForShutdown()
	<-ended
}

// workerRights returns the permissions of a worker. It cannot offer work, nor change what the
// server stores except objects. Of streams it may read the state only.
func workerRights() *server.Permissions {
	objects := "OBJ_" + objectsStore
	publish := []string{
		ResultPrefix + "*", announced + "*",
		"$JS.API.STREAM.INFO." + tasksStream,
		"$JS.API.CONSUMER.INFO." + tasksStream + "." + workersName,
		"$JS.API.CONSUMER.MSG.NEXT." + tasksStream + "." + workersName,
		"$JS.ACK." + tasksStream + "." + workersName + ".>",
		"$O." + objectsStore + ".>",
		"$JS.API.STREAM.INFO." + objects, "$JS.API.STREAM.MSG.GET." + objects,
		"$JS.API.DIRECT.GET." + objects, "$JS.API.DIRECT.GET." + objects + ".>",
		"$JS.API.CONSUMER.CREATE." + objects, "$JS.API.CONSUMER.CREATE." + objects + ".>",
		"$JS.API.CONSUMER.DELETE." + objects + ".>",
		"$JS.API.STREAM.PURGE." + objects, "$JS.FC." + objects + ".>",
	}
	return &server.Permissions{Publish: &server.SubjectPermission{Allow: publish},
		Subscribe: &server.SubjectPermission{Allow: []string{"_INBOX.>"}}}
}

// Forget removes the files of Serve from a directory, token and keys first, so that a run's
// directory ends as without a server. The server must have shut down.
func Forget(dir string) error {
	var errs []error
	for _, name := range []string{AccessFile, identityFile} {
		if err := os.Remove(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(append(errs, os.RemoveAll(filepath.Join(dir, storeFolder)))...)
}

// reachable returns the name by which other machines find a server that listens on an address,
// which may be every one of this machine.
func reachable(host string) string {
	if ip := net.ParseIP(host); host != "" && (ip == nil || !ip.IsUnspecified()) {
		return host
	}
	name, err := os.Hostname()
	if err == nil {
		_, err = net.LookupHost(name)
	}
	if err != nil {
		return "127.0.0.1"
	}
	return name
}
