package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/plumbline-mcp/plumbline/contract"
)

// A server of the older transport is asked by its URL, or as a client has it configured.
func TestCaptureSSE(t *testing.T) {
	s := server.NewMCPServer("desk", "3", server.WithPaginationLimit(2))
	for i := range 5 {
		s.AddTool(mcp.NewToolWithRawSchema(fmt.Sprintf("get_%d", i), "Return it.", json.RawMessage(`{"type":"object"}`)), nil)
	}
	web := httptest.NewServer(keyed(server.NewSSEServer(s)))
	t.Cleanup(web.Close)
	text := fmt.Appendf(nil, `{"mcpServers": {"desk": {"type": "sse", "url": "%s/sse", "headers": {"X-Api-Key": "s3cret"}}}}`, web.URL)
	config := place(t, t.TempDir(), "client.json", text)
	for name, args := range map[string][]string{
		"by its URL": {"capture", "--url", web.URL + "/sse", "--header", "X-Api-Key: s3cret"},
		"configured": {"scan", "mcp", "--fail-on", "none", "--min-score", "0", "--format", "json", "--config", config, "--trust", trustPrefix + contract.SHA256(text)},
	} {
		code, stdout, stderr := call(args...)
		if code != 0 || strings.Count(stdout, `"get_`) < 5 || !strings.Contains(stdout, "desk") {
			t.Errorf("%s: code %d\n%s%s", name, code, stdout, stderr)
		}
		if strings.Contains(stdout+stderr, "s3cret") {
			t.Errorf("%s: the header is shown", name)
		}
	}
}

func TestCaptureSSEFails(t *testing.T) {
	const late = "did not answer initialize within 1s"
	for name, tc := range map[string]struct {
		stream streamer
		want   string
	}{
		"a page, no stream":                        {events("<html>hello</html>", atOnce), "no MCP server answers at this URL"},
		"wrong key":                                {refuses, "with 401: it wants to know who asks"},
		"leads away":                               {leadsAway, "it leads on to http://198.51.100.7/sse, which is not followed"},
		"messages by another scheme":               {events("event: endpoint\ndata: ftp://{host}/message", never), "which is not followed"},
		"messages to another host":                 {events("event: endpoint\ndata: http://198.51.100.7/message", never), late},
		"no place for messages":                    {events(": hello", never), late},
		"an end before any place":                  {events(": hello", atOnce), "no MCP server answers at this URL"},
		"no answer":                                {events("event: endpoint\ndata: /message", never), late},
		"an end before the answer":                 {events("event: endpoint\ndata: /message", whenAsked), "ended before it answered initialize: it ended its stream of events"},
		"a place twice, and answers of no request": {events("event: endpoint\ndata: /message\n\nevent: endpoint\ndata: /message\n\ndata: {\"id\":7,\"result\":{}}\n\ndata: [", never), late},
	} {
		t.Run(name, func(t *testing.T) {
			asked := make(chan struct{}, 10)
			routes := http.NewServeMux()
			routes.HandleFunc("GET /sse", func(w http.ResponseWriter, r *http.Request) { tc.stream(w, r, asked) })
			routes.HandleFunc("POST /message", func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(http.StatusAccepted)
				asked <- struct{}{}
			})
			web := httptest.NewServer(routes)
			defer web.Close()
			timeout := "1m"
			if tc.want == late {
				timeout = "1s"
			}
			code, stdout, stderr := call("capture", "--timeout", timeout, "--url", web.URL+"/sse?key=hunter23", "--header", "X-Api-Key: hunter22")
			if code != exitUsage || stdout != "" || !strings.Contains(stderr, tc.want) {
				t.Errorf("code %d, want %q\n%s%s", code, tc.want, stdout, stderr)
			}
			if strings.Contains(stderr, "hunter") {
				t.Errorf("a secret is shown: %s", stderr)
			}
		})
	}
}

// Why a server refuses is told also where it keeps a stream open that is of no use.
func TestCaptureIsRefusedBesideAStream(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			http.Error(w, "give a tenant", http.StatusBadRequest)
			return
		}
		events(": hello", never)(w, r, nil)
	}))
	defer web.Close()
	code, _, stderr := call("capture", "--timeout", "1m", "--url", web.URL)
	if code != exitUsage || !strings.Contains(stderr, "with 400 Bad Request: give a tenant") {
		t.Errorf("code %d\n%s", code, stderr)
	}
}

// streamer answers a GET; asked receives when a message came.
type streamer func(w http.ResponseWriter, r *http.Request, asked <-chan struct{})

// The ends of a stream.
const (
	never = iota
	atOnce
	whenAsked
)

// events sends a text as a stream until its end.
func events(text string, end int) streamer {
	return func(w http.ResponseWriter, r *http.Request, asked <-chan struct{}) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, strings.ReplaceAll(text, "{host}", r.Host)+"\n\n")
		_ = http.NewResponseController(w).Flush()
		switch end {
		case never:
			<-r.Context().Done()
		case whenAsked:
			<-asked
		}
	}
}

func refuses(w http.ResponseWriter, _ *http.Request, _ <-chan struct{}) {
	http.Error(w, "who are you?", http.StatusUnauthorized)
}

func leadsAway(w http.ResponseWriter, r *http.Request, _ <-chan struct{}) {
	http.Redirect(w, r, "http://198.51.100.7/sse", http.StatusTemporaryRedirect)
}
