package agentready

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestUnseen(t *testing.T) {
	for name, s := range map[string]string{
		"control characters": "\x00\n\r\t\x1b\x7f\u0085\u009b", "format characters": "\u00ad\u200b\u200d\u202e\u2066\ufeff",
		"separators of lines": "\u2028\u2029", "fillers": "\u034f\u115f\u17b4\u3164\uffa0", "selectors": "\ufe0f\U000e0100",
		"tags": "\U000e0001\U000e0041", "not assigned": "\u0378\U000e0fff", "private": "\ue000\U00100000",
	} {
		for _, r := range s {
			if !Unseen(r) {
				t.Errorf("%s: %U counts as seen", name, r)
			}
		}
	}
	for _, r := range " ~aé口ش\u00a0\u3000🙂€\u0301\ufffd" {
		if Unseen(r) {
			t.Errorf("%U counts as unseen", r)
		}
	}
}

// What is escaped means what it did, and shows all that it holds.
func FuzzEscapeUnseen(f *testing.F) {
	for _, seed := range []string{"", "plain", "\u200d\U000E0001", "\ufeff", "é\\u200b\"", "\xff\u00ad", "\u3164a\u3164", "\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			return // JSON text is UTF-8
		}
		text, err := json.MarshalIndent([]string{s}, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		escaped := EscapeUnseen(bytes.Clone(text))
		var back []string
		if err := json.Unmarshal(escaped, &back); err != nil || len(back) != 1 || back[0] != s {
			t.Errorf("%q becomes %s, which means %q, %v", s, escaped, back, err)
		}
		if i := strings.IndexFunc(string(escaped), func(r rune) bool { return r != '\n' && Unseen(r) }); i >= 0 {
			t.Errorf("%q becomes %q, which hides a character at %d", s, escaped, i)
		}
	})
}

func BenchmarkEscapeUnseen(b *testing.B) {
	for name, s := range map[string]string{"ascii": "a line of text\n", "letters": "ein Stück Text, 文字\n", "unseen": "a\u200bline of text\n"} {
		text := []byte(strings.Repeat(s, 5<<20/len(s)))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				EscapeUnseen(text)
			}
		})
	}
}
