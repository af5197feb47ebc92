package contract_test

import (
	"encoding/json"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract"
)

func TestDoneVectors(t *testing.T) {
	type vector struct {
		Name, About      string
		Contract, Done   json.RawMessage
		Errors, Warnings []string
	}
	for _, v := range loadVectors[vector](t, "done.json") {
		t.Run(v.Name, func(t *testing.T) {
			c, report := contract.ParseContract(v.Contract)
			result := contract.CheckDone(c, report, v.Done)
			wantCodes(t, result.Report, v.Errors, v.Warnings)
		})
	}
}
