package ledger

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"

	"github.com/plumbline-mcp/plumbline/contract"
)

// Registration is what the ledger says of a revision.
type Registration struct {
	Contract *contract.Contract // nil where the text is no JSON object
	// Report has every problem of the revision, alone and after those before it, and
	// where it is valid the warnings AAC306 and AAC307.
	Report  *contract.Report
	Review  *contract.Review // what changed; nil where the revision is not valid
	Receipt *Receipt         // nil where it is not registered
	Already bool             // whether an earlier call registered exactly these bytes
	Next    []contract.Step  // who acts now; of what is not registered, as if it were not sent
}

// CheckRevision says what [Ledger.Register] would, and records nothing.
func (l *Ledger) CheckRevision(ctx context.Context, text []byte, root fs.FS) (*Registration, error) {
	r, files, err := prepareRevision(text, root)
	if err != nil || !r.Report.Valid() {
		return r, err
	}
	if err := l.admits(r.Contract); err != nil {
		return nil, err
	}
	err = l.view(ctx, r.Contract.ID, func(ctx context.Context, q querier) error {
		_, err := l.place(ctx, q, r, files)
		return err
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Register registers a revision (objects page, section 8), with the case and domain
// files that it names, read under root (nil for nowhere): from then on every process
// judges by these bytes. The same bytes again are Already registered. Other bytes of a
// revision that is registered are REVISION_CONFLICT, an artifact that cannot be read
// or is not as declared UNREADABLE_FILE. A revision that is not valid is an answer
// without a receipt. The text must not be changed afterwards.
func (l *Ledger) Register(ctx context.Context, caller Caller, text []byte, root fs.FS) (*Registration, error) {
	if err := caller.check(Revision); err != nil {
		return nil, err
	}
	r, files, err := prepareRevision(text, root)
	if err != nil || !r.Report.Valid() {
		return r, err
	}
	if err := l.admits(r.Contract); err != nil {
		return nil, err
	}
	err = l.change(ctx, r.Contract.ID, func(ctx context.Context, q querier) error {
		h, err := l.place(ctx, q, r, files)
		if err != nil || r.Already || !r.Report.Valid() {
			return err
		}
		return l.recordRevision(ctx, q, h, caller, r, files)
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// revisionFiles are what a revision is registered with.
type revisionFiles struct {
	kept map[string][]byte
	err  error // why they cannot be kept; no matter where the revision is registered already
}

// prepareRevision does what needs no store.
func prepareRevision(text []byte, root fs.FS) (*Registration, revisionFiles, error) {
	c, report := contract.ParseContract(text)
	r := &Registration{Contract: c, Report: report, Next: []contract.Step{}}
	if !report.Valid() {
		return r, revisionFiles{}, nil
	}
	report.Merge(contract.CheckLinks(c, root), "")
	if !report.Valid() {
		return r, revisionFiles{}, nil
	}
	kept, err := contract.ReadArtifacts(c, root)
	if errors.Is(err, contract.ErrTooMuchKept) {
		return nil, revisionFiles{}, &Error{Code: TooLarge, Message: err.Error(), Hint: "name fewer or smaller files", Err: err}
	}
	if err != nil {
		return r, revisionFiles{err: &Error{Code: UnreadableFile, Message: err.Error(),
			Hint: "give the root that the file lies under, or its text, with the bytes that the contract declares", Err: err}}, nil
	}
	return r, revisionFiles{kept: kept}, nil
}

// place holds a valid revision against those registered, and gives the head that it
// would follow.
func (l *Ledger) place(ctx context.Context, q querier, r *Registration, files revisionFiles) (*head, error) {
	c := r.Contract
	h, err := loadHead(ctx, q, c.ID)
	if err != nil {
		return nil, err
	}
	if h == nil {
		r.Report.Merge(contract.ResumeChain(contract.Snapshot{}).CheckRevision(c), "")
		r.review(nil, false)
		r.Next = contract.Next(contract.Progress{})
		return &head{id: c.ID}, files.needed(r)
	}
	s, err := l.loadState(ctx, q, c.ID)
	if err != nil {
		return nil, err
	}
	r.Next = contract.Next(s.progress)
	if c.Revision <= s.revision {
		return h, l.already(ctx, q, s, r)
	}
	r.Report.Merge(s.chain.CheckRevision(c), "")
	r.review(s.chain.Newest(), s.newest().extensions > 0)
	return h, files.needed(r)
}

// needed is the files' error where the revision could be registered but for them.
func (f revisionFiles) needed(r *Registration) error {
	if !r.Report.Valid() {
		return nil
	}
	return f.err
}

func (r *Registration) review(previous *contract.Contract, extended bool) {
	if !r.Report.Valid() {
		return
	}
	r.Review = contract.ReviewRevision(previous, r.Contract, extended)
	r.Report.Merge(r.Review.Report, "")
}

// already compares a revision with the one that has its number.
func (l *Ledger) already(ctx context.Context, q querier, s *chainState, r *Registration) error {
	at := int(r.Contract.Revision) - 1
	row := s.revisions[at]
	e, err := eventAt(ctx, q, s.id, row.seq)
	if err != nil {
		return err
	}
	if !bytes.Equal(e.Body, r.Contract.Text) {
		return refuse(RevisionConflict,
			fmt.Sprintf("revision %d of %s is registered with other bytes (SHA-256 %s, not %s)", row.number, quote(s.id), e.BodySHA256, r.Contract.SHA256()),
			fmt.Sprintf("a revision never changes: register the change as revision %d, which `plumbline contract stamp --revision %d FILE` makes of it", s.revision+1, s.revision+1))
	}
	var previous *contract.Contract
	extended := false
	if at > 0 {
		if previous, err = l.contractOf(ctx, q, s.id, s.revisions[at-1]); err != nil {
			return err
		}
		extended = s.revisions[at-1].extensions > 0
	}
	r.review(previous, extended)
	r.Already = true
	r.Receipt, err = l.receipt(e)
	return err
}

func (l *Ledger) recordRevision(ctx context.Context, q querier, h *head, caller Caller, r *Registration, files revisionFiles) error {
	c := r.Contract
	if err := keepArtifacts(ctx, q, c, files.kept); err != nil {
		return err
	}
	if err := insertRevision(ctx, q, c, h.seq+1); err != nil {
		return err
	}
	h.revision, h.progress = c.Revision, contract.Progress{Revision: c.Revision}
	e := &Event{Kind: Revision, Body: c.Text}
	if err := l.record(ctx, q, h, caller, e); err != nil {
		return err
	}
	r.Next = contract.Next(h.progress)
	var err error
	r.Receipt, err = l.receipt(e)
	return err
}

// RequireRegistered says whether exactly the bytes of a contract are registered as
// its revision; else the error is NOT_REGISTERED.
func (l *Ledger) RequireRegistered(ctx context.Context, c *contract.Contract) error {
	notRegistered := refuse(NotRegistered, fmt.Sprintf("these bytes are not registered as revision %d of %s", c.Revision, quote(c.ID)),
		"register the contract first, or name the registered one by its id")
	if !l.sees(c.ID) {
		return notRegistered
	}
	return l.view(ctx, c.ID, func(ctx context.Context, q querier) error {
		var body []byte
		err := q.QueryRowContext(ctx, `SELECT e.body FROM revisions r JOIN events e ON e.contract = r.contract AND e.seq = r.seq
			WHERE r.contract = $1 AND r.revision = $2`, c.ID, c.Revision).Scan(&body)
		if errors.Is(err, sql.ErrNoRows) || err == nil && !bytes.Equal(body, c.Text) {
			return notRegistered
		}
		return err
	})
}
