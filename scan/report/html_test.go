package report

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-mcp/plumbline/scan"
	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

// ours are the page's style and script, which its goldens leave out.
var ours = regexp.MustCompile(`(?s)<(style|script)>(.*?)</(?:style|script)>`)

// hashes are those of the style and the script in the page's policy.
var hashes = regexp.MustCompile(`'sha256-[^']*'`)

func TestHTMLView(t *testing.T) {
	tests := map[string][]Item{"fail.html": {failing()}, "judged.html": {judged(failing(), "")}, "several.html": {passing(), failing()}, "nothing.html": nil}
	for name, items := range tests {
		t.Run(name, func(t *testing.T) {
			opts := Options{Rules: catalogue, Version: "1.2.3"}
			if len(items) != 1 {
				opts.Unread = unread
			}
			got := shown(t, "html", opts, items...)
			got = hashes.ReplaceAllString(ours.ReplaceAllString(got, "<$1></$1>"), "'sha256-'")
			golden := filepath.Join("testdata", name)
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatalf("%v (make it with: go test ./scan/report -update)", err)
			}
			if d := cmp.Diff(string(want), got); d != "" {
				t.Errorf("(-want +got; after a wanted change: go test ./scan/report -update)\n%s", d)
			}
		})
	}
}

// judged is the item with what a policy file, which says text wherever it can, and a
// baseline say of it.
func judged(i Item, text string) Item {
	e := i.Export
	e.Policy = &agentready.PolicyUse{
		File: ".plumbline.yaml" + text, Rules: map[string]agentready.Severity{"missing_enum" + text: agentready.Off, "AR004_BULK_ACTION_WITHOUT_LIMIT" + text: agentready.Low},
		Waivers: []agentready.Waiver{
			{Rule: "AR101_HIDDEN_INSTRUCTIONS" + text, Tool: "drop*" + text, Reason: "Seen." + text, Expires: "2027-01-31", Line: 7, State: agentready.WaiverApplied, Findings: 1},
			{Rule: "AR001_UNBOUNDED_WRITE_ACTION" + text, Tool: "gone", Reason: "Old.", Line: 9, State: agentready.WaiverUnused},
		},
	}
	e.Baseline = &agentready.Comparison{Score: 50, GateScore: 52, New: 1, Known: 5, Fixed: []agentready.FixedFinding{
		{Tool: "old" + text, RuleCode: "AR005_SENSITIVE_DATA_EXPOSURE" + text, FindingCode: "sensitive_data_exposure" + text, Severity: agentready.High, Removed: true},
	}}
	for t := range e.Tools {
		for r := range e.Tools[t].DetectedRules {
			found := &e.Tools[t].DetectedRules[r]
			if found.Baseline = agentready.BaselineKnown; r == 1 {
				found.Baseline = agentready.BaselineNew
			}
			if found.Waived {
				found.Waiver = &agentready.RuleWaiver{Reason: "Seen." + text, Expires: "2027-01-31"}
			}
		}
	}
	i.Verdict = i.Policy.Decide(e)
	return i
}

// The policy of the page allows the style and the script that stand in it, and no other.
func TestHTMLPolicyNamesWhatStandsInThePage(t *testing.T) {
	page := shown(t, "html", Options{}, failing())
	allowed := hashes.FindAllString(page, -1)
	parts := ours.FindAllStringSubmatch(page, -1)
	if len(parts) != 2 || len(allowed) != 2 {
		t.Fatalf("%d parts, %d hashes; want a style and a script", len(parts), len(allowed))
	}
	for _, part := range parts {
		sum := sha256.Sum256([]byte(part[2]))
		if hash := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !slices.Contains(allowed, hash) {
			t.Errorf("the policy does not allow the page's own %s", part[1])
		}
	}
}

// plain is the item with other text wherever it holds hostile text.
func plain(t *testing.T, i Item) Item {
	t.Helper()
	quoted, err := json.Marshal(hostile)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(i.Export)
	if err != nil {
		t.Fatal(err)
	}
	i.Export = &agentready.Export{}
	if err := json.Unmarshal([]byte(strings.ReplaceAll(string(text), string(quoted[1:len(quoted)-1]), "x")), i.Export); err != nil {
		t.Fatal(err)
	}
	i.File = "x"
	return i
}

// What a document says makes no markup: with other text the page has the same tags and
// attributes, and none of its characters is unseen.
func TestHostileDocumentStaysInsideHTML(t *testing.T) {
	tags := func(unread string, i Item) []string {
		i.Export.Tools[0].DetectedRules[0].Waived = true
		i = judged(i, unread)
		page := shown(t, "html", Options{Rules: catalogue, Unread: []string{unread}}, i, i)
		for _, r := range page {
			if r != '\n' && agentready.Unseen(r) {
				t.Fatalf("%U comes through", r)
			}
		}
		return regexp.MustCompile(`<[^>]*>`).FindAllString(ours.ReplaceAllString(page, ""), -1)
	}
	if d := cmp.Diff(tags("x", plain(t, hostileItem())), tags(hostile, hostileItem())); d != "" {
		t.Errorf("the document's text makes markup (-plain +hostile):\n%s", d)
	}
}

// A page about files of which some could not be scanned does not look like a pass.
func TestHTMLSaysWhatWasNotScanned(t *testing.T) {
	page := shown(t, "html", Options{Unread: unread}, passing())
	for _, part := range []string{"<title>1 file: 1 PASS, 0 FAIL; 1 file could not be scanned", unread[0]} {
		if !strings.Contains(page, part) {
			t.Errorf("the page lacks %q", part)
		}
	}
}

