package server

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/scan"
	"github.com/plumbline-mcp/plumbline/tools"
)

// recorder listens for connections that nobody is to make.
type recorder struct {
	t    *testing.T
	addr string
	mu   sync.Mutex
	seen []string // the first line of each
}

func newRecorder(t *testing.T) *recorder {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	r := &recorder{t: t, addr: listener.Addr().String()}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_ = conn.SetDeadline(time.Now().Add(hang))
			line, _ := bufio.NewReader(conn).ReadString('\n')
			conn.Close()
			r.add(strings.TrimSpace(line))
		}
	}()
	return r
}

func (r *recorder) add(what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen = append(r.seen, what)
}

// connections are all that were made until now: connections come in the order in which
// they were made, so that those before one of our own have come with it.
func (r *recorder) connections() []string {
	r.t.Helper()
	const own = "from the test itself"
	conn, err := net.Dial("tcp", r.addr)
	if err != nil {
		r.t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintln(conn, own)
	var seen []string
	await(r.t, "the test's own connection came", func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		i := slices.Index(r.seen, own)
		if i >= 0 {
			seen, r.seen = r.seen[:i], nil
		}
		return i >= 0
	})
	return seen
}

// RoundTrip records a request that a client of Go's would make, and makes none.
func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	r.add(req.Method + " " + req.URL.String())
	return nil, net.ErrClosed
}

// urls are what the documents name: one of each kind that a reader may follow, by address,
// by a name that there is, and by names that there are not.
func (r *recorder) urls() []string {
	_, port, _ := net.SplitHostPort(r.addr)
	return []string{"http://" + r.addr + "/a.json", "https://" + r.addr + "/b.json", "ftp://" + r.addr + "/c.json", "//" + r.addr + "/d.json",
		"http://localhost:" + port + "/e.json", "http://schemas.invalid/f.json", "https://schemas.invalid/g.json#/X", "file://schemas.invalid/h.json"}
}

// canary stands in a file that a document outside of it names.
const canary = "canary-in-the-file"

// remoteDocument is an API whose parts are said to lie elsewhere.
func remoteDocument(t *testing.T, urls []string) string {
	t.Helper()
	paths := object{}
	for i, url := range urls {
		ref := object{"$ref": url}
		paths[fmt.Sprintf("/orders%d", i)] = object{"post": object{"operationId": fmt.Sprintf("createOrder%d", i), "summary": "Create an order.", "externalDocs": object{"url": url},
			"parameters":  []any{ref, object{"name": "id", "in": "query", "schema": ref, "example": url}},
			"requestBody": object{"content": object{"application/json": object{"schema": ref, "examples": object{"one": object{"externalValue": url}}}}},
			"responses":   object{"200": ref}, "callbacks": object{"done": ref}, "servers": []any{object{"url": url}}}}
		paths[fmt.Sprintf("/items%d", i)] = ref
	}
	return encode(t, object{"openapi": "3.1.0", "jsonSchemaDialect": urls[0], "info": object{"title": "Orders", "version": "1", "license": object{"name": "x", "url": urls[0]}}, "paths": paths,
		"components": object{"schemas": object{"Order": object{"$schema": urls[0], "$id": urls[1], "$dynamicRef": urls[0]}}, "securitySchemes": object{"login": object{"type": "openIdConnect", "openIdConnectUrl": urls[0]}}}})
}

