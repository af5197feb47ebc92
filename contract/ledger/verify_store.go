package ledger

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"

	"github.com/plumbline-mcp/plumbline/contract"
)

// keptFiles holds the artifacts of a revision against their digests and against what
// the contract declares, and gives them. Where they cannot be read, the faults that it
// tells are none: see [keptFiles.failed].
func (v *verifier) keptFiles(ctx context.Context, q querier, e *Event) *keptFiles {
	number := int64(len(v.revisions)) + 1
	files := newKeptFiles(ctx, q, v.ContractID, number)
	if files.list() != nil {
		return files
	}
	if c, report := contract.ParseContract(e.Body); report.Valid() {
		declared, err := contract.ReadArtifacts(c, files)
		if err != nil {
			v.fault(e.Seq, "its artifacts are not as declared: %s", err)
		} else if names := slices.Sorted(maps.Keys(declared)); !slices.Equal(names, files.names) {
			v.fault(e.Seq, "artifacts are kept that it does not name")
		}
	}
	for _, name := range files.names {
		if !files.intact(name) {
			v.fault(e.Seq, "the artifact %s does not have the SHA-256 kept beside it", quote(name))
		}
	}
	return files
}

// intact says whether a kept file has the digest beside it.
func (k *keptFiles) intact(name string) bool {
	var digest string
	var body []byte
	err := k.q.QueryRowContext(k.ctx, `SELECT sha256, body FROM artifacts WHERE contract = $1 AND revision = $2 AND path = $3`, k.id, k.revision, name).Scan(&digest, &body)
	return k.fail(err) == nil && contract.SHA256(body) == digest
}

// store holds what the store keeps beside the events against what follows from them.
func (v *verifier) store(ctx context.Context, q querier, b backend) error {
	missing, err := b.unguarded(ctx, q)
	if err != nil {
		return err
	}
	for _, name := range missing {
		v.fault(0, "the trigger %s, which keeps the ledger append-only, is missing", name)
	}
	if err := v.storedHead(ctx, q); err != nil {
		return err
	}
	rows, err := loadRevisions(ctx, q, v.ContractID)
	if err != nil {
		return err
	}
	if !slices.Equal(rows, v.revisions) {
		v.fault(0, "the store's list of revisions, with fingerprints, budgets and extension counts, does not follow from the events")
	}
	actors, err := loadActors(ctx, q, v.ContractID)
	if err != nil {
		return err
	}
	if !slices.Equal(actors, slices.SortedFunc(maps.Keys(v.actors), compareActors)) {
		v.fault(0, "the store's list of who acted does not follow from the events")
	}
	return v.strayArtifacts(ctx, q)
}

func (v *verifier) storedHead(ctx context.Context, q querier) error {
	h, err := loadHead(ctx, q, v.ContractID)
	var known *Error
	if errors.As(err, &known) {
		v.fault(0, "%s", known.Message)
		return nil
	}
	switch {
	case err != nil:
		return err
	case h == nil && v.Events == 0:
		return unknownContract(v.ContractID)
	case h == nil:
		v.fault(0, "the store has events of the contract, but no head of its chain")
		return nil
	case *h != v.head:
		v.fault(0, "the store's head of the chain (event %d) does not follow from the events, which end at %d", h.seq, v.last.Seq)
	}
	var waiting int64
	err = q.QueryRowContext(ctx, `SELECT waiting FROM chains WHERE contract = $1`, v.ContractID).Scan(&waiting)
	if err == nil && waiting != v.head.waiting() {
		v.fault(0, "the store's list of who has to act does not follow from the events")
	}
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}

// strayArtifacts finds artifacts of revisions that there are not.
func (v *verifier) strayArtifacts(ctx context.Context, q querier) error {
	var n int
	err := q.QueryRowContext(ctx, `SELECT count(*) FROM artifacts WHERE contract = $1 AND (revision < 1 OR revision > $2)`, v.ContractID, len(v.revisions)).Scan(&n)
	if err == nil && n > 0 {
		v.fault(0, "artifacts are kept of revisions that no event registers")
	}
	return err
}
