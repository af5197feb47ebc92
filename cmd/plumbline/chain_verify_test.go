package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
)

// exported records a revision and a round on a ledger and gives its export.
func exported(t *testing.T) (text []byte, head string) {
	t.Helper()
	ctx := context.Background()
	l, err := ledger.Open(ctx, "sqlite:"+filepath.Join(t.TempDir(), "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	revision, err := contract.Init("work", "lead")
	if err != nil {
		t.Fatal(err)
	}
	registered, err := l.Register(ctx, ledger.Caller{Name: "lead", Role: contract.ActorOwner}, revision, nil)
	if err != nil || registered.Receipt == nil {
		t.Fatal(err, registered)
	}
	round := fmt.Sprintf(`{"agc": "0.1.0", "gate": {"version": %q}, "verdict": "pass", "findings": []}`, registered.Contract.Fingerprint)
	answer, err := l.RecordRound(ctx, ledger.Caller{Name: "eve", Role: contract.ActorJudge}, ledger.Submission{Contract: "work", Key: "one", Text: []byte(round)})
	if err != nil || answer.Receipt == nil {
		t.Fatal(err, answer)
	}
	var export bytes.Buffer
	if err := l.Export(ctx, "work", ledger.AnyLength, &export); err != nil {
		t.Fatal(err)
	}
	return export.Bytes(), answer.Receipt.Hash
}

func TestChainVerify(t *testing.T) {
	text, head := exported(t)
	other := strings.Repeat("0", 64)
	tests := []struct {
		name, text, head string
		code             int
		says             string
	}{
		{"as exported", string(text), "", exitPass, "events cut off the end"},
		{"with its head", string(text), head, exitPass, "up to the kept head"},
		{"with another head", string(text), other, exitFail, "the kept head is the hash of no event"},
		{"another name", strings.Replace(string(text), `"who":"eve"`, `"who":"adam"`, 1), "", exitFail, "fault at event 2: the hash is not that"},
		{"no export", `{"aac": "0.1.0", "revisions": [], "rounds": []}`, "", exitUsage, "`plumbline chain check`"},
		{"no JSON", `{`, "", exitFail, "AAC300_INVALID_JSON"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			args := []string{"chain", "verify", "-"}
			if test.head != "" {
				args = append(args, "--head", test.head)
			}
			code, stdout, stderr := command(t, test.text, args...)
			if said := strings.Join(strings.Fields(stdout+stderr), " "); code != test.code || !strings.Contains(said, test.says) {
				t.Errorf("exit code %d, want %d; it says %s", code, test.code, said)
			}
			if !strings.Contains(test.text, `"ledger"`) {
				return // there is nothing to answer about
			}
			var answer verifyAnswer
			code, stdout, _ = command(t, test.text, append(args, "--format", "json")...)
			if err := json.Unmarshal([]byte(stdout), &answer); err != nil {
				t.Fatal(err)
			}
			if valid := test.code == exitPass; code != test.code || answer.Valid != valid || answer.Events != 2 || answer.ContractID != "work" || answer.Head.Seq != 2 {
				t.Errorf("exit code %d, answer %+v", code, answer)
			}
		})
	}
}