// scanned are the repository's own documents, with what the scan says of them.
func scanned(t testing.TB) []Item {
	t.Helper()
	files, err := filepath.Glob("../../testdata/published/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no published documents: %v", err)
	}
	var items []Item
	for _, file := range append(files, "../../testdata/accounts.yaml", "../../testdata/mcp-mail.json") {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := scan.Read(t.Context(), scan.Input{Name: filepath.Base(file), Data: data})
		if err != nil {
			t.Fatal(err)
		}
		e, err := scan.Scan(t.Context(), doc, scan.Options{Now: time.Unix(0, 0)})
		if err != nil {
			t.Fatal(err)
		}
		items = append(items, Item{
			File: filepath.Base(file), Export: e, Policy: agentready.Recommended, Verdict: agentready.Recommended.Decide(e),
		})
	}
	return items
}

// The points that the page shows are all there are, and the two means that it names
// make the score that the scan gave.
func TestHTMLPointsMakeTheScore(t *testing.T) {
	for _, i := range scanned(t) {
		t.Run(i.File, func(t *testing.T) {
			p := newHTMLPoints(i.Export)
			all := 0
			for _, part := range p.Parts {
				all += part.Points
			}
			if want := 100 * len(i.Export.Tools); all != want {
				t.Errorf("the parts are %d points of %d", all, want)
			}
			lost := 0
			for _, c := range i.Export.ByRule() {
				lost += c.Points
			}
			byCategory := 0
			for _, c := range p.Categories {
				byCategory += c.Points
			}
			if byCategory != lost {
				t.Errorf("the categories lose %d points, the rules cost %d", byCategory, lost)
			}
			var mean, lowest float64
			if _, err := fmt.Sscan(p.Mean+" "+p.Lowest, &mean, &lowest); err != nil {
				t.Fatal(err)
			}
			score := (mean + lowest) / 2
			if capped(i.Export) != "" {
				score = min(score, agentready.MostWithCritical)
			}
			if d := score - float64(i.Export.Score); d < -0.6 || d > 0.6 { // rounded, of means that are rounded
				t.Errorf("%s and %s make %.1f, the score is %d", p.Mean, p.Lowest, score, i.Export.Score)
			}
		})
	}
}

// Where critical findings hold the score down, the page says so beside the means that
// alone would make it higher.
func TestHTMLPointsSayThatTheScoreIsHeldDown(t *testing.T) {
	tests := []struct {
		name            string
		lowest, score   int
		critical        int
		said, otherwise string
	}{
		{"held down", 84, 84, 1, "Half of each is 86; while findings at critical severity stand, the score is no more than 84.", "The score is half"},
		{"without critical findings", 84, 86, 0, "The score is half of each.", "no more than"},
		{"low enough by itself", 71, 76, 1, "The score is half of each.", "no more than"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			i := item(parcel("getParcel", 91, 3, 0), parcel("dropParcel", tt.lowest, 9, 0))
			i.Export.Score, i.Export.RiskCounts = tt.score, agentready.RiskCounts{Critical: tt.critical}
			page := shown(t, "html", Options{}, i)
			_, points, _ := strings.Cut(page, "Where the points go")
			points, _, _ = strings.Cut(points, "</p>")
			if !strings.Contains(points, tt.said) || strings.Contains(points, tt.otherwise) {
				t.Errorf("the page says %s, want %q", points, tt.said)
			}
		})
	}
}

const (
	manyTools = 1200
	// findingsEach and placesEach are as a scan of a large public API has them.
	findingsEach = 6
	placesEach   = 4
	// maxPage is what a browser opens without a wait, in bytes.
	maxPage = 5 << 20
)

// many is an item of as many tools as a large API has, each with some findings.
func many() Item {
	tools := make([]agentready.Tool, manyTools)
	for n := range tools {
		t := parcel(fmt.Sprintf("moveParcel%d", n), 60+n%40, n+1, 0)
		t.Path = fmt.Sprintf("/depots/{depot_id}/parcels/{parcel_id}/moves%d", n)
		for f := range findingsEach {
			r := rules(2)[f%2]
			r.RuleCode, r.FindingCode = fmt.Sprintf("AR%03d_RULE", f), fmt.Sprintf("finding_number_%d", f)
			r.Severity = []agentready.Severity{agentready.Critical, agentready.High, agentready.Medium}[f%3]
			r.Evidence = make([]agentready.Evidence, placesEach)
			for e := range r.Evidence {
				r.Evidence[e] = agentready.Evidence{Location: at(n*placesEach + e + 100), Text: fmt.Sprintf("field_number_%d", e)}
			}
			t.DetectedRules = append(t.DetectedRules, r)
		}
		tools[n] = t
	}
	return item(tools...)
}

func TestLargeHTMLIsNotTooLarge(t *testing.T) {
	if n := len(shown(t, "html", Options{Rules: catalogue}, many())); n > maxPage {
		t.Errorf("%d bytes, more than %d", n, maxPage)
	}
}

func BenchmarkHTML(b *testing.B) {
	items := []Item{many()}
	for b.Loop() {
		if err := writeHTML(io.Discard, items, Options{Rules: catalogue}); err != nil {
			b.Fatal(err)
		}
	}
}
