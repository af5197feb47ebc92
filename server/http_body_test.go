package server

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/semaphore"
)

// slowly begins to send a long message and gives the rest of it.
func slowly(t *testing.T, web *site, length string) (rest func()) {
	t.Helper()
	conn := dial(t, web)
	text := callLine("1", "echo", `{"x":"`+strings.Repeat("x", longMessage)+`"}`)
	if length == "Transfer-Encoding: chunked" {
		text = fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(text), text)
	} else {
		length = fmt.Sprintf("Content-Length: %d", len(text))
	}
	fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n%s\r\n\r\n%s", web.addr, length, text[:20])
	await(t, "the slow message has its room", func() bool {
		if !web.bodies.TryAcquire(1) {
			return true
		}
		web.bodies.Release(1)
		return false
	})
	return func() {
		fmt.Fprint(conn, text[20:])
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
				h.bodies, h.times.room = semaphore.NewWeighted(size), room
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
