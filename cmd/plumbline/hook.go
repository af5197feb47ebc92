package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/tools"
)

const hookHelp = `Commands that a coding agent's host runs at points of its work, and obeys.`

func newHookCmd(p *process) *cobra.Command {
	return newGroup("hook", "Hold an agent to its contract where it would stop", hookHelp,
		newHookStopCmd(p),
	)
}

const hookStopHelp = `For the Stop or SubagentStop hook of Claude Code: let a builder finish only once the
newest revision of each contract has a done report that is complete and passing, and
nothing else is the builder's to do, such as mending what a later round found. It reads
the hook's JSON on stdin.

The ledger is the one of the project's directory, as the host names it in
CLAUDE_PROJECT_DIR, unless --ledger, PLUMBLINE_LEDGER or --server names another; a relative
sqlite:PATH is one of that directory too. Where the agent has gone with cd says nothing.
Of a host that does not set CLAUDE_PROJECT_DIR it is the JSON's cwd, and stderr says so:
there name a ledger by an absolute path, or a server. Every answer says which ledger gave
it.

The exit codes are the host's own, unlike those of other commands:
  0  the builder may finish
  2  it may not: stderr tells it what is missing, and how to go on
  1  it may, since stopping again is all that it can do, and the user sees why

A builder who has something to do is held every time: Claude Code itself ends a turn
that was held eight times in a row without any work in between. With --once it is held
once a turn.

What only a person can mend (bad usage, a ledger out of reach, an id that is not
registered) holds the builder once a turn too, so that it can tell; where stdin does not
say that it was held before, every time. Of another event than the two the exit code is
1: holding tools up would mend nothing.`

const hookStopExample = `  plumbline hook stop --id checkout-refunds
  plumbline hook stop --id checkout-refunds --server https://plumbline.example`

// The exit codes of hooks, as the host takes them. Another code than 0 and 2 does not
// hold the agent, and its user sees stderr.
const (
	hookHolds = 2
	hookTells = 1
)

// hookTime is how long a hook may take: less than the minute after which the host
// kills it and lets the agent go.
const hookTime = 45 * time.Second

// stopHook is one call of `hook stop`.
type stopHook struct {
	*process
	service *serviceFlags
	ids     []string
	once    bool
	limit   time.Duration // hookTime
}

func newHookStopCmd(p *process) *cobra.Command {
	hook := &stopHook{process: p, limit: hookTime}
	cmd := &cobra.Command{
		Use:     "stop --id ID...",
		Short:   "Let a builder finish only once its work is reported done",
		Long:    hookStopHelp,
		Example: hookStopExample,
		Args:    cobra.ArbitraryArgs,
	}
	hook.service = addService(p, cmd)
	role := cmd.Flags().Lookup("role")
	role.DefValue = string(tools.Builder)
	hook.service.role = role.DefValue
	cmd.Flags().StringArrayVar(&hook.ids, "id", nil, "the `ID` of a contract to hold to; may be repeated")
	cmd.Flags().BoolVar(&hook.once, "once", false, "hold the builder once a turn, then let it stop and tell the user")
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return hook.run(cmd.Context(), flagError(cmd, err)) })
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return hook.run(cmd.Context(), hook.check(cmd, args)) }
	return cmd
}

// check refuses what `hook stop` cannot be called with.
func (h *stopHook) check(cmd *cobra.Command, args []string) error {
	if len(h.ids) == 0 {
		return usagef("no contract: name it with --id ID; `plumbline contract list` shows them")
	}
	return atMost(0, "no arguments")(cmd, args)
}

// run decides whether the agent may stop; usage is what is wrong with how it was called,
// nil for nothing.
func (h *stopHook) run(ctx context.Context, usage error) error {
	limited, cancel := context.WithTimeout(ctx, h.limit)
	defer cancel()
	event, err := interruptible(limited, func() (stopEvent, error) { return h.readEvent() })
	if err == nil && !event.stops() {
		return &exitError{code: hookTells, message: fmt.Sprintf(
			"the event is %q: run this hook for Stop or SubagentStop alone", clip(event.Name))}
	}
	var heard hearing
	if err == nil && usage == nil {
		heard, err = interruptible(limited, func() (hearing, error) { return h.ask(limited, event.Dir), nil })
	}
	switch {
	case ctx.Err() != nil:
		return errInterrupted
	case limited.Err() != nil:
		err = usagef("no answer came within %v", h.limit)
	case usage != nil:
		err = usage
	}
	if err != nil {
		heard.failed = []error{err}
	}
	held := h.held(heard.answers)
	switch {
	case len(held) > 0:
		return h.hold(held, heard, event.Active && h.once)
	case len(heard.failed) > 0:
		return h.unable(heard, event.Active)
	}
	return h.letGo(heard)
}

// hearing is what a ledger said of how the contracts stand.
type hearing struct {
	source  string // the ledger, for people; empty where none was found
	flags   string // by which other commands reach it
	answers []tools.StatusAnswer
	failed  []error // why there is no answer about others
}

// ask asks how each contract stands.
func (h *stopHook) ask(ctx context.Context, cwd string) (heard hearing) {
	if err := h.fix(cwd); err != nil {
		heard.failed = append(heard.failed, err)
		return heard
	}
	heard.source, heard.flags = h.source(), h.again()
	s, err := h.service.connect(ctx)
	if err != nil {
		heard.failed = append(heard.failed, err)
		return heard
	}
	defer s.close()
	for _, id := range h.ids {
		answer, err := callOn[tools.StatusAnswer](ctx, s, "chain_status", map[string]any{"contract_id": id})
		if err != nil {
			heard.failed = append(heard.failed, err)
			continue
		}
		heard.answers = append(heard.answers, answer)
	}
	return heard
}

// unable ends a call that cannot tell whether the work is done. Only a person can mend
// that: the agent is held so that it tells of it, and let go when it was.
func (h *stopHook) unable(heard hearing, before bool) error {
	if before {
		return &exitError{code: hookTells, message: "the agent stops although " + heard.untold(before)}
	}
	return &exitError{code: hookHolds, message: heard.untold(before)}
}

// untold says that and why there is no answer: to the user, or to the agent, who must not
// mend it.
func (h hearing) untold(user bool) string {
	words := []string{"nobody can tell whether the work is done"}
	if !user {
		words = append(words, "tell the user, who can mend it, and do not mend it yourself")
	}
	if h.source != "" {
		words = append(words, h.source)
	}
	return strings.Join(append(words, problems(h.failed, user)), ": ")
}

// problems words why there is no answer. Hints are for the user, and may send to what an
// agent must not do, such as registering a contract.
func problems(failed []error, hints bool) string {
	var words []string
	for _, err := range failed {
		var told *tools.Error
		var le *ledger.Error
		switch {
		case hints:
		case errors.As(err, &told):
			bare := *told
			bare.Hint, err = "", &bare
		case errors.As(err, &le):
			bare := *le
			bare.Hint, err = "", &bare
		}
		words = append(words, refusal(err).Error())
	}
	return strings.Join(words, "; ")
}
