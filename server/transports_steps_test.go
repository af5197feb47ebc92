package server

import (
	"context"
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/tools"
)

// visit is one session of a client, and what it has used of the server.
type visit struct {
	t     *testing.T
	ctx   context.Context
	c     *client.Client
	used  map[string]bool     // tools, prompts, and URIs of resources
	codes map[tools.Code]bool // of the tool errors that were met
	dir   string              // the server's root, with its ledger in it
}

func newVisit(t *testing.T, ctx context.Context) *visit {
	return &visit{t: t, ctx: ctx, used: map[string]bool{}, codes: map[tools.Code]bool{}, dir: t.TempDir()}
}

// ledgerFile is where the server keeps its ledger.
func (v *visit) ledgerFile() string { return filepath.Join(v.dir, "ledger.db") }

// step is one thing that a client does: it calls a tool, reads a resource or gets a
// prompt, and finds a text in the answer, or in the error.
type step struct {
	name   string
	do     func(v *visit) (string, error)
	answer string
	err    string
}

func callStep(name, tool string, args map[string]any, answer string) step {
	return step{name: name, answer: answer, do: func(v *visit) (string, error) {
		v.used[tool] = true
		raw, err := json.Marshal(args)
		if err != nil {
			return "", err
		}
		res, err := v.c.CallTool(v.ctx, mcp.CallToolRequest{Params: mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(raw)}})
		if err != nil {
			return "", err
		}
		var texts []string
		for _, c := range res.Content {
			texts = append(texts, c.(mcp.TextContent).Text)
		}
		var failed tools.Error
		if isCode := strings.HasPrefix(texts[0], `{"code":`); isCode != res.IsError || isCode && json.Unmarshal([]byte(texts[0]), &failed) != nil {
			v.t.Errorf("%s: isError is %v in %s", name, res.IsError, texts[0])
		}
		v.codes[failed.Code] = true
		return strings.Join(texts, "\n"), nil
	}}
}

func readStep(uri, answer string) step {
	return step{name: "read " + uri, answer: answer, do: func(v *visit) (string, error) {
		v.used[uri] = true
		res, err := v.c.ReadResource(v.ctx, mcp.ReadResourceRequest{Params: mcp.ReadResourceParams{URI: uri}})
		if err != nil {
			return "", err
		}
		return res.Contents[0].(mcp.TextResourceContents).Text, nil
	}}
}

func promptStep(name string, args map[string]string, answer string) step {
	return step{name: "prompt " + name, answer: answer, do: func(v *visit) (string, error) {
		v.used[name] = true
		res, err := v.c.GetPrompt(v.ctx, mcp.GetPromptRequest{Params: mcp.GetPromptParams{Name: name, Arguments: args}})
		if err != nil {
			return "", err
		}
		return res.Messages[0].Content.(mcp.TextContent).Text, nil
	}}
}

// completeStep asks for the ids that begin like one.
func completeStep(prefix, answer string) step {
	return step{name: "completion", answer: answer, do: func(v *visit) (string, error) {
		res, err := v.c.Complete(v.ctx, mcp.CompleteRequest{Params: mcp.CompleteParams{
			Ref: mcp.PromptReference{Type: "ref/prompt", Name: "judge_round"}, Argument: mcp.CompleteArgument{Name: "contract_id", Value: prefix}}})
		if err != nil {
			return "", err
		}
		return strings.Join(res.Completion.Values, " "), nil
	}}
}

// failing is a step that is to end in an error of the protocol.
func failing(s step, with string) step {
	s.name += ", failing"
	s.err = with
	return s
}

// outside is what somebody else does to the server's files.
func outside(name string, change func(v *visit) error) step {
	return step{name: name, do: func(v *visit) (string, error) { return "", change(v) }}
}

// object is an argument that is sent as JSON.
type object = map[string]any

// tooLargeFile is larger than the servers of the suite read, under their --max-file.
const tooLargeFile, suiteMaxFile = "large.json", "100000"

// steps use every tool, resource and prompt, and meet every error of a call.
func steps(t *testing.T) []step {
	list := append(stepsWithoutLedger(t), stepsOfWork(t)...)
	list = append(list, stepsOfReading(t)...)
	return append(list, stepsOnBrokenLedger()...)
}

// stepsWithoutLedger begin where a file lies that is no ledger, and end without it.
func stepsWithoutLedger(t *testing.T) []step {
	const id, uri, unavailable = "shop/refunds", "plumbline://contracts/shop%2Frefunds", "LEDGER_UNAVAILABLE"
	first := loopContract(t, 1, `["under","over"]`)
	return []step{
		callStep("a scan without a ledger", "scan_openapi", object{"document": api(3)}, `"verdict":"FAIL"`),
		callStep("a contract without a ledger", "validate_contract", object{"contract": first}, `"valid":true`),
		callStep("a list without a ledger", "chain_status", object{}, `"code":"LEDGER_UNAVAILABLE"`),
		callStep("registering without a ledger", "register_contract", object{"contract": first, "record": true}, `"code":"LEDGER_UNAVAILABLE"`),
		failing(readStep(uri, ""), unavailable),
		failing(promptStep("judge_round", map[string]string{"contract_id": id}, ""), unavailable),
		failing(completeStep("shop", ""), unavailable),
		outside("the wrong file goes", func(v *visit) error { return os.Remove(v.ledgerFile()) }),
	}
}

