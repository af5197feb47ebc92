package main

import (
	"database/sql"
	"encoding/json"

	"github.com/rogpeppe/go-internal/testscript"
	_ "modernc.org/sqlite" // what a tamperer opens a ledger with
)

// change runs statements on an SQLite ledger, as anybody can who may write its file:
// `change FILE STATEMENTS`. The triggers that keep it append-only stand in the way.
func change(ts *testscript.TestScript, refused bool, args []string) {
	withLedgerFile(ts, args, func(db *sql.DB, statements string) {
		if _, err := db.Exec(statements); (err != nil) != refused {
			ts.Fatalf("%s: %v", statements, err)
		}
	})
}

// tamper is change by somebody who lifts the triggers first, and puts them back:
// `tamper FILE STATEMENTS`.
func tamper(ts *testscript.TestScript, _ bool, args []string) {
	withLedgerFile(ts, args, func(db *sql.DB, statements string) {
		rows, err := db.Query(`SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'`)
		ts.Check(err)
		var drop, create string
		for rows.Next() {
			var name, text string
			ts.Check(rows.Scan(&name, &text))
			drop += "DROP TRIGGER " + name + ";"
			create += text + ";"
		}
		ts.Check(rows.Err())
		_, err = db.Exec(drop + statements + ";" + create)
		ts.Check(err)
	})
}

func withLedgerFile(ts *testscript.TestScript, args []string, use func(db *sql.DB, statements string)) {
	if len(args) != 2 {
		ts.Fatalf("usage: FILE STATEMENTS")
	}
	db, err := sql.Open("sqlite", ts.MkAbs(args[0]))
	ts.Check(err)
	use(db, args[1])
	ts.Check(db.Close())
}

// keephead sets HEAD to the hash of the chain's head, as the JSON on stdout tells it.
func keephead(ts *testscript.TestScript, _ bool, _ []string) {
	var answer struct {
		Head struct{ Hash string } `json:"head"`
	}
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &answer))
	ts.Setenv("HEAD", answer.Head.Hash)
}
