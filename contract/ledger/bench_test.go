package ledger

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
)

// BenchmarkBareInsert is what a recorded round is measured against: one durable
// INSERT of the same body a transaction, in a table of its own.
func BenchmarkBareInsert(b *testing.B) {
	l := openLedger(b, "sqlite:"+filepath.Join(b.TempDir(), "ledger.db"))
	ctx := context.Background()
	if _, err := l.write.ExecContext(ctx, `CREATE TABLE bare (id INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT`); err != nil {
		b.Fatal(err)
	}
	c := parse(b, contractText(b, 1, contractOptions{}))
	body := roundText(b, c, "fail", defect, rowDefect("2"))
	for b.Loop() {
		err := transact(ctx, l.writing, nil, func(q querier) error {
			_, err := q.ExecContext(ctx, `INSERT INTO bare (body) VALUES ($1)`, body)
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRecordRound records rounds durably, each judged against the contract and
// its artifact. The bar is half the rate of BenchmarkBareInsert.
func BenchmarkRecordRound(b *testing.B) {
	l := openLedger(b, "sqlite:"+filepath.Join(b.TempDir(), "ledger.db"))
	c := register(b, l, contractText(b, 1, contractOptions{})).Contract
	text := roundText(b, c, "fail", defect, rowDefect("2"))
	n := 0
	for b.Loop() {
		n++
		recordRound(b, l, fmt.Sprint("round-", n), text)
	}
}

// BenchmarkStatus reads the status of chains of several lengths: it must not grow
// with them.
func BenchmarkStatus(b *testing.B) {
	for _, rounds := range []int{10, 1000, 10000} {
		b.Run(fmt.Sprint(rounds), func(b *testing.B) {
			l := openLedger(b, "sqlite:"+filepath.Join(b.TempDir(), "ledger.db"))
			fillRounds(b, l, rounds)
			for b.Loop() {
				if _, err := l.Status(context.Background(), fixtureID); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkVerify recomputes chains of several lengths; the time a round should stay.
func BenchmarkVerify(b *testing.B) {
	for _, rounds := range []int{100, 1000, 10000} {
		b.Run(fmt.Sprint(rounds), func(b *testing.B) {
			l := openLedger(b, "sqlite:"+filepath.Join(b.TempDir(), "ledger.db"))
			fillRounds(b, l, rounds)
			for b.Loop() {
				verify(b, l, fixtureID, "")
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*rounds), "µs/round")
		})
	}
}

// fillRounds registers the fixture and records rounds, without waiting for the disk.
func fillRounds(b *testing.B, l *Ledger, rounds int) {
	b.Helper()
	if _, err := l.write.Exec(`PRAGMA synchronous = OFF`); err != nil {
		b.Fatal(err)
	}
	c := register(b, l, contractText(b, 1, contractOptions{})).Contract
	text := roundText(b, c, "fail", defect, rowDefect("2"))
	for i := range rounds {
		recordRound(b, l, fmt.Sprint("round-", i), text)
	}
}
