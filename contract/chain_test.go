package contract_test

import (
	"encoding/json"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract"
)

func TestChainVectors(t *testing.T) {
	type vector struct {
		Name, About      string
		Chain            json.RawMessage
		Files            map[string]string
		Errors, Warnings []string
	}
	for _, v := range loadVectors[vector](t, "chains.json") {
		t.Run(v.Name, func(t *testing.T) {
			result := contract.CheckChain(v.Chain, files(v.Files))
			wantCodes(t, result.Report, v.Errors, v.Warnings)
		})
	}
}
