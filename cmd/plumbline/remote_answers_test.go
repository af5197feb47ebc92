package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/contract"
)

// answering is a team's server with two contracts that differ in their ids: alpha, on which
// nobody has worked, and beta, whose work is done and passed. Commands run where the files
// about alpha lie.
type answering struct{ url string }

func newAnswering(t *testing.T) answering {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	var a answering
	ledger := "sqlite:" + filepath.Join(dir, "ledger.db")
	for _, id := range []string{"beta", "alpha"} {
		text, err := contract.Stamp(fmt.Appendf(nil, `{"aac":"0.1.0","contract":{"id":%q,"revision":1,"fingerprint":"","owner":"olga"},"budget":{"extensions":2},
 "criteria":[{"id":"limit","class":"limit","kind":"enumerable","statement":"The listed cases end as stated.","cases":["under","over"],
 "checks":[{"type":"command","run":"go test ./limit"}]}]}`, id), 1)
		if err != nil {
			t.Fatal(err)
		}
		c, _ := contract.ParseContract(text)
		place(t, dir, "contract.json", text)
		place(t, dir, "done.json", fmt.Appendf(nil, `{"done":"0.1","contract":{"id":%q,"fingerprint":%q,"revision":1},"subject":{"commit":"c1"},
 "results":[{"criterion":"limit","check":0,"type":"command","run":"go test ./limit","exit_code":0,"passed":true}]}`, id, c.Fingerprint))
		place(t, dir, "round.json", fmt.Appendf(nil, `{"agc":"0.1.0","gate":{"version":%q},"subject":{"commit":"c1"},"coverage":{"classes":["limit"]},"verdict":"pass","findings":[]}`, c.Fingerprint))
		a.must(t, "contract", "register", "contract.json", "--ledger", ledger)
		if id == "beta" {
			a.must(t, "done", "check", "--id", id, "--record", "--submission", "d", "done.json", "--ledger", ledger)
			a.must(t, "round", "check", "--id", id, "--record", "--submission", "r", "round.json", "--ledger", ledger)
		}
	}
	a.url = serveHTTP(t, "plumbline", "--ledger", ledger)
	return a
}

func (a answering) run(args ...string) (code int, stdout, stderr string) {
	var said, complained bytes.Buffer
	code = run(context.Background(), args, os.Environ(), strings.NewReader(`{"hook_event_name":"Stop"}`), &said, &complained)
	return code, said.String(), complained.String()
}

func (a answering) must(t *testing.T, args ...string) string {
	t.Helper()
	code, stdout, stderr := a.run(args...)
	if code != exitPass {
		t.Fatalf("%v: exit code %d: %s", args, code, stderr)
	}
	return stdout
}

// refused runs a command that must refuse what it is answered, in one line.
func (a answering) refused(t *testing.T, args ...string) {
	t.Helper()
	code, stdout, stderr := a.run(args...)
	if code != exitUsage || stdout != "" || strings.Count(stderr, "\n") != 1 {
		t.Errorf("%v: exit code %d, stdout %q, stderr %q; want %d and one line on stderr", args, code, stdout, stderr, exitUsage)
	}
}

// behind gives the URL of a proxy before the server, which changes the texts of requests
// and the JSON of answers; either may be nil.
func (a answering) behind(t *testing.T, asked func(text []byte) []byte, answered func(reply map[string]any)) string {
	t.Helper()
	target, err := url.Parse(a.url)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		if asked == nil || r.In.Body == nil {
			return
		}
		for _, values := range r.Out.Header { // which repeat a part of the body
			for i, value := range values {
				values[i] = string(asked([]byte(value)))
			}
		}
		body, _ := io.ReadAll(r.In.Body)
		body = asked(body)
		r.Out.Body, r.Out.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	}}
	proxy.ModifyResponse = func(resp *http.Response) error {
		var reply map[string]any
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			return err
		}
		if answered != nil && json.Unmarshal(text, &reply) == nil {
			answered(reply)
			text, _ = json.Marshal(reply)
		}
		resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
		resp.Header.Set("Content-Length", strconv.Itoa(len(text)))
		return nil
	}
	web := httptest.NewServer(proxy)
	t.Cleanup(web.Close)
	return web.URL
}

// aboutAlpha are all commands that ask a server about one contract, here about alpha.
var aboutAlpha = [][]string{
	{"gate", "--id", "alpha"},
	{"gate", "--id", "alpha", "--subject", "c1"},
	{"hook", "stop", "--id", "alpha"},
	{"contract", "register", "contract.json"},
	{"contract", "show", "alpha"},
	{"contract", "brief", "--role", "builder", "--id", "alpha"},
	{"chain", "status", "alpha"},
	{"chain", "export", "alpha"},
	{"chain", "export", "alpha", "--out", "out.json"},
	{"chain", "verify", "--id", "alpha"},
	{"round", "init", "--id", "alpha"},
	{"round", "check", "--id", "alpha", "round.json"},
	{"round", "check", "--id", "alpha", "--record", "--submission", "r2", "round.json"},
	{"done", "check", "--id", "alpha", "done.json"},
	{"done", "check", "--id", "alpha", "--record", "--submission", "d2", "done.json"},
}

// aboutNone are the commands with --server that ask about no one contract.
var aboutNone = []string{"contract list", "doctor"}

func TestEveryCommandThatAsksAServerIsListed(t *testing.T) {
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		name := strings.TrimPrefix(cmd.CommandPath(), "plumbline ")
		listed := slices.ContainsFunc(aboutAlpha, func(args []string) bool { return strings.HasPrefix(strings.Join(args, " ")+" ", name+" ") })
		if cmd.Flags().Lookup("server") != nil && !listed && !slices.Contains(aboutNone, name) {
			t.Errorf("no test has plumbline %s ask a server that answers about another contract", name)
		}
		for _, below := range cmd.Commands() {
			visit(below)
		}
	}
	visit(newRootCmd(&process{}))
}

// What a server answers about another contract is never taken for the one that was asked
// for.
func TestAnswersAboutAnotherContract(t *testing.T) {
	a := newAnswering(t)
	swapped := a.behind(t, func(text []byte) []byte { return bytes.ReplaceAll(text, []byte("alpha"), []byte("beta")) }, nil)
	var gate struct {
		Head struct{ Hash string }
	}
	if err := json.Unmarshal([]byte(a.must(t, "gate", "--id", "beta", "--server", a.url, "--format", "json")), &gate); err != nil {
		t.Fatal(err)
	}
	for _, args := range append(aboutAlpha, []string{"chain", "verify", "--id", "alpha", "--head", gate.Head.Hash}) {
		t.Run(strings.Join(args[:2], " "), func(t *testing.T) {
			args := append(slices.Clone(args), "--server", swapped)
			a.refused(t, args...)
			if args[0] != "hook" && args[1] != "init" {
				a.refused(t, append(args, "--format", "json")...)
			}
		})
	}
	if _, err := os.Stat("out.json"); err == nil {
		t.Error("the export was written")
	}
}
