package auth

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-mcp/plumbline/contract/localfile"
	"github.com/plumbline-mcp/plumbline/tools"
)

// newFile is the path of a tokens file that is not there yet.
func newFile(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "tokens.json")
}

func add(t *testing.T, path string, g Grant) string {
	t.Helper()
	token, _, err := Add(path, g)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func open(t *testing.T, path string) (*Tokens, *bytes.Buffer) {
	t.Helper()
	log := &bytes.Buffer{}
	tokens, err := Open(path, slog.New(slog.NewTextHandler(log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	return tokens, log
}

// wantInvalid wants the one error, and nothing beside it.
func wantInvalid(t *testing.T, tokens *Tokens, token, what string) {
	t.Helper()
	if got, err := tokens.Identify(token); err != ErrInvalid || got.ID != "" || got.Caller.Name != "" {
		t.Errorf("%s gives %+v, %v", what, got, err)
	}
}

func wantValid(t *testing.T, tokens *Tokens, token, name string) Identity {
	t.Helper()
	got, err := tokens.Identify(token)
	if err != nil || got.Caller.Name != name {
		t.Fatalf("the token of %s gives %+v, %v", name, got, err)
	}
	return got
}

func TestIdentify(t *testing.T) {
	path := newFile(t)
	first := add(t, path, Grant{Name: "ci", Role: tools.Builder, Contracts: []string{"payments/**", "shop"}})
	second := add(t, path, Grant{Name: "ci", Role: tools.Judge})
	tokens, _ := open(t, path)
	builder, judge := wantValid(t, tokens, first, "ci"), wantValid(t, tokens, second, "ci")
	if diff := cmp.Diff(tools.Caller{Name: "ci", Role: tools.Builder, Contracts: []string{"payments/**", "shop"}}, builder.Caller); diff != "" {
		t.Errorf("the first caller (-want +got):\n%s", diff)
	}
	if judge.Caller.Role != tools.Judge || !judge.Caller.MayUse("any/thing/at/all") {
		t.Errorf("the second caller is %+v", judge.Caller)
	}
	if builder.ID == judge.ID || builder.ID == "" || strings.Contains(first, builder.ID) {
		t.Errorf("the tokens have the ids %q and %q", builder.ID, judge.ID)
	}
	if again := wantValid(t, tokens, first, "ci"); again.ID != builder.ID {
		t.Errorf("the id is %q, then %q", builder.ID, again.ID)
	}
}

// Exactly what was printed is accepted, and nothing that differs from it anywhere.
func TestMutations(t *testing.T) {
	path, random := newFile(t), rand.New(rand.NewPCG(1, 2))
	tokens := map[string]string{}
	for i := range 5 {
		name := fmt.Sprintf("n%d", i)
		tokens[add(t, path, Grant{Name: name, Role: tools.Builder})] = name
	}
	live, _ := open(t, path)
	for token, name := range tokens {
		wantValid(t, live, token, name)
		for n := range len(token) {
			wantInvalid(t, live, token[:n], fmt.Sprintf("the first %d characters", n))
			wantInvalid(t, live, token[n+1:], fmt.Sprintf("all behind character %d", n))
			wantInvalid(t, live, token[:n]+token[n+1:], fmt.Sprintf("all but character %d", n))
			for bit := range 8 {
				mutant := []byte(token)
				mutant[n] ^= 1 << bit // of letters, bit 5 is the case
				wantInvalid(t, live, string(mutant), fmt.Sprintf("bit %d of character %d", bit, n))
			}
		}
		for _, mutant := range []string{strings.ToUpper(token), strings.ToLower(token), token + "=", token + "A", token + token, " " + token, token + " ",
			token + "\n", token + "\x00", "\ufeff" + token, strings.TrimPrefix(token, prefix), "Bearer " + token, digestOf(token), digestOf(token)[:idLength],
			strings.Repeat(token, 1<<16)} {
			wantInvalid(t, live, mutant, fmt.Sprintf("%.80q", mutant))
		}
		for range 1000 {
			mutant := []byte(token)
			i, j := random.IntN(len(token)), random.IntN(len(token))
			mutant[i], mutant[j] = mutant[j], mutant[i]
			if string(mutant) != token {
				wantInvalid(t, live, string(mutant), "a token with two characters swapped")
			}
		}
	}
	wantInvalid(t, live, newToken(), "a token that was never added")
}

// A running server sees each change at the next call, however fast they follow.
func TestChangesAreSeen(t *testing.T) {
	path := newFile(t)
	stays := add(t, path, Grant{Name: "stays", Role: tools.Owner})
	tokens, log := open(t, path)
	for i := range 50 {
		token := add(t, path, Grant{Name: "goes", Role: tools.Judge})
		id := wantValid(t, tokens, token, "goes").ID
		if revoked, err := Revoke(path, id); err != nil || len(revoked) != 1 {
			t.Fatalf("revoking gives %+v, %v", revoked, err)
		}
		wantInvalid(t, tokens, token, fmt.Sprintf("revoked token %d", i))
		wantValid(t, tokens, stays, "stays")
	}
	if log.Len() > 0 {
		t.Errorf("changes are logged as trouble: %s", log)
	}
}

// rename gives the token of one name to another that is as long, and sets the file's
// time. It writes into the file at to, which may be another than the one it reads.
func rename(t *testing.T, from, to string, names [2]string, at time.Time) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, bytes.ReplaceAll(data, []byte(names[0]), []byte(names[1])), 0o600)
	}
	if err == nil {
		err = os.Chtimes(to, at, at)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A change in place that keeps size and time is seen while the time is too young to
// tell it from the next one.
func TestChangeInPlace(t *testing.T) {
	path, young := newFile(t), time.Now().Add(time.Hour)
	token := add(t, path, Grant{Name: "anna", Role: tools.Judge})
	rename(t, path, path, [2]string{}, young)
	tokens, _ := open(t, path)
	tokens.seen, tokens.now = localfile.Seen{}, func() time.Time { return young } // a clock that stands
	for _, names := range [][2]string{{"anna", "otto"}, {"otto", "ella"}, {"ella", "anna"}} {
		wantValid(t, tokens, token, names[0])
		rename(t, path, path, names, young)
		wantValid(t, tokens, token, names[1])
	}
}

// So is another file of the same size and time, and that a file is opened to others.
func TestChangeOfOldFile(t *testing.T) {
	path, old := newFile(t), time.Now().Add(-time.Hour)
	token := add(t, path, Grant{Name: "anna", Role: tools.Judge})
	rename(t, path, path, [2]string{}, old)
	tokens, log := open(t, path)
	wantValid(t, tokens, token, "anna")
	rename(t, path, path+".new", [2]string{"anna", "otto"}, old)
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
	wantValid(t, tokens, token, "otto")
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	wantValid(t, tokens, token, "otto")
	if !strings.Contains(log.String(), "open to other users") {
		t.Errorf("the log is %q", log)
	}
}

// A file that stays as it is costs a call nothing but a look at it, also a broken one, and
// one of a time to come.
func TestReadOnce(t *testing.T) {
	for name, spoil := range map[string]func(path string) error{
		"good":           func(string) error { return nil },
		"of tomorrow":    func(path string) error { return os.Chtimes(path, time.Time{}, time.Now().Add(24*time.Hour)) },
		"broken":         func(path string) error { return os.WriteFile(path, []byte("{}"), 0o600) },
		"open to others": func(path string) error { return os.Chmod(path, 0o644) },
	} {
		path := newFile(t)
		var token string
		for range 20 {
			token = add(t, path, Grant{Name: "ci", Role: tools.Judge})
		}
		tokens, _ := open(t, path)
		if err := spoil(path); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			wantValid(t, tokens, token, "ci")
			later := tokens.now().Add(time.Minute)
			tokens.now = func() time.Time { return later }
		}
		wantValid(t, tokens, token, "ci")
		if n := testing.AllocsPerRun(10, func() { wantValid(t, tokens, token, "ci") }); n > 20 {
			t.Errorf("%s: a call takes %.0f allocations", name, n)
		}
	}
}

func TestExpiry(t *testing.T) {
	path, end := newFile(t), time.Now().Add(time.Hour).Truncate(time.Second)
	token := add(t, path, Grant{Name: "ci", Role: tools.Builder, Expires: end})
	tokens, _ := open(t, path)
	for after, good := range map[time.Duration]bool{-time.Hour: true, -time.Second: true, 0: true, time.Nanosecond: false, time.Hour: false} {
		tokens.now = func() time.Time { return end.Add(after) }
		if good {
			wantValid(t, tokens, token, "ci")
		} else {
			wantInvalid(t, tokens, token, fmt.Sprintf("a token %s after its end", after))
		}
	}
}

// While the file is broken the last good tokens stay in force; that is logged once, and
// so is the end of it, without what the file holds.
func TestBrokenFile(t *testing.T) {
	path := newFile(t)
	token := add(t, path, Grant{Name: "ci", Role: tools.Builder})
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	tokens, log := open(t, path)
	write := func(data []byte, mode fs.FileMode) func() error {
		return func() error {
			if err := os.WriteFile(path, data, mode); err != nil {
				return err
			}
			return os.Chmod(path, mode)
		}
	}
	breaks := map[string]func() error{
		"no file":     func() error { return os.Remove(path) },
		"moved":       func() error { return os.Rename(path, path+".old") },
		"a directory": func() error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) },
		"empty":       write(nil, 0o600),
		"cut":         write(good[:len(good)/2], 0o600),
		"a secret":    write([]byte(`{"version":1,"tokens":[{"sha256":"plb_secret"}]}`), 0o600),
		"unknown":     write([]byte(`{"version":1,"secret":[],"tokens":[]}`), 0o600),
		"readable":    write(good, 0o644),
	}
	for name, spoil := range breaks {
		log.Reset()
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			wantValid(t, tokens, token, "ci")
			wantInvalid(t, tokens, newToken(), "an unknown token with the file broken")
		}
		if got := log.String(); strings.Count(got, "level=ERROR") != 1 || !strings.Contains(got, "last good one") || strings.Contains(got, "secret") {
			t.Errorf("%s: the log is %q", name, got)
		}
		log.Reset()
		if err := errors.Join(os.RemoveAll(path), write(good, 0o600)()); err != nil {
			t.Fatal(err)
		}
		other := add(t, path, Grant{Name: "new", Role: tools.Owner})
		wantValid(t, tokens, other, "new")
		if got := log.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "can be used again") {
			t.Errorf("%s: after mending the log is %q", name, got)
		}
		if _, err := Revoke(path, "new"); err != nil {
			t.Fatal(err)
		}
		wantInvalid(t, tokens, other, "a token revoked after mending")
	}
}

