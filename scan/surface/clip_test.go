package surface_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/plumbline-mcp/plumbline/scan/surface"
)

func TestClip(t *testing.T) {
	for _, c := range []struct {
		s    string
		n    int
		want string
	}{
		{"", 3, ""}, {"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"äöü", 3, "äöü"}, {"äöüß", 3, "äö…"},
		{"a   d", 4, "a…"}, {"🙂🙂", 1, "…"}, {"🙂🙂🙂", 3, "🙂🙂🙂"},
	} {
		if got := surface.Clip(c.s, c.n); got != c.want {
			t.Errorf("Clip(%q, %d) = %q, want %q", c.s, c.n, got, c.want)
		}
	}
	long := strings.Repeat("ä", 4<<20)
	if got := surface.Clip(long, 80); utf8.RuneCountInString(got) != 80 {
		t.Errorf("%d characters", utf8.RuneCountInString(got))
	}
}
