package pgtest

import (
	"io"
	"net"
	"net/url"
	"sync"
	"testing"
)

// Proxy stands between clients and a server, as a network does that may fall silent.
type Proxy struct {
	// Held is closed when something does not get through for the first time.
	Held chan struct{}

	frozen, ended  chan struct{}
	freeze, holdIt sync.Once
}

// Behind puts a proxy before the server that a DSN names, and gives the DSN that leads
// through it. It ends with the test.
func Behind(t testing.TB, dsn string) (p *Proxy, through string) {
	t.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p = &Proxy{Held: make(chan struct{}), frozen: make(chan struct{}), ended: make(chan struct{})}
	t.Cleanup(func() {
		listener.Close()
		close(p.ended)
	})
	go p.serve(listener, u.Host)
	u.Host = listener.Addr().String()
	return p, u.String()
}

// Freeze lets nothing through any more, and ends no connection.
func (p *Proxy) Freeze() { p.freeze.Do(func() { close(p.frozen) }) }

func (p *Proxy) serve(listener net.Listener, server string) {
	for {
		client, err := listener.Accept()
		if err != nil {
			return
		}
		to, err := net.Dial("tcp", server)
		if err != nil { // the server is stopped
			client.Close()
			continue
		}
		go p.pass(to, client)
		go p.pass(client, to)
	}
}

// pass carries what one side sends to the other, until either ends.
func (p *Proxy) pass(to, from net.Conn) {
	_, _ = io.Copy(gate{to, p}, from)
	to.Close()
	from.Close()
}

// gate is the way to one side.
type gate struct {
	net.Conn
	*Proxy
}

// Write lets text through, unless the proxy is frozen: then it waits for the test's end.
func (g gate) Write(text []byte) (int, error) {
	select {
	case <-g.frozen:
		g.holdIt.Do(func() { close(g.Held) })
		<-g.ended
		return 0, net.ErrClosed
	default:
		return g.Conn.Write(text)
	}
}
