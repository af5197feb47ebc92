package ledger

// sqliteGuards are the triggers that keep the tables append-only. Those on INSERT
// are there since INSERT OR REPLACE deletes a row without a DELETE.
var sqliteGuards = []string{
	"events_in_order", "events_no_update", "events_no_delete",
	"artifacts_once", "artifacts_no_update", "artifacts_no_delete",
}

func (sqliteBackend) migrations() [][]string { return [][]string{sqliteVersion1} }

// sqliteVersion1: events and artifacts are the record. chains, revisions and actors
// follow from it.
var sqliteVersion1 = []string{
	`CREATE TABLE plumbline_schema (version INTEGER NOT NULL PRIMARY KEY, at INTEGER NOT NULL) STRICT`,

	`CREATE TABLE events (
		contract   TEXT    NOT NULL,
		seq        INTEGER NOT NULL,
		kind       TEXT    NOT NULL,
		who        TEXT    NOT NULL,
		role       TEXT    NOT NULL,
		submission TEXT    NOT NULL,
		at         INTEGER NOT NULL,
		body       BLOB    NOT NULL,
		sha256     TEXT    NOT NULL,
		prev       TEXT    NOT NULL,
		hash       TEXT    NOT NULL,
		PRIMARY KEY (contract, seq)
	) STRICT`,
	`CREATE UNIQUE INDEX events_submission ON events (contract, who, submission) WHERE submission <> ''`,
	`CREATE TRIGGER events_in_order BEFORE INSERT ON events
		WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM events WHERE contract = NEW.contract)
			OR NEW.prev <> coalesce((SELECT hash FROM events WHERE contract = NEW.contract AND seq = NEW.seq - 1), '')
			OR NEW.submission <> '' AND EXISTS (SELECT 1 FROM events
				WHERE contract = NEW.contract AND who = NEW.who AND submission = NEW.submission AND submission <> '')
		BEGIN SELECT RAISE(ABORT, 'an event must follow the last one'); END`,
	`CREATE TRIGGER events_no_update BEFORE UPDATE ON events
		BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END`,
	`CREATE TRIGGER events_no_delete BEFORE DELETE ON events
		BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END`,

	`CREATE TABLE artifacts (
		contract TEXT    NOT NULL,
		revision INTEGER NOT NULL,
		path     TEXT    NOT NULL,
		sha256   TEXT    NOT NULL,
		body     BLOB    NOT NULL,
		PRIMARY KEY (contract, revision, path)
	) STRICT`,
	`CREATE TRIGGER artifacts_once BEFORE INSERT ON artifacts
		WHEN EXISTS (SELECT 1 FROM artifacts WHERE contract = NEW.contract AND revision = NEW.revision AND path = NEW.path)
		BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END`,
	`CREATE TRIGGER artifacts_no_update BEFORE UPDATE ON artifacts
		BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END`,
	`CREATE TRIGGER artifacts_no_delete BEFORE DELETE ON artifacts
		BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END`,

	`CREATE TABLE chains (
		contract   TEXT    NOT NULL PRIMARY KEY,
		seq        INTEGER NOT NULL,
		hash       TEXT    NOT NULL,
		revision   INTEGER NOT NULL,
		rounds     INTEGER NOT NULL,
		last_round INTEGER NOT NULL,
		last_done  INTEGER NOT NULL,
		waiting    INTEGER NOT NULL,
		progress   TEXT    NOT NULL
	) STRICT`,
	`CREATE TABLE revisions (
		contract    TEXT    NOT NULL,
		revision    INTEGER NOT NULL,
		seq         INTEGER NOT NULL,
		fingerprint TEXT    NOT NULL,
		sha256      TEXT    NOT NULL,
		owner       TEXT    NOT NULL,
		budget      INTEGER NOT NULL,
		extensions  INTEGER NOT NULL,
		PRIMARY KEY (contract, revision)
	) STRICT`,
	`CREATE TABLE actors (
		contract TEXT NOT NULL,
		who      TEXT NOT NULL,
		role     TEXT NOT NULL,
		kind     TEXT NOT NULL,
		PRIMARY KEY (contract, who, role, kind)
	) STRICT, WITHOUT ROWID`,
}