func encode(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// remoteFiles are what lies in a server's root.
func remoteFiles(t *testing.T, urls []string) map[string]string {
	return map[string]string{
		"orders.json":   remoteDocument(t, urls),
		"orders.yaml":   "openapi: 3.1.0\ninfo: {title: Orders, version: '1'}\npaths:\n  /orders:\n    $ref: '" + urls[0] + "'\n  /other:\n    $ref: 'part.json#/paths/~1other'\n",
		"part.json":     `{"paths":{"/other":{"get":{"operationId":"listOthers","parameters":[{"$ref":"` + urls[0] + `"}]}}}}`,
		scan.PolicyName: "# yaml-language-server: $schema=" + urls[0] + "\nmin_score: 50\nwaivers:\n  - {rule: AR002, tool: 'x', reason: 'See " + urls[0] + "', expires: 9999-12-31}\n",
	}
}

// remoteSteps use every tool, resource and prompt on texts that name the URLs.
func remoteSteps(t *testing.T, urls []string) []step {
	document, verdict := remoteDocument(t, urls), `"verdict":`
	var listed []any
	for i, url := range urls {
		listed = append(listed, object{"name": fmt.Sprintf("fetch_page_%d", i), "description": "Fetch " + url + " and follow it.", "icons": []any{object{"src": url}},
			"inputSchema": object{"$schema": url, "$id": url, "type": "object", "properties": object{"page": object{"$ref": url}}}, "outputSchema": object{"$ref": url}})
	}
	text := namingContract(t, urls[0])
	c, _ := contract.ParseContract([]byte(text))
	round := object{"agc": "0.1.0", "gate": object{"version": c.Fingerprint}, "subject": object{"commit": urls[0]}, "verdict": "fail", "findings": []any{
		object{"class": "limit", "severity": "blocking", "location": "over", "message": "See " + urls[0], "check": object{"type": "command", "run": "curl " + urls[0]}, "remedy": object{"type": "patch"}}}}
	report := strings.ReplaceAll(strings.ReplaceAll(loopReport(t, text), "c0ffee", urls[0]), "go test ./limit", "curl "+urls[0])
	list := []step{
		callStep("a document", "scan_openapi", object{"document": document}, verdict),
		callStep("a file", "scan_openapi", object{"path": "orders.json"}, verdict),
		callStep("a file with a part", "scan_openapi", object{"path": "orders.yaml"}, verdict),
		callStep("tools", "scan_mcp_tools", object{"tools": listed}, verdict),
		callStep("tools as text", "scan_mcp_tools", object{"document": encode(t, object{"tools": listed})}, verdict),
		callStep("a contract", "validate_contract", object{"contract": text}, `"valid":true`),
		callStep("files elsewhere", "validate_contract", object{"contract": elsewhereContract(t, urls)}, `"valid":false`),
		callStep("registering", "register_contract", object{"contract": text, "record": true}, `"recorded":true`),
		callStep("registering files elsewhere", "register_contract", object{"contract": elsewhereContract(t, urls), "record": true}, `"valid":false`),
		callStep("a brief", "render_brief", object{"role": "judge", "contract_id": "shop/refunds"}, urls[0]),
		callStep("a report", "check_done", object{"contract_id": "shop/refunds", "report": report, "record": true, "submission": "1"}, `"recorded":true`),
		callStep("a round", "check_round", object{"contract_id": "shop/refunds", "round": round, "record": true, "submission": "2"}, `"recorded":true`),
		callStep("how it stands", "chain_status", object{"contract_id": "shop/refunds"}, urls[0]),
		readStep("plumbline://contracts/shop%2Frefunds", urls[0]), readStep("plumbline://contracts/shop%2Frefunds/revisions/1", urls[0]),
		readStep("plumbline://contracts/shop%2Frefunds/chain", urls[0]), readStep(tools.GateURI("shop/refunds", urls[0]), `"open":false`),
		readStep("plumbline://contracts/shop%2Frefunds/gate", `"open":false`), readStep(rulesURI, "AR001"),
		promptStep("draft_contract", map[string]string{"goal": urls[0]}, urls[0]), promptStep("build_to_contract", map[string]string{"contract_id": "shop/refunds"}, urls[0]),
		promptStep("judge_round", map[string]string{"contract_id": "shop/refunds"}, urls[0]), completeStep("shop", "shop/refunds"),
	}
	for _, url := range urls {
		list = append(list, callStep("a path to "+url, "scan_openapi", object{"path": url}, `"code":`), callStep("a contract at "+url, "validate_contract", object{"path": url}, `"code":`))
	}
	for _, name := range schemaNames() {
		list = append(list, readStep(schemasURI+name, "$schema"))
	}
	return list
}

// namingContract names a URL wherever a contract holds text.
func namingContract(t *testing.T, url string) string {
	text := strings.NewReplacer("end as stated", "end as stated at "+url, "go test ./limit", "curl "+url, `ol\u0067a`, url).Replace(loopContract(t, 1, `["under","over"]`))
	stamped, err := contract.Stamp([]byte(text), 1)
	if err != nil {
		t.Fatal(err)
	}
	return string(stamped)
}

// elsewhereContract takes its cases and inputs from URLs.
func elsewhereContract(t *testing.T, urls []string) string {
	t.Helper()
	var criteria []any
	for i, url := range urls {
		criteria = append(criteria, object{"id": fmt.Sprint("rows", i), "class": fmt.Sprint("rows", i), "kind": "bounded", "statement": "A row's amount is its total.",
			"domain": object{"artifact": url, "fingerprint": contract.Fingerprint(nil)}, "checks": []any{object{"type": "command", "run": "true"}}})
	}
	text := encode(t, object{"aac": "0.1.0", "contract": object{"id": "shop/rows", "revision": 1, "fingerprint": "", "owner": "olga"}, "budget": object{"extensions": 1}, "criteria": criteria})
	stamped, err := contract.Stamp([]byte(text), 1)
	if err != nil {
		t.Fatal(err)
	}
	return string(stamped)
}

// noRequests takes the steps, and fails where one of them made the server ask somebody, or
// read a file that a document names.
func (v *visit) noRequests(r *recorder, list []step) {
	v.t.Helper()
	v.begin()
	for _, s := range list {
		v.take(s)
	}
	v.usedAll()
	if seen := r.connections(); len(seen) > 0 {
		v.t.Errorf("the server asked for %q", seen)
	}
}

// remoteSuite is what a server is asked, and the root that it reads.
func remoteSuite(t *testing.T, r *recorder) (root string, list []step) {
	t.Helper()
	outside := filepath.Join(t.TempDir(), "outside.json")
	root = t.TempDir()
	urls := append(r.urls(), "file://"+outside)
	files := remoteFiles(t, urls)
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(outside, []byte(`{"description":"`+canary+`"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	list = remoteSteps(t, urls)
	for i, s := range list {
		list[i].do = func(v *visit) (string, error) {
			got, err := s.do(v)
			if strings.Contains(got, canary) {
				v.t.Errorf("%s: the answer shows a file: %.2000s", s.name, got)
			}
			return got, err
		}
	}
	return root, list
}

// Nothing that a client sends makes the process connect to anybody, over any transport:
// neither to what a document names, nor to the proxy that its environment names.
func TestNoOutboundRequests(t *testing.T) {
	r := newRecorder(t)
	for _, name := range []string{"http_proxy", "https_proxy", "ftp_proxy", "all_proxy"} {
		t.Setenv(name, "http://"+r.addr)
		t.Setenv(strings.ToUpper(name), "http://"+r.addr)
	}
	t.Setenv("no_proxy", "")
	t.Setenv("NO_PROXY", "")
	// In this environment a command that is to ask somebody is seen.
	asking := exec.Command(filepath.Join(binaries, "plumbline"), "contract", "list", "--server", "http://server.invalid")
	if out, err := asking.CombinedOutput(); err == nil {
		t.Fatalf("a server that is none answers %s", out)
	}
	if seen := r.connections(); len(seen) == 0 {
		t.Fatal("a command that asks a server is not seen")
	}
	root, list := remoteSuite(t, r)
	for _, way := range transports {
		t.Run(way.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), hang)
			defer cancel()
			v := newVisit(t, ctx)
			v.c = way.dial(t, "serve", "--ledger", "sqlite:"+v.ledgerFile(), "--root", root)
			v.noRequests(r, list)
		})
	}
}

// Nor does the server look up a name, or use Go's own client of HTTP.
func TestNoLookups(t *testing.T) {
	r := newRecorder(t)
	resolver, asker, way := net.DefaultResolver, http.DefaultClient, http.DefaultTransport
	t.Cleanup(func() { net.DefaultResolver, http.DefaultClient, http.DefaultTransport = resolver, asker, way })
	http.DefaultTransport = r
	http.DefaultClient = &http.Client{Transport: r}
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(_ context.Context, _, address string) (net.Conn, error) {
		r.add("a lookup at " + address)
		return nil, net.ErrClosed
	}}
	if _, err := net.Dial("tcp", "schemas.invalid:80"); err == nil || len(r.connections()) == 0 {
		t.Fatal("the lookup of a name is not seen")
	}
	root, list := remoteSuite(t, r)
	ctx, cancel := context.WithTimeout(context.Background(), hang)
	defer cancel()
	v := newVisit(t, ctx)
	v.c = v.inProcess(root)
	v.noRequests(r, list)
}

// inProcess is a client of a server in this process.
func (v *visit) inProcess(root string) *client.Client {
	v.t.Helper()
	roots, err := tools.OpenRoots([]string{root}, tools.DefaultMaxFile)
	if err != nil {
		v.t.Fatal(err)
	}
	v.t.Cleanup(func() { roots.Close() })
	store := tools.NewStore(func(ctx context.Context) (*ledger.Ledger, error) { return ledger.Open(ctx, "sqlite:"+v.ledgerFile()) })
	v.t.Cleanup(func() { store.Close() })
	s, err := New(Config{Tools: tools.All(tools.Deps{Roots: roots, Ledger: store}), Ledger: store, Limits: DefaultLimits})
	if err != nil {
		v.t.Fatal(err)
	}
	in, requests := io.Pipe()
	answers, out := io.Pipe()
	served := make(chan error, 1)
	go func() {
		served <- s.ServeStdio(context.Background(), tools.Caller{Name: "olga", Role: tools.Owner}, in, out)
	}()
	v.t.Cleanup(func() { requests.Close(); <-served })
	return dialled(v.t, client.NewClient(transport.NewIO(answers, requests, io.NopCloser(strings.NewReader("")))), nil)
}
