package mcplist_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/plumbline-mcp/plumbline/scan/mcplist"
)

// secretOf makes a secret of a length, of which no part is like another text.
func secretOf(length int) string {
	var b strings.Builder
	for i := 0; b.Len() < length; i++ {
		fmt.Fprintf(&b, "%c%03d", 'K'+i%7, i)
	}
	return b.String()[:length]
}

// A message that is cut tells no part of a secret, wherever the cut falls.
func TestCutsTellNoPartOfASecret(t *testing.T) {
	script := func(text string) func(string, string) mcplist.Server {
		return func(secret, pad string) mcplist.Server {
			return mcplist.Server{Command: []string{"sh", "-c", text}, Secrets: []string{secret}, Timeout: time.Minute,
				Env: append(os.Environ(), "SECRET="+secret, "PAD="+pad)}
		}
	}
	hanging := func(secret, pad string) mcplist.Server {
		s := script(`printf %s "$PAD$SECRET"; exec sleep 60`)(secret, pad)
		s.Timeout = 200 * time.Millisecond
		return s
	}
	absent := func(secret, pad string) mcplist.Server {
		return mcplist.Server{Command: []string{"/absent/" + pad + secret}, Secrets: []string{secret}, Timeout: time.Minute}
	}
	for name, tc := range map[string]struct {
		server func(secret, pad string) mcplist.Server
		limit  int // where the cut may fall, in bytes
		length int
	}{
		"end of stderr":                  {script(`printf %s "$SECRET$PAD" >&2`), 4096, 30},
		"end of stderr in a long secret": {script(`printf %s "$SECRET$PAD" >&2`), 50, 5000},
		"answered error":                 {answers(t, `"error":{"code":-32000,"message":%q}`), 300, 30},
		"cursor":                         {answers(t, `"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"x"},"tools":[],"nextCursor":%q}`), 80, 30},
		"stdout in place of messages":    {hanging, 80, 30},
		"stdout in a long secret":        {hanging, 60, 400},
		"command":                        {absent, 80 - len("/absent/"), 30},
	} {
		secret := secretOf(tc.length)
		for pad := tc.limit - 32; pad <= tc.limit+2; pad++ {
			t.Run(fmt.Sprint(name, pad), func(t *testing.T) {
				t.Parallel()
				told := toldOf(t, tc.server(secret, strings.Repeat("y", pad)), "yyyy")
				for i := 4; i <= len(secret); i++ {
					if part := secret[i-4 : i]; strings.Contains(told, part) {
						t.Fatalf("%q is told: %s", part, told)
					}
				}
			})
		}
	}
}

// toldOf is what is told of a server that cannot be captured, with a text in it: the server
// is given more time until it has written that.
func toldOf(t *testing.T, s mcplist.Server, text string) string {
	t.Helper()
	for ; s.Timeout < 2*time.Minute; s.Timeout *= 2 {
		_, err := mcplist.Capture(context.Background(), s)
		var failed *mcplist.CaptureError
		if !errors.As(err, &failed) {
			t.Fatalf("the error is %v", err)
		}
		if told := failed.Error() + failed.Output; strings.Contains(told, text) {
			return told
		}
	}
	t.Fatalf("nothing with %q is told", text)
	return ""
}

// answers makes servers that give every request an answer with a text in it.
func answers(t *testing.T, form string) func(secret, pad string) mcplist.Server {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct{ ID json.RawMessage }
		if json.NewDecoder(r.Body).Decode(&m) != nil || m.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,`+form+`}`, m.ID, r.URL.Path[1:]+r.Header.Get("X-Key"))
	}))
	t.Cleanup(web.Close)
	return func(secret, pad string) mcplist.Server {
		return mcplist.Server{URL: web.URL + "/" + pad, Headers: map[string]string{"X-Key": secret}, Timeout: time.Minute}
	}
}

// A key that a server repeats is in no list, in whatever form; words are left as they are.
func TestListsHoldNoKeys(t *testing.T) {
	const key = "k3y-of-\"many\"\nl1nesAndMoreOfIt234"
	definition := func(text string) string {
		quoted, _ := json.Marshal(text)
		return `{"name":"get_it","description":` + string(quoted) + `,"inputSchema":{"type":"object"}}`
	}
	for text, want := range map[string]string{
		"Sends " + key + ".":                                             "Sends [secret].",
		"Sends sk-0123456789abcdef.":                                     "Sends [secret].",
		"Gives application/json about an object.":                        "Gives application/json about an object.",
		"Reads /home/user1/projects of eu-central-1-production.":         "Reads /home/user1/projects of eu-central-1-production.",
		"Asks claude-3-5-sonnet-20241022 at https://api.example.com/v2.": "Asks claude-3-5-sonnet-20241022 at https://api.example.com/v2.",
	} {
		s := answers(t, `"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"x"},"tools":[`+strings.ReplaceAll(definition(text), "%", "%%")+`],"x":%q}`)("application/json", "")
		s.Headers["Authorization"] = "Bearer sk-0123456789abcdef"
		s.Secrets = []string{key, "object", "/home/user1/projects", "eu-central-1-production", "claude-3-5-sonnet-20241022", "https://api.example.com/v2"}
		captured, err := mcplist.Capture(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(captured.Tools[0]); got != definition(want) || captured.Hidden != (text != want) {
			t.Errorf("%q gives %s, hidden %v", text, got, captured.Hidden)
		}
	}
}
