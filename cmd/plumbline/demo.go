package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"
)

const demoHelp = `Show what Plumbline is for, in a few seconds: an owner, a builder and a judge work by
one contract, each over an MCP session with a server of their own, on one ledger. What
they say is written down beforehand; what the servers answer is not, and the demo fails
where an answer is not what its story says.

It needs no network and no set-up. All it writes is in a temporary directory that it
removes; a ledger that you have is not touched. It ends with the lines that add the
server to a client.`

// demoDeadline is when a demo that hangs gives up; it takes a second or two.
const demoDeadline = 2 * time.Minute

func newDemoCmd(p *process) *cobra.Command {
	return &cobra.Command{
		Use:     "demo",
		Short:   "Show an owner, a builder and a judge at work, over MCP",
		Long:    demoHelp,
		Example: "  plumbline demo",
		Args:    atMost(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			binary, err := os.Executable()
			if err != nil {
				return demoFailed("cannot find this program's own file, which the servers are started from: %v", err)
			}
			return p.demo(cmd.Context(), binary, demoStory)
		},
	}
}

// demo tells the story with servers of the program in the file binary.
func (p *process) demo(ctx context.Context, binary string, story []demoChapter) (err error) {
	// A reader that leaves makes writing fail; without this, the process would die of
	// the signal and leave its directory behind.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGHUP) // nor of a terminal that is closed
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, demoDeadline)
	defer cancel()
	dir, err := os.MkdirTemp("", "plumbline-demo-")
	if err != nil {
		return usagef("cannot make a temporary directory: %v: set TMPDIR to a directory that can be written", plain(err))
	}
	defer func() {
		if left := os.RemoveAll(dir); left != nil {
			err = worstOf(err, usagef("cannot remove %s: %v: remove it yourself", dir, plain(left)))
		}
	}()
	s := &demoStage{process: p, binary: binary, dir: dir, replies: map[string]demoReply{}}
	defer s.close()
	if err := s.open(ctx); err != nil {
		return err
	}
	for i, chapter := range story {
		if err := s.tell(ctx, i+1, chapter); err != nil {
			return err
		}
	}
	return p.demoSetup(binary)
}

// tell plays one chapter and shows each of its steps.
func (s *demoStage) tell(ctx context.Context, number int, chapter demoChapter) error {
	page := s.newDemoPage()
	page.chapter(number, chapter)
	for _, step := range chapter.steps {
		if err := s.play(ctx, page, step); err != nil {
			return worstOf(page.print(s.stdout), demoIn(number, chapter, step, err))
		}
	}
	return page.print(s.stdout)
}
