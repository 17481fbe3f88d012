package cluster

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"log/slog"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"clade/experiments/cluster/broker"
	"clade/experiments/runner/runnertest"
	"clade/gp/proof"
)

// identity is a certificate with its key, both also as files.
type identity struct {
	cert              *x509.Certificate
	key               *ecdsa.PrivateKey
	certFile, keyFile string
}

// newIdentity makes an identity that another vouches for, or, for nil, the one of an authority.
func newIdentity(t *testing.T, by *identity) *identity {
	t.Helper()
	key := proof.Must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
	c := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: "test"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	if by == nil {
		c.IsCA, c.BasicConstraintsValid, c.KeyUsage, c.ExtKeyUsage = true, true,
			x509.KeyUsageCertSign, nil
		by = &identity{cert: c, key: key}
	}
	der := proof.Must(x509.CreateCertificate(rand.Reader, c, by.cert, &key.PublicKey, by.key))(t)
	secret, err := x509.MarshalECPrivateKey(key)
	proof.OK(t, err)
	id := &identity{key: key, certFile: writeFile(t, "cert.pem", pemText("CERTIFICATE", der)),
		keyFile: writeFile(t, "key.pem", pemText("EC PRIVATE KEY", secret))}
	id.cert, err = x509.ParseCertificate(der)
	proof.OK(t, err)
	return id
}

func pemText(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

func writeFile(t *testing.T, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	proof.OK(t, os.WriteFile(path, content, 0o600))
	return path
}

// site starts a NATS server with TLS as a site has it, and returns its address.
func site(t *testing.T, id, authority *identity, o *server.Options) string {
	t.Helper()
	pair := proof.Must(tls.LoadX509KeyPair(id.certFile, id.keyFile))(t)
	o.TLSConfig = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	if authority != nil { // clients must show certificates too
		pool := x509.NewCertPool()
		pool.AddCert(authority.cert)
		o.TLSConfig.ClientAuth, o.TLSConfig.ClientCAs = tls.RequireAndVerifyClientCert, pool
	}
	o.Host, o.Port, o.JetStream, o.StoreDir, o.NoSigs, o.NoLog, o.TLSTimeout,
		o.AuthTimeout = "127.0.0.1", server.RANDOM_PORT, true, t.TempDir(), true, true, 60, 60
	s := proof.Must(server.NewServer(o))(t)
	s.Start()
	t.Cleanup(s.Shutdown)
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the server does not start")
	}
	return s.Addr().String()
}

// refused checks that a wrong access is refused, with an error that tells why.
func refused(t *testing.T, a broker.Access, why ...string) {
	t.Helper()
	b, err := broker.Open(context.Background(), a, "test", quick, slog.New(slog.DiscardHandler))
	if err == nil {
		b.Close()
		t.Errorf("%+v was let in", a)
		return
	}
	for _, w := range why {
		if strings.Contains(err.Error(), w) {
			return
		}
	}
	t.Errorf("the error is %v, and tells none of %q", err, why)
}

// TestSiteWithCertificates asks for a certificate, a user and a password.
func TestSiteWithCertificates(t *testing.T) {
	authority := newIdentity(t, nil)
	at := site(t, newIdentity(t, authority), authority,
		&server.Options{Username: "me", Password: "secret"})
	mine := newIdentity(t, authority)
	good := broker.Access{URL: "tls://me:secret@" + at, CA: authority.certFile, Cert: mine.certFile,
		Key: mine.keyFile}
	b, err := broker.Open(context.Background(), good, "test", quick, slog.New(slog.DiscardHandler))
	proof.OK(t, err)
	b.Close()
	for _, c := range []struct {
		change func(a *broker.Access)
		why    []string
	}{
		{func(a *broker.Access) { a.CA = "" }, []string{"unknown authority", "certificate"}},
		{func(a *broker.Access) { a.CA = newIdentity(t, nil).certFile },
			[]string{"unknown authority", "certificate"}},
		// the server hangs up, and the last word may be lost
		{func(a *broker.Access) { a.Cert, a.Key = "", "" },
			[]string{"certificate", "EOF", "reset", "broken pipe"}},
		{func(a *broker.Access) { a.URL = "tls://me:guess@" + at }, []string{"uthorization"}},
		{func(a *broker.Access) { a.URL = "tls://" + at }, []string{"uthorization"}},
		{func(a *broker.Access) { a.CA = "nowhere.pem" }, []string{"nowhere.pem"}},
	} {
		a := good
		c.change(&a)
		refused(t, a, c.why...)
	}
}

