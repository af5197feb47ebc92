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

// inAnswers has a proxy change what tools answer, and the JSON that resources hold.
func inAnswers(change func(answer map[string]any)) func(reply map[string]any) {
	return func(reply map[string]any) {
		result, _ := reply["result"].(map[string]any)
		if answer, ok := result["structuredContent"].(map[string]any); ok {
			change(answer)
		}
		contents, _ := result["contents"].([]any)
		for _, one := range contents {
			resource, answer := one.(map[string]any), map[string]any{}
			_ = json.Unmarshal([]byte(resource["text"].(string)), &answer)
			change(answer)
			text, _ := json.Marshal(answer)
			resource["text"] = string(text)
		}
	}
}

// set sets the member that a path names, in an answer or in an object of it.
func set(path string, value any) func(answer map[string]any) {
	return func(answer map[string]any) {
		names := strings.Split(path, "/")
		for _, name := range names[:len(names)-1] {
			answer, _ = answer[name].(map[string]any)
		}
		answer[names[len(names)-1]] = value
	}
}

// An answer that is well formed, and still none to what was asked, is refused. As the
// server gives it, each is good.
func TestWrongAnswersOfServers(t *testing.T) {
	type wrong map[string]func(answer map[string]any)
	all := wrong{
		"empty": func(answer map[string]any) { clear(answer) },
		"only that it is good": func(answer map[string]any) {
			clear(answer)
			answer["open"], answer["valid"], answer["done"], answer["recorded"] = true, true, true, true
		},
	}
	about := wrong{
		"another contract": set("contract_id", "other"), "no contract": set("contract_id", nil), "revision 0": set("revision", 0),
		"no digest": set("sha256", ""), "no fingerprint": set("fingerprint", nil),
	}
	list := wrong{"no list": set("contracts", nil), "a row of nothing": set("contracts", []any{map[string]any{}})}
	held := wrong{
		"valid with errors": set("errors", []any{map[string]any{"code": "AAC301"}}), "no verdict": set("valid", nil),
		"no errors listed": set("errors", nil), "no word of recording": set("recorded", nil),
	}
	recorded := wrong{
		"not recorded": set("recorded", false), "no receipt": set("receipt", nil), "a receipt of another": set("receipt/contract_id", "other"),
	}
	brief := wrong{"no state": set("state", nil), "another text": set("contract_text", "{}"), "no text": set("contract_text", nil)}
	tests := []struct {
		args  []string
		wrong []wrong
	}{
		{[]string{"gate", "--id", "beta", "--subject", "c1"}, []wrong{about, {
			"another subject": set("subject", "c2"), "no subject": set("subject", nil),
			"reasons": set("reasons", []any{map[string]any{"reason": "it is closed"}}), "no word of reasons": set("reasons", nil),
			"closed without reasons": set("open", false), "no word of open": set("open", nil),
			"no done report": set("done_report", nil), "not done": set("done_report/done", false), "done before": set("done_report/revision", 7),
			"no round": set("last_round", nil), "failed": set("last_round/verdict", "fail"), "judged before": set("last_round/revision", 7),
		}}},
		{[]string{"contract", "list"}, []wrong{list}},
		{[]string{"chain", "status"}, []wrong{list}},
		{[]string{"chain", "status", "beta"}, []wrong{about}},
		{[]string{"chain", "export", "beta"}, []wrong{{"no revision": set("revisions", []any{}), "an event of another": set("ledger", map[string]any{"events": []any{map[string]any{"contract": "other"}}})}}},
		{[]string{"chain", "verify", "--id", "beta"}, []wrong{{"no events": set("ledger", nil)}}},
		{[]string{"contract", "show", "beta", "--revision", "1"}, []wrong{about, brief, {"another revision": set("revision", 2)}}},
		{[]string{"contract", "brief", "--role", "judge", "--id", "beta"}, []wrong{about, brief}},
		{[]string{"round", "init", "--id", "beta"}, []wrong{about, {"no round": set("state/round_template", nil)}}},
		{[]string{"done", "check", "--id", "alpha", "done.json"}, []wrong{about, held, {"not done": set("done", false), "no word of done": set("done", nil)}}},
		{[]string{"done", "check", "--id", "alpha", "--record", "--submission", "d", "done.json"}, []wrong{recorded}},
		{[]string{"round", "check", "--id", "alpha", "round.json"}, []wrong{about, held, {"no findings listed": set("findings", nil)}}},
		{[]string{"round", "check", "--id", "alpha", "--record", "--submission", "r", "round.json"}, []wrong{recorded}},
		{[]string{"contract", "register", "contract.json"}, []wrong{{"another text": set("sha256", strings.Repeat("0", 64)), "no verdict": set("valid", nil)}}},
	}
	a := newAnswering(t)
	for _, tt := range tests {
		a.must(t, append(slices.Clone(tt.args), "--server", a.behind(t, nil, inAnswers(func(map[string]any) {})))...)
		for _, wrong := range append(tt.wrong, all) {
			for name, change := range wrong {
				t.Run(strings.Join(tt.args[:2], " ")+": "+name, func(t *testing.T) {
					a.refused(t, append(slices.Clone(tt.args), "--server", a.behind(t, nil, inAnswers(change)))...)
				})
			}
		}
	}
}

// What a server answers to another request is no answer.
func TestAnswersToAnotherRequest(t *testing.T) {
	a := newAnswering(t)
	other := a.behind(t, nil, func(reply map[string]any) { reply["id"] = 4711 })
	a.refused(t, "gate", "--id", "beta", "--server", other)
}
