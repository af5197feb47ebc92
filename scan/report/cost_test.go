package report

import (
	"fmt"
	"strings"
	"testing"
)

// Every view says what each tool costs an agent, and all of them together.
func TestEveryViewSaysWhatToolsCost(t *testing.T) {
	dear, cheap := parcel("dropParcel", 61, 38, 2), parcel("markParcel", 90, 70, 1)
	dear.Tokens, cheap.Tokens = 73_519, 86_421
	i := item(dear, cheap)
	i.Export.Tokens = dear.Tokens + cheap.Tokens
	for _, f := range Formats {
		text := shown(t, f.Name, Options{}, i)
		for _, tokens := range []int{dear.Tokens, cheap.Tokens, i.Export.Tokens} {
			if !strings.Contains(text, fmt.Sprint(tokens)) {
				t.Errorf("%s does not say %d:\n%s", f.Name, tokens, text)
			}
		}
	}
}

// GitHub keeps few notices: the costs of all files are one, the dearest tools first.
func TestGitHubSaysCostsInOneNotice(t *testing.T) {
	i := item()
	for n := range 12 {
		tool := parcel(fmt.Sprintf("getParcel%d", n), 100, n+1, 0)
		tool.Tokens = 100 + n
		i.Export.Tools = append(i.Export.Tools, tool)
		i.Export.Tokens += tool.Tokens
	}
	const head = "::notice title=Cost::api/parcels.yaml: about 1266 tokens for all definitions (bytes ÷ 4): getParcel11 111, getParcel10 110, "
	text := shown(t, "github", Options{}, i, i)
	if strings.Count(text, "title=Cost") != 1 || !strings.Contains(text, head) || !strings.Contains(text, "getParcel2 102 and 2 more%0Aapi/parcels.yaml: about 1266 tokens") {
		t.Errorf("the costs are:\n%s", text)
	}
	if all := shown(t, "github", Options{All: true}, i); !strings.Contains(all, "getParcel1 101, getParcel0 100\n") {
		t.Errorf("with --all the costs are:\n%s", all)
	}
}