// A file that comes back as it was, by its time and place too, is mended as well.
func TestFileComesBack(t *testing.T) {
	path := newFile(t)
	token := add(t, path, Grant{Name: "ci", Role: tools.Builder})
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	tokens, log := open(t, path)
	for range 2 {
		log.Reset()
		if err := os.Rename(path, path+".away"); err != nil {
			t.Fatal(err)
		}
		wantValid(t, tokens, token, "ci")
		if err := os.Rename(path+".away", path); err != nil {
			t.Fatal(err)
		}
		wantValid(t, tokens, token, "ci")
		if got := log.String(); strings.Count(got, "level=ERROR") != 1 || strings.Count(got, "level=INFO") != 1 {
			t.Errorf("the log is %q", got)
		}
	}
}

// Many calls at once, while tokens come and go.
func TestAtOnce(t *testing.T) {
	path := newFile(t)
	token := add(t, path, Grant{Name: "ci", Role: tools.Builder})
	tokens, _ := open(t, path)
	done := make(chan struct{})
	var calls sync.WaitGroup
	for range 8 {
		calls.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				if got, err := tokens.Identify(token); err != nil || got.Caller.Name != "ci" {
					t.Errorf("in the middle of changes: %+v, %v", got, err)
					return
				}
			}
		})
	}
	for range 10 {
		add(t, path, Grant{Name: "other", Role: tools.Judge})
		if _, err := Revoke(path, "other"); err != nil {
			t.Error(err)
		}
	}
	close(done)
	calls.Wait()
}

