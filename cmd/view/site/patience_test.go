package site

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"clade/gp/proof"
)

// TestHalfSentRequests sends requests that this test breaks off, by hand over TCP: none of them
// stays, while one that is whole may take many times as long to be answered, and a stream goes on.
func TestHalfSentRequests(t *testing.T) {
	proof.Slow(t)
	s, err := New(Options{}, fstest.MapFS{"index.html": {
		Data: []byte(`<script type="importmap">{}</script>`)}})
	proof.OK(t, err)
	s.patience = 50 * time.Millisecond
	broken := make(chan bool) // closed when all that were broken off are gone
	wait := func(ctx context.Context) error {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-broken:
		}
		select { // and then some more
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * s.patience):
			return nil
		}
	}
	s.Post("slow", func(r *http.Request) (any, error) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = wait(r.Context())
		}
		return string(body), err
	})
	s.Stream("stream", func(ctx context.Context, _ *http.Request, send Sender) error {
		if err := send("begun", 1); err != nil {
			return err
		}
		if err := wait(ctx); err != nil {
			return err
		}
		return send("whole", 1)
	})
	l := proof.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	ctx, stop := context.WithCancel(t.Context())
	var served sync.WaitGroup
	served.Go(func() { _ = s.Serve(ctx, l) })
	defer served.Wait()
	defer stop()

	dial := func(request string) net.Conn {
		c, err := net.Dial("tcp", l.Addr().String())
		if err == nil {
			_, err = io.WriteString(c, request)
		}
		proof.OK(t, err)
		_ = c.SetDeadline(time.Now().Add(time.Minute)) // of a test that hangs
		return c
	}
	var whole sync.WaitGroup
	for request, want := range map[string]string{
		"POST /api/slow HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nbody": `"body"`,
		"GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n":                         "event: whole",
	} {
		c := dial(request)
		whole.Go(func() {
			defer c.Close()
			for lines := bufio.NewScanner(c); lines.Scan(); {
				if line := lines.Text(); len(line) >= len(want) && line[:len(want)] == want {
					return
				}
			}
			t.Errorf("%.20s is not answered to the end", request)
		})
	}
	const head = " HTTP/1.1\r\nHost: localhost\r\n"
	var gone sync.WaitGroup
	for _, request := range []string{"", "POST /api/slow HTTP/1.1\r\nHost: loc",
		"POST /api/slow" + head + "Content-Length: 4000000\r\n\r\nhalf",
		"POST /api/slow" + head + "Transfer-Encoding: chunked\r\n\r\n5\r\nha",
		"GET /web/none" + head + "Content-Length: 4000\r\n\r\nhalf",
		"GET /web/none" + head + "\r\n", // whole, and then nothing
		"POST /api/slow HTTP/1.1\r\nHost: elsewhere\r\nContent-Length: 4000\r\n\r\nhalf",
	} {
		for range 30 {
			c := dial(request)
			gone.Go(func() {
				defer c.Close()
				if _, err := io.Copy(io.Discard, c); err != nil && isTimeout(err) {
					t.Errorf("%.99q stays", request)
				}
			})
		}
	}
	gone.Wait()
	close(broken)
	whole.Wait()
}

func isTimeout(err error) bool {
	timeout, ok := err.(net.Error)
	return ok && timeout.Timeout()
}
