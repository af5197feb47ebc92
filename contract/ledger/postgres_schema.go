package ledger

// postgresGuards are the triggers that keep the tables append-only.
var postgresGuards = []struct{ table, trigger string }{
	{"events", "events_in_order"},
	{"events", "events_append_only"},
	{"artifacts", "artifacts_append_only"},
}

func (postgresBackend) migrations() [][]string { return [][]string{postgresVersion1} }

// postgresVersion1 is what sqliteVersion1 is. Ids and paths compare byte by byte, as
// in SQLite and in Go, whatever the database's collation is.
var postgresVersion1 = []string{
	`CREATE TABLE plumbline_schema (version bigint NOT NULL PRIMARY KEY, at bigint NOT NULL)`,

	`CREATE TABLE events (
		contract   text COLLATE "C" NOT NULL,
		seq        bigint NOT NULL,
		kind       text   NOT NULL,
		who        text COLLATE "C" NOT NULL,
		role       text   NOT NULL,
		submission text COLLATE "C" NOT NULL,
		at         bigint NOT NULL,
		body       bytea  NOT NULL,
		sha256     text   NOT NULL,
		prev       text   NOT NULL,
		hash       text   NOT NULL,
		PRIMARY KEY (contract, seq)
	)`,
	`CREATE UNIQUE INDEX events_submission ON events (contract, who, submission) WHERE submission <> ''`,
	`CREATE FUNCTION plumbline_in_order() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
		DECLARE
			last_seq  bigint;
			last_hash text;
		BEGIN
			SELECT seq, hash INTO last_seq, last_hash FROM events WHERE contract = NEW.contract ORDER BY seq DESC LIMIT 1;
			IF NEW.seq <> coalesce(last_seq, 0) + 1 OR NEW.prev <> coalesce(last_hash, '') THEN
				RAISE EXCEPTION 'an event must follow the last one' USING ERRCODE = 'integrity_constraint_violation';
			END IF;
			RETURN NEW;
		END
	$$`,
	`CREATE FUNCTION plumbline_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN
			RAISE EXCEPTION 'the ledger is append-only' USING ERRCODE = 'integrity_constraint_violation';
		END
	$$`,
	`CREATE TRIGGER events_in_order BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION plumbline_in_order()`,
	`CREATE TRIGGER events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON events EXECUTE FUNCTION plumbline_append_only()`,

	`CREATE TABLE artifacts (
		contract text COLLATE "C" NOT NULL,
		revision bigint NOT NULL,
		path     text COLLATE "C" NOT NULL,
		sha256   text   NOT NULL,
		body     bytea  NOT NULL,
		PRIMARY KEY (contract, revision, path)
	)`,
	`CREATE TRIGGER artifacts_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON artifacts EXECUTE FUNCTION plumbline_append_only()`,

	`CREATE TABLE chains (
		contract   text COLLATE "C" NOT NULL PRIMARY KEY,
		seq        bigint NOT NULL,
		hash       text   NOT NULL,
		revision   bigint NOT NULL,
		rounds     bigint NOT NULL,
		last_round bigint NOT NULL,
		last_done  bigint NOT NULL,
		waiting    bigint NOT NULL,
		progress   text   NOT NULL
	)`,
	`CREATE TABLE revisions (
		contract    text COLLATE "C" NOT NULL,
		revision    bigint NOT NULL,
		seq         bigint NOT NULL,
		fingerprint text   NOT NULL,
		sha256      text   NOT NULL,
		owner       text   NOT NULL,
		budget      bigint NOT NULL,
		extensions  bigint NOT NULL,
		PRIMARY KEY (contract, revision)
	)`,
	`CREATE TABLE actors (
		contract text COLLATE "C" NOT NULL,
		who      text COLLATE "C" NOT NULL,
		role     text   NOT NULL,
		kind     text   NOT NULL,
		PRIMARY KEY (contract, who, role, kind)
	)`,
}