// TestSiteWithCredentials carries a sweep out on a site's server with TLS whose users have
// credentials files, as `nsc` makes them.
func TestSiteWithCredentials(t *testing.T) {
	proof.Costly(t)
	authority := newIdentity(t, nil)
	operator, account := newKey(t, nkeys.PrefixByteOperator), newKey(t, nkeys.PrefixByteAccount)
	claims := jwt.NewAccountClaims(public(t, account))
	claims.Limits.JetStreamLimits = jwt.JetStreamLimits{MemoryStorage: jwt.NoLimit,
		DiskStorage: jwt.NoLimit, Streams: jwt.NoLimit, Consumer: jwt.NoLimit}
	resolver := &server.MemAccResolver{}
	system := jwt.NewAccountClaims(public(t, newKey(t, nkeys.PrefixByteAccount)))
	for _, c := range []*jwt.AccountClaims{claims, system} {
		text, err := c.Encode(operator)
		if err == nil {
			err = resolver.Store(c.Subject, text)
		}
		proof.OK(t, err)
	}
	trust := jwt.NewOperatorClaims(public(t, operator))
	proof.Must(trust.Encode(operator))(t)
	at := site(t, newIdentity(t, authority), nil,
		&server.Options{TrustedOperators: []*jwt.OperatorClaims{trust}, AccountResolver: resolver,
			SystemAccount: system.Subject})
	a := broker.Access{URL: "tls://" + at, CA: authority.certFile, Creds: credentials(t, account)}

	dir, g, want := openSweep(t, 10, 1)
	ended := coordinate(t, a, dir, g)
	ctx, stop := context.WithCancel(context.Background())
	worked := make(chan error, 1)
	b := proof.Must(broker.Join(ctx, a, "test", slog.New(slog.DiscardHandler)))(t)
	defer b.Close()
	go func() {
		worked <- Worker{Broker: b, Scope: runnertest.Scope(), Scratch: t.TempDir(),
			Workers: 1,
			Silence: quick, Log: slog.New(slog.DiscardHandler)}.Work(ctx)
	}()
	proof.OK(t, <-ended)
	stop()
	proof.OK(t, <-worked)
	runnertest.Compare(t, g, dir, want)

	a.Creds = credentials(t, newKey(t, nkeys.PrefixByteAccount)) // of another trust
	refused(t, a, "uthorization")
	a.Creds = ""
	refused(t, a, "uthorization", "nkeys")
	a.Creds = "nowhere.creds"
	refused(t, a, "nowhere.creds")
}

func newKey(t *testing.T, kind nkeys.PrefixByte) nkeys.KeyPair {
	t.Helper()
	k := proof.Must(nkeys.CreatePair(kind))(t)
	return k
}

func public(t *testing.T, k nkeys.KeyPair) string {
	t.Helper()
	p := proof.Must(k.PublicKey())(t)
	return p
}

// credentials makes a user of an account and returns the user's credentials file.
func credentials(t *testing.T, account nkeys.KeyPair) string {
	t.Helper()
	user := newKey(t, nkeys.PrefixByteUser)
	text := proof.Must(jwt.NewUserClaims(public(t, user)).Encode(account))(t)
	seed := proof.Must(user.Seed())(t)
	content := proof.Must(jwt.FormatUserConfig(text, seed))(t)
	return writeFile(t, "me.creds", content)
}
