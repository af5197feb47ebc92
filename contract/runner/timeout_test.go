package runner

import (
	"testing"
	"time"

	"github.com/plumbline-mcp/plumbline/contract"
)

func TestTimeouts(t *testing.T) {
	for seconds, want := range map[float64]time.Duration{0: 10 * time.Minute, 0.5: time.Second / 2, 90: 90 * time.Second, 1e300: 24 * time.Hour} {
		if got := timeout(contract.Check{Timeout: seconds}); got != want {
			t.Errorf("%v seconds: %v, want %v", seconds, got, want)
		}
	}
}
