package ledger

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strings"
	"sync"

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
	sha256      string // of its text, as its event has it
	owner       string // storable
	budget      int64
	extensions  int64 // extension rounds against it
}

const revisionColumns = `revision, seq, fingerprint, sha256, owner, budget, extensions`

// into gives the places that revisionColumns are read into.
func (r *revisionRow) into() []any {
	return []any{&r.number, &r.seq, &r.fingerprint, &r.sha256, &r.owner, &r.budget, &r.extensions}
}

// loadRevisions reads all revisions of a contract in order.
func loadRevisions(ctx context.Context, q querier, id string) ([]revisionRow, error) {
	rows, err := q.QueryContext(ctx, `SELECT `+revisionColumns+` FROM revisions WHERE contract = $1 ORDER BY revision`, id)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []revisionRow
	for rows.Next() {
		var r revisionRow
		if err := rows.Scan(r.into()...); err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, rows.Err()
}

func insertRevision(ctx context.Context, q querier, c *contract.Contract, seq int64) error {
	_, err := q.ExecContext(ctx, `INSERT INTO revisions (contract, `+revisionColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, 0)`,
		c.ID, c.Revision, seq, c.Fingerprint, c.SHA256(), storable(c.Owner), c.Budget)
	return err
}

// saveRevision writes the row of a revision that is copied.
func saveRevision(ctx context.Context, q querier, id string, r revisionRow) error {
	_, err := q.ExecContext(ctx, `INSERT INTO revisions (contract, `+revisionColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (contract, revision) DO UPDATE SET extensions = excluded.extensions`,
		id, r.number, r.seq, r.fingerprint, r.sha256, r.owner, r.budget, r.extensions)
	return err
}

// storable gives a text as every database can hold it: Postgres has none with a NUL,
// for which its visible sign stands, nor one that is not UTF-8.
func storable(s string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", "\u2400"), "\ufffd")
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
	s, err := loadRows(ctx, q, id)
	if err != nil {
		return nil, err
	}
	if s.head == nil { // no contract, or no revisions, which each has
		h, err := knownHead(ctx, q, id)
		if err != nil {
			return nil, err
		}
		s.head = h
	}
	if len(s.revisions) == 0 || s.newest().number != s.revision {
		return nil, damaged(id, s.seq, "and the list of revisions differ")
	}
	last, err := eventAt(ctx, q, id, s.seq)
	if err != nil {
		return nil, err
	}
	if last.Hash != s.hash {
		return nil, damaged(id, s.seq, "is not the one that its chain ends with")
	}
	return s, l.resume(ctx, q, s, s.progress)
}

// loadRows reads the head and the revisions of a contract in one query, since each
// recording begins with both.
func loadRows(ctx context.Context, q querier, id string) (*chainState, error) {
	rows, err := q.QueryContext(ctx, `SELECT `+prefixed("c.", headColumns)+`, `+prefixed("r.", revisionColumns)+`
		FROM chains c JOIN revisions r ON r.contract = c.contract WHERE c.contract = $1 ORDER BY r.revision`, id)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	s := &chainState{}
	for rows.Next() {
		var r revisionRow
		if s.head, err = scanHead(func(into ...any) error { return rows.Scan(append(into, r.into()...)...) }); err != nil {
			return nil, err
		}
		s.revisions = append(s.revisions, r)
	}
	return s, rows.Err()
}

// prefixed puts the name of a table in front of each column.
func prefixed(table, columns string) string {
	return table + strings.ReplaceAll(columns, ", ", ", "+table)
}

// resume makes the chain of a state from its revisions, the last of which is the
// newest.
func (l *Ledger) resume(ctx context.Context, q querier, s *chainState, progress contract.Progress) error {
	snapshot := contract.Snapshot{Progress: progress}
	for _, r := range s.revisions {
		snapshot.Revisions = append(snapshot.Revisions, contract.ChainRevision{Number: r.number, Fingerprint: r.fingerprint, Extensions: r.extensions})
	}
	newest := s.newest()
	c, err := l.contractOf(ctx, q, s.id, newest)
	if err != nil {
		return err
	}
	s.files = newKeptFiles(ctx, q, s.id, newest.number)
	snapshot.Newest, snapshot.Files = c, s.files
	s.chain = contract.ResumeChain(snapshot)
	return nil
}

// contractOf reads the contract of a revision, parsed once a process.
func (l *Ledger) contractOf(ctx context.Context, q querier, id string, r revisionRow) (*contract.Contract, error) {
	if c := l.parsed.get(r.sha256); c != nil {
		return c, nil
	}
	e, err := eventAt(ctx, q, id, r.seq)
	if err != nil {
		return nil, err
	}
	c, report := contract.ParseContract(e.Body)
	if contract.SHA256(e.Body) != r.sha256 || !report.Valid() {
		return nil, damaged(id, r.seq, "does not hold the revision that was registered")
	}
	l.parsed.keep(r.sha256, c)
	return c, nil
}

// parsedContracts are contracts kept parsed.
type parsedContracts struct {
	mu       sync.Mutex
	byDigest map[string]*contract.Contract // by the SHA-256 of their texts
}

func newParsedContracts() *parsedContracts {
	return &parsedContracts{byDigest: map[string]*contract.Contract{}}
}

func (p *parsedContracts) get(digest string) *contract.Contract {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.byDigest[digest]
}

func (p *parsedContracts) keep(digest string, c *contract.Contract) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.byDigest) >= parsedKept {
		clear(p.byDigest) // rare, and cheaper than keeping their order
	}
	p.byDigest[digest] = c
}
