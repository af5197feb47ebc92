package tools

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/scan/words"
)

func TestEncodeShowsWhatIsHidden(t *testing.T) {
	for text, want := range map[string]string{
		"plain <b> & “ü”":    `"plain <b> & “ü”"`,
		"a\u200bb":           `"a\u200bb"`,
		"\u202Eevil":         `"\u202eevil"`,
		"\U000E0041":         `"\udb40\udc41"`,
		"\x1b[31m\x7f\u009b": `"\u001b[31m\u007f\u009b"`,
		"line\u2028end":      `"line\u2028end"`,
		"\u3164":             `"\u3164"`,
		"♥\uFE0F":            `"♥\ufe0f"`,
	} {
		got, err := Encode(text)
		if err != nil || string(got) != want {
			t.Errorf("Encode(%q) = %s, %v; want %s", text, got, err, want)
		}
	}
}

// What is encoded means what it was, and holds nothing hidden.
func FuzzEncode(f *testing.F) {
	for _, seed := range []string{"", "\u200d\U000E0001", "\ufeff", "é\\u200b\"", "\xff\u00ad"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		encoded, err := Encode(text)
		if err != nil {
			t.Fatal(err)
		}
		var back string
		if err := json.Unmarshal(encoded, &back); err != nil || back != strings.ToValidUTF8(text, "\ufffd") && utf8.ValidString(text) {
			t.Errorf("Encode(%q) = %s, which means %q, %v", text, encoded, back, err)
		}
		if i := strings.IndexFunc(string(encoded), agentready.Unseen); i >= 0 {
			t.Errorf("Encode(%q) = %q hides a character at %d", text, encoded, i)
		}
	})
}

// What the rules call hidden text is never shown as it is.
func TestHiddenTextIsUnseen(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if len(words.Hidden(string(r))) > 0 && !agentready.Unseen(r) {
			t.Errorf("%U is hidden text, but comes through", r)
		}
	}
}

func TestClip(t *testing.T) {
	for text, want := range map[string]string{"": "", "äbc": "äbc", "äbcd": "äb…", "äbcdefg": "äb…"} {
		if got := clip(text, 3); got != want {
			t.Errorf("clip(%q, 3) = %q, want %q", text, got, want)
		}
	}
}

func TestErrorTextIsBounded(t *testing.T) {
	long := strings.Repeat("\U000E0041", 100_000)
	text := (&Error{Code: BadArgument, Message: long, Hint: long, Path: long}).Text()
	var told Error
	if err := json.Unmarshal([]byte(text), &told); err != nil || told.Code != BadArgument {
		t.Errorf("the text is no error object: %v", err)
	}
	if n := utf8.RuneCountInString(text); n > maxText {
		t.Errorf("the error has %d characters, at most %d", n, maxText)
	}
}
