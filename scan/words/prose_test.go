package words_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-mcp/plumbline/scan/words"
)

func TestProseWords(t *testing.T) {
	cases := []struct{ text, want string }{
		{"Don't, doesn’t, isn't, can't, won't, cannot.", "do not does not is not can not will not can not"},
		{"It's the user's file; they're gone.", "it is the user file they are gone"},
		{"A dry-run of `dryRun`, dry_run, `DryRun`.", "a dry run of dry run dry run dry run"},
		{"GitHub and OAuth stay whole.", "github and oauth stay whole"},
		{"See [the guide](https://example.com/dry-run) now", "see the guide now"},
		{"Go to https://example.com/undo. Then stop", "go to then stop"},
		{"a &amp; b &lt;c&gt; d", "a and b c d"},
		{"x<!-- hidden words -->y", "x y"},
		{"<b>bold</b> <a href=\"/undo\">link</a>", "bold link"},
		{"5 < 6 and 7 > 6", "5 6 and 7 6"},
		{"v1.2 of example.com", "v1 2 of example com"},
		{"Überprüfung – naïve", "überprüfung naïve"},
		{"", ""},
		{"'''", ""},
		{"<", ""},
		{"x <!-- open", "x"},
	}
	for _, c := range cases {
		if diff := cmp.Diff(c.want, strings.Join(words.ParseProse(c.text).Words(), " ")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, diff)
		}
	}
}

func TestPhrases(t *testing.T) {
	cases := []struct {
		pattern, text string
		want          string // the mention; "" for none
	}{
		{"dry run", "Use the Dry-Run here", "Dry-Run"},
		{"dry run", "laundry runs", ""},
		{"dry run", "It is dry. Run it", ""},
		{"dry run", "when dry, run", ""},
		{"all", "the wallet", ""},
		{"use this? tool when|if", "Use tool if needed", "Use tool if"},
		{"use this? tool when|if", "use **this** tool when", "use **this** tool when"},
		{"use this? tool when|if", "use that tool when", ""},
		{"please? confirm", "Confirm it", "Confirm"},
		{"requires ... approval", "requires the manager's written approval", "requires the manager's written approval"},
		{"requires ... approval", "requires approval", "requires approval"},
		{"requires ... approval", "requires one two three four approval", ""},
		{"requires ... approval", "requires no approval", ""},
		{"requires ... approval", "requires a key, an approval", ""},
		{"cannot", "You can't do it", "can't"},
		{"current account $", "the current account's balance", "current account"},
		{"current account $", "the current account is used", "current account"},
		{"current account $", "of the current account.", "current account"},
		{"current account $", "the current account balance", ""},
		{"use this when", "Use this when not sure", "Use this when"},
		{"only selects", "Takes only selects", "only selects"},
		{"only selects", "Takes not only selects", ""},
		{"use this when", "Do not use this when sure", ""},
		{"read-only|write-once", "a write-once store", "write-once"},
	}
	for _, c := range cases {
		ph := words.MustPhrases(c.pattern)
		p := words.ParseProse(c.text)
		mention, ok := p.Affirms(ph)
		if mention != c.want || ok != (c.want != "") {
			t.Errorf("%q in %q: %q, %v, want %q", c.pattern, c.text, mention, ok, c.want)
		}
	}
}

func TestSpokenPhrases(t *testing.T) {
	ph := words.MustPhrases("requires confirmation", "confirmation").Spoken()
	for text, want := range map[string]bool{
		"It requires confirmation.":            true,
		"It requires **confirmation**":         true,
		"In the state `requires_confirmation`": false,
		"In the state requiresConfirmation":    false,
		"With a confirmation_token":            false,
		"With the confirmation":                true,
	} {
		if got := words.ParseProse(text).Mentions(ph); got != want {
			t.Errorf("%q: spoken %t, want %t", text, got, want)
		}
	}
}

// A text that is longer than any person would read is read in part, and is not an error.
func TestProseReadsTheStartOfALongText(t *testing.T) {
	ph := words.MustPhrases("dry run")
	filler := strings.Repeat("Ä filler sentence. ", 10_000)
	if !words.ParseProse("A dry run. " + filler).Mentions(ph) {
		t.Error("the start of a long text is read")
	}
	if n := len(words.ParseProse(filler).Words()); n < 5_000 || n >= 30_000 {
		t.Errorf("%d words of a long text were read", n)
	}
}

func TestMentionsCountsDenied(t *testing.T) {
	p := words.ParseProse("There is no dry run.")
	if !p.Mentions(words.MustPhrases("dry run")) {
		t.Error("a denied phrase is mentioned all the same")
	}
	if p.Mentions(words.Phrases{}) {
		t.Error("no phrases are mentioned nowhere")
	}
}

func TestMustPhrasesRefusesBadPatterns(t *testing.T) {
	for _, pattern := range []string{"", "...", "... approval", "approval ...", "a| b", "maybe?", "$", " $"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q was accepted", pattern)
				}
			}()
			words.MustPhrases(pattern)
		}()
	}
}

// Whatever the text, a mention is a part of it, and what is affirmed is mentioned.
func FuzzProse(f *testing.F) {
	for _, c := range negationCases {
		f.Add(c.text)
	}
	f.Add("<p>`dryRun` ]( &lt; don’")
	f.Add("n't")
	f.Fuzz(func(t *testing.T, text string) {
		p := words.ParseProse(text)
		mention, ok := p.Affirms(approval)
		if !strings.Contains(text, mention) || ok != (mention != "") {
			t.Fatalf("mention %q, %v", mention, ok)
		}
		if ok && !p.Mentions(approval) {
			t.Fatal("affirmed but not mentioned")
		}
		for _, w := range p.Words() {
			if w == "" || strings.ContainsAny(w, " \n.,;<>") {
				t.Fatalf("%q is no word", w)
			}
		}
	})
}

// One operation's text against as many lists as the rules have.
func BenchmarkProse(b *testing.B) {
	text := strings.Repeat("Deletes a repository that the token can administer. Members keep their forks. ", 6)
	lists := []words.Phrases{}
	for range 15 {
		lists = append(lists, approval, undo)
	}
	for b.Loop() {
		p := words.ParseProse(text)
		for _, ph := range lists {
			p.Affirms(ph)
		}
	}
}
