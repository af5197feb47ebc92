package contract_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-mcp/plumbline/contract"
)

// TestJunkIsNotJudgedValueByValue: a problem for each of a million values would help
// nobody and cost minutes.
func TestJunkIsNotJudgedValueByValue(t *testing.T) {
	junk := "[" + strings.Repeat(`"\u202e",`, 200_000) + "7]"
	_, report := contract.ParseContract([]byte(`{"contract":{"id":"!"},"criteria":` + junk + `}`))
	if diff := cmp.Diff([]string{"AAC301 ", "AAC407 "}, places(report.Errors())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestChainIsJudgedUntilItHoldsTooMuchJunk(t *testing.T) {
	result := contract.CheckChain([]byte(`{"aac":"0.2","revisions":[],"rounds":[`+strings.Repeat(`{"findings":[]},`, 600)+`7]}`), nil)
	errors := places(result.Report.Errors())
	want := []string{"AAC301 /aac", "AAC301 /revisions", "AAC301 /rounds/0", "AAC301 /rounds/0"}
	if diff := cmp.Diff(want, errors[:4]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// Each of the first rounds lacks two members; the first behind the limit has one
	// problem: that it and those behind it were not judged.
	wanted := map[string]int{"/rounds/498": 2, "/rounds/499": 1, "/rounds/500": 0, "/rounds/600": 0}
	for path, want := range wanted {
		count := 0
		for _, e := range errors {
			if e == "AAC301 "+path {
				count++
			}
		}
		if count != want {
			t.Errorf("%s has %d problems, want %d", path, count, want)
		}
	}
}
