package main

import (
	"bytes"
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/scan"
	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

const lockHelp = `Lock a list of MCP tools that you have read: write each definition and its fingerprint to
a file that is kept beside the code. ` + "`plumbline scan mcp FILE --lock LOCK`" + ` then reports
every tool that was added, removed, renamed or changed since (AR103), with what changed,
before an agent reads it.`

const lockExample = `  plumbline capture --out tools.json -- \
    npx -y @modelcontextprotocol/server-memory
  plumbline lock mcp tools.json --out tools.lock.json
  plumbline scan mcp tools.json --lock tools.lock.json --fail-on high`

func newLockCmd(p *process) *cobra.Command {
	return newGroup("lock", "Lock what a scan is held to", lockHelp, newLockMCPCmd(p))
}

func newLockMCPCmd(p *process) *cobra.Command {
	out := ""
	cmd := &cobra.Command{
		Use:     "mcp FILE",
		Short:   "Lock the definitions of a list of MCP tools",
		Long:    lockHelp,
		Example: lockExample,
		Args:    exactly(1, "one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			_, err := interruptible(cmd.Context(), func() (struct{}, error) {
				return struct{}{}, p.lock(cmd.Context(), args[0], out)
			})
			return err
		},
	}
	addOut(cmd.Flags(), &out, "lock")
	return cmd
}

// lock locks the list in a file.
func (p *process) lock(ctx context.Context, file, out string) error {
	inputs, problems := expand([]string{file})
	switch {
	case len(problems) > 0:
		return problems[0]
	case len(inputs) != 1:
		return usagef("%s: %d files match: lock one list at a time", file, len(inputs))
	}
	in := inputs[0]
	if in.isFile() {
		if err := notOver(out, in.name, "list"); err != nil {
			return err
		}
	}
	document, err := (&reader{stdin: p.stdin}).read(in)
	if err != nil {
		return in.explain(err)
	}
	lock, err := scan.NewLock(ctx, document)
	if err != nil {
		return in.explain(err)
	}
	var text bytes.Buffer
	if err := lock.Write(&text); err != nil {
		return err
	}
	write := func(w io.Writer) error {
		_, err := w.Write(agentready.EscapeUnseen(text.Bytes()))
		return err
	}
	if out == "" {
		return written(write(p.stdout))
	}
	return writeFile(out, write)
}

// readLock reads the file of --lock, where that is given.
func (s *scanRun) readLock() error {
	name := s.flags.lock
	if name == "" {
		return nil
	}
	if s.kind == surface.OpenAPI || len(s.named) > 1 {
		return usagef("--lock %s is for one list of MCP tools: scan that alone, with `plumbline scan mcp`", name)
	}
	file, err := openLock(name)
	if err != nil {
		return input{name: "--lock " + name}.explain(err)
	}
	s.lock = file
	return nil
}

func openLock(name string) (*scan.Lock, error) {
	data, err := readRegular(name)
	if err != nil {
		return nil, err
	}
	lock, err := scan.ReadLock(data)
	if err != nil {
		return nil, usagef("%v: make it with `plumbline lock mcp FILE --out LOCK`", err)
	}
	return lock, nil
}

// maxDrift is how many characters of a changed text are shown.
const maxDrift = 2_000

// showDrift shows on stderr what changed since the lock, line against line.
func (s *scanRun) showDrift(in input, drift *scan.Drift) {
	if drift == nil || len(drift.Tools) == 0 {
		return
	}
	s.progress.clear()
	page := s.newPage(s.stderr)
	page.line("%s differs from %s in %s:", in.name, s.flags.lock, agentready.Count(len(drift.Tools), "tool"))
	for _, t := range drift.Tools[:min(len(drift.Tools), maxShown)] {
		page.line("  %s: %s", t.Tool, t.What)
		for _, c := range t.Changes {
			page.line("    %s", c.Pointer)
			if c.Old != "" {
				page.line("    - %s", surface.Clip(c.Old, maxDrift))
			}
			if c.New != "" {
				page.line("    + %s", surface.Clip(c.New, maxDrift))
			}
		}
		if t.More > 0 {
			page.line("    ... and %d more of its members", t.More)
		}
	}
	page.more(len(drift.Tools), "tools")
	_, _ = io.WriteString(s.stderr, page.String())
}
