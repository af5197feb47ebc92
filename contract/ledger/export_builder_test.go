package ledger

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
)

// A builder's export has the findings against criteria, by the artifacts that were
// kept with each revision, and nothing of the others.
func TestExportForBuilder(t *testing.T) {
	l := openLedger(t, sqliteTests.newDSN(t))
	text := contractText(t, 1, contractOptions{})
	register(t, l, text)
	c := parse(t, text)
	held, beyond := rowDefect("2"), rowDefect("3") // the file has two rows
	held["message"], beyond["message"] = "row two is off", "row three is off"
	beyond["remedy"] = map[string]any{"type": "delegate", "to": "payments"}
	recordRound(t, l, "1", roundText(t, c, "fail", defect, held, beyond, extension, advice))
	second := grown(t)
	register(t, l, second)
	recordRound(t, l, "2", roundText(t, parse(t, second), "pass", advice))

	var cut bytes.Buffer
	if err := l.ExportForBuilder(context.Background(), fixtureID, AnyLength, &cut); err != nil {
		t.Fatal(err)
	}
	export := cut.String()
	for _, want := range []string{string(text), string(second), "row two is off", "501 was refunded", `"findings_withheld":3`, `"findings_withheld":1`, `"revision":2`} {
		if !strings.Contains(export, want) {
			t.Errorf("the export lacks %.80q", want)
		}
	}
	for _, secret := range []string{"row three", "yen", "shorter"} {
		if strings.Contains(export, secret) {
			t.Errorf("the export shows %q", secret)
		}
	}
	if err := l.ExportForBuilder(context.Background(), "none", AnyLength, io.Discard); err != nil {
		wantCode(t, err, UnknownContract)
	} else {
		t.Error("an unknown contract was exported")
	}
}
