package tools

import (
	"sync"

	"github.com/plumbline-mcp/plumbline/contract"
)

const (
	briefsKept = 64       // answers
	longBrief  = 16 << 10 // bytes of a contract whose answers are not kept
)

// briefKey is what an answer of render_brief follows from. The hash of a chain's head
// covers the contract's id, the bytes of its revisions and all that was recorded.
type briefKey struct {
	head     string
	revision int64 // as asked for: 0 for the newest
	role     contract.Role
	whole    bool // for a caller who sees all that a judge writes
}

// keptBriefs are answers of render_brief about registered contracts. Nobody changes a
// kept one.
type keptBriefs struct {
	mu    sync.Mutex
	byKey map[briefKey]*BriefAnswer
}

func newKeptBriefs() *keptBriefs { return &keptBriefs{byKey: map[briefKey]*BriefAnswer{}} }

func (k *keptBriefs) get(key briefKey) *BriefAnswer {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.byKey[key]
}

func (k *keptBriefs) keep(key briefKey, a *BriefAnswer) {
	if len(a.ContractText) > longBrief {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.byKey) >= briefsKept {
		clear(k.byKey) // rare, and cheaper than keeping their order
	}
	a.made = &made{}
	k.byKey[key] = a
}

// made is what a server made of a kept answer.
type made struct {
	once  sync.Once
	value any
	err   error
}

// Keep gives what make gave when it was called first, for an answer that is kept.
func (a *BriefAnswer) Keep(make func() (any, error)) (any, error) {
	if a.made == nil {
		return make()
	}
	a.made.once.Do(func() { a.made.value, a.made.err = make() })
	return a.made.value, a.made.err
}