// stepsOfWork lead through a contract's first revision, and every way to go wrong.
func stepsOfWork(t *testing.T) []step {
	first, second := loopContract(t, 1, `["under","over"]`), loopContract(t, 2, `["under","over","yen"]`)
	c, _ := contract.ParseContract([]byte(first))
	const id = "shop/refunds"
	pass := object{"agc": "0.1.0", "gate": object{"version": c.Fingerprint}, "verdict": "pass", "coverage": object{"classes": []string{"limit"}}, "findings": []any{}}
	return []step{
		callStep("a scan of tools", "scan_mcp_tools", object{"tools": []any{object{"name": "wipe_disk", "description": "Wipes."}}}, `"verdict":"FAIL"`),
		callStep("an argument that is none", "scan_openapi", object{"documents": "x"}, `"code":"BAD_ARGUMENT"`),
		callStep("a document that is none", "scan_openapi", object{"document": "{"}, `"code":"UNREADABLE_DOCUMENT"`),
		callStep("a path outside", "scan_openapi", object{"path": "/etc/passwd"}, `"code":"PATH_OUTSIDE_ROOT"`),
		callStep("a path to nothing", "scan_openapi", object{"path": "nothing.json"}, `"code":"UNREADABLE_FILE"`),
		callStep("a path to too much", "scan_openapi", object{"path": tooLargeFile}, `"code":"TOO_LARGE"`),
		callStep("a contract that is not valid", "validate_contract", object{"contract": strings.Replace(first, "limit", "", 1)}, `"valid":false`),
		callStep("a contract that is too large", "validate_contract", object{"contract": strings.Repeat(" ", 64<<10) + first}, `AAC407_TOO_LARGE`),
		callStep("no contract yet", "chain_status", object{"contract_id": id}, `"code":"UNKNOWN_CONTRACT"`),
		callStep("not registered", "check_round", object{"contract": first, "round": pass, "record": true, "submission": "1"}, `"code":"NOT_REGISTERED"`),
		callStep("registering", "register_contract", object{"contract": first, "record": true}, `"recorded":true`),
		callStep("registering again", "register_contract", object{"contract": first, "record": true}, `"already_registered":true`),
		callStep("registering other bytes", "register_contract", object{"contract": first + " ", "record": true}, `"code":"REVISION_CONFLICT"`),
		callStep("a brief", "render_brief", object{"role": "judge", "contract_id": id}, `"round_template"`),
		callStep("a brief of no revision", "render_brief", object{"role": "judge", "contract_id": id, "revision": 7}, `"code":"UNKNOWN_REVISION"`),
		callStep("a report without a key", "check_done", object{"contract_id": id, "report": loopReport(t, first), "record": true}, `"code":"SUBMISSION_REQUIRED"`),
		callStep("a report", "check_done", object{"contract_id": id, "report": loopReport(t, first), "record": true, "submission": "1"}, `"recorded":true`),
		callStep("a round", "check_round", object{"contract_id": id, "round": pass, "record": true, "submission": "2"}, `"recorded":true`),
		callStep("a key used again", "check_round", object{"contract_id": id, "round": object{"agc": "0.1.1", "gate": pass["gate"], "verdict": "pass", "coverage": pass["coverage"], "findings": []any{}}, "record": true, "submission": "2"}, `"code":"SUBMISSION_REUSED"`),
		callStep("the next revision", "register_contract", object{"contract": second, "record": false}, `"answer":"grow"`),
		callStep("how it stands", "chain_status", object{"contract_id": id}, `"last_verdict":"pass"`),
		failing(callStep("no such tool", "wipe_disk", object{}, ""), "not found"),
	}
}

// stepsOfReading use every resource and prompt, and meet what is none.
func stepsOfReading(t *testing.T) []step {
	first := loopContract(t, 1, `["under","over"]`)
	c, _ := contract.ParseContract([]byte(first))
	const id, uri = "shop/refunds", "plumbline://contracts/shop%2Frefunds"
	list := []step{
		readStep(uri, first), readStep(uri+"/revisions/1", first), readStep(uri+"/chain", `"verdict":"pass"`), readStep(uri+"/gate", `"open":true`),
		readStep(uri+"/gate/c0ffee", "the last round is about no named commit"),
		readStep("plumbline://rules", `"AAC407_TOO_LARGE"`),
		failing(readStep("plumbline://contracts/nothing", ""), "not found"),
		failing(readStep(uri+"/revisions/7", ""), "not found"),
		failing(readStep("plumbline://nothing", ""), "not found"),
		promptStep("draft_contract", map[string]string{"goal": "Refunds."}, "Refunds."),
		promptStep("build_to_contract", map[string]string{"contract_id": id}, "under"),
		promptStep("judge_round", map[string]string{"contract_id": id}, c.Fingerprint),
		failing(promptStep("judge_round", nil, ""), "needs its argument contract_id"),
		failing(promptStep("judge_round", map[string]string{"contract_id": "nothing"}, ""), "UNKNOWN_CONTRACT"),
		failing(promptStep("nothing", nil, ""), "not found"),
		completeStep("shop", id),
	}
	for _, name := range schemaNames() {
		list = append(list, readStep("plumbline://schemas/"+name, "$schema"))
	}
	return list
}

// stepsOnBrokenLedger follow a change of the database that no version of the server makes.
func stepsOnBrokenLedger() []step {
	return []step{
		outside("a table goes", func(v *visit) error {
			db, err := sql.Open("sqlite", v.ledgerFile())
			if err != nil {
				return err
			}
			defer db.Close()
			_, err = db.ExecContext(v.ctx, `ALTER TABLE actors RENAME TO others`)
			return err
		}),
		callStep("a failure of the server", "chain_status", object{"contract_id": "shop/refunds"}, `"code":"INTERNAL"`),
		callStep("a scan after it", "scan_openapi", object{"document": api(3)}, `"verdict":"FAIL"`),
	}
}
