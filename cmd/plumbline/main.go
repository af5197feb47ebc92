// Plumbline scans what APIs and MCP servers offer to agents, by the AgentReady
// rules, and holds agents' work to acceptance contracts. `plumbline -h` is its manual.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	os.Exit(run(ctx, os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr))
}

// run is the whole program: everything that a process owns is a parameter. It
// returns the exit code.
func run(ctx context.Context, args, env []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	p := &process{args: args, env: env, stdin: stdin, stdout: stdout, stderr: stderr}
	_, err := guard(func() (struct{}, error) { return struct{}{}, execute(ctx, p) })
	return p.exit(err)
}
