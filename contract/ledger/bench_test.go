package ledger

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"
)

// BenchmarkRecordRound records rounds durably, each judged against the contract and
// its artifact, and in turn inserts the same body into a bare table, one durable INSERT
// a transaction, so that both meet the same disk. rows/bare is the rate of the first
// against the second; the bar is 0.5.
func BenchmarkRecordRound(b *testing.B) {
	l := openLedger(b, "sqlite:"+filepath.Join(b.TempDir(), "ledger.db"))
	c := register(b, l, contractText(b, 1, contractOptions{})).Contract
	text := roundText(b, c, "fail", defect, rowDefect("2"))
	insert := bareTable(b)
	var rounds, bare time.Duration
	n := 0
	for b.Loop() {
		n++
		begin := time.Now()
		recordRound(b, l, fmt.Sprint("round-", n), text)
		middle := time.Now()
		insert(text)
		rounds += middle.Sub(begin)
		bare += time.Since(middle)
	}
	b.ReportMetric(float64(rounds.Microseconds())/float64(n), "µs/round")
	b.ReportMetric(float64(bare.Microseconds())/float64(n), "µs/insert")
	b.ReportMetric(float64(bare)/float64(rounds), "rows/bare")
}

// bareTable gives what inserts into a bare table of a database of its own, with the
// settings of a ledger.
func bareTable(b *testing.B) (insert func(body []byte)) {
	b.Helper()
	l := openLedger(b, "sqlite:"+filepath.Join(b.TempDir(), "bare.db"))
	change(b, l, `CREATE TABLE bare (id INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT`)
	return func(body []byte) {
		err := transact(context.Background(), l.writing, nil, func(q querier) error {
			_, err := q.ExecContext(context.Background(), `INSERT INTO bare (body) VALUES ($1)`, body)
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
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
