package ledger

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
)

// testBackend is a database to run the suite on.
type testBackend struct {
	name string
	// newDSN names a ledger that is not there yet.
	newDSN func(t testing.TB) string
	// unguard removes what keeps the tables append-only, guard puts it back.
	unguard, guard func(t testing.TB, q querier)
}

var sqliteTests = testBackend{
	name:   "sqlite",
	newDSN: func(t testing.TB) string { return "sqlite:" + filepath.Join(t.TempDir(), "new", "ledger.db") },
	unguard: func(t testing.TB, q querier) {
		for _, name := range sqliteGuards {
			execute(t, q, `DROP TRIGGER `+name)
		}
	},
	guard: func(t testing.TB, q querier) {
		for _, statement := range sqliteVersion1 {
			if strings.HasPrefix(statement, "CREATE TRIGGER") {
				execute(t, q, statement)
			}
		}
	},
}

func TestSQLite(t *testing.T) { testStore(t, sqliteTests) }

// testStore is what every database must do.
func testStore(t *testing.T, b testBackend) {
	tests := map[string]func(*testing.T, testBackend){
		"exact bytes":          testExactBytes,
		"registering":          testRegistering,
		"odd owner":            testOddOwner,
		"conflict":             testConflict,
		"answers":              testAnswers,
		"registered":           testRequireRegistered,
		"kept artifacts":       testKeptArtifacts,
		"missing artifacts":    testMissingArtifacts,
		"history":              testHistory,
		"history for builders": testHistoryForBuilder,
		"passes over":          testUnansweredExtensions,
		"snapshot":             testSnapshot,
		"rounds":               testRounds,
		"stale rounds":         testStaleRounds,
		"budget":               testBudget,
		"invalid rounds":       testInvalidRounds,
		"submissions":          testSubmissions,
		"late retries":         testLateRetries,
		"done reports":         testDoneReports,
		"output tails":         testOutputTails,
		"early reports":        testEarlyReports,
		"checks write nothing": testChecksWriteNothing,
		"callers":              testCallers,
		"sizes":                testSizes,
		"unknown contracts":    testUnknownContracts,
		"lists":                testLists,
		"lists by prefix":      testPrefixes,
		"scope prefixes":       testScopePrefixes,
		"status":               testStatus,
		"status over revision": testStatusOverRevisions,
		"facts":                testFacts,
		"events":               testEvents,
		"export":               testExport,
		"export files":         testExportWithFiles,
		"append-only":          testAppendOnly,
		"guards":               testGuards,
		"damaged contract":     testDamagedContract,
		"damaged events":       testDamagedEvents,
		"damaged retry":        testDamagedRetry,
		"ping":                 testPing,
		"scope":                testScope,
		"scopes":               testScopes,
		"scoped lists":         testScopedLists,
		"no artifacts":         testNoArtifacts,
		"tampering":            testTampering,
		"rewriting":            testRewriting,
		"cancelled":            testCancelled,
		"goroutines":           testGoroutines,
		"processes":            testProcesses,
		"killed":               testKilled,
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, b)
		})
	}
}

// change runs a statement on the store, as somebody who can write it might.
func change(t testing.TB, l *Ledger, statement string, args ...any) {
	t.Helper()
	execute(t, l.write, statement, args...)
}

func execute(t testing.TB, q querier, statement string, args ...any) {
	t.Helper()
	if _, err := q.ExecContext(context.Background(), statement, args...); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func testPing(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	if err := l.Ping(t.Context()); err != nil {
		t.Error(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := l.Ping(t.Context()); err == nil {
		t.Error("a closed ledger can be reached")
	}
}
