package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
)

// serveHangs is how long a server may take to answer; it stands for a hang.
const serveHangs = time.Minute

const pingMessage = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

// Whatever number a flag of serve is given, it is refused, or the server answers.
func TestServeUnderAnyLimit(t *testing.T) {
	units := map[string]string{"int": "", "int64": "", "duration": "ns"}
	newServeCmd(&process{}).Flags().VisitAll(func(f *pflag.Flag) {
		unit, numeric := units[f.Value.Type()]
		if !numeric {
			return
		}
		for _, n := range []int64{1, math.MaxInt64/2 + 1, math.MaxInt64} {
			args := []string{"serve", "--ledger", "sqlite:" + filepath.Join(t.TempDir(), "ledger.db"), fmt.Sprintf("--%s=%d%s", f.Name, n, unit)}
			if f.Name != "max-message" {
				answersOverHTTP(t, n == 1, append(args, "--http", "127.0.0.1:0"))
			}
			if !slices.Contains(ofHTTP, f.Name) {
				answersOnStdio(t, n == 1, args)
			}
		}
	})
}

func answersOnStdio(t *testing.T, must bool, args []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), serveHangs)
	defer cancel()
	cmd := exec.CommandContext(ctx, "plumbline", args...)
	cmd.Stdin = strings.NewReader(pingMessage)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	wantAnswer(t, args, must, string(out), exitCode(err), stderr.String())
}

func answersOverHTTP(t *testing.T, must bool, args []string) {
	t.Helper()
	ctx, signal := context.WithTimeout(context.Background(), serveHangs)
	defer signal()
	addr, ended := make(chan string, 1), make(chan int, 1)
	log := &watched{want: regexp.MustCompile(`msg=listening addr=(\S+)`), seen: addr}
	go func() { ended <- run(ctx, args, nil, strings.NewReader(""), io.Discard, log) }()
	select {
	case at := <-addr:
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+at+"/mcp", strings.NewReader(pingMessage))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		reply, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatalf("%s: %v", args, err)
		}
		text, _ := io.ReadAll(reply.Body) // what is missing of it is missed below
		reply.Body.Close()
		signal()
		wantAnswer(t, args, must, string(text), <-ended, "")
	case code := <-ended:
		wantAnswer(t, args, must, "", code, log.text.String())
	}
}

// wantAnswer wants a JSON-RPC answer and a good end, or, where a server need not start, one
// line that refuses the flag.
func wantAnswer(t *testing.T, args []string, must bool, answer string, code int, stderr string) {
	t.Helper()
	answered := code == exitPass && strings.HasPrefix(answer, `{"jsonrpc":"2.0",`)
	refused := code == exitUsage && strings.Count(stderr, "\n") == 1 && strings.Contains(stderr, "or less")
	if !answered && (must || !refused) {
		t.Errorf("%s: exit %d, answer %q, stderr %q; want an answer, or a refusal", args, code, answer, stderr)
	}
}