func TestBearer(t *testing.T) {
	const token = "plb_aZ09-_.~+/"
	tests := map[string]struct {
		given []string
		want  string
	}{
		"plain":            {[]string{"Bearer " + token}, token},
		"scheme in lower":  {[]string{"bearer " + token}, token},
		"scheme in upper":  {[]string{"BEARER " + token}, token},
		"several spaces":   {[]string{"Bearer   " + token}, token},
		"padding":          {[]string{"Bearer abc=="}, "abc=="},
		"none":             {nil, ""},
		"two":              {[]string{"Bearer " + token, "Bearer " + token}, ""},
		"empty":            {[]string{""}, ""},
		"scheme alone":     {[]string{"Bearer"}, ""},
		"no token":         {[]string{"Bearer "}, ""},
		"token alone":      {[]string{token}, ""},
		"basic":            {[]string{"Basic YTpi"}, ""},
		"longer scheme":    {[]string{"Bearers " + token}, ""},
		"space before":     {[]string{" Bearer " + token}, ""},
		"space behind":     {[]string{"Bearer " + token + " "}, ""},
		"two tokens":       {[]string{"Bearer a b"}, ""},
		"a list":           {[]string{"Bearer a, Bearer b"}, ""},
		"a tab":            {[]string{"Bearer\t" + token}, ""},
		"a tab behind":     {[]string{"Bearer \t" + token}, ""},
		"quoted":           {[]string{`Bearer "a"`}, ""},
		"parameters":       {[]string{"Bearer token=a;b"}, ""},
		"padding in front": {[]string{"Bearer =a"}, ""},
		"padding alone":    {[]string{"Bearer ="}, ""},
		"a line break":     {[]string{"Bearer a\n"}, ""},
		"no ASCII":         {[]string{"Bearer ä"}, ""},
	}
	for name, tt := range tests {
		h := http.Header{}
		for _, value := range tt.given {
			h.Add("authorization", value)
		}
		if got, ok := Bearer(h); got != tt.want || ok != (tt.want != "") {
			t.Errorf("%s: %q gives %q, %t; want %q", name, tt.given, got, ok, tt.want)
		}
	}
}
