package server

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/plumbline-mcp/plumbline/tools"
)

// slowly begins to send a long message and gives the rest of it.
func slowly(t *testing.T, web *site, length string) (rest func()) {
	t.Helper()
	rest = slow(t, web, length)
	await(t, "the slow message has its room", func() bool { return isFull(web.bodies.all) })
	return rest
}

func isFull(room *semaphore.Weighted) bool {
	if !room.TryAcquire(1) {
		return true
	}
	room.Release(1)
	return false
}

// slow sends a long message but for its end, without waiting for its room.
func slow(t *testing.T, web *site, length string, headers ...string) (rest func()) {
	t.Helper()
	conn := dial(t, web)
	text := callLine("1", "echo", `{"x":"`+strings.Repeat("x", longMessage)+`"}`)
	if length == "Transfer-Encoding: chunked" {
		text = fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(text), text)
	} else {
		length = fmt.Sprintf("Content-Length: %d", len(text))
	}
	head := strings.Join(append(headers, "Host: "+web.addr, "Content-Type: application/json", length), "\r\n")
	most := len(text) - 20
	fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\n%s\r\n\r\n%s", head, text[:most])
	return func() {
		fmt.Fprint(conn, text[most:])
		if got := status(t, conn); got != http.StatusOK {
			t.Errorf("the slow message gives %d, want 200", got)
		}
	}
}

// Long messages are read as far as there is room for their bytes: others wait for a
// while. They take it from nobody else, and count as requests once they are here.
func TestRoomForLongMessages(t *testing.T) {
	long := callLine("2", "echo", `{"x":"`+strings.Repeat("x", longMessage)+`"}`)
	for _, length := range []string{"", "Transfer-Encoding: chunked"} {
		for room, want := range map[time.Duration]int{time.Millisecond: http.StatusServiceUnavailable, hang: http.StatusOK} {
			limits := DefaultLimits
			limits.MaxRequests, limits.MaxBody = 2, 2*longMessage
			s, _ := newServer(t, limits, fakes()...)
			web := open(t, s, local, func(h *httpServer) {
				size := int64(limits.MaxBody)
				if length == "" {
					size = int64(len(long))
				}
				h.bodies, h.times.room = newBudget(size, size), room
			})
			rest := slowly(t, web, length)
			waits := web.background(context.Background(), "/mcp", long)
			if got := web.call("3", "echo", "{}"); got.status != http.StatusOK {
				t.Errorf("beside long messages a short one gives %d %s", got.status, got.body)
			}
			if want != http.StatusOK { // refused while the room is taken
				if got := receive(t, waits, "the answer"); got.status != want || got.header.Get("Retry-After") == "" || !strings.Contains(got.body, "too much to do") {
					t.Errorf("without room a long message gives %d %v %s", got.status, got.header, got.body)
				}
			}
			rest()
			if want == http.StatusOK {
				if got := receive(t, waits, "the answer"); got.status != want {
					t.Errorf("with room a long message gives %d %s", got.status, got.body)
				}
			}
			await(t, "the requests have left", func() bool { return web.requests.count() == 0 })
			if got := web.post(long); got.status != http.StatusOK {
				t.Errorf("once there is room a long message gives %d %s", got.status, got.body)
			}
		}
	}
}

// One token's long messages leave room for those of the others, and what waits for its own
// token's takes none from them.
func TestRoomForEachToken(t *testing.T) {
	tokens := newTokens(t)
	bea, jan := tokens.add("bea", tools.Builder), tokens.add("jan", tools.Judge)
	long := callLine("2", "echo", `{"x":"`+strings.Repeat("x", longMessage)+`"}`)
	const each = 2
	s, _ := newServer(t, DefaultLimits, fakes()...)
	web := open(t, s, tokens.config(), func(h *httpServer) {
		size := int64(len(long))
		h.bodies, h.times.room = newBudget(2*each*size, each*size), 10*time.Millisecond
	})
	var rests []func()
	for range each {
		rests = append(rests, slow(t, web, "", bea))
	}
	await(t, "one token has all that it may", func() bool {
		web.bodies.mu.Lock()
		defer web.bodies.mu.Unlock()
		for _, own := range web.bodies.each {
			return isFull(own.bytes)
		}
		return false
	})
	if got := web.post(long, bea); got.status != http.StatusTooManyRequests || got.header.Get("Retry-After") == "" {
		t.Errorf("a token that has all that it may gets %d %v", got.status, got.header)
	}
	if got := web.post(long, jan); got.status != http.StatusOK {
		t.Errorf("beside the long messages of another token one gives %d %s", got.status, got.body)
	}
	for _, rest := range rests {
		rest()
	}
	if got := web.post(long, bea); got.status != http.StatusOK {
		t.Errorf("once it has room again, the token gets %d %s", got.status, got.body)
	}
	await(t, "nobody has a share any more", func() bool {
		web.bodies.mu.Lock()
		defer web.bodies.mu.Unlock()
		return len(web.bodies.each) == 0
	})
}

// A client that declares a body and does not send it is answered all the same, and does
// not hold up a server that stops.
func TestBodiesThatNeverCome(t *testing.T) {
	tokens := newTokens(t)
	token := tokens.add("bea", tools.Builder)
	limits := DefaultLimits
	limits.Grace = 2 * hang
	s, _ := newServer(t, limits, fakes()...)
	web := open(t, s, tokens.config(), func(h *httpServer) { h.times.body = 10 * time.Millisecond })
	tests := []struct {
		request, header string
		want            int
	}{
		{"POST /mcp", "Content-Type: application/json", http.StatusUnauthorized},
		{"POST /mcp", "Host: elsewhere.example", http.StatusForbidden},
		{"POST /nowhere", token, http.StatusNotFound},
		{"DELETE /mcp", token, http.StatusMethodNotAllowed},
		{"POST /mcp", token, http.StatusUnsupportedMediaType},
		{"POST /mcp", token + "\r\nContent-Type: application/json", http.StatusRequestTimeout},
		{"GET /healthz", "Accept: */*", http.StatusOK},
		{"GET /sse", token, http.StatusOK},
	}
	for _, tt := range tests {
		for _, length := range []string{"Content-Length: 100", "Transfer-Encoding: chunked"} {
			conn := dial(t, web)
			header := tt.header
			if !strings.HasPrefix(header, "Host:") {
				header += "\r\nHost: " + web.addr
			}
			fmt.Fprintf(conn, "%s HTTP/1.1\r\n%s\r\n%s\r\n\r\n", tt.request, header, length)
			if got := status(t, conn); got != tt.want {
				t.Errorf("%s with %q and %s gives %d, want %d", tt.request, tt.header, length, got, tt.want)
			}
		}
	}
	web.signal()
	if err := receive(t, web.done, "the server's end"); err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

// A body that is read to its end leaves the connection as it was.
func TestConnectionAfterBody(t *testing.T) {
	s, _ := newServer(t, DefaultLimits, fakes()...)
	web := open(t, s, local)
	conn := dial(t, web)
	replies := bufio.NewReader(conn)
	for i, message := range []string{pingLine("1"), callLine("2", "echo", `{"x":"`+strings.Repeat("x", longMessage)+`"}`), pingLine("3")} {
		fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", web.addr, len(message), message)
		reply, err := http.ReadResponse(replies, nil)
		if err != nil {
			t.Fatalf("message %d: %v", i, err)
		}
		if _, err := io.Copy(io.Discard, reply.Body); err != nil || reply.StatusCode != http.StatusOK || reply.Close {
			t.Errorf("message %d gives %d, %v; the connection ends: %v", i, reply.StatusCode, err, reply.Close)
		}
	}
}
