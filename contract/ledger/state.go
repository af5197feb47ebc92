package ledger

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/plumbline-mcp/plumbline/contract"
)

// head is what the store keeps of a chain beside its events: where it ends and how
// the newest revision stands.
type head struct {
	id        string
	seq       int64
	hash      string
	revision  int64 // number of the newest
	rounds    int64 // of all revisions
	lastRound int64 // sequence numbers; 0 for none
	lastDone  int64
	progress  contract.Progress
}

const headColumns = `contract, seq, hash, revision, rounds, last_round, last_done, progress`

func scanHead(scan func(...any) error) (*head, error) {
	h := &head{}
	var progress string
	if err := scan(&h.id, &h.seq, &h.hash, &h.revision, &h.rounds, &h.lastRound, &h.lastDone, &progress); err != nil {
		return nil, err
	}
	if err := json.Unmarshal([]byte(progress), &h.progress); err != nil {
		return nil, damaged(h.id, h.seq, "does not show in the chain's state")
	}
	return h, nil
}

// loadHead reads a chain's head; nil where the contract has none.
func loadHead(ctx context.Context, q querier, id string) (*head, error) {
	h, err := scanHead(q.QueryRowContext(ctx, `SELECT `+headColumns+` FROM chains WHERE contract = $1`, id).Scan)
	if err == sql.ErrNoRows {
		return nil, nil
	}
	return h, err
}

// knownHead reads the head of a contract that must be there.
func knownHead(ctx context.Context, q querier, id string) (*head, error) {
	h, err := loadHead(ctx, q, id)
	if err == nil && h == nil {
		err = unknownContract(id)
	}
	return h, err
}

// save writes the head behind the event that it now ends with.
func (h *head) save(ctx context.Context, q querier) error {
	progress, err := h.progressText()
	if err != nil {
		return err
	}
	_, err = q.ExecContext(ctx, `INSERT INTO chains (`+headColumns+`, waiting) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
		ON CONFLICT (contract) DO UPDATE SET seq = excluded.seq, hash = excluded.hash, revision = excluded.revision, rounds = excluded.rounds,
			last_round = excluded.last_round, last_done = excluded.last_done, progress = excluded.progress, waiting = excluded.waiting`,
		h.id, h.seq, h.hash, h.revision, h.rounds, h.lastRound, h.lastDone, progress, h.waiting())
	return err
}

func (h *head) progressText() (string, error) {
	text, err := json.Marshal(h.progress)
	return string(text), err
}

// waitingBits are the actors in the column waiting.
var waitingBits = map[contract.Actor]int64{contract.ActorOwner: 1, contract.ActorBuilder: 2, contract.ActorJudge: 4}

// waiting is the set of those who have to act next.
func (h *head) waiting() int64 {
	var set int64
	for _, step := range contract.Next(h.progress) {
		set |= waitingBits[step.Actor]
	}
	return set
}

// revisionRow is what the store keeps of a revision beside its event.
type revisionRow struct {
	number, seq int64
	fingerprint string
	owner       string
	budget      int64
	extensions  int64 // extension rounds against it
}

