package ledger

import (
	"context"
	"errors"
	"slices"

	"github.com/plumbline-mcp/plumbline/contract"
)

// factsOfRound names what a round and the done report before it show alone. over says
// that it passes over extensions.
func factsOfRound(r *RoundStatus, reported *DoneStatus, over bool) []string {
	alone := &Status{
		Contract: &contract.Contract{}, Last: r, Done: reported,
		Progress: contract.Progress{Revision: r.Result.Revision, Rounds: 1, Verdict: r.Result.Round.Verdict},
	}
	if over {
		alone.ExtensionsUsed = 1 // or more: a name tells no number
	}
	var names []string
	for _, fact := range facts(alone) {
		names = append(names, fact.Name)
	}
	return names
}

// passesOver says whether a round passes although one before it found an extension on the
// same revision: nobody answered it. known are the first extension rounds by revision, as
// far as they have been looked for.
func (l *Ledger) passesOver(ctx context.Context, q querier, state *chainState, r *RoundStatus, known map[int64]int64) (bool, error) {
	i := slices.IndexFunc(state.revisions, func(row revisionRow) bool { return row.number == r.Result.Revision })
	if i < 0 || r.Result.Round.Verdict != contract.Pass || state.revisions[i].extensions == 0 {
		return false, nil
	}
	row := state.revisions[i]
	if known[row.number] == 0 {
		first, err := l.firstExtension(ctx, q, state, row)
		if err != nil {
			return false, err
		}
		known[row.number] = first
	}
	return known[row.number] < r.Receipt.Seq, nil
}

// errFound ends a search.
var errFound = errors.New("found")

// firstExtension gives the sequence number of the first round that found an extension on a
// revision, which some did. It reads the rounds before that one and none behind it.
func (l *Ledger) firstExtension(ctx context.Context, q querier, state *chainState, row revisionRow) (first int64, err error) {
	err = eachEvent(ctx, q, state.id, row.seq, allEvents, func(e *Event) error {
		if e.Kind != Round {
			return nil
		}
		if err := e.intact(); err != nil {
			return err
		}
		r, err := l.roundOf(ctx, q, state, e)
		if err == nil && r.Result.Extensions() > 0 {
			first, err = e.Seq, errFound
		}
		return err
	})
	switch err {
	case errFound:
		return first, nil
	case nil:
		err = damaged(state.id, row.seq, "and the count of its extension rounds differ")
	}
	return 0, err
}
