package agentready

import "testing"

func TestWording(t *testing.T) {
	for got, want := range map[string]string{
		Noun("openapi"):                         "operation",
		Noun("mcp"):                             "tool",
		Count(0, "note"):                        "0 notes",
		Count(1, "note"):                        "1 note",
		Count(12, "note"):                       "12 notes",
		ShortCode("AR002_MISSING_CONFIRMATION"): "AR002",
		ShortCode("AR002"):                      "AR002",
		Choice([]string{"text"}):                "text",
		Choice([]string{"text", "json"}):        "text or json",
		Choice([]Severity{Low, Medium, High}):   "low, medium or high",
		Series([]string{"text"}):                "text",
		Series([]Severity{Low, Medium, High}):   "low, medium and high",
		Choice(FailOnValues()):                  "critical, high, medium, low or none",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