// loadRevisions reads all revisions of a contract in order.
func loadRevisions(ctx context.Context, q querier, id string) ([]revisionRow, error) {
	rows, err := q.QueryContext(ctx, `SELECT revision, seq, fingerprint, owner, budget, extensions FROM revisions WHERE contract = $1 ORDER BY revision`, id)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []revisionRow
	for rows.Next() {
		var r revisionRow
		if err := rows.Scan(&r.number, &r.seq, &r.fingerprint, &r.owner, &r.budget, &r.extensions); err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, rows.Err()
}

func insertRevision(ctx context.Context, q querier, c *contract.Contract, seq int64) error {
	_, err := q.ExecContext(ctx, `INSERT INTO revisions (contract, revision, seq, fingerprint, owner, budget, extensions) VALUES ($1, $2, $3, $4, $5, $6, 0)`,
		c.ID, c.Revision, seq, c.Fingerprint, c.Owner, c.Budget)
	return err
}

func saveExtensions(ctx context.Context, q querier, id string, revision, extensions int64) error {
	_, err := q.ExecContext(ctx, `UPDATE revisions SET extensions = $3 WHERE contract = $1 AND revision = $2`, id, revision, extensions)
	return err
}

// actor is a name in a role that recorded events of a kind.
type actor struct {
	who  string
	role contract.Actor
	kind Kind
}

func compareActors(a, b actor) int {
	return cmp.Or(cmp.Compare(a.who, b.who), cmp.Compare(a.role, b.role), cmp.Compare(a.kind, b.kind))
}

func loadActors(ctx context.Context, q querier, id string) ([]actor, error) {
	rows, err := q.QueryContext(ctx, `SELECT who, role, kind FROM actors WHERE contract = $1`, id)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []actor
	for rows.Next() {
		var a actor
		if err := rows.Scan(&a.who, &a.role, &a.kind); err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	slices.SortFunc(all, compareActors) // databases differ in how they order texts
	return all, rows.Err()
}

func insertActor(ctx context.Context, q querier, e *Event) error {
	_, err := q.ExecContext(ctx, `INSERT INTO actors (contract, who, role, kind) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
		e.Contract, e.Who, string(e.Role), string(e.Kind))
	return err
}

// chainState is a chain as it stands, ready to judge the next event.
type chainState struct {
	*head
	revisions []revisionRow
	chain     *contract.Chain
	files     *keptFiles // of the newest revision
}

// newest gives the row of the newest revision.
func (s *chainState) newest() revisionRow { return s.revisions[len(s.revisions)-1] }

// loadState reads the state of a contract that must be there.
func (l *Ledger) loadState(ctx context.Context, q querier, id string) (*chainState, error) {
	h, err := knownHead(ctx, q, id)
	if err != nil {
		return nil, err
	}
	rows, err := loadRevisions(ctx, q, id)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 || rows[len(rows)-1].number != h.revision {
		return nil, damaged(id, h.seq, "and the list of revisions differ")
	}
	s := &chainState{head: h, revisions: rows}
	return s, l.resume(ctx, q, s, h.progress)
}

// resume makes the chain of a state from its revisions, the last of which is the
// newest.
func (l *Ledger) resume(ctx context.Context, q querier, s *chainState, progress contract.Progress) error {
	snapshot := contract.Snapshot{Progress: progress}
	for _, r := range s.revisions {
		snapshot.Revisions = append(snapshot.Revisions, contract.ChainRevision{Number: r.number, Fingerprint: r.fingerprint, Extensions: r.extensions})
	}
	newest := s.newest()
	c, err := l.contractAt(ctx, q, s.id, newest.seq)
	if err != nil {
		return err
	}
	s.files = newKeptFiles(ctx, q, s.id, newest.number)
	snapshot.Newest, snapshot.Files = c, s.files
	s.chain = contract.ResumeChain(snapshot)
	return nil
}

// contractAt reads the contract that an event registered, parsed once a process.
func (l *Ledger) contractAt(ctx context.Context, q querier, id string, seq int64) (*contract.Contract, error) {
	var digest string
	err := q.QueryRowContext(ctx, `SELECT sha256 FROM events WHERE contract = $1 AND seq = $2`, id, seq).Scan(&digest)
	if err == sql.ErrNoRows {
		return nil, damaged(id, seq, "is missing")
	} else if err != nil {
		return nil, err
	}
	if c := l.parsedContract(digest); c != nil {
		return c, nil
	}
	e, err := eventAt(ctx, q, id, seq)
	if err != nil {
		return nil, err
	}
	c, report := contract.ParseContract(e.Body)
	if contract.SHA256(e.Body) != digest || !report.Valid() {
		return nil, damaged(id, seq, fmt.Sprintf("should be a %s, and is not the one that was registered", Revision))
	}
	l.keepParsed(digest, c)
	return c, nil
}

func (l *Ledger) parsedContract(digest string) *contract.Contract {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.parsed[digest]
}

func (l *Ledger) keepParsed(digest string, c *contract.Contract) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.parsed) >= parsedKept {
		clear(l.parsed) // rare, and cheaper than keeping their order
	}
	l.parsed[digest] = c
}
