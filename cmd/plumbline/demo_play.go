package main

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/plumbline-mcp/plumbline/tools"
)

// demoChapter is a part of the story.
type demoChapter struct {
	title string
	why   string // it matters
	steps []demoStep
}

// demoStep is something that somebody does, and what comes of it.
type demoStep struct {
	who tools.Role // of the cast, or demoCI
	// does is the tool that is called; of demoCI the arguments of the command.
	does  string
	sends func(*demoStage) (any, error) // the tool's arguments; nil for a command
	shows []demoFact                    // of the arguments
	gets  []demoFact                    // of the answer
	notes []demoNote
}

// demoCI is who runs commands: a build, which has no session.
const demoCI tools.Role = "build"

// demoNote finds out something of a reply that stands in no one member. An error ends
// the story.
type demoNote func(*demoStage, demoReply) (string, error)

// demoReply is what was answered.
type demoReply struct {
	value any    // as decoded from JSON
	whole string // as it came, with all that belongs to it
}

// play does one step and shows it.
func (s *demoStage) play(ctx context.Context, page *demoPage, step demoStep) error {
	var reply demoReply
	var err error
	if step.who == demoCI {
		page.command(step.does)
		reply, err = s.run(ctx, strings.Fields(step.does))
	} else {
		page.call(s.agents[step.who].name, step)
		reply, err = s.send(ctx, page, step)
	}
	if err != nil {
		return err
	}
	s.replies[string(step.who)+" "+step.does] = reply
	if err := page.facts("got", reply.value, step.gets); err != nil {
		return err
	}
	for _, note := range step.notes {
		text, err := note(s, reply)
		if err != nil {
			return err
		}
		page.note(text)
	}
	return nil
}

// send calls the step's tool and shows what is sent.
func (s *demoStage) send(ctx context.Context, page *demoPage, step demoStep) (demoReply, error) {
	given, err := step.sends(s)
	if err != nil {
		return demoReply{}, err
	}
	args, err := json.Marshal(given)
	if err != nil {
		return demoReply{}, err
	}
	var sent any
	if err := json.Unmarshal(args, &sent); err != nil {
		return demoReply{}, err
	}
	if err := page.facts("sent", sent, step.shows); err != nil {
		return demoReply{}, err
	}
	return s.call(ctx, step.who, step.does, args)
}
