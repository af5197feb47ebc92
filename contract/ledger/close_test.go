package ledger

import (
	"context"
	"testing"
)

// A recording under way ends before the ledger is closed, and none begins after.
func TestCloseWaitsForRecordings(t *testing.T) {
	dsn := sqliteTests.newDSN(t)
	l := openLedger(t, dsn)
	begun, closing, ended := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		ended <- l.change(context.Background(), fixtureID, func(ctx context.Context, q querier) error {
			close(begun)
			<-closing
			_, err := q.ExecContext(ctx, `INSERT INTO artifacts (contract, revision, path, sha256, body) VALUES ($1, 1, 'a', '', x'')`, fixtureID)
			return err
		})
	}()
	<-begun
	closed := make(chan error)
	go func() { closed <- l.Scoped(func(string) bool { return true }).Close() }()
	for l.recordings.begin() == nil { // until the ledger is being closed
		l.recordings.end()
	}
	close(closing)
	if err := <-ended; err != nil {
		t.Errorf("the recording under way failed: %v", err)
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
	if _, err := l.Register(context.Background(), olga, contractText(t, 1, contractOptions{}), fixtureFiles()); err == nil {
		t.Error("a closed ledger records")
	} else {
		wantCode(t, err, Unavailable)
	}
	again := openLedger(t, dsn)
	var kept int
	if err := again.read.QueryRowContext(context.Background(), `SELECT count(*) FROM artifacts`).Scan(&kept); err != nil || kept != 1 {
		t.Errorf("%d rows are kept, error %v", kept, err)
	}
}
