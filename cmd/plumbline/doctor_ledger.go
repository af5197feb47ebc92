package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

// doctorChains is how many chains are recomputed: all of a large ledger would take long.
const doctorChains = 20

// ledger looks whether the ledger can be read and recorded in. One that is not made yet is
// well where nobody named it; a name may be mistyped.
func (d *doctor) ledger(ctx context.Context) (diagnosis, error) {
	dsn, err := d.service.where()
	if err != nil {
		return diagnosis{}, err
	}
	opened, err := d.service.open(ctx)
	switch {
	case errors.Is(err, errNoneYet):
		return notMade(dsn), nil
	case errors.Is(err, ledger.ErrNoLedger):
		return warn("check the name; `plumbline contract register` makes it", "there is no ledger yet at %s", shownDSN(dsn)), nil
	case err != nil:
		return ledgerFails(dsn, err), nil
	}
	defer opened.Close()
	if err := opened.Ping(ctx); err != nil {
		return ledgerFails(dsn, err), nil
	}
	return fine("%s can be read and recorded in", shownDSN(dsn)), nil
}

// ledgerFails is for a ledger that is of no use; a file is named.
func ledgerFails(dsn string, err error) diagnosis {
	found := failed(err)
	if strings.HasPrefix(dsn, "sqlite:") {
		found.Found = shownDSN(dsn) + ": " + found.Found
	}
	return found
}

// notMade is for the ledger that is used unless one is named, which is not there yet.
func notMade(dsn string) diagnosis {
	_, path, _ := strings.Cut(dsn, ":")
	dir := filepath.Dir(path)
	for !isThere(dir) && dir != filepath.Dir(dir) {
		dir = filepath.Dir(dir)
	}
	if !mayWrite(dir) {
		return diagnosis{Grade: gradeFail, Found: fmt.Sprintf("not made yet, and %s may not be written to", dir),
			Next: "make the directory yours to write to, or name another place with --ledger"}
	}
	return fine("not made yet: `plumbline contract register` makes it at %s", shownDSN(dsn))
}

// shownDSN is a DSN without what may be secret: a password, and options, which may hold
// one.
func shownDSN(dsn string) string {
	scheme, location, _ := strings.Cut(dsn, ":")
	if scheme == "sqlite" {
		return dsn
	}
	u, err := url.Parse(scheme + ":" + location)
	if err != nil {
		return scheme + "://…"
	}
	if u.User != nil {
		u.User = url.User(u.User.Username())
	}
	u.RawQuery, u.Fragment = "", ""
	return u.String()
}

// chains recomputes the first chains of the ledger.
func (d *doctor) chains(ctx context.Context) (diagnosis, error) {
	opened, err := d.service.open(ctx)
	if err != nil {
		return diagnosis{}, errNoCheck // as the check of the ledger says
	}
	defer opened.Close()
	page, more, err := opened.Contracts(ctx, ledger.Query{Limit: doctorChains})
	if err != nil {
		return diagnosis{}, err
	}
	events := int64(0)
	for _, c := range page {
		found, err := opened.Verify(ctx, c.ContractID, "")
		if err != nil {
			return diagnosis{}, err
		}
		if !found.OK() {
			fault := found.Faults[0]
			return diagnosis{Grade: gradeFail, Found: fmt.Sprintf("the chain of %s does not agree with itself: event %d: %s", c.ContractID, fault.Seq, fault.What),
				Next: "`plumbline chain verify --id " + shellWord(c.ContractID) + "` shows all; restore the ledger from a copy"}, nil
		}
		events += found.Events
	}
	which := "verified"
	if more {
		which = "verified, the first of more; `plumbline chain verify --id ID` checks any"
	}
	return fine("%s with %s %s", agentready.Count(len(page), "contract"), agentready.Count(int(events), "event"), which), nil
}
