package main

import (
	"bytes"
	"encoding/json"
	"slices"
)

// maxHookInput is the largest JSON of a hook that is read, in bytes. It holds the agent's
// last message.
const maxHookInput = 16 << 20

// stopEvent is what a host tells a hook on stdin, as far as it matters here.
type stopEvent struct {
	Name   string `json:"hook_event_name"`
	Active bool   `json:"stop_hook_active"` // whether a hook has held the agent in this turn
	Dir    string `json:"cwd"`              // where the agent works
}

// stops says whether the agent, or one that it started, is about to stop.
func (e stopEvent) stops() bool { return slices.Contains([]string{"Stop", "SubagentStop"}, e.Name) }

// readEvent reads what the host tells.
func (h *stopHook) readEvent() (event stopEvent, err error) {
	if _, tty := terminal(h.stdin); tty {
		return event, usagef("stdin is a terminal: a host gives the hook's JSON there, such as %s", `{"hook_event_name": "Stop"}`)
	}
	given, err := h.readOne(maxHookInput, stdinArg)
	if err != nil {
		return event, err
	}
	text := bytes.TrimPrefix(given.text, []byte("\ufeff")) // as some shells write it into a pipe
	if err := json.Unmarshal(text, &event); err != nil {
		return stopEvent{}, usagef("stdin holds no JSON of a hook: %v", err)
	}
	if event.Name == "" {
		return stopEvent{}, usagef("stdin names no hook_event_name: run this as a hook of Claude Code")
	}
	return event, nil
}
