package contract_test

import (
	"encoding/json"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-mcp/plumbline/contract"
)

// files makes a root of path → text.
func files(texts map[string]string) fstest.MapFS {
	root := fstest.MapFS{}
	for path, text := range texts {
		root[path] = &fstest.MapFile{Data: []byte(text)}
	}
	return root
}

// wantCodes compares a report with the sets of codes that a test expects.
func wantCodes(t *testing.T, report *contract.Report, errors, warnings []string) {
	t.Helper()
	if diff := cmp.Diff(append([]string{}, errors...), codes(report.Errors())); diff != "" {
		t.Errorf("errors (-want +got):\n%s\n%+v", diff, report.Errors())
	}
	if diff := cmp.Diff(append([]string{}, warnings...), codes(report.Warnings())); diff != "" {
		t.Errorf("warnings (-want +got):\n%s\n%+v", diff, report.Warnings())
	}
}

func dispositions(result *contract.RoundResult) []string {
	list := []string{}
	for _, j := range result.Findings {
		list = append(list, string(j.Disposition))
	}
	return list
}

func TestRoundVectors(t *testing.T) {
	type vector struct {
		Name, About      string
		Contract, Round  json.RawMessage
		Files            map[string]string
		Dispositions     []string
		Errors, Warnings []string
	}
	for _, v := range loadVectors[vector](t, "rounds.json") {
		t.Run(v.Name, func(t *testing.T) {
			c, report := contract.ParseContract(v.Contract)
			result := contract.CheckRound(c, report, v.Round, files(v.Files))
			wantCodes(t, result.Report, v.Errors, v.Warnings)
			if v.Dispositions == nil {
				return
			}
			if diff := cmp.Diff(v.Dispositions, dispositions(result)); diff != "" {
				t.Errorf("%s: dispositions (-want +got):\n%s", v.About, diff)
			}
		})
	}
}
