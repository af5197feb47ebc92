package ledger

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// scopeCalls are the methods of a ledger, each called about the fixture's contract.
func scopeCalls(t *testing.T) map[string]func(l *Ledger) (any, error) {
	ctx, text := context.Background(), contractText(t, 1, contractOptions{})
	c := parse(t, text)
	submission := func(body []byte) Submission { return Submission{Contract: fixtureID, Key: "scope", Text: body} }
	done, round := doneText(t, c, nil), roundText(t, c, "fail", defect)
	return map[string]func(l *Ledger) (any, error){
		"Contract": func(l *Ledger) (any, error) { return l.Contract(ctx, fixtureID, 0) },
		"Contracts": func(l *Ledger) (any, error) {
			page, more, err := l.Contracts(ctx, Query{})
			return []any{page, more}, err
		},
		"Events": func(l *Ledger) (any, error) { return l.Events(ctx, fixtureID, 0, 10) },
		"Status": func(l *Ledger) (any, error) { return l.Status(ctx, fixtureID) },
		"Head":   func(l *Ledger) (any, error) { return l.Head(ctx, fixtureID) },
		"Standing": func(l *Ledger) (any, error) {
			found, status, err := l.Standing(ctx, fixtureID, 0)
			return []any{found, status}, err
		},
		"Snapshot": func(l *Ledger) (found any, err error) {
			return found, l.Snapshot(ctx, func(_ context.Context, still *Ledger) error {
				found, err = still.Status(ctx, fixtureID)
				return err
			})
		},
		"History": func(l *Ledger) (any, error) {
			page, older, err := l.History(ctx, fixtureID, 0, 10)
			return []any{page, older}, err
		},
		"Revisions": func(l *Ledger) (any, error) {
			page, older, err := l.Revisions(ctx, fixtureID, 0, 10)
			return []any{page, older}, err
		},
		"Verify":            func(l *Ledger) (any, error) { return l.Verify(ctx, fixtureID, "") },
		"Export":            func(l *Ledger) (any, error) { return nil, l.Export(ctx, fixtureID, AnyLength, io.Discard) },
		"ExportForBuilder":  func(l *Ledger) (any, error) { return nil, l.ExportForBuilder(ctx, fixtureID, AnyLength, io.Discard) },
		"RequireRegistered": func(l *Ledger) (any, error) { return nil, l.RequireRegistered(ctx, c) },
		"CheckDone":         func(l *Ledger) (any, error) { return l.CheckDone(ctx, fixtureID, done) },
		"RecordDone":        func(l *Ledger) (any, error) { return l.RecordDone(ctx, bob, submission(done)) },
		"CheckRound":        func(l *Ledger) (any, error) { return l.CheckRound(ctx, fixtureID, round) },
		"RecordRound":       func(l *Ledger) (any, error) { return l.RecordRound(ctx, jane, submission(round)) },
		"CheckRevision":     func(l *Ledger) (any, error) { return l.CheckRevision(ctx, text, fixtureFiles()) },
		"Register":          func(l *Ledger) (any, error) { return l.Register(ctx, olga, text, fixtureFiles()) },
	}
}

func said(result any, err error) string { return fmt.Sprintf("%+v, %v", result, err) }

// A contract out of scope is to every method as one that nobody registered.
func testScope(t *testing.T, b testBackend) {
	full, empty := openLedger(t, b.newDSN(t)), openLedger(t, b.newDSN(t))
	fullChain(t, full)
	nothing := func(string) bool { return false }
	calls := scopeCalls(t)
	for name, call := range calls {
		scoped := said(call(full.Scoped(nothing)))
		if diff := cmp.Diff(said(call(empty.Scoped(nothing))), scoped); diff != "" {
			t.Errorf("%s tells whether it is registered (-no +yes):\n%s", name, diff)
		}
		if name == "Register" || name == "CheckRevision" {
			if !strings.Contains(scoped, "UNKNOWN_CONTRACT") || !strings.Contains(scoped, "do not include") {
				t.Errorf("%s says %s", name, scoped)
			}
			continue
		}
		if diff := cmp.Diff(said(call(empty)), scoped); diff != "" {
			t.Errorf("%s out of scope is not as unknown (-unknown +out of scope):\n%s", name, diff)
		}
		if said(call(full)) == scoped {
			t.Errorf("%s without a scope says the same: %s", name, scoped)
		}
	}
	methods := reflect.TypeFor[*Ledger]()
	for i := range methods.NumMethod() {
		name := methods.Method(i).Name
		if about := name != "Close" && name != "Ping" && name != "Scoped"; about && calls[name] == nil {
			t.Errorf("%s is not tried out of scope", name)
		}
	}
}

// A scope within a scope is what both allow, and the whole ledger is as before.
func testScopes(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	fullChain(t, l)
	all, none := func(string) bool { return true }, func(id string) bool { return id != fixtureID }
	for _, tt := range []struct {
		scope *Ledger
		sees  bool
	}{{l, true}, {l.Scoped(all), true}, {l.Scoped(all).Scoped(none), false}, {l.Scoped(none).Scoped(all), false}, {l, true}} {
		if _, err := tt.scope.Status(t.Context(), fixtureID); (err == nil) != tt.sees {
			t.Errorf("the status gives %v, want it seen: %t", err, tt.sees)
		}
	}
}

// Pages are full whatever lies between, and the last one says so.
func testScopedLists(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	var want []string
	for i := range MaxPageSize + 20 { // more than are read at once
		register(t, l, contractText(t, 1, contractOptions{id: fmt.Sprintf("hidden/%03d", i)}))
	}
	for i := range 7 {
		want = append(want, fmt.Sprintf("mine/%d", i))
		for _, id := range []string{want[i], want[i] + "-not"} {
			register(t, l, contractText(t, 1, contractOptions{id: id}))
		}
	}
	register(t, l, contractText(t, 1, contractOptions{id: "zebra"}))
	mine := l.Scoped(func(id string) bool { return strings.HasPrefix(id, "mine/") && !strings.HasSuffix(id, "-not") })
	var got, sizes []string
	for after, more := "", true; more; {
		var page []Summary
		var err error
		if page, more, err = mine.Contracts(t.Context(), Query{After: after, Limit: 3}); err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, fmt.Sprint(len(page)))
		for _, s := range page {
			after = s.ContractID
			got = append(got, after)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || strings.Join(sizes, " ") != "3 3 1" {
		t.Errorf("pages of %v (-want +got):\n%s", sizes, diff)
	}
}
