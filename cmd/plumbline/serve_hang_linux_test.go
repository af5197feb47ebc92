package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/plumbline-mcp/plumbline/contract/ledger/pgtest"
)

// patient is a build's overlay in which the ledger gives a recording more time than a test
// has.
func patient(t *testing.T) string {
	t.Helper()
	original, err := filepath.Abs(filepath.Join(checkout, "contract", "ledger", "ledger.go"))
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(original)
	if err != nil {
		t.Fatal(err)
	}
	raised := regexp.MustCompile(`(recordTimeout += )30 \* time\.Second`).ReplaceAll(source, []byte("${1}24 * time.Hour"))
	if bytes.Equal(raised, source) {
		t.Fatalf("%s has no recordTimeout of 30 seconds", original)
	}
	dir := t.TempDir()
	changed := place(t, dir, "ledger.go", raised)
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{original: changed}})
	if err != nil {
		t.Fatal(err)
	}
	return place(t, dir, "overlay.json", overlay)
}

// A signal ends a server whose ledger falls silent in the middle of a recording, and the
// last that it says is that it stopped.
func TestSignalWhileTheLedgerHangs(t *testing.T) {
	proxy, dsn := pgtest.Behind(t, pgtest.Shared(t).DSN(t))
	cmd := exec.Command(build(t, "-overlay", patient(t)), "serve", "--http", "127.0.0.1:0", "--grace", "1ms", "--ledger", dsn)
	address := make(chan string, 1)
	log := &watched{want: listening, seen: address}
	cmd.Stderr = log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() { cmd.Process.Kill() })
	guard := time.AfterFunc(sdkHang, func() { cmd.Process.Kill() })
	defer guard.Stop()
	var base string
	select {
	case at := <-address:
		base = "http://" + at
	case err := <-ended:
		t.Fatalf("the server does not start: %v\n%s", err, log.text.String())
	}
	await(t, base+"/readyz")
	proxy.Freeze()
	draft, err := os.ReadFile(filepath.Join(checkout, "testdata/contracts", "collision-true.json"))
	if err != nil {
		t.Fatal(err)
	}
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"register_contract","arguments":{"record":true,"contract":%q}}}`, draft)
		if reply, err := http.Post(base+"/mcp", "application/json", strings.NewReader(body)); err == nil { // or it is cut off
			reply.Body.Close()
		}
	}()
	select {
	case <-proxy.Held:
	case <-answered:
		t.Fatal("the call is answered without the ledger")
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("the server ended with %v", err)
	}
	<-answered
	lines := strings.Split(strings.TrimSpace(log.text.String()), "\n")
	if last := lines[len(lines)-1]; !strings.Contains(last, "msg=stopped") {
		t.Errorf("the last that it says is %q in\n%s", last, log.text.String())
	}
}
